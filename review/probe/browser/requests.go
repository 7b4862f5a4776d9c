package browser

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
)

// Limits of the requests of a page (spec section 15).
const (
	maxRequests = 60
	maxAtOnce   = 6 // requests without an answer
)

// policy is the Content-Security-Policy that a page gets besides its own. The sandbox keeps it from opening windows
// and dialogs, from downloads and from sending forms.
const policy = "sandbox allow-scripts allow-same-origin; img-src 'none'; media-src 'none'; font-src 'none'; " +
	"object-src 'none'; frame-src 'none'; worker-src 'none'; manifest-src 'none'; form-action 'none'"

// requests decides about the requests of one page. Chromium holds each request and each answer until it is told how
// to go on.
type requests struct {
	page Page
	tell func(send func(context.Context, cdp.Session) error) // sends a command later

	mu       sync.Mutex
	answered bool // the page itself has been answered
	made     int
	open     int               // requests without an answer
	waiting  []fetch.RequestID // until another one is answered
	last     time.Time         // of the last request or answer
	sentTo   string
}

// paused takes a request or an answer that Chromium holds.
func (q *requests) paused(ev *fetch.EventRequestPaused) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.last = time.Now()
	switch {
	case ev.ResponseStatusCode != 0 || ev.ResponseErrorReason != "":
		q.open--
		q.goOn(ev.RequestID)
		q.next()
	case ev.ResourceType == network.ResourceTypeDocument:
		q.document(ev)
	case q.made >= maxRequests || q.page.Admit != nil && !q.page.Admit():
		q.refuse(ev.RequestID, network.ErrorReasonBlockedByClient)
	default:
		q.made++
		q.waiting = append(q.waiting, ev.RequestID)
		q.next()
	}
}

// next lets requests go that wait, as many as may be without an answer.
func (q *requests) next() {
	for len(q.waiting) > 0 && q.open < maxAtOnce {
		q.open++
		q.goOn(q.waiting[0])
		q.waiting = q.waiting[1:]
	}
}

// document answers the request for the page itself, and refuses any other document. "Aborted" leaves the page where
// it is.
func (q *requests) document(ev *fetch.EventRequestPaused) {
	if q.answered {
		q.sentTo = ev.Request.URL + ev.Request.URLFragment
		q.refuse(ev.RequestID, network.ErrorReasonAborted)
		return
	}
	q.answered = true
	answer := fetch.FulfillRequestParams{
		RequestID: ev.RequestID, ResponseCode: http.StatusOK, ResponseHeaders: q.headers(), Body: q.page.Body,
	}
	q.tell(func(ctx context.Context, s cdp.Session) error {
		_, err := cdp.Call(ctx, s, fetch.FulfillRequest, answer)
		return err
	})
}

// kept are the headers of the answer that the browser gets. Those about the encoding and the connection have done
// their work, and cookies are not kept.
var kept = []string{"Content-Type", "Content-Language", "Content-Security-Policy", "Referrer-Policy"}

// headers returns the headers of the page for the browser.
func (q *requests) headers() []*fetch.HeaderEntry {
	list := []*fetch.HeaderEntry{{Name: "Content-Security-Policy", Value: policy}}
	for _, name := range kept {
		for _, value := range q.page.Header.Values(name) {
			list = append(list, &fetch.HeaderEntry{Name: name, Value: strings.ToValidUTF8(value, "\uFFFD")})
		}
	}
	return list
}

// goOn lets a request or an answer go on.
func (q *requests) goOn(id fetch.RequestID) {
	answerToo := true
	q.tell(func(ctx context.Context, s cdp.Session) error {
		_, err := cdp.Call(ctx, s, fetch.ContinueRequest,
			fetch.ContinueRequestParams{RequestID: id, InterceptResponse: &answerToo})
		return err
	})
}

func (q *requests) refuse(id fetch.RequestID, why network.ErrorReason) {
	q.tell(func(ctx context.Context, s cdp.Session) error {
		_, err := cdp.Call(ctx, s, fetch.FailRequest, fetch.FailRequestParams{RequestID: id, ErrorReason: why})
		return err
	})
}

// quiet reports whether every request has been answered, the last one some time ago.
func (q *requests) quiet(since time.Duration) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.open <= 0 && len(q.waiting) == 0 && time.Since(q.last) >= since
}

// destination returns the last URL that the page wanted to go to.
func (q *requests) destination() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.sentTo
}
