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
		answer, err := v.answerOf(ctx, next)
		if later, ok := errors.AsType[*deferral](err); ok {
			answer, err = canon.Answer{PutOff: true, Error: later.why}, nil
		}
		if err != nil {
			return err
		}
		ev.Answers[next.URL] = answer
	}
	return nil
}

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
	opt := fetchOptions{purpose: forAnswer, once: true, limit: answerLimit}
	w := &redirectChain{asked: asked, at: asked}
	if next.Follow {
		w, err = v.walk(ctx, asked, opt)
	} else {
		_, err = v.step(ctx, w, opt)
	}
	if err != nil {
		return canon.Answer{}, err
	}
	return v.recorded(ctx, w)
}

// recorded returns the record of an answer.
func (v *visit) recorded(ctx context.Context, w *redirectChain) (a canon.Answer, err error) {
	switch {
	case w.ending == robotsBlocked:
		return canon.Answer{PutOff: true, Error: "robots.txt of " + w.at.Host + " forbids it"}, nil
	case w.fail != nil:
		return canon.Answer{Error: w.fail.text}, nil
	case w.ending != arrived:
		return canon.Answer{Error: "its redirects do not end at a page"}, nil
	}
	a = canon.Answer{Status: w.last.Status}
	switch {
	case a.Status == http.StatusTooManyRequests:
		a.PutOff, a.Error = true, fmt.Sprintf("%s answered %d", w.at.Host, a.Status)
		return a, nil
	case isRedirect(a.Status):
		_, a.FinalURL, _ = v.follow(w.at, w.last)
		return a, nil
	case len(w.hops) > 0:
		a.FinalURL = w.at.String()
	}
	page, err := ReadPage(ctx, w.last, nil, false)
	a.Title, a.Language, a.Hreflang = page.Title, page.Language, listedAs(page.LangVariants, w.at.String())
	if page.Blocked != "" {
		a.Error = "the server shows another page in its place (" + page.Blocked + ")"
	}
	w.last.Body = nil
	return a, err
}

// listedAs returns a language that a page lists its own URL under, none if that is Spanish too.
func listedAs(versions map[string]string, own string) (tag string) {
	for _, t := range slices.Sorted(maps.Keys(versions)) {
		switch {
		case versions[t] != own || t == "x-default":
		case t == "es" || strings.HasPrefix(t, "es-"):
			return ""
		default:
			tag = cmp.Or(tag, t)
		}
	}
	return tag
}
