package health

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"visto/canon"
)

// stamp formats a time for people, in UTC.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// Explain returns the facts behind a flag of the record, in lines for people: first the accepted ones, then those of
// the last check. Titles and URLs in it are untrusted.
func (r *Record) Explain(c canon.Code) []string {
	was, now := &r.Accepted.Page, &r.Page
	switch c {
	case canon.LinkBroken:
		return r.explainBroken()
	case canon.ContentChanged:
		return r.explainContent()
	case canon.RedirectChanged:
		return []string{"accepted: " + chain(was.Hops), "now: " + chain(now.Hops)}
	case canon.CertificateExpiring:
		return []string{r.certificateText()}
	case canon.CanonicalConflict:
		list := []string{"the page names " + now.Canonical}
		if was.Canonical != "" {
			list = append(list, "accepted: it named "+was.Canonical)
		}
		return list
	}
	return nil
}

func (r *Record) explainBroken() []string {
	list := []string{fmt.Sprintf("%s since %s", r.State, stamp(r.Since))}
	switch {
	case r.Answers:
		list[0] += ", and it answers again: an approval makes it active"
		return list
	case r.State == Inactive:
		list[0] += ": an approval makes it active once it answers"
	}
	if r.Failures > 0 {
		last := r.Last()
		for i := len(r.Checks) - 1; i >= 0 && last.Outcome != Failed; i-- {
			last = &r.Checks[i]
		}
		list = append(list, fmt.Sprintf("%s since %s, last: %s", plural(r.Failures, "failure"), stamp(r.FailedAt),
			last.Answer()))
	}
	if at := r.AnsweredAt(); !at.IsZero() {
		return append(list, "it answered last at "+stamp(at))
	}
	return append(list, "it has not answered since the first check")
}

// Answer returns the outcome of the check for people: the error, or the status.
func (c *Check) Answer() string {
	if c.Status == 0 {
		return cmp.Or(c.Error, "no answer")
	}
	return strings.TrimSuffix(fmt.Sprintf("%d, %s", c.Status, c.Error), ", ")
}

// AnsweredAt returns the time of the last check that the page answered, zero if none of those that are kept.
func (r *Record) AnsweredAt() time.Time {
	for i := len(r.Checks) - 1; i >= 0; i-- {
		if r.Checks[i].Outcome == Answered {
			return r.Checks[i].At
		}
	}
	return time.Time{}
}

func (r *Record) explainContent() (list []string) {
	d := r.Difference()
	if d.Title {
		list = []string{"accepted: " + title(r.Accepted.Page), "now: " + title(r.Page)}
	}
	text := "the words are the same"
	if d.Similarity < 1 {
		text = fmt.Sprintf("the words are %d %% the same", int(100*d.Similarity))
	}
	if d.Figures {
		text += "; amounts, counts or dates of terms differ"
	}
	return append(list, text)
}

func title(p Page) string { return "“" + p.Title + "”" }

// chain returns the redirects of a page for people.
func chain(hops []string) string {
	if len(hops) == 0 {
		return "no redirect"
	}
	return "→ " + strings.Join(hops, " → ")
}

func (r *Record) certificateText() string {
	left := r.Certificate.Sub(r.Last().At)
	if left <= 0 {
		return fmt.Sprintf("the certificate ended at %s", stamp(r.Certificate))
	}
	return fmt.Sprintf("the certificate ends at %s, %s after the last check", stamp(r.Certificate),
		plural(int(left/day), "day"))
}

// LastChecks returns the newest checks, oldest first, at most 30.
func (r *Record) LastChecks() []Check { return r.Checks[max(0, len(r.Checks)-fullChecks):] }
