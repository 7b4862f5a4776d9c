package health_test

import (
	"reflect"
	"testing"
	"time"

	"visto/canon"
	"visto/review/health"
)

// redirected is a page to which a redirect leads.
func redirected(to string) *health.Page {
	return &health.Page{Title: "Ayudas", Hops: []string{"https://a.es/" + to}}
}

// visit adds a check on a day under an approval, and compares the flags after it.
func (l *link) visit(t *testing.T, on int, batch int64, to string, want ...canon.Code) {
	t.Helper()
	l.batch = batch
	l.check(time.Duration(on)*day, 200, redirected(to))
	if l.Flags != canon.SetOf(want...) {
		t.Errorf("day %d: %v, want %v", on, l.Flags.Codes(), want)
	}
}

// TestTakenBack undoes and redoes approvals, with checks in between: the page counts that each of them accepted. An
// approval before the first check accepted the page that this found.
func TestTakenBack(t *testing.T) {
	var l link
	l.visit(t, 0, 1, "x")
	l.visit(t, 1, 1, "y", canon.RedirectChanged)
	l.visit(t, 2, 2, "y")
	l.visit(t, 3, 1, "y", canon.RedirectChanged)
	l.visit(t, 4, 0, "z", canon.RedirectChanged)
	l.visit(t, 5, 2, "z", canon.RedirectChanged) // redone, and it accepted y
	l.visit(t, 6, 2, "y")
	l.visit(t, 7, 3, "y")
	l.visit(t, 8, 0, "x")
	l.visit(t, 9, 1, "x")
}

// TestAnApprovalAcceptsNoLaterFailure has a link that a person accepts as degraded, twice. It recovers, it fails again,
// and the second approval may be undone: the new failures are not the accepted ones.
func TestAnApprovalAcceptsNoLaterFailure(t *testing.T) {
	for _, last := range []int64{2, 1} {
		var l link
		for i, status := range []int{404, 404, 404, 404, 404, 200, 404, 404, 404, 404} {
			l.batch = []int64{0, 0, 0, 1, 2, 2, 2, 2, 2, last}[i]
			l.check(time.Duration(i)*day/2, status)
		}
		if l.State != health.Degraded || !l.Flags.Has(canon.LinkBroken) {
			t.Errorf("approved by batch %d: %s with %v", last, l.State, l.Flags.Codes())
		}
	}
}

// TestAnApprovalOfUnknownTime brings back an approval that no check has met, in the place of the next one, which ended
// the state inactive: nobody knows whether the page had answered by then.
func TestAnApprovalOfUnknownTime(t *testing.T) {
	var l link
	for i, batch := range []int64{0, 0, 2, 0, 1} {
		l.batch = batch
		l.check(time.Duration(i)*day, []int{410, 200, 200, 200, 200}[i])
		want := health.Inactive
		if batch == 2 {
			want = health.Active
		}
		if l.State != want {
			t.Errorf("approved by batch %d: %s", batch, l.State)
		}
	}
}

// TestSetBack adds checks although the clock was set back: all are kept, in their order, and none is of the future.
func TestSetBack(t *testing.T) {
	var l link
	for _, after := range []time.Duration{0, 40 * day, 40*day + hour} {
		l.check(after, 404)
	}
	now := start.Add(10 * day)
	l.SetBack(now)
	l.check(10*day, 200)
	var got []time.Duration
	for _, c := range l.Checks {
		got = append(got, c.At.Sub(start))
	}
	want := []time.Duration{0, 10*day - 2*time.Second, 10*day - time.Second, 10 * day}
	if !reflect.DeepEqual(got, want) || l.Since.After(now) || l.Failures != 0 {
		t.Errorf("checks after %v, want %v; since %v", got, want, l.Since)
	}
	before := l.Pack()
	l.SetBack(now.Add(time.Second))
	if string(l.Pack()) != string(before) {
		t.Error("changed without a check of the future")
	}
}

// TestItFailsAgain has an inactive link that answered once: an approval does not end that state.
func TestItFailsAgain(t *testing.T) {
	var l link
	l.check(0, 410)
	if !l.Since.Equal(start) {
		t.Errorf("since %v", l.Since)
	}
	l.check(day, 200)
	l.check(2*day, 404)
	l.batch = 1
	l.check(3*day, 429)
	if l.State != health.Inactive || l.Answers {
		t.Errorf("%s, answers %v", l.State, l.Answers)
	}
}

// TestIntervalOf: of several priorities the shortest interval counts, and the one for others only without any.
func TestIntervalOf(t *testing.T) {
	s := health.Settings{Interval: 30 * day, Intervals: map[string]time.Duration{"P1": 7 * day, "rare": 60 * day}}
	for want, priorities := range map[time.Duration][]string{30 * day: {"P9"}, 60 * day: {"rare", "P9"},
		7 * day: {"rare", "P1"}} {
		if got := s.IntervalOf(priorities); got != want {
			t.Errorf("%v: %v, want %v", priorities, got, want)
		}
	}
}
