package review_test

import (
	"reflect"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/read"
)

// paceDesk returns a desk with open URLs. The first is alone on its host.
func paceDesk(t *testing.T) *desk {
	t.Helper()
	d := newDesk(t)
	d.add("https://b.ejemplo.gob.es/x/y/z-z-z?rara=1")
	for _, n := range []string{"1", "2", "3", "4", "5", "6", "7"} {
		d.add("https://a.ejemplo.gob.es/x/y/z-z-z?rara=" + n)
	}
	return d
}

// at sets the next reading of the clock.
func (o *office) at(when time.Time) { o.now = when.Add(-time.Second) }

func (d *desk) approve(ids ...int64) {
	d.Helper()
	targets := make([]review.Target, len(ids))
	for i, id := range ids {
		targets[i].ID = id
	}
	_, err := d.Decide(d.Context(), review.Choice{Kind: review.Approve}, targets...)
	d.must(err)
}

func (d *desk) stats() review.Stats {
	d.Helper()
	s, err := d.Stats(d.Context())
	d.must(err)
	return s
}

// Gaps up to LongestPause count in full; longer ones, and each beginning, count as one minute. Undone batches do not
// count.
func TestPace(t *testing.T) {
	d := paceDesk(t)
	now := time.Date(2026, 11, 21, 23, 50, 0, 0, time.UTC)
	after := func(gap time.Duration) *desk {
		now = now.Add(gap)
		d.at(now)
		return d
	}
	// 1m: the beginning
	after(0).approve(2)
	// 10s, within the minute
	after(10 * time.Second).approve(3)
	// 5m, just not too long
	after(review.LongestPause).approve(4, 5, 6)
	// 1m: a pause; it is the next day
	after(review.LongestPause + time.Millisecond).approve(7)
	// 20s
	after(20 * time.Second).save(canon.Override{Match: canon.Match{Host: "b.ejemplo.gob.es"},
		KeepQueryParams: []string{"rara"}})
	after(time.Minute).approve(8)
	_, _, err := d.Undo(t.Context(), 0)
	d.must(err)

	s := d.stats()
	first := review.Pace{Batches: 3, Decisions: 5, Active: 6*time.Minute + 10*time.Second}
	second := review.Pace{Batches: 2, Decisions: 1, Active: 80 * time.Second}
	whole := review.Pace{Batches: 5, Decisions: 6, Active: 7*time.Minute + 30*time.Second}
	samePace(t, "pace", s.Pace, whole)
	samePace(t, "decisions a minute", s.Pace.PerMinute(), 0.8)
	samePace(t, "reviewers", s.Reviewers, []review.Paced{{Name: "ana", Pace: whole}})
	samePace(t, "days", s.Days, []review.Paced{{Name: "2026-11-21", Pace: first}, {Name: "2026-11-22", Pace: second}})
	samePace(t, "settled", s.Settled, review.Settled{Rules: 1, Single: 3, Bulk: 3})
	samePace(t, "batches for each settled URL", s.BatchesPerSettled(), 5.0/7)
	hour := make([]int, review.LastHourMinutes)
	hour[59], hour[54], hour[49] = 1, 3, 2
	samePace(t, "last hour", s.LastHour, hour)
	samePace(t, "its end", s.LastAt, time.Date(2026, 11, 22, 0, 0, 30, int(time.Millisecond), time.UTC))
}

// The last hour begins 59 minutes before the minute of its end.
func TestLastHourBegins(t *testing.T) {
	d := paceDesk(t)
	end := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for id, ago := range []int{60, 59, 58, 52, 49, 0} {
		d.at(end.Add(-time.Duration(ago) * time.Minute))
		d.approve(int64(id + 1))
	}
	hour := make([]int, review.LastHourMinutes)
	hour[0], hour[1], hour[7], hour[10], hour[59] = 1, 1, 1, 1, 1
	samePace(t, "last hour", d.stats().LastHour, hour)
}

// The active times of two reviewers add up, even at the same time. Older batches are not in the last hour.
func TestPaceOfTwo(t *testing.T) {
	o := newOffice(t)
	ana, berta := o.desk("ana"), o.desk("berta")
	for i, d := range []*desk{ana, berta, ana, berta} {
		url := "https://a.ejemplo.gob.es/x/y/z-z-z?rara=" + string(rune('1'+i))
		ana.add(url)
		o.at(time.Date(2026, 11, 21, 9, 30*i, 0, 0, time.UTC))
		d.approve(int64(i + 1))
	}
	s := ana.stats()
	each := review.Pace{Batches: 2, Decisions: 2, Active: 2 * time.Minute}
	samePace(t, "reviewers", s.Reviewers, []review.Paced{{Name: "ana", Pace: each}, {Name: "berta", Pace: each}})
	samePace(t, "days", s.Days,
		[]review.Paced{{Name: "2026-11-21", Pace: review.Pace{Batches: 4, Decisions: 4, Active: 4 * time.Minute}}})
	hour := make([]int, review.LastHourMinutes)
	hour[59], hour[29] = 1, 1
	samePace(t, "last hour", s.LastHour, hour)
}

func TestPaceOfNothing(t *testing.T) {
	d := newDesk(t)
	s := d.stats()
	if s.Pace.PerMinute() != 0 || s.BatchesPerSettled() != 0 || s.LastHour != nil {
		t.Errorf("%v, %v, %v", s.Pace.PerMinute(), s.BatchesPerSettled(), s.LastHour)
	}
}

func samePace[T any](t *testing.T, name string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\ngot  %+v\nwant %+v", name, got, want)
	}
}

// Gone URLs are in none of the counts: neither are they reviewed, nor settled by anything.
func TestSettledAndGone(t *testing.T) {
	d := newDesk(t)
	d.addFound(review.Found{URL: "https://boe.es", Place: read.Place{File: "a.txt", Path: "1"}},
		review.Found{URL: "https://sepe.es", Place: read.Place{File: "b.txt", Path: "1"}})
	d.approve(1)
	d.approve(2)
	_, err := d.Forget(t.Context(), "b.txt")
	d.must(err)
	if s := d.stats(); s.Reviewed != 1 || s.Settled.Total() != 1 {
		t.Errorf("reviewed %d, settled %+v", s.Reviewed, s.Settled)
	}
}
