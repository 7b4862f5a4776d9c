package probe

import (
	"context"
	"fmt"
	"net"
	"net/http"

	"visto/review/probe/browser"
)

// draw has the browser draw a page without text (seed 003, fallback 2). The statements of the page are then those of
// the drawing; only its bytes are those that the server sent, for scripts draw no page twice alike. A page that stays
// empty keeps its own statements. An error means that ctx ended.
func (v *visit) draw(ctx context.Context, at *gate, r *Response, page Page) (Page, error) {
	v.body.shrink(int64(len(r.Body)))
	drawing, err := v.askBrowser(ctx, r)
	if ctx.Err() != nil {
		return Page{}, context.Cause(ctx)
	}
	if err := v.gates.rest(ctx, at); err != nil {
		return Page{}, err
	}
	if err != nil {
		page.Caveats = append(page.Caveats, fmt.Sprintf("No browser could draw the page: %s.", cleanText(err.Error())))
		return page, nil
	}
	drawn, err := v.readDrawing(ctx, r, drawing)
	if err != nil {
		return Page{}, err
	}
	if drawn.Empty {
		page.Caveats = append(page.Caveats, "In a browser the page shows no text either.")
		page.sentTo(r, drawing.SentTo)
		return page, nil
	}
	drawn.SHA256 = page.SHA256
	return drawn, nil
}

// askBrowser has the browser draw a page, and records that as an exchange.
func (v *visit) askBrowser(ctx context.Context, r *Response) (browser.Drawing, error) {
	ex := Exchange{Method: http.MethodGet, URL: r.URL, Purpose: forBrowser}
	v.tell(Event{Kind: Asking, Exchange: ex})
	asked := v.cfg.Clock.Now()
	select {
	case v.drawing <- struct{}{}:
		defer unlock(v.drawing)
	case <-ctx.Done():
		return browser.Drawing{}, context.Cause(ctx)
	}
	begun := v.cfg.Clock.Now()
	v.queued += begun.Sub(asked)
	drawing, err := v.cfg.Browser.Draw(ctx, browser.Page{
		URL: r.URL, Header: r.Header, Body: r.Body, Limit: int(v.cfg.MaxBody),
		UserAgent: v.cfg.UserAgent, AcceptLanguage: v.cfg.AcceptLanguage, Dial: v.dialForBrowser, RootCAs: v.cfg.RootCAs,
		Admit: v.target.Budget.spend,
	})
	ex.Elapsed = v.cfg.Clock.Now().Sub(begun)
	if err != nil {
		ex.Error = err.Error()
	} else {
		ex.Status = r.Status
	}
	v.exchanges = append(v.exchanges, ex)
	v.tell(Event{Kind: Answered, Exchange: ex})
	return drawing, err
}

// dialForBrowser opens a connection for the browser, by the rules for requests of the prober itself.
func (p *Prober) dialForBrowser(ctx context.Context, network, address string) (net.Conn, error) {
	to, err := splitHostPort(address)
	if err != nil {
		return nil, err
	}
	if !p.ports[to.port] {
		return nil, fmt.Errorf("port %d of %s is not one of those that are asked", to.port, to.host)
	}
	return p.transport.DialContext(ctx, network, address)
}

// readDrawing reads the page that a browser drew from an answer.
func (v *visit) readDrawing(ctx context.Context, r *Response, d browser.Drawing) (Page, error) {
	drawn := *r
	drawn.Header = r.Header.Clone()
	drawn.Header.Set("Content-Type", "text/html; charset=utf-8")
	drawn.Body, drawn.Truncated = d.HTML, r.Truncated || d.Truncated
	drawn.isDrawn = true
	return ReadPage(ctx, &drawn, v.cfg.Policy, v.cfg.Documents, true)
}

// sentTo records the URL to which the scripts of an empty page send browsers. It is no hop: only a browser goes there.
func (p *Page) sentTo(r *Response, url string) {
	reader := pageReader{Page: *p, from: r, base: parseURL(r.URL)}
	if to := reader.absolute(url); url != "" && to != "" && to != r.URL {
		p.MetaRefresh = to
		p.Caveats = append(p.Caveats, refresh{target: to}.caveat(to))
	}
}
