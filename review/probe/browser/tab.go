package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

const (
	lookEvery = 250 * time.Millisecond
	calm      = 500 * time.Millisecond // without requests and without change of the text
	minText   = 100                    // characters of the visible text, with which a page may be done
)

var errCrashed = errors.New("the page crashed the browser")

// tab is one page in Chromium.
type tab struct {
	session  cdp.Session
	requests *requests
	world    runtime.ExecutionContextID // of our own scripts: those of the page cannot change it
}

// draw draws a page. After an error the process is not to be used any more.
func (p *process) draw(ctx context.Context, pg Page, settle time.Duration) (Drawing, error) {
	proxy, err := startProxy(pg, p.identity)
	if err != nil {
		return Drawing{}, err
	}
	defer proxy.close()
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	t := &tab{requests: &requests{page: pg}}
	run, cancel := chromedp.NewContext(p.ctx, inContext(proxy.url()), chromedp.WithListener(func(ev any) {
		switch ev := ev.(type) {
		case *fetch.EventRequestPaused:
			t.requests.paused(ev)
		case *inspector.EventTargetCrashed:
			fail(errCrashed)
		}
	}))
	defer cancel()
	t.requests.tell = func(send func(context.Context, cdp.Session) error) {
		go func() { _ = send(ctx, t.session) }() // it fails if the page gave up the request
	}
	defer context.AfterFunc(ctx, cancel)()
	if err := chromedp.Do(run); err != nil {
		return Drawing{}, causeOf(ctx, err)
	}
	t.session = chromedp.FromContext(run).Target
	d, err := t.draw(ctx, pg, settle)
	return d, causeOf(ctx, err)
}

// causeOf returns the cause of the end of ctx in the place of an error that follows from it.
func causeOf(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// inContext gives a page a browser context of its own, with this proxy and no exception from it.
func inContext(proxy string) chromedp.ContextOption {
	return chromedp.WithNewBrowserContext(func(p *target.CreateBrowserContextParams) {
		p.ProxyServer, p.ProxyBypassList = proxy, "<-loopback>"
	})
}

// draw opens the page and waits until it is drawn.
func (t *tab) draw(ctx context.Context, pg Page, settle time.Duration) (Drawing, error) {
	end := time.Now().Add(settle)
	if err := t.prepare(ctx, pg); err != nil {
		return Drawing{}, err
	}
	opened, err := cdp.Call(ctx, t.session, page.Navigate, page.NavigateParams{URL: pg.URL})
	if err != nil {
		return Drawing{}, err
	}
	if opened.ErrorText != "" {
		return Drawing{}, fmt.Errorf("opening it: %s", opened.ErrorText)
	}
	world, err := cdp.Call(ctx, t.session, page.CreateIsolatedWorld,
		page.CreateIsolatedWorldParams{FrameID: opened.FrameID})
	if err != nil {
		return Drawing{}, err
	}
	t.world = world.ExecutionContextID
	if err := t.settle(ctx, end); err != nil {
		return Drawing{}, err
	}
	return t.read(ctx, pg.Limit)
}

// prepare sets up the tab before the page is in it. chromedp turns on reports of all kinds, which a page could make
// endless.
func (t *tab) prepare(ctx context.Context, pg Page) error {
	for _, off := range []cdp.Command[cdp.Empty, cdp.Empty]{
		runtime.Disable, log.Disable, dom.Disable, css.Disable, network.Disable,
	} {
		if _, err := cdp.Call(ctx, t.session, off, cdp.Empty{}); err != nil {
			return err
		}
	}
	_, err := cdp.Call(ctx, t.session, emulation.SetUserAgentOverride,
		emulation.SetUserAgentOverrideParams{UserAgent: pg.UserAgent, AcceptLanguage: pg.AcceptLanguage})
	if err != nil {
		return err
	}
	_, err = cdp.Call(ctx, t.session, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: withoutRTC})
	if err != nil {
		return err
	}
	_, err = cdp.Call(ctx, t.session, fetch.Enable, fetch.EnableParams{})
	return err
}

// withoutRTC takes WebRTC from each document before its scripts run. The flag alone would do, but Chromium has renamed
// it before, and ignores flags that it does not know.
const withoutRTC = `delete window.RTCPeerConnection; delete window.webkitRTCPeerConnection`

// settle waits until the page has text that does not change, and all its requests are answered, or until end. It does
// not wait for the text of a page that only sends browsers elsewhere.
func (t *tab) settle(ctx context.Context, end time.Time) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	length, since := -1, time.Now()
	for time.Now().Before(end) {
		var now int
		if err := t.evaluate(ctx, textLength, &now); err != nil {
			return err
		}
		if now != length {
			length, since = now, time.Now()
		}
		hasAll := length >= minText || t.requests.destination() != ""
		if hasAll && time.Since(since) >= calm && t.requests.quiet(calm) {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

const textLength = `document.body ? document.body.innerText.trim().length : 0`

// read returns the document.
func (t *tab) read(ctx context.Context, limit int) (Drawing, error) {
	var html string
	script := fmt.Sprintf(`document.documentElement.outerHTML.slice(0, %d)`, limit+1)
	if err := t.evaluate(ctx, script, &html); err != nil {
		return Drawing{}, err
	}
	d := Drawing{SentTo: t.requests.destination(), Truncated: len(html) > limit}
	for len(html) > limit || !utf8.ValidString(html) {
		html = strings.ToValidUTF8(html[:min(len(html), limit)], "")
	}
	d.HTML = []byte(html)
	return d, nil
}

// evaluate runs a script of ours beside the page and reads its result.
func (t *tab) evaluate(ctx context.Context, script string, into any) error {
	byValue := true
	r, err := cdp.Call(ctx, t.session, runtime.Evaluate, runtime.EvaluateParams{
		Expression: script, ContextID: t.world, ReturnByValue: &byValue,
	})
	switch {
	case err != nil:
		return err
	case r.ExceptionDetails != nil:
		return fmt.Errorf("reading it: %s", r.ExceptionDetails.Text)
	}
	return json.Unmarshal(r.Result.Value, into)
}
