package probe

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"visto/canon"
)

// delays are the waits before the retries (seed 003, fallback 1). Three numbers need no library. Jitter spreads them
// by a fifth, so that hosts that failed together are not asked again together.
var delays = [...]time.Duration{5 * time.Second, 15 * time.Second, 45 * time.Second}

const jitter = 0.2

// mayPass reports whether a status may be another one seconds later.
func mayPass(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return false
	}
	return status >= 500
}

// keepPause stores the pause that an answer asks for, so that a later prober keeps it too.
func (v *visit) keepPause(ctx context.Context, at *gate, resp *Response) error {
	if resp == nil {
		return nil
	}
	until, ok := retryAfter(resp, v.cfg.Clock.Now())
	if !ok {
		return nil
	}
	return v.learn(ctx, at.host, func(f *HostFacts) { f.NotBefore = until })
}

// note applies the outcome of an attempt to the gate of the host, and reports whether another attempt is due.
func (v *visit) note(at *gate, req request, attempt int, resp *Response, fail *failure) (again bool) {
	now := v.cfg.Clock.Now()
	if fail == nil {
		delete(at.down, originOf(req.url))
		at.heard[originOf(req.url)] = true
		if until, ok := retryAfter(resp, now); ok {
			at.wait(until, forRetryAfter)
		}
	}
	passing := fail != nil && fail.passing() || fail == nil && (resp.bodiless || mayPass(resp.Status))
	switch {
	case v.isOffline(fail):
		at.wait(now.Add(v.jittered(delays[0])), forRetry)
		return attempt == 0
	case !passing || req.once:
		return false
	case attempt < len(delays):
		at.wait(now.Add(v.jittered(delays[attempt])), forRetry)
		return true
	case fail != nil && !at.heard[originOf(req.url)]:
		at.down[originOf(req.url)] = downSince{fail, now}
	}
	return false
}

// rateLimitedFor is the pause of a URL whose server answers 429 to all retries and names no pause of its own.
const rateLimitedFor = time.Hour

// rateLimited puts the URL off if its server answered 429 to the end.
func (v *visit) rateLimited(w *redirectChain) error {
	if w.ending != arrived || w.last.Status != http.StatusTooManyRequests {
		return nil
	}
	now := v.cfg.Clock.Now()
	until, ok := retryAfter(w.last, now)
	if !ok {
		until = now.Add(rateLimitedFor)
	}
	return &deferral{until, w.at.Host + " answers 429 (too many requests)"}
}

// putOff returns the evidence of a URL that was put off, nil if there is nothing to record: it was not asked, or has
// evidence from before, which stands. A URL whose server answered nothing but 429 in any run gets the number of the
// runs.
func (v *visit) putOff(later *deferral) *canon.Evidence {
	known := v.earlier
	isRefused := false
	for _, ex := range v.exchanges {
		if ex.Purpose == forPage {
			isRefused = ex.Status == http.StatusTooManyRequests
		}
	}
	hasAnswered := known != nil && (known.Error != "" || known.Status != 0 && !isRateLimited(known))
	if !isRefused || hasAnswered {
		return nil
	}
	ev := v.write(&redirectChain{ending: noAnswer})
	ev.Status, ev.Blocked, ev.Method = http.StatusTooManyRequests, blockedRate, byNobody
	ev.PutOff, ev.RetryAfter = 1, later.until.UTC().Format(time.RFC3339)
	if known != nil && isRateLimited(known) {
		ev.PutOff = min(max(known.PutOff, 1)+1, canon.MaxPutOff)
	}
	return ev
}

func isRateLimited(ev *canon.Evidence) bool {
	return ev.Error == "" && ev.Status == http.StatusTooManyRequests
}

func (v *visit) jittered(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (1 + jitter*(2*v.random()-1)))
}

// maxPause is the longest pause that a server can ask for. The pause is stored, so a wrong date would end all checks of
// a host.
const maxPause = 30 * 24 * time.Hour

// retryAfter returns the end of the pause that the server asks for: seconds or a date (RFC 9110 section 10.2.3), at
// most maxPause from now. Only statuses for "later" count; with a redirect the header is about the target, not the
// host.
func retryAfter(r *Response, now time.Time) (time.Time, bool) {
	if r.Status != http.StatusTooManyRequests && r.Status != http.StatusServiceUnavailable {
		return time.Time{}, false
	}
	text := strings.TrimSpace(r.Header.Get("Retry-After"))
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return now.Add(min(time.Duration(n)*time.Second, maxPause)), true
	}
	until, err := http.ParseTime(text)
	if err != nil || !until.After(now) {
		return time.Time{}, false
	}
	return now.Add(min(until.Sub(now), maxPause)), true
}
