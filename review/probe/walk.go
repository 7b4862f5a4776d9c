package probe

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"visto/canon"
)

// manner is how a way is gone.
type manner struct {
	purpose  string
	head     bool                         // the body is not needed
	once     bool                         // no retries
	anywhere bool                         // robots.txt, the allowlist and the policy's number of hops do not count
	header   func(url string) http.Header // besides the usual headers; may be nil
}

// way is how one came from a URL to where its redirects lead (seed 000 rule 7).
type way struct {
	asked  *url.URL
	hops   []canon.Hop
	at     *url.URL  // the last URL that was asked, or was to be asked
	last   *Response // the answer there, or the last redirect; nil: none
	ending ending
	fail   *failure // of lost, and where a URL that looks public is forbidden
	robots rules    // of the origin of at
	slash  bool     // the slash at the end of the path has to stay
}

// walk asks for a URL, and goes where its redirects lead: no further than the policy says, not in circles, and to no place that may
// not be asked. Each hop is recorded, the one that is not followed too.
func (v *visit) walk(ctx context.Context, start *url.URL, how manner) (*way, error) {
	w := &way{asked: start, at: start}
	leaves := !how.anywhere && v.mayNotLeave(start)
	seen := []string{start.String()}
	for {
		goesOn, err := v.step(ctx, w, how)
		if err != nil || !goesOn {
			return w, err
		}
		next, text, why := v.follow(w.at, w.last)
		w.hops = append(w.hops, canon.Hop{Status: w.last.Status, URL: text})
		switch {
		case why != nil:
			w.ending, w.fail = why.ending, why.fail
		case len(w.hops) > v.maxHops(how):
			w.ending = tooLong
		case slices.Contains(seen, next.String()):
			w.ending = circle
		case leaves && !v.cfg.Policy.Allows(next.Hostname()) && !v.cfg.Policy.Shortens(next.Hostname()):
			w.ending = astray
		default:
			w.at = next
			seen = append(seen, next.String())
			continue
		}
		return w, nil
	}
}

// mayNotLeave reports a URL whose redirects have to stay on the allowlist, as canon judges them: one that is on it, and a short link,
// which is judged by where it leads. About a URL that is off the allowlist itself a person decides.
func (v *visit) mayNotLeave(u *url.URL) bool {
	return v.cfg.Policy.Allows(u.Hostname()) || v.cfg.Policy.Shortens(u.Hostname())
}

func (v *visit) maxHops(how manner) int {
	if how.anywhere {
		return robotsHops
	}
	return v.cfg.Policy.MaxHops()
}

// step asks for the URL at which the way has come, and reports whether it goes on from there.
func (v *visit) step(ctx context.Context, w *way, how manner) (goesOn bool, err error) {
	if !how.anywhere {
		r, fail, err := v.robotsOf(ctx, w.at, 0, how.once)
		if fail != nil || err != nil {
			w.ending, w.fail, w.last = lost, fail, nil
			return false, err
		}
		if w.robots = r; !r.allow(w.at) {
			w.ending, w.last = barred, nil
			return false, nil
		}
	}
	resp, fail, err := v.get(ctx, w.at, how)
	if fail != nil || err != nil {
		w.ending, w.fail, w.last = lost, fail, nil
		return false, err
	}
	if w.last = resp; !isRedirect(resp.Status) {
		return false, nil
	}
	if resp.Header.Get("Location") == "" {
		w.ending = lost
		w.fail = &failure{kind: broken, text: fmt.Sprintf("%s answered %d without a Location", w.at.Host, resp.Status)}
	}
	return w.fail == nil, nil
}

// get asks with HEAD where the body is not needed, and with GET where it is, or where the answer to HEAD is an error.
func (v *visit) get(ctx context.Context, u *url.URL, how manner) (*Response, *failure, error) {
	if how.head || isFile(u.Path) {
		resp, fail, err := v.ask(ctx, request{method: http.MethodHead, url: u, purpose: how.purpose, once: true})
		if err != nil || fail == nil && resp.Status < 400 && (how.head || !hasText(resp)) {
			return resp, nil, err
		}
		if fail != nil && !fail.passing() {
			return nil, fail, nil
		}
	}
	req := request{method: http.MethodGet, url: u, purpose: how.purpose, once: how.once}
	if how.header != nil {
		req.header = how.header(u.String())
	}
	resp, fail, err := v.ask(ctx, req)
	if resp == nil || resp.Status != http.StatusNotModified || len(req.header) == 0 {
		return resp, fail, err
	}
	if _, ok := confirm(*v.earlier, resp.Header, v.cfg.Clock.Now()); ok {
		resp.confirms = true
		return resp, nil, nil
	}
	req.header = nil
	return v.ask(ctx, req)
}

// files are the extensions of what is not read: there is no title, language or link in it that we would look for.
var files = []string{
	".7z", ".avi", ".bin", ".bmp", ".csv", ".doc", ".docx", ".dwg", ".epub", ".exe", ".gif", ".gz", ".ics", ".jpeg", ".jpg",
	".kml", ".kmz", ".mov", ".mp3", ".mp4", ".mpg", ".odp", ".ods", ".odt", ".png", ".ppt", ".pptx", ".rar", ".rtf", ".svg", ".tar",
	".tif", ".tiff", ".wav", ".webm", ".webp", ".wmv", ".xls", ".xlsx", ".zip",
}

func isFile(p string) bool {
	_, found := slices.BinarySearch(files, strings.ToLower(path.Ext(p)))
	return found
}

// hasText reports an answer whose body is needed: title, language and links stand in it.
func hasText(r *Response) bool {
	switch mediaType(r) {
	case "text/html", "application/xhtml+xml", "application/pdf", "":
		return r.Status >= 200 && r.Status <= 299
	}
	return false
}
