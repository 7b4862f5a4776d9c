package probe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"visto/canon"
)

// maxAnswers is the number of other URLs that are asked for one target: its Spanish version, and that or the page on
// the preferred host.
const maxAnswers = 3

// answerLimit is how much of such a page is read, in bytes: its head is enough.
const answerLimit = 128 << 10

// addAnswers asks the URLs that would be cited in the place of the page, one after the other as canon names them, and
// records their answers.
func (v *visit) addAnswers(ctx context.Context, ev *canon.Evidence, w *redirectChain) error {
	if !w.isPage() || ev.Blocked != "" {
		return nil
	}
	for range maxAnswers {
		next := v.clean.Canonicalize(v.target.URL, ev).Ask
		if next.URL == "" {
			return nil
		}
		if err := v.addAnswer(ctx, ev, next); err != nil {
			return err
		}
	}
	return nil
}

// addPlain asks a URL over http if the certificate at its HTTPS is that of another site. It is not cited, but a person
// may choose it.
func (v *visit) addPlain(ctx context.Context, ev *canon.Evidence, w *redirectChain) error {
	if ev.TLSError != "wrong-host" || w.at.Scheme != "https" || len(w.hops) > 0 {
		return nil
	}
	return v.addAnswer(ctx, ev, canon.Request{URL: withScheme(w.at, "http").String()})
}

// addAnswer records the answer of a URL, or why it was put off.
func (v *visit) addAnswer(ctx context.Context, ev *canon.Evidence, next canon.Request) error {
	answer, err := v.answerOf(ctx, next)
	if later, ok := errors.AsType[*deferral](err); ok {
		answer, err = canon.Answer{PutOff: true, Error: later.why}, nil
	}
	if err != nil {
		return err
	}
	ev.Answers[next.URL] = answer
	if tag := answer.Language; next.Follow && answer.IsPage() && tag != "" && !isSpanish(tag) {
		addCaveat(ev, fmt.Sprintf("The Spanish version %s says in its HTML that it is in %q.", next.URL, tag))
	}
	return nil
}

func isSpanish(tag string) bool { return tag == "es" || strings.HasPrefix(tag, "es-") }

// answerOf requests a URL, once and under the rules for any other.
func (v *visit) answerOf(ctx context.Context, next canon.Request) (canon.Answer, error) {
	u, err := url.Parse(next.URL)
	if err != nil {
		return canon.Answer{Error: "not asked: " + lastText(err)}, nil
	}
	asked, why := v.admit(u)
	if why != nil {
		return canon.Answer{Error: "not asked: it may not be cited"}, nil
	}
	opt := fetchOptions{purpose: forAnswer, once: true, stay: !next.Follow, limit: answerLimit}
	w, err := v.walk(ctx, asked, opt)
	if err != nil {
		return canon.Answer{}, err
	}
	return w.answer(), nil
}

// answer returns the record of the answer at the end of a chain.
func (w *redirectChain) answer() canon.Answer {
	switch {
	case w.ending == robotsBlocked:
		return canon.Answer{PutOff: true, Error: "robots.txt of " + w.at.Host + " forbids it"}
	case w.fail != nil:
		return canon.Answer{Error: w.fail.text}
	case w.ending != arrived:
		return canon.Answer{Error: "its redirects do not end at a page"}
	case w.last.Status == http.StatusTooManyRequests:
		return canon.Answer{PutOff: true, Status: w.last.Status,
			Error: fmt.Sprintf("%s answered %d", w.at.Host, w.last.Status)}
	}
	page := w.last.page
	if w.sentToLogin() {
		page.block(blockedLogin)
	}
	a := canon.Answer{Status: w.last.Status, Title: page.Title, Language: page.Language,
		Hreflang: listedAs(page.LangVariants, w.at.String())}
	if page.Blocked != "" {
		a.Error = "the server shows another page in its place (" + page.Blocked + ")"
	}
	if n := len(w.hops); n > 0 {
		a.FinalURL = w.hops[n-1].URL
	}
	return a
}

// listedAs returns a language that a page lists its own URL under, none if that is Spanish too.
func listedAs(versions map[string]string, own string) (tag string) {
	for _, t := range slices.Sorted(maps.Keys(versions)) {
		switch {
		case versions[t] != own || t == "x-default":
		case isSpanish(t):
			return ""
		default:
			tag = cmp.Or(tag, t)
		}
	}
	return tag
}
