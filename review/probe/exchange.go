package probe

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// What a request is for.
const (
	forPage    = "page"
	forRobots  = "robots"
	forHost    = "host"
	forArchive = "archive"
)

// accept is the header of seed 003, and after it everything else, for a PDF is welcome too and a server may take the header at its word.
const accept = "text/html,application/xhtml+xml,*/*;q=0.8"

// newTransport returns a transport that keeps one connection to a host, follows no proxy and decodes nothing by itself. HTTP/1.1
// alone: its limits are known, and one request at a time gains nothing from HTTP/2.
func newTransport(c Config, d *dialer) *http.Transport {
	t := &http.Transport{
		DialContext:            d.dial,
		DialTLSContext:         d.dialTLS,
		MaxConnsPerHost:        1,
		MaxIdleConnsPerHost:    1,
		MaxIdleConns:           queuesAtATime * c.Concurrency, // or hosts that wait for their turn would lose theirs
		IdleConnTimeout:        15 * time.Second,
		MaxResponseHeaderBytes: c.MaxHeader,
		DisableCompression:     true,
		Protocols:              new(http.Protocols),
	}
	t.Protocols.SetHTTP1(true)
	return t
}

// request is what to ask.
type request struct {
	method  string
	url     *url.URL
	purpose string
	header  http.Header // besides the usual ones
	limit   int64       // bytes of the decoded body; 0: as the content type wants
	first   int         // attempts that were made before
	once    bool        // no retries
}

// tell reports an event of this visit.
func (v *visit) tell(e Event) {
	e.Target = v.target
	v.announce(e)
}

// ask makes a request, and makes it again while its failure may pass (seed 003, fallback 1). Either answer or failure is nil;
// an error means that ctx ended, or that the host is not to be asked now (*deferral).
func (v *visit) ask(ctx context.Context, req request) (*Response, *failure, error) {
	at := v.gates.hold(req.url.Hostname())
	defer v.gates.letGo(at)
	if req.first > 0 {
		if err := v.gates.putOff(ctx, at, v.jittered(delays[req.first-1]), forRetry); err != nil {
			return nil, nil, err
		}
	}
	for attempt := req.first; ; attempt++ {
		resp, fail, again, err := v.askOnce(ctx, at, req, attempt)
		if err != nil || !again {
			return resp, fail, err
		}
	}
}

// askOnce waits for the host's turn and makes one request. again is whether another attempt is due; the wait before it is kept at
// the gate.
func (v *visit) askOnce(ctx context.Context, at *gate, req request, attempt int) (_ *Response, _ *failure, again bool, err error) {
	err = v.gates.enter(ctx, at, v.cfg.MaxWait, func(d time.Duration, why string) { v.tell(Event{Kind: Waiting, Wait: d, Why: why}) })
	if err != nil {
		return nil, nil, false, err
	}
	defer v.gates.leave(at)
	if down := at.isDown(originOf(req.url), v.cfg.Clock.Now()); down != nil && attempt == 0 && !v.target.Fresh {
		return nil, down, false, nil
	}
	resp, fail := v.exchange(ctx, req)
	v.gates.asked(at)
	if ctx.Err() != nil {
		return nil, nil, false, context.Cause(ctx)
	}
	return resp, fail, v.note(at, req, attempt, resp, fail), nil
}

// exchange is one request and its answer, recorded.
func (v *visit) exchange(ctx context.Context, req request) (*Response, *failure) {
	ex := Exchange{Method: req.method, URL: req.url.String(), Purpose: req.purpose}
	v.tell(Event{Kind: Asking, Exchange: ex})
	begun := v.cfg.Clock.Now()
	resp, err := v.roundTrip(ctx, req)
	ex.Elapsed = v.cfg.Clock.Now().Sub(begun)
	var fail *failure
	if err != nil {
		fail = failed(req.url.Host, err, v.cfg.Timeout)
		ex.Error = fail.text
	} else {
		ex.Status, ex.Bytes = resp.Status, int64(len(resp.Body))
	}
	v.exchanges = append(v.exchanges, ex)
	v.tell(Event{Kind: Answered, Exchange: ex})
	return resp, fail
}

// sentOnce is an empty body that cannot be had again: without one, http.Transport sends a request for a second time, at once, where a
// connection that was used before breaks off. When to ask again is for retry.go to say.
type sentOnce struct{}

func (sentOnce) Read([]byte) (int, error) { return 0, io.EOF }
func (sentOnce) Close() error             { return nil }

// roundTrip sends the request and reads the answer, within the time and the sizes that are allowed.
func (v *visit) roundTrip(ctx context.Context, req request) (*Response, error) {
	ctx, cancel := context.WithTimeout(ctx, v.cfg.Timeout)
	defer cancel()
	r := (&http.Request{Method: req.method, URL: req.url, Header: v.header(req), Host: req.url.Host, Body: sentOnce{}}).WithContext(ctx)
	answer, err := v.send(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	resp := &Response{URL: req.url.String(), Method: req.method, Status: answer.StatusCode, Header: answer.Header}
	resp.Length = answer.ContentLength
	if req.method == http.MethodHead {
		return resp, nil
	}
	err = resp.read(answer.Body, v.limitOf(req, resp))
	if errors.Is(err, errEncoding) {
		resp.Trouble, err = err.Error(), nil // the answer is there; only its body is not to be had
	}
	return resp, err
}

// send sends a request, and once more on a new connection where the one that was kept turns out to be closed at the other end: nobody
// has got the request then, and it is no retry.
func (v *visit) send(r *http.Request) (*http.Response, error) {
	var kept atomic.Bool
	trace := httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) { kept.Store(c.Reused) }}
	answer, err := v.transport.RoundTrip(r.WithContext(httptrace.WithClientTrace(r.Context(), &trace)))
	if err != nil && kept.Load() && isUnsent(err) && r.Context().Err() == nil {
		return v.transport.RoundTrip(r)
	}
	return answer, err
}

// isUnsent reports a request that could not be written: writing failed, or reading did because the transport had closed the connection,
// which it does, while it waits for an answer, where writing failed. Which of the two it names is a matter of chance.
func isUnsent(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "write" || errors.Is(err, syscall.EPIPE) || errors.Is(err, net.ErrClosed) ||
		strings.Contains(err.Error(), "server closed idle connection")
}

// limitOf returns how much of a decoded body is read: of an answer that is not the page, little, so that the connection can be kept.
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

// header returns what is sent (seed 003, request configuration): no cookies, no credentials, no Referer.
func (v *visit) header(req request) http.Header {
	h := http.Header{
		"User-Agent":      {v.cfg.UserAgent},
		"Accept":          {accept},
		"Accept-Language": {v.cfg.AcceptLanguage},
		"Accept-Encoding": {"gzip, deflate"},
	}
	for name, values := range req.header {
		h[name] = values
	}
	return h
}
