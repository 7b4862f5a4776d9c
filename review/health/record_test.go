package health_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review/health"
)

var settings = health.SettingsOf(builtin("clara"))

func builtin(name string) *canon.Policy {
	p, err := canon.Builtin(name)
	if err != nil {
		panic(err)
	}
	return p
}

var start = time.Date(2026, 1, 5, 3, 0, 0, 0, time.UTC)

const (
	hour = time.Hour
	day  = 24 * hour
)

// link is a record under test.
type link struct {
	health.Record
	batch int64
}

// check adds a check at a time after the start.
func (l *link) check(after time.Duration, status int, page ...*health.Page) {
	o := health.Observation{Check: health.Check{At: start.Add(after), Status: status,
		Outcome: health.OutcomeOf(status)}}
	if o.Outcome == health.Answered {
		o.Page = &health.Page{Title: "Ayudas"}
		if len(page) > 0 {
			o.Page = page[0]
		}
	}
	l.Add(o, l.batch, settings)
}

// TestStates moves a link through its states (section 16).
func TestStates(t *testing.T) {
	type step struct {
		after  time.Duration
		status int
		want   health.State
		broken bool
	}
	for name, steps := range map[string][]step{
		"three failures in a row": {{0, 200, health.Active, false}, {day, 500, health.Active, false},
			{25 * hour, 404, health.Active, false}, {2 * day, 0, health.Degraded, true}},
		"one success ends degraded": {{0, 404, health.Active, false}, {hour, 404, health.Active, false},
			{day, 404, health.Degraded, true}, {2 * day, 200, health.Active, false},
			{3 * day, 404, health.Active, false}},
		"a success between": {{0, 404, health.Active, false}, {hour, 404, health.Active, false},
			{day, 200, health.Active, false}, {2 * day, 404, health.Active, false}},
		"429 is no failure, and no success": {{0, 404, health.Active, false}, {hour, 404, health.Active, false},
			{2 * hour, 429, health.Active, false}, {3 * hour, 404, health.Degraded, true}},
		"gone": {{0, 200, health.Active, false}, {day, 410, health.Inactive, true}},
		"seven calendar days": {{0, 503, health.Active, false},
			{7*day - 4*hour - time.Second, 503, health.Active, false},
			{7*day - 4*hour, 503, health.Inactive, true}, {8 * day, 200, health.Inactive, true}},
	} {
		var l link
		for i, s := range steps {
			l.check(s.after, s.status)
			if l.State != s.want || l.Flags.Has(canon.LinkBroken) != s.broken {
				t.Errorf("%s, check %d: %s %v", name, i+1, l.State, l.Flags)
			}
		}
	}
}

// TestOnlyAPersonEndsInactive approves an inactive link before and after it answers.
func TestOnlyAPersonEndsInactive(t *testing.T) {
	var l link
	l.check(0, 410)
	l.batch = 1
	l.check(day, 404)
	if l.State != health.Inactive || l.Flags != 0 {
		t.Errorf("approved while it fails: %s %v", l.State, l.Flags)
	}
	l.check(2*day, 200)
	if l.State != health.Inactive || !l.Answers || !l.Flags.Has(canon.LinkBroken) {
		t.Errorf("it answers: %s %v", l.State, l.Flags)
	}
	l.batch = 2
	l.check(3*day, 200)
	if l.State != health.Active || l.Flags != 0 {
		t.Errorf("approved after it answers: %s %v", l.State, l.Flags)
	}
	for _, batch := range []int64{3, 2, 3} {
		l.batch = batch
		l.check(l.Last().At.Sub(start)+day, 200)
		if l.State != health.Active || l.Flags != 0 {
			t.Errorf("approved by batch %d: %s %v", batch, l.State, l.Flags)
		}
	}
	l.batch = 1
	l.check(7*day, 200)
	if l.State != health.Inactive || !l.Answers || !l.Flags.Has(canon.LinkBroken) {
		t.Errorf("the approvals after it answers are taken back: %s %v", l.State, l.Flags)
	}
	l.batch = 2
	l.check(8*day, 200)
	if l.State != health.Active || l.Flags != 0 {
		t.Errorf("the one that ended the state is brought back: %s %v", l.State, l.Flags)
	}
	l.batch = 1
	l.check(9*day, 404)
	l.batch = 2
	l.check(10*day, 404)
	if l.State != health.Inactive {
		t.Errorf("it is brought back, and the page fails: %s", l.State)
	}
}

// TestSlowDriftAddsUp compares with the accepted page, not with the one before.
func TestSlowDriftAddsUp(t *testing.T) {
	var words []string
	for i := range 300 {
		words = append(words, strings.Repeat(string(rune('a'+i%26)), 2+i/26)+"o")
	}
	page := func(changed int) *health.Page {
		list := append([]string(nil), words...)
		for i := range changed {
			list[i*3] = "distinto" + string(rune('a'+i%26)) + string(rune('a'+i/26))
		}
		return &health.Page{Sketch: health.SketchOf("Ayudas", strings.Join(list, " "))}
	}
	var l link
	l.check(0, 200, page(0))
	opened := 0
	for i := 1; i <= 40 && opened == 0; i++ {
		l.check(time.Duration(i)*day, 200, page(i))
		if l.Flags.Has(canon.ContentChanged) {
			opened = i
		}
	}
	if opened < 2 || opened == 40 {
		t.Fatalf("opened after %d small changes", opened)
	}
	l.batch = 7
	l.check(50*day, 200, page(opened))
	if l.Flags != 0 {
		t.Errorf("accepted, and still %v", l.Flags)
	}
	l.batch = 0 // undone
	l.check(51*day, 200, page(opened))
	if !l.Flags.Has(canon.ContentChanged) {
		t.Errorf("undone, and %v", l.Flags)
	}
}

// TestFlagsOfAnAnswer raises and accepts the other flags.
func TestFlagsOfAnAnswer(t *testing.T) {
	var l link
	add := func(after, left time.Duration, p health.Page, want ...canon.Code) {
		t.Helper()
		at := start.Add(after)
		l.Add(health.Observation{Check: health.Check{At: at, Status: 200, Certificate: start.Add(left)}, Page: &p},
			l.batch, settings)
		if l.Flags != canon.SetOf(want...) {
			t.Errorf("after %v: %v, want %v", after, l.Flags.Codes(), want)
		}
	}
	add(0, 20*day, health.Page{Canonical: "https://b.es/x"}, canon.CanonicalConflict)
	l.batch = 1
	add(day, 20*day, health.Page{Canonical: "https://b.es/x"})
	add(2*day, 20*day, health.Page{Hops: []string{"https://a.es/y"}}, canon.RedirectChanged)
	l.batch = 2
	add(3*day, 20*day, health.Page{Hops: []string{"https://a.es/y"}})
	add(7*day, 20*day, health.Page{Hops: []string{"https://a.es/y"}}, canon.CertificateExpiring)
	l.batch = 3
	add(8*day, 20*day, health.Page{Hops: []string{"https://a.es/y"}})
	add(9*day, 21*day, health.Page{}, canon.RedirectChanged, canon.CertificateExpiring)
	add(10*day, 99*day, health.Page{Hops: []string{"https://a.es/y"}})
}

// TestDue gives the times of the next check: an hour after a first failure, then daily, and the end of a certificate.
// Days end at midnight in Madrid, an hour before that in UTC; the checks are at 3 o'clock in UTC.
func TestDue(t *testing.T) {
	interval := settings.IntervalOf([]string{"P2", "P1"})
	var l link
	due := func(want time.Duration) {
		t.Helper()
		if got := l.Due(interval, settings).Sub(start); got != want {
			t.Errorf("due after %v, want %v", got, want)
		}
	}
	if !l.Due(interval, settings).IsZero() {
		t.Error("not due before the first check")
	}
	l.check(0, 200)
	due(7*day - 4*hour)
	l.check(7*day, 500)
	due(7*day + hour)
	l.check(7*day+hour, 500)
	due(8*day - 4*hour)
	l.check(8*day+20*hour-time.Second, 500)
	due(9*day + 8*hour - time.Second)
	l.check(14*day, 500)
	due(21*day - 4*hour)
	l.Add(health.Observation{Check: health.Check{At: start.Add(15 * day), Status: 200,
		Certificate: start.Add(33 * day)}}, 0, settings)
	due(19 * day)
	l = link{}
	l.check(0, 404)
	l.check(hour, 429) // the one retry
	due(day - 4*hour)
	l = link{}
	l.forbid(0)
	due(7*day - 4*hour)
	l.check(7*day, 404)
	l.forbid(8 * day)
	due(15*day - 4*hour)
	l.check(15*day, 404)
	l.forbid(16 * day)
	due(23*day - 4*hour)
	l = link{}
	l.Add(health.Observation{Check: health.Check{At: start, Status: 503, Outcome: health.OutcomeOf(503),
		NotBefore: start.Add(2 * hour)}}, 0, settings) // the server asks for a pause
	due(2 * hour)
}

// forbid adds a check whose page robots.txt forbids to ask for.
func (l *link) forbid(after time.Duration) {
	l.Add(health.Observation{Check: health.Check{At: start.Add(after), Outcome: health.Excused}}, l.batch, settings)
}

// TestPack packs random records and reads them back, but no part of their bytes.
func TestPack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		var l link
		at := time.Duration(0)
		for range 1 + r.IntN(70) {
			at += time.Duration(1+r.IntN(200_000)) * time.Second
			l.batch = int64(r.IntN(3))
			p := health.Page{Title: []string{"", "Ayudas", strings.Repeat("ñ", 400)}[r.IntN(3)]}
			if r.IntN(3) == 0 {
				p.Hops, p.Canonical = []string{"https://a.es/", "https://b.es/\xff"}, "https://c.es/"
			}
			p.Sketch = health.SketchOf(p.Title, []string{"", "una ayuda", "dos ayudas de 30 €"}[r.IntN(3)])
			c := health.Check{At: start.Add(at), Status: []int{0, 200, 404, 429}[r.IntN(4)], Hops: r.IntN(3),
				Took: time.Duration(r.IntN(3000)) * time.Millisecond, Text: r.Uint64() >> (r.IntN(2) * 64),
				Error: []string{"", "no such host: a.es", strings.Repeat("x", 300)}[r.IntN(3)]}
			if r.IntN(2) == 0 {
				c.Certificate = start.Add(time.Duration(r.IntN(90)) * day)
			}
			c.Outcome = health.OutcomeOf(c.Status)
			l.Add(health.Observation{Check: c, Page: &p}, l.batch, settings)
		}
		if r.IntN(2) == 0 { // a hostile server chooses the end of its certificate
			end := []int64{-1 << 40, -1, 0, 253402300799, 253402300800, 1 << 40}[r.IntN(6)]
			l.Add(health.Observation{Check: health.Check{At: start.Add(at + hour), Certificate: time.Unix(end, 0)}},
				l.batch, settings)
		}
		body := l.Pack()
		got, err := health.Unpack(body)
		if err != nil || !bytes.Equal(got.Pack(), body) || !reflect.DeepEqual(got.Checks, l.Checks) {
			t.Fatalf("%v: %d checks are read back as %d", err, len(l.Checks), len(got.Checks))
		}
		last, err := health.UnpackLast(body)
		if err != nil || len(last.Checks) != 1 || !last.Last().At.Equal(l.Last().At) || last.Known() != l.Known() ||
			!last.Due(day, settings).Equal(l.Due(day, settings)) {
			t.Fatalf("%v: of the last check is read %+v", err, last)
		}
		for n := 0; n < len(body); n += 1 + len(body)/100 {
			_, errAll := health.Unpack(body[:n])
			if _, err := health.UnpackLast(body[:n]); err == nil || errAll == nil {
				t.Fatalf("%d of %d bytes are read", n, len(body))
			}
		}
	}
}

// TestUsualIntervals has the intervals of the link-checking document.
func TestUsualIntervals(t *testing.T) {
	for priority, want := range map[string]time.Duration{"P0": day, "P1": 7 * day, "P2": 30 * day, "": 30 * day} {
		if got := settings.IntervalOf([]string{priority}); got != want {
			t.Errorf("%q: %v, want %v", priority, got, want)
		}
	}
	if got := settings.IntervalOf([]string{"P1", "P0", "P2"}); got != day {
		t.Errorf("the shortest of several: %v", got)
	}
}

// TestChecksAreThinned keeps the last 30 checks, and the last of each day before.
func TestChecksAreThinned(t *testing.T) {
	var l link
	for i := range 24 * 20 {
		l.check(time.Duration(i)*hour, 200)
	}
	if n := len(l.Checks); n != 30+18+1 {
		t.Errorf("%d checks are kept", n)
	}
	for i, c := range l.Checks[:18] {
		if want := start.Add(time.Duration(i)*day + 20*hour); !c.At.Equal(want) {
			t.Errorf("check %d is of %v, want %v", i, c.At, want)
		}
	}
}

// TestUnpackRefuses bytes that Pack never writes, with an error that says so.
func TestUnpackRefuses(t *testing.T) {
	var l link
	l.check(0, 404)
	body := l.Pack()
	newer := append([]byte{body[0] + 1}, body[1:]...)
	if _, err := health.Unpack(newer); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("of a newer version: %v", err)
	}
	future := health.Record{Checks: []health.Check{{At: time.Unix(1<<40, 0)}}}
	unknown := health.Record{Flags: canon.SetOf(canon.OffAllowlist), Checks: l.Checks}
	twice := health.Record{Checks: []health.Check{l.Checks[0], l.Checks[0]}}
	for name, r := range map[string]*health.Record{"without a check": {}, "of a year beyond 9999": &future,
		"with another flag": &unknown, "with two checks at one time": &twice} {
		if _, err := health.Unpack(r.Pack()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	var l link
	for i := range 5 {
		l.check(time.Duration(i)*day, []int{200, 404}[i%2])
	}
	f.Add(l.Pack())
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := health.Unpack(body)
		if err != nil {
			return
		}
		for _, flag := range health.Flags.Codes() {
			r.Explain(flag)
		}
		again, err := health.Unpack(r.Pack())
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("%v: a record of %d checks is read back as one of %d", err, len(r.Checks), len(again.Checks))
		}
	})
}
