package health

import (
	"time"

	"visto/canon"
)

// moment is a link at a time.
type moment struct {
	last        *Check // nil: there was no check by then
	state       State
	answers     bool
	failures    int
	failedAt    time.Time
	certificate time.Time
}

// at returns the link at a time. It folds the checks that are kept until then.
func (r *Record) at(t time.Time, s Settings) (m moment) {
	last := r.Last()
	if last == nil {
		return m
	}
	if !last.At.After(t) {
		return moment{last, r.State, r.Answers, r.Failures, r.FailedAt, r.Certificate}
	}
	var fold Record
	for i := range r.Checks {
		c := &r.Checks[i]
		if c.At.After(t) {
			break
		}
		fold.move(*c, s)
		if !c.Certificate.IsZero() {
			fold.Certificate = c.Certificate
		}
		m.last = c
	}
	if m.last != nil && !r.Since.After(t) {
		fold.State = r.State
	}
	return moment{m.last, fold.State, fold.Answers, fold.Failures, fold.FailedAt, fold.Certificate}
}

// kinds returns the issues of the link at that moment.
func (m *moment) kinds(s Settings) (k kinds) {
	if m.last == nil {
		return 0
	}
	switch {
	case m.failures > 0 && oldTLS(m.last.Error):
		k = k.with(OldTLS)
	case m.failures > 0:
		k = k.with(Down)
	case m.state == Inactive:
		k = k.with(AnswersAgain)
	}
	if m.expires(s) {
		k = k.with(CertificateEnds)
	}
	if slow(m.last) {
		k = k.with(Slow)
	}
	return k
}

func (m *moment) expires(s Settings) bool {
	return !m.certificate.IsZero() && m.certificate.Sub(m.last.At) < s.CertificateWarning
}

// SlowAnswer is the time that a quick answer takes at most.
const SlowAnswer = time.Second

func slow(c *Check) bool { return c.Outcome == Answered && c.Took > SlowAnswer }

// flagKinds are the issues of flags that no check tells by itself.
var flagKinds = [...]struct {
	flag canon.Code
	kind Kind
}{
	{canon.RedirectChanged, RedirectNew}, {canon.ContentChanged, ContentNew}, {canon.CanonicalConflict, OtherCanonical},
}

// raised returns the issues of the link's flags now.
func (l *Link) raised() (k kinds) {
	for _, f := range flagKinds {
		if l.Flags.Has(f.flag) {
			k = k.with(f.kind)
		}
	}
	if l.Stray != "" {
		k = k.with(LeavesAllowlist)
	}
	return k
}

// raisedAt returns the issues of the link's flags at an earlier time. A redirect that leaves the allowlist has done so
// since it changed.
func (l *Link) raisedAt(t time.Time) (k kinds) {
	for _, f := range flagKinds {
		span := l.Record.Spans.Of(f.flag)
		end := span.To
		if end.IsZero() && !l.Flags.Has(f.flag) {
			end = l.Approved
		}
		now := end.IsZero() && l.Flags.Has(f.flag)
		if !span.From.IsZero() && !span.From.After(t) && (now || end.After(t)) {
			k = k.with(f.kind)
		}
	}
	if l.Stray != "" && !l.Record.Spans.Of(canon.RedirectChanged).From.After(t) {
		k = k.with(LeavesAllowlist)
	}
	return k
}

// since returns when an issue of the link began; the zero time if that is not known.
func (l *Link) since(k Kind, m *moment, s Settings) time.Time {
	switch k {
	case Down, OldTLS:
		return m.failedAt
	case CertificateEnds:
		return m.certificate.Add(-s.CertificateWarning)
	case AnswersAgain:
		return l.Record.first(func(c *Check) bool { return c.Outcome != Failed })
	case Slow:
		return l.Record.first(slow)
	case LeavesAllowlist:
		return l.Record.Spans.Of(canon.RedirectChanged).From
	}
	for _, f := range flagKinds {
		if f.kind == k {
			return l.Record.Spans.Of(f.flag).From
		}
	}
	return time.Time{}
}

// first returns the time of the first of the newest checks that are alike.
func (r *Record) first(alike func(*Check) bool) (at time.Time) {
	for i := len(r.Checks) - 1; i >= 0 && alike(&r.Checks[i]); i-- {
		at = r.Checks[i].At
	}
	return at
}
