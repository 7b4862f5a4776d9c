package probe

import (
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// Purposes of a request.
const (
	forPage    = "page"
	forBrowser = "browser" // the work of the browser on a page; its own requests are not listed
	forRobots  = "robots"
	forSitemap = "sitemap"
	forHost    = "host"
	forAnswer  = "answer" // a URL that would be cited in the place of the page (answer.go)
	forArchive = "archive"
)

// accept is the header of seed 003 followed by everything else: a PDF is welcome too, and some servers take the
// header literally.
const accept = "text/html,application/xhtml+xml,*/*;q=0.8"

// newTransport returns a transport that keeps one connection per host, uses no proxy and decodes no content. It
// speaks only HTTP/1.1: its limits are known, and with one request at a time HTTP/2 gains nothing.
func newTransport(c Config, d *dialer) *http.Transport {
	t := &http.Transport{
		DialContext:            d.dial,
		DialTLSContext:         d.dialTLS,
		MaxConnsPerHost:        1,
		MaxIdleConnsPerHost:    1,
		MaxIdleConns:           queuesAtATime * c.Concurrency, // else hosts that wait would lose their connections
		IdleConnTimeout:        15 * time.Second,
		MaxResponseHeaderBytes: c.MaxHeader,
		DisableCompression:     true,
		Protocols:              new(http.Protocols),
	}
	t.Protocols.SetHTTP1(true)
	return t
}

// request describes a request.
type request struct {
	method  string
	url     *url.URL
	purpose string
	header  http.Header // besides the usual headers
	cookies cookies     // of the redirect chain
	limit   int64       // bytes of the decoded body; 0: depends on the content type
	first   int         // earlier attempts
	once    bool        // no retries
}

// tell reports an event of this visit.
func (v *visit) tell(e Event) {
	e.Target = v.target
	v.announce(e)
}

// ask makes a request, with retries while its failure may pass (seed 003, fallback 1). Exactly one of answer and
// failure is set; an error means that ctx ended, or that the host must not be asked now (*deferral).
func (v *visit) ask(ctx context.Context, req request) (*Response, *failure, error) {
	at := v.gates.hold(req.url.Hostname())
	defer v.gates.release(at)
	defer v.body.release() // after a panic too: the prober may have other users
	if req.first > 0 {
		if err := v.gates.putOff(ctx, at, v.jittered(delays[req.first-1]), forRetry); err != nil {
			return nil, nil, err
		}
	}
	for attempt := req.first; ; attempt++ {
		resp, fail, again, err := v.askOnce(ctx, at, req, attempt)
		if err == nil && !again {
			err = v.readPage(ctx, at, req, resp)
		}
		v.body.release() // nobody may wait for another host and have room
		if err != nil || !again {
			return resp, fail, err
		}
	}
}

// readPage reads the page of an answer, if need be with the browser, and drops its body.
func (v *visit) readPage(ctx context.Context, at *gate, req request, resp *Response) error {
	isAnswer := req.purpose == forAnswer // of which only the head counts
	if resp == nil || req.purpose != forPage && !isAnswer || isRedirect(resp.Status) {
		return nil
	}
	documents := v.cfg.Documents
	if isAnswer {
		documents = nil
	}
	page, err := ReadPage(ctx, resp, v.cfg.Policy, documents, !isAnswer)
	if err == nil && page.Scripts && v.cfg.Browser != nil && !isAnswer {
		page, err = v.draw(ctx, at, resp, page)
	}
	resp.page, resp.read, resp.Body = page, int64(len(resp.Body)), nil
	return err
}

// askOnce waits until the host may be asked and makes one request. again reports whether another attempt is due; the
// gate holds the wait before it.
func (v *visit) askOnce(ctx context.Context, at *gate, req request, attempt int) (
	_ *Response, _ *failure, again bool, err error,
) {
	err = v.gates.enter(ctx, at, v.cfg.MaxWait, func(d time.Duration, why string) {
		v.tell(Event{Kind: Waiting, Wait: d, Why: why})
	})
	if err != nil {
		return nil, nil, false, err
	}
	defer v.gates.leave(at)
	if down := at.isDown(originOf(req.url), v.cfg.Clock.Now()); down != nil && !v.target.Fresh {
		if req.once = true; down.fail.silent {
			return nil, nil, false, &deferral{down.at.Add(downFor), down.fail.text}
		}
	}
	if !v.target.Budget.spend() {
		return nil, nil, false, &deferral{v.cfg.Clock.Now(), spentBudget}
	}
	if err := v.begin(ctx); err != nil {
		return nil, nil, false, err
	}
	resp, fail := v.exchange(ctx, req)
	v.gates.asked(at)
	if ctx.Err() != nil {
		return nil, nil, false, context.Cause(ctx)
	}
	if again = v.note(at, req, attempt, resp, fail); !again && v.isOffline(fail) {
		return nil, fail, false, ErrOffline
	}
	return resp, fail, again, v.keepPause(ctx, at, resp)
}

// isOffline reports whether a request failed for want of a network, as long as nothing has been heard of any host.
func (v *visit) isOffline(fail *failure) bool {
	return fail != nil && fail.kind == noNetwork && !v.hasHeard()
}

// exchange makes one request and records it.
func (v *visit) exchange(ctx context.Context, req request) (*Response, *failure) {
	ex := Exchange{Method: req.method, URL: req.url.String(), Purpose: req.purpose}
	v.tell(Event{Kind: Asking, Exchange: ex})
	begun := v.cfg.Clock.Now()
	resp, err := v.roundTrip(ctx, req)
	ex.Elapsed = v.cfg.Clock.Now().Sub(begun)
	var fail *failure
	if err != nil {
		fail = failed(req.url.Host, err, v.cfg.Timeout)
		ex.Error, ex.Certificate = fail.text, fail.certificate
		v.isUnknown = v.isUnknown || fail.kind == noSuchHost && req.purpose != forArchive
	} else {
		ex.Status, ex.Certificate = resp.Status, resp.certificate
	}
	if ctx.Err() == nil && (fail == nil || !fail.silent) {
		v.hear()
	}
	v.exchanges = append(v.exchanges, ex)
	v.tell(Event{Kind: Answered, Exchange: ex})
	return resp, fail
}

// sentOnce is an empty body that cannot be rewound. Without it http.Transport repeats a request at once if a reused
// connection breaks; retries are the task of retry.go.
type sentOnce struct{}

func (sentOnce) Read([]byte) (int, error) { return 0, io.EOF }
func (sentOnce) Close() error             { return nil }

// roundTrip sends the request and reads the answer, within the limits of time and size.
func (v *visit) roundTrip(ctx context.Context, req request) (*Response, error) {
	ctx, limit := startLimit(ctx, v.cfg.Timeout)
	defer limit.end()
	resp, err := v.answer(ctx, req, limit)
	if err != nil && errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		err = errors.Join(err, context.DeadlineExceeded)
	}
	return resp, err
}

func (v *visit) answer(ctx context.Context, req request, limit *timeLimit) (*Response, error) {
	r := (&http.Request{Method: req.method, URL: req.url, Header: v.header(req), Host: req.url.Host,
		Body: sentOnce{}}).WithContext(ctx)
	answer, err := v.send(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	req.cookies.keep(req.url, answer)
	if answer.StatusCode < 200 {
		return nil, statusError(answer.StatusCode)
	}
	resp := &Response{URL: req.url.String(), Method: req.method, Status: answer.StatusCode, Header: answer.Header}
	resp.Length = answer.ContentLength
	if answer.TLS != nil && len(answer.TLS.PeerCertificates) > 0 {
		resp.certificate = answer.TLS.PeerCertificates[0].NotAfter
	}
	if req.method == http.MethodHead {
		return resp, nil
	}
	size := v.limitOf(req, resp)
	if err := v.body.take(ctx, limit, resp.room(size)); err != nil {
		return nil, err
	}
	err = resp.readBody(answer.Body, size)
	if errors.Is(err, errEncoding) {
		resp.Trouble, err = err.Error(), nil // the answer is there without its body
	} else if err != nil && !isTimeout(err) && isHTML(mediaType(resp)) {
		resp.Trouble, resp.bodiless, err = "the body broke off: "+lastText(err), true, nil
	}
	return resp, err
}

// send sends a request. It repeats it on a new connection if the server had closed the old one: nobody received that
// request, so it is no retry.
func (v *visit) send(r *http.Request) (*http.Response, error) {
	var kept atomic.Bool
	trace := httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) { kept.Store(c.Reused) }}
	answer, err := v.transport.RoundTrip(r.WithContext(httptrace.WithClientTrace(r.Context(), &trace)))
	if err != nil && kept.Load() && isUnsent(err) && r.Context().Err() == nil {
		return v.transport.RoundTrip(r)
	}
	return answer, err
}

// isUnsent reports whether a request could not be written. The error is that of writing, or that of reading from a
// connection that the transport closed because writing failed; which one is a matter of chance.
func isUnsent(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "write" || errors.Is(err, syscall.EPIPE) || errors.Is(err, net.ErrClosed) ||
		strings.Contains(err.Error(), "server closed idle connection")
}

// limitOf returns how many bytes of a decoded body to read. For an answer that is not the page it is little, so that
// the connection can be kept.
func (v *visit) limitOf(req request, r *Response) int64 {
	switch {
	case req.limit > 0:
		return req.limit
	case isRedirect(r.Status):
		return 16 << 10
	case mediaType(r) == "application/pdf":
		return v.cfg.MaxPDF
	}
	return v.cfg.MaxBody
}

// header returns the headers to send (seed 003, request configuration): no credentials, no Referer, and no cookies but
// those of the redirect chain.
func (v *visit) header(req request) http.Header {
	h := http.Header{
		"User-Agent":      {v.cfg.UserAgent},
		"Accept":          {accept},
		"Accept-Language": {v.cfg.AcceptLanguage},
		"Accept-Encoding": {"gzip, deflate"},
	}
	if sent := req.cookies.header(req.url); sent != "" {
		h.Set("Cookie", sent)
	}
	maps.Copy(h, req.header)
	return h
}
