package probe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"visto/canon"
	"visto/review/probe/extract"
)

// visit is the work on one target.
type visit struct {
	*Prober
	target    Target
	clean     *canon.Canonicalizer
	earlier   *canon.Evidence // nil: none
	exchanges []Exchange
	body      bodyRoom
	content   *extract.Document // of the page; nil: none was read
	unready   int               // Report.Unready
	queued    time.Duration     // Report.queued
	begun     bool              // a request was made, or was about to be
	isUnknown bool              // Report.isUnknown
}

// visit begins the work on a target.
func (p *Prober) visit(t Target) *visit {
	return &visit{Prober: p, target: t, clean: p.canonicalizer(), body: bodyRoom{all: p.room, size: roomFor(p.cfg)}}
}

// Probe probes one URL. Failures of the network are in the Report; an error means that ctx ended or the Cache failed,
// and that there is nothing to store.
func (p *Prober) Probe(ctx context.Context, t Target) (Report, error) {
	v := p.visit(t)
	v.tell(Event{Kind: Started})
	report := Report{Target: t, NoContent: p.cfg.NoContent}
	ev, err := v.evidence(ctx)
	switch later, deferred := errors.AsType[*deferral](err); {
	case deferred:
		if report.Evidence = v.putOff(later); report.Evidence == nil || report.Evidence.IsPutOff() {
			report.Deferred, report.Until = later.why, later.until
		}
	case err != nil:
		return Report{}, err
	default:
		report.Evidence, report.Unchanged, report.Content = ev, unchanged(v.earlier, ev), v.content
		report.Unready, report.isUnknown = v.unready, v.isUnknown
	}
	report.Exchanges, report.queued = v.exchanges, v.queued
	return report, nil
}

// begin tells the log of the target that a request follows.
func (v *visit) begin(ctx context.Context) error {
	if v.begun || v.target.Log == nil {
		return nil
	}
	v.begun = true
	return v.target.Log.Begin(ctx, v.target)
}

// cleans are the steps of the pipeline before "path", which removes the slash at the end. The prober requests the URL
// that these steps and "path" return: redirects come next (seed 000, order of operations).
var cleans = []string{"scheme", "host", "session", "tracking", "fragment"}

// only returns a canonicalizer with just these steps.
func (v *visit) only(steps ...string) *canon.Canonicalizer {
	c, err := v.clean.Only(steps...)
	if err != nil {
		panic(err) // the names are those of the pipeline
	}
	return c
}

// form returns the URL to request for the target, and whether a slash at the end of its path was removed.
func (v *visit) form() (u *url.URL, slashless bool, why *obstacle) {
	before := v.only(append(cleans[:len(cleans):len(cleans)], "path")...)
	r := before.Canonicalize(v.target.URL, nil)
	text := r.Canonical
	switch {
	case r.Verdict == canon.Rejected && r.Reason == canon.PrivateAddress && v.cfg.AllowPrivate:
		text = withoutFragment(r.Original)
	case r.Verdict == canon.Rejected:
		detail := before.Explain(v.target.URL, nil).Detail
		return nil, false, &obstacle{forbidden, &failure{kind: notAsked, text: "not asked: " + detail}}
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, false, &obstacle{forbidden, &failure{kind: notAsked, text: "not asked: " + lastText(err)}}
	}
	came := v.only(cleans...).Canonicalize(v.target.URL, nil).Canonical
	path, _, _ := strings.Cut(withoutFragment(came), "?")
	u, why = v.admit(u)
	return u, why == nil && u.Path != "" && strings.HasSuffix(path, "/") && !strings.HasSuffix(u.Path, "/"), why
}

// withoutFragment returns the text of a URL up to its fragment, with a scheme.
func withoutFragment(text string) string {
	text, _, _ = strings.Cut(text, "#")
	if !strings.Contains(text, "://") {
		return "https://" + strings.TrimLeft(text, "/")
	}
	return text
}

// evidence makes all requests for the target and returns the evidence.
func (v *visit) evidence(ctx context.Context) (*canon.Evidence, error) {
	start, slashless, why := v.form()
	if why != nil {
		return v.write(&redirectChain{ending: forbidden, fail: why.fail}), nil
	}
	var err error
	if v.earlier, err = v.cfg.Cache.Earlier(ctx, v.target); err != nil {
		return nil, err
	}
	w, err := v.goThere(ctx, start, slashless)
	if err != nil {
		return nil, err
	}
	if err := v.rateLimited(w); err != nil {
		return nil, err
	}
	ev := v.write(w)
	if start.Scheme == "https" && w.asked.Scheme == "http" && start.Port() != "" {
		addCaveat(ev, fmt.Sprintf("Port %s of %s answers over http, not over https.", start.Port(), start.Hostname()))
	}
	if err := v.addHosts(ctx, ev, start, w); err != nil {
		return nil, err
	}
	if err := v.addAnswers(ctx, ev, w); err != nil {
		return nil, err
	}
	if err := v.addPlain(ctx, ev, w); err != nil {
		return nil, err
	}
	if err := v.archived(ctx, ev); err != nil {
		return nil, err
	}
	return ev, v.alternative(ctx, ev, w)
}

// goThere returns the redirect chain from the URL to its page.
func (v *visit) goThere(ctx context.Context, start *url.URL, slashless bool) (*redirectChain, error) {
	at, fail, err := v.approach(ctx, start)
	if err != nil {
		return nil, err
	}
	if fail != nil {
		return &redirectChain{asked: at, at: at, ending: noAnswer, fail: fail}, nil
	}
	conditions, err := v.validators(ctx)
	if err != nil {
		return nil, err
	}
	opt := fetchOptions{purpose: forPage, header: conditions}
	w, err := v.walk(ctx, at, opt)
	if err != nil || !slashless {
		return w, err
	}
	return v.tryWithSlash(ctx, w, opt)
}

// validators returns the headers of a conditional request by URL (seed 003, "Conditional Fetch"), nil if the content
// is needed in any case: a browser may draw a page that had no text before, and a content may be missing.
func (v *visit) validators(ctx context.Context) (func(url string) http.Header, error) {
	if v.earlier == nil || v.target.Fresh || !mayRevalidate(v.earlier, v.cfg.Clock.Now()) ||
		v.earlier.NoContent && v.cfg.Browser != nil || v.mayBeErrorPage(v.earlier) {
		return nil, nil
	}
	if v.readsContent(v.earlier) {
		stored, err := v.cfg.Cache.HasContent(ctx, v.target)
		if err != nil || !stored {
			return nil, err
		}
	}
	return func(url string) http.Header { return conditions(v.earlier, url) }, nil
}

// readsContent reports whether the content of a known page would be stored if its server sent it again.
func (v *visit) readsContent(known *canon.Evidence) bool {
	t := known.ContentType
	return !v.cfg.NoContent && !known.NoContent &&
		(isJSON(t) || v.cfg.Documents != nil && (isHTML(t) || t == "application/pdf"))
}
