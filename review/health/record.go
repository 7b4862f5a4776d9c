package health

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"visto/canon"
)

// State is the state of a link.
type State uint8

// The states. Their numbers are stored.
const (
	Active State = iota
	Degraded
	Inactive
	stateCount
)

func (s State) String() string { return [...]string{"active", "degraded", "inactive"}[s] }

// MarshalText writes the state's name.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

const (
	degradedAfter = 3  // failures in a row
	inactiveAfter = 7  // calendar days from the first failure, without a success
	fullChecks    = 30 // newest checks that are all kept; of older ones the last of each day
	maxOthers     = 3
)

// Record is the history of one link. The zero Record has no check.
type Record struct {
	State    State
	Since    time.Time // when the link got into the State; zero before the first check
	Failures int       // in a row
	FailedAt time.Time // of the first of these failures
	Answers  bool      // an inactive link answers again: a person may end that state

	Flags canon.CodeSet // raised by the last check: see Flags
	Batch int64         // of the decision that approved the URL at the last check; 0: none
	Spans Spans         // of the Flags

	Accepted Accepted   // the page that a person accepted, or that the first check found
	Others   []Accepted // those of decisions that are replaced or undone, by Batch

	Page        Page      // of the last check that read one
	Certificate time.Time // Check.Certificate of the last check that has one
	NotBefore   time.Time // Check.NotBefore of the last check
	Checks      []Check   // oldest first: the last 30, and before them the last of each day (UTC)
}

// Accepted is a page with the circumstances that were accepted with it.
type Accepted struct {
	Batch       int64 // of the decision; 0: the first check found it
	Page        Page
	Seen        bool // Page was read
	State       State
	Answers     bool
	Ended       bool      // the acceptance ended the state inactive
	Certificate time.Time // the end of the certificate if that was near
}

// Flags is the set of the flags that a Record raises.
var Flags = canon.SetOf(canon.LinkBroken, canon.ContentChanged, canon.RedirectChanged, canon.CertificateExpiring,
	canon.CanonicalConflict)

// Last returns the newest check, nil if there is none.
func (r *Record) Last() *Check {
	if len(r.Checks) == 0 {
		return nil
	}
	return &r.Checks[len(r.Checks)-1]
}

// Add takes the next check. approved is the batch of the newest decision in force that approves the URL, 0 if there is
// none. It reports false and changes nothing for a check that is not newer than the last one.
func (r *Record) Add(o Observation, approved int64, s Settings) bool {
	c := o.Check.kept()
	if last := r.Last(); last != nil && !c.At.After(last.At) {
		return false
	}
	r.accept(approved, s)
	if len(r.Checks) == 0 {
		r.Since = c.At
	}
	r.keep(c)
	r.move(c, s)
	r.NotBefore = o.NotBefore
	if !c.Certificate.IsZero() {
		r.Certificate = c.Certificate
	}
	if o.Page != nil {
		r.see(*o.Page)
	}
	before := r.Flags
	r.Flags = r.raise(s)
	r.Spans.note(before, r.Flags, c.At)
	return true
}

// SetBack moves the checks that are not before now, and all that follows from them, to the seconds before it. There are
// such checks if the clock was set back, or with a second check in one second: Add would refuse the next one.
func (r *Record) SetBack(now time.Time) {
	limit := now.UTC().Truncate(time.Second)
	for i := len(r.Checks) - 1; i >= 0 && !r.Checks[i].At.Before(limit); i-- {
		limit = limit.Add(-time.Second)
		r.Checks[i].At = limit
	}
	if last := r.Last(); last != nil {
		r.Since, r.FailedAt = earlier(r.Since, last.At), earlier(r.FailedAt, last.At)
		for i := range r.Spans {
			span := &r.Spans[i]
			span.From, span.To = earlier(span.From, last.At), earlier(span.To, last.At)
		}
	}
}

// kept returns the check as it is stored.
func (c Check) kept() Check {
	c.At, c.Certificate = c.At.UTC().Truncate(time.Second), keptTime(c.Certificate)
	c.Took, c.Error, c.NotBefore = c.Took.Truncate(time.Millisecond), cut(c.Error, MaxError), time.Time{}
	return c
}

// keptTime returns a time in whole seconds. One before 1970 or after the year 9999, which Pack cannot write, is moved
// to the end of these years; the zero time stays.
func keptTime(t time.Time) time.Time {
	if t = t.UTC().Truncate(time.Second); t.IsZero() {
		return t
	}
	return earlier(later(t, time.Unix(1, 0).UTC()), time.Unix(maxTime, 0).UTC())
}

// cut returns at most n bytes of a text, without a broken character at the end.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}

// keep appends a check, and drops one that is no longer among the last 30 if its day has a later one.
func (r *Record) keep(c Check) {
	r.Checks = append(r.Checks, c)
	older := len(r.Checks) - fullChecks - 1 // it leaves the last 30 now
	if older > 0 && sameDay(r.Checks[older-1].At, r.Checks[older].At) {
		r.Checks = slices.Delete(r.Checks, older-1, older)
	}
}

func sameDay(a, b time.Time) bool {
	return a.Truncate(day).Equal(b.Truncate(day))
}

// accept notes that a person has approved the URL, taken that back or brought it back, since the last check.
func (r *Record) accept(batch int64, s Settings) {
	switch {
	case batch == r.Batch:
		return
	case batch <= r.Known():
		r.returnTo(batch)
	case len(r.Checks) > 0:
		r.Spans.accept(r.Flags)
		r.Flags = 0
		r.putBy()
		ended := r.State == Inactive && r.Answers
		if ended {
			r.enter(Active, r.Last().At)
		}
		seen := r.Accepted.Seen // see sets it with the first page
		r.Accepted = Accepted{Page: r.Page, Seen: seen, State: r.State, Answers: r.Answers, Ended: ended}
		if r.expires(s) {
			r.Accepted.Certificate = r.Certificate
		}
	}
	r.Batch, r.Accepted.Batch = batch, batch
	r.Others = r.Others[max(0, len(r.Others)-maxOthers):]
}

// Known returns the newest decision that has approved the URL before a check, whether it is still in force or not.
func (r *Record) Known() int64 {
	newest := r.Batch
	for i := range r.Others {
		newest = max(newest, r.Others[i].Batch)
	}
	return newest
}

// putBy moves the acceptance in force to the others.
func (r *Record) putBy() {
	r.Accepted.Batch = r.Batch
	r.Others = append(r.Others, r.Accepted)
	slices.SortStableFunc(r.Others, func(a, b Accepted) int { return cmp.Compare(a.Batch, b.Batch) })
}

// returnTo makes another acceptance the one in force. One that no check has met accepted the same page as the next one.
// If a later one that was in force ended the state inactive, nobody has; one that comes back ends it again.
func (r *Record) returnTo(batch int64) {
	r.putBy()
	ended := slices.ContainsFunc(r.Others, func(a Accepted) bool {
		return a.Ended && batch < a.Batch && a.Batch <= r.Batch
	})
	i := slices.IndexFunc(r.Others, func(a Accepted) bool { return a.Batch >= batch })
	r.Accepted = r.Others[i]
	met := r.Accepted.Batch == batch
	if met {
		r.Others = slices.Delete(r.Others, i, i+1)
	}
	switch last := r.Last(); {
	case ended && r.State != Inactive:
		r.State, r.Since, r.Answers = Inactive, last.At, last.Outcome == Answered
	case met && r.Accepted.Ended && r.State == Inactive && r.Answers:
		r.enter(Active, last.At)
	}
}

// move moves the state.
func (r *Record) move(c Check, s Settings) {
	switch c.Outcome {
	case Answered:
		r.Failures, r.FailedAt = 0, time.Time{}
		r.Answers = r.State == Inactive
		if r.State == Degraded {
			r.enter(Active, c.At)
		}
	case Failed:
		if r.Failures == 0 {
			r.FailedAt = c.At
		}
		r.Failures++
		r.Answers = false
		switch {
		case r.State == Inactive:
		case c.Status == http.StatusGone || !c.At.Before(s.midnight(r.FailedAt, inactiveAfter)):
			r.enter(Inactive, c.At)
		case r.State == Active && r.Failures >= degradedAfter:
			r.enter(Degraded, c.At)
		}
	}
}

// enter changes the state. One that a person accepted counts no longer once the link was active again.
func (r *Record) enter(s State, at time.Time) {
	r.State, r.Since, r.Answers = s, at, false
	if s == Active {
		r.Accepted.State, r.Accepted.Answers = Active, false
		for i := range r.Others {
			r.Others[i].State, r.Others[i].Answers = Active, false
		}
	}
}

// see takes the page that a check read. The first one is the one to compare with, except that nobody has accepted yet
// that it names another page as canonical.
func (r *Record) see(p Page) {
	p.Title = cut(p.Title, MaxTitle)
	if len(p.Sketch) == 0 {
		p.Sketch = r.Page.Sketch
	}
	r.Page = p
	switch a := &r.Accepted; {
	case !a.Seen:
		a.Seen, a.Page = true, p
		a.Page.Canonical = ""
	case len(a.Page.Sketch) == 0:
		a.Page.Sketch = p.Sketch
	}
}

// raise returns the flags of the record: the differences from what was accepted.
func (r *Record) raise(s Settings) (flags canon.CodeSet) {
	a := &r.Accepted
	if r.State != Active && (r.State != a.State || r.Answers != a.Answers) {
		flags = flags.With(canon.LinkBroken)
	}
	if r.Difference().Substantial(s.Similarity) {
		flags = flags.With(canon.ContentChanged)
	}
	if a.Seen && !slices.Equal(a.Page.Hops, r.Page.Hops) {
		flags = flags.With(canon.RedirectChanged)
	}
	if r.expires(s) && !r.Certificate.Equal(a.Certificate) {
		flags = flags.With(canon.CertificateExpiring)
	}
	if r.Page.Canonical != a.Page.Canonical && r.Page.Canonical != "" {
		flags = flags.With(canon.CanonicalConflict)
	}
	return flags
}

// Difference reports how the text of the newest page differs from that of the accepted one.
func (r *Record) Difference() Difference { return Compare(r.Accepted.Page.Sketch, r.Page.Sketch) }

// expires reports whether the certificate ends soon, or has ended, by the last check.
func (r *Record) expires(s Settings) bool {
	return !r.Certificate.IsZero() && r.Certificate.Sub(r.Last().At) < s.CertificateWarning
}
