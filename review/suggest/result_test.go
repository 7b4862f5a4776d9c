package suggest_test

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"visto/canon"
	"visto/canon/suite"
	"visto/review"
	"visto/review/suggest"
)

func (d *desk) list(hosts ...string) []suggest.Suggestion {
	d.Helper()
	list, err := suggest.List(d.Context(), d, hosts)
	d.must(err)
	return list
}

func (d *desk) last() *suggest.Result {
	d.Helper()
	r, err := suggest.Last(d.Context(), d)
	d.must(err)
	return r
}

// renewed renews the stored result, and wants that to have mined or not.
func (d *desk) renewed(when string, want bool) {
	d.Helper()
	got, err := suggest.Renew(d.Context(), d)
	d.must(err)
	if got != want {
		d.Errorf("%s: mined %t", when, got)
	}
}

// full describes suggestions with everything that people see of them.
func full(list []suggest.Suggestion) (text string) {
	for _, s := range list {
		text += fmt.Sprintf("%t %s: %+v, %d URLs on %d hosts, ask %v, rule %v, %q\n", s.Recommended, s.Template,
			s.Tally, s.Reach, s.Hosts, s.Ask, s.Override(), s.Lacks(s.Template))
		for _, v := range s.Votes {
			text += fmt.Sprintf("\t%t %s %s %s\n", v.For, v.Signal, v.URL, v.Other)
		}
	}
	return text
}

// TestLast wants the stored suggestions to be those that were mined, with all that people see of them.
func TestLast(t *testing.T) {
	for seed := range uint64(suite.Rounds(2, 8)) {
		d, random := newDesk(t), rand.New(rand.NewPCG(seed, 1))
		var found []review.Found
		for range 150 {
			found = append(found, randomPage(random))
		}
		d.add(found...)
		for id := range int64(10) { // some of them against a suggestion
			_, err := d.Decide(t.Context(), review.Choice{Kind: review.Approve}, review.Target{ID: id + 1})
			d.must(err)
		}
		want := d.list()
		r := d.last()
		if full(r.List) != full(want) || full(d.suggestions(review.Filter{})) != full(want) {
			t.Errorf("stored:\n%s\nmined:\n%s", full(r.List), full(want))
		}
		if len(want) == 0 || r.Changes != 0 || r.At.IsZero() {
			t.Errorf("%d suggestions, at %s with %d changes since", len(want), r.At, r.Changes)
		}
	}
}

// randomPage returns a URL with evidence. Its site mostly does not care for the query and for an extension.
func randomPage(random *rand.Rand) review.Found {
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	url := "https://" + pick("a.gob.es", "b.gob.es", "c.gob.es", "www.d.gob.es") + pick("/t", "/es/t") +
		pick("/uno-", "/dos-", "/tres-") + pick("a", "b", "c") + pick("", ".html") +
		pick("", "?plaza=1", "?plaza=2", "?plaza=1&tema=2", "?id=1", "?tema=2")
	ev := &canon.Evidence{Status: 200}
	bare, _, _ := strings.Cut(url, "?")
	plain := strings.Replace(url, ".html", "", 1)
	switch to := pick(bare, bare, plain, plain, strings.Replace(url, "www.d.", "a.", 1)); random.IntN(5) {
	case 0, 1:
		ev.Hops = []canon.Hop{{Status: 301, URL: to}}
	case 2:
		ev.RelCanonical = to
	case 3:
		if strings.HasPrefix(url, "https://b.") { // it cares
			bare = url
		}
		ev.SHA256 = strings.TrimPrefix(bare, "https://")[5:]
	default:
		ev.Status = 404
	}
	return review.Found{URL: url, Evidence: ev}
}

// dropping adds pages of a host, numbered from and to, that redirect to their URLs without a parameter.
func (d *desk) dropping(from, to int) {
	d.Helper()
	for i := from; i < to; i++ {
		d.answered(fmt.Sprintf("/t/uno-%c?plaza=1", 'a'+i), hop(fmt.Sprintf("/t/uno-%c", 'a'+i)))
	}
}

// TestRenew mines again after each change that the log has, and only then. Until then the last result tells its age.
func TestRenew(t *testing.T) {
	d := newDesk(t)
	if r := d.last(); r != nil {
		t.Errorf("before anything was mined: %+v", r)
	}
	d.dropping(0, 3)
	d.renewed("at first", true)
	d.renewed("again", false)
	d.dropping(3, 5)
	if r := d.last(); len(r.List) != 1 || r.List[0].For != 3 || r.Changes != 2 {
		t.Errorf("after two additions: %+v", r)
	}
	d.renewed("after two additions", true)
	if r := d.last(); len(r.List) != 1 || r.List[0].For != 5 || r.Changes != 0 {
		t.Errorf("mined again: %+v", r)
	}
	d.decide(review.Choice{Kind: review.Reject}, "/t/uno-a?plaza=1")
	d.renewed("after a decision", true)
	d.must(suggest.Dismiss(t.Context(), d, &d.last().List[0]))
	d.renewed("after a dismissal", false)
}

// busyDesk is a desk on which somebody adds a page while it is mined.
type busyDesk struct {
	*desk
	once sync.Once
}

func (d *busyDesk) EachAnswered(ctx context.Context, f review.Filter,
	fn func(review.Item, *canon.Evidence) error) error {
	err := d.desk.EachAnswered(ctx, f, fn)
	d.once.Do(func() { d.dropping(3, 4) })
	return err
}

// What others write during the mining adds to the age of the result.
func TestMinedMeanwhile(t *testing.T) {
	d := &busyDesk{desk: newDesk(t)}
	d.dropping(0, 3)
	_, err := suggest.List(t.Context(), d, nil)
	d.must(err)
	if r := d.last(); len(r.List) != 1 || r.List[0].For != 3 || r.Changes != 1 {
		t.Errorf("%+v", r)
	}
	d.renewed("after that", true)
}

// TestTaken leaves a suggestion out of the last result while its rule is in force.
func TestTaken(t *testing.T) {
	d := newDesk(t)
	d.dropping(0, 3)
	s := d.list()[0]
	save := func(o canon.Override) {
		t.Helper()
		change, err := d.Amend(t.Context(), o)
		d.must(err)
		_, _, err = d.SaveOverrides(t.Context(), []review.OverrideChange{change}, "")
		d.must(err)
	}
	want := func(when string, n int) {
		t.Helper()
		if r := d.last(); len(r.List) != n {
			t.Errorf("%s: %d suggestions", when, len(r.List))
		}
	}
	other := canon.Override{Match: s.Override().Match, DropQueryParams: []string{"otra"}}
	save(other)
	want("with another rule there", 1)
	save(s.Override())
	want("taken", 0)
	_, _, err := d.Undo(t.Context(), 0)
	d.must(err)
	want("taken back", 1)
}

// minedDesk returns another stored result, and may be read-only. It counts the results that are stored.
type minedDesk struct {
	*desk
	mined    *review.Mined
	err      error
	readOnly bool
	kept     int
}

func (d *minedDesk) Mined(context.Context) (*review.Mined, error) { return d.mined, d.err }

func (d *minedDesk) ReadOnly() bool { return d.readOnly }

func (d *minedDesk) KeepMined(_ context.Context, m review.Mined) error {
	d.kept++
	d.mined = &m
	return nil
}

// TestUnreadable takes a stored result of another program, or a damaged one, for none.
func TestUnreadable(t *testing.T) {
	d := &minedDesk{desk: newDesk(t)}
	d.dropping(0, 3)
	if _, err := suggest.List(t.Context(), d, nil); err != nil {
		t.Fatal(err)
	}
	body := d.mined.Body
	var later bytes.Buffer // in another form
	w, err := flate.NewWriter(&later, flate.BestSpeed)
	d.must(err)
	_, err = w.Write([]byte(`{"Form": 999, "List": []}`))
	d.must(errors.Join(err, w.Close()))
	for _, bad := range [][]byte{nil, []byte("{}"), body[:len(body)/2], later.Bytes()} {
		d.mined = &review.Mined{Body: bad}
		if r, err := suggest.Last(t.Context(), d); r != nil || err != nil {
			t.Errorf("%q: %+v, %v", bad, r, err)
		}
		if mined, err := suggest.Renew(t.Context(), d); !mined || err != nil {
			t.Errorf("%q: mined %t, %v", bad, mined, err)
		}
	}
	d.err = review.ErrDamaged
	if mined, err := suggest.Renew(t.Context(), d); mined || !errors.Is(err, review.ErrDamaged) {
		t.Errorf("mined %t, %v", mined, err)
	}
}

// TestReadOnly mines on request, and stores nothing.
func TestReadOnly(t *testing.T) {
	d := &minedDesk{desk: newDesk(t), readOnly: true}
	d.dropping(0, 3)
	if mined, err := suggest.Renew(t.Context(), d); mined || err != nil {
		t.Errorf("mined %t, %v", mined, err)
	}
	if list, err := suggest.List(t.Context(), d, nil); len(list) != 1 || d.kept > 0 || err != nil {
		t.Errorf("%d suggestions, %d results stored, %v", len(list), d.kept, err)
	}
}

// TestDismiss dismisses a suggestion, which comes back when twice as many pages speak for it.
func TestDismiss(t *testing.T) {
	d := newDesk(t)
	want := func(when string, dismissed bool) {
		t.Helper()
		for _, list := range [][]suggest.Suggestion{d.list(), d.last().List} {
			if len(list) != 1 || (list[0].Dismissed != nil) != dismissed {
				t.Errorf("%s: %+v", when, list)
			}
		}
	}
	d.dropping(0, 3)
	want("at first", false)
	d.must(suggest.Dismiss(t.Context(), d, &d.list()[0]))
	want("dismissed", true)
	d.dropping(3, 5)
	want("with five of six pages", true)
	d.dropping(5, 6)
	want("with six pages", false)
	d.must(suggest.Dismiss(t.Context(), d, &d.list()[0]))
	d.must(suggest.Restore(t.Context(), d, &d.list()[0]))
	want("restored", false)
	if err := suggest.Restore(t.Context(), d, &d.list()[0]); !errors.Is(err, review.ErrNotFound) {
		t.Errorf("restored twice: %v", err)
	}
}

// TestListOfHosts finds a suggestion for several hosts on those where it changes a URL. What is stored has all.
func TestListOfHosts(t *testing.T) {
	d := newDesk(t)
	for _, host := range []string{"https://a.gob.es", "https://b.gob.es", "https://c.gob.es"} {
		for _, path := range []string{"/ver/x", "/ver/y"} {
			d.answered(host+path+"?plaza=1", hop(host+path))
		}
	}
	d.add(review.Found{URL: "https://a.gob.es/ver/z?plaza=1"}, review.Found{URL: "https://otra.gob.es/ver/x"})
	d.dropping(0, 3)
	const everywhere, own = "*drop plaza on */ver 6:0\n", "*drop plaza on s.gob.es/t 3:0\n"
	for _, test := range []struct {
		hosts []string
		want  string
	}{
		{[]string{"a.gob.es"}, everywhere}, {[]string{"otra.gob.es"}, ""}, {[]string{"s.gob.es"}, own},
		{[]string{"*.gob.es", "x.es"}, everywhere + own}, {nil, everywhere + own},
	} {
		if got := found(d.list(test.hosts...)); got != test.want {
			t.Errorf("%v: %q, not %q", test.hosts, got, test.want)
		}
		if got := found(d.last().List); got != everywhere+own {
			t.Errorf("stored: %q", got)
		}
	}
}
