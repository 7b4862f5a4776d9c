package probe

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"

	"visto/canon"
)

// fetchOptions are the options of walk.
type fetchOptions struct {
	purpose  string
	head     bool                         // the body is not needed
	once     bool                         // no retries
	stay     bool                         // record the first redirect, and do not follow it
	anywhere bool                         // ignore robots.txt, the allowlist and the policy's number of hops
	first    int                          // earlier attempts
	limit    int64                        // bytes of the decoded body; 0: depends on the content type
	header   func(url string) http.Header // besides the usual headers; may be nil
}

// redirectChain is the chain from a URL to the end of its redirects (seed 000 rule 7).
type redirectChain struct {
	asked  *url.URL
	hops   []canon.Hop
	at     *url.URL  // last URL that was requested, or was next
	last   *Response // answer there, or the last redirect; nil: none
	ending ending
	fail   *failure // with ending noAnswer, and for a public-looking URL that is forbidden
	robots rules    // of the origin of at
	slash  bool     // the slash at the end of the path must stay

	fragment string  // of the redirect to at: it may select the page
	cookies  cookies // that the servers of the chain set
	repeats  int     // redirects to URLs of the chain that a new cookie justifies; they are no hops
}

// walk requests a URL and follows its redirects and refreshes: as many as the policy allows, without loops, and only to
// permitted places. It records each hop, including one that it does not follow. A redirect to a URL of the chain is a
// loop, unless a cookie has changed since that URL was asked: then it may answer otherwise.
func (v *visit) walk(ctx context.Context, start *url.URL, opt fetchOptions) (*redirectChain, error) {
	w := &redirectChain{asked: start, at: start, cookies: newCookies()}
	stays := !opt.anywhere && v.onAllowlist(start)
	for {
		goesOn, err := v.step(ctx, w, opt)
		if err != nil || !goesOn {
			return w, err
		}
		next, text, why := v.follow(w.at, w.last)
		if why == nil && w.cookies.changed(next) && len(w.hops)+w.repeats < v.maxHops(opt) {
			w.repeats++
			w.at, w.fragment = next, ""
			continue
		}
		w.hops = append(w.hops, canon.Hop{Status: w.last.Status, URL: text})
		switch {
		case opt.stay:
		case why != nil:
			w.ending, w.fail = why.ending, why.fail
		case w.cookies.asked(next):
			w.ending = redirectLoop
		case len(w.hops)+w.repeats > v.maxHops(opt):
			w.ending, w.fail = tooManyHops, w.tooMany()
		case stays && !v.onAllowlist(next):
			w.ending = offAllowlist
		default:
			w.at, w.fragment = next, fragmentOf(text)
			continue
		}
		return w, nil
	}
}

// tooMany returns the failure of a chain that is too long only with the repeats, which the hops do not show.
func (w *redirectChain) tooMany() *failure {
	if w.repeats == 0 {
		return nil
	}
	return &failure{kind: notAsked,
		text: fmt.Sprintf("%d redirects, of which %d only set cookies", len(w.hops)+w.repeats, w.repeats)}
}

// end returns the URL at the end of the chain, with the fragment of the redirect to it.
func (w *redirectChain) end() string {
	if w.fragment == "" {
		return w.at.String()
	}
	return w.at.String() + "#" + w.fragment
}

// fragmentOf returns the fragment of a URL, or "".
func fragmentOf(url string) string {
	_, fragment, _ := strings.Cut(url, "#")
	return fragment
}

// onAllowlist reports whether a URL is on the allowlist, by the judgement of canon, or is a short link, which counts by
// its target. The redirects from such a URL must stay there; a person decides about a URL off the allowlist.
func (v *visit) onAllowlist(u *url.URL) bool {
	return v.cfg.Policy.Allows(u.Hostname()) || v.cfg.Policy.Shortens(u.Hostname())
}

func (v *visit) maxHops(opt fetchOptions) int {
	if opt.anywhere {
		return robotsHops
	}
	return v.cfg.Policy.MaxHops()
}

// step requests the current URL of the chain and reports whether the chain continues.
func (v *visit) step(ctx context.Context, w *redirectChain, opt fetchOptions) (goesOn bool, err error) {
	if !opt.anywhere {
		r, fail, err := v.robotsOf(ctx, w.at, 0, opt.once)
		if fail != nil || err != nil {
			w.ending, w.fail, w.last = noAnswer, fail, nil
			return false, err
		}
		if w.robots = r; !r.allow(w.at) {
			w.ending, w.last = robotsBlocked, nil
			return false, nil
		}
	}
	resp, fail, err := v.getPage(ctx, w, opt)
	if fail != nil || err != nil {
		w.ending, w.fail, w.last = noAnswer, fail, nil
		return false, err
	}
	if w.last = resp; !isRedirect(resp.Status) {
		return resp.page.Refresh != "", nil
	}
	if resp.Header.Get("Location") == "" {
		w.ending = noAnswer
		w.fail = &failure{kind: broken, text: fmt.Sprintf("%s answered %d without a Location", w.at.Host, resp.Status)}
	}
	return w.fail == nil, nil
}

// getPage requests the current URL, and again after the waits of retries while it shows that the site is in maintenance.
func (v *visit) getPage(ctx context.Context, w *redirectChain, opt fetchOptions) (*Response, *failure, error) {
	for {
		resp, fail, err := v.get(ctx, w.at, w.cookies, opt)
		if fail != nil || err != nil {
			return resp, fail, err
		}
		v.judge(w.asked, resp)
		if !resp.page.inMaintenance() || opt.once || opt.first == len(delays) {
			return resp, nil, nil
		}
		opt.first++
	}
}

// get uses HEAD if the body is not needed, and GET if it is or if the answer to HEAD is an error.
func (v *visit) get(ctx context.Context, u *url.URL, c cookies, opt fetchOptions) (*Response, *failure, error) {
	c.begin(u)
	if opt.head || opt.limit == 0 && isFile(u.Path) {
		head := request{method: http.MethodHead, url: u, purpose: opt.purpose, cookies: c, once: true}
		resp, fail, err := v.ask(ctx, head)
		if err != nil || fail == nil && resp.Status < 400 && (opt.head || !hasText(resp)) {
			return resp, nil, err
		}
		if fail != nil && !fail.passing() {
			return nil, fail, nil
		}
	}
	req := request{method: http.MethodGet, url: u, purpose: opt.purpose, cookies: c, limit: opt.limit,
		first: opt.first, once: opt.once}
	if opt.header != nil {
		req.header = opt.header(u.String())
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

// files are extensions of files that are not read: they have no title, language or link of use.
var files = wordSet(`.7z .avi .bin .bmp .csv .doc .docx .dwg .epub .exe .gif .gz .ics .jpeg .jpg .kml .kmz .mov .mp3
	.mp4 .mpg .odp .ods .odt .png .ppt .pptx .rar .rtf .svg .tar .tif .tiff .wav .webm .webp .wmv .xls .xlsx .zip`)

func isFile(p string) bool { return files[strings.ToLower(path.Ext(p))] }

// hasText reports whether the body of an answer is needed for its title, language and links.
func hasText(r *Response) bool {
	switch mediaType(r) {
	case "text/html", "application/xhtml+xml", "application/pdf", "":
		return r.Status >= 200 && r.Status <= 299
	}
	return false
}
