package health

import (
	"time"

	"visto/canon"
)

// Span is the time in which a flag was raised last.
type Span struct {
	From time.Time // of the check that raised it; zero: it was never raised
	To   time.Time // of the check after which it was lowered; zero: it lasts, or a decision ended it
}

// firstFlag is the first of the Flags; the others follow it.
const firstFlag = canon.LinkBroken

// Spans holds the Span of each of the Flags, in their order.
type Spans [canon.CanonicalConflict - firstFlag + 1]Span

// Of returns the span of a flag.
func (s *Spans) Of(flag canon.Code) Span { return s[flag-firstFlag] }

// note records a check that found the flags now, after before.
func (s *Spans) note(before, now canon.CodeSet, at time.Time) {
	for i := range s {
		flag := firstFlag + canon.Code(i)
		switch was, is := before.Has(flag), now.Has(flag); {
		case is && !was:
			s[i] = Span{From: at}
		case was && !is:
			s[i].To = at
		}
	}
}

// accept records a decision that ends the raised flags. A flag that an earlier decision has ended was not raised since,
// and its span is dropped, so that no later decision counts as its end.
func (s *Spans) accept(raised canon.CodeSet) {
	for i := range s {
		if !raised.Has(firstFlag+canon.Code(i)) && s[i].To.IsZero() {
			s[i] = Span{}
		}
	}
}
