package review_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/canon/suite"
	"visto/review"
	"visto/review/read"
	"visto/store/sqlite"
	"visto/store/sqlitetest"
)

func TestMain(m *testing.M) { os.Exit(suite.InMemory{Tests: m}.Run()) }

// office is a database file for several desks.
type office struct {
	*testing.T
	path string
	now  time.Time
}

func newOffice(t *testing.T) *office {
	return &office{t, filepath.Join(t.TempDir(), "visto.db"), time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}
}

// store opens the file. Every reading of its clock advances it by a second.
func (o *office) store() *sqlite.Store {
	o.Helper()
	s, err := sqlitetest.Open(o.Context(), o.path, sqlite.Options{Now: func() time.Time {
		o.now = o.now.Add(time.Second)
		return o.now
	}})
	o.must(err)
	o.Cleanup(func() { o.must(s.Close()) })
	return s
}

// desk opens a desk with a connection of its own, like another program.
func (o *office) desk(reviewer string) *desk {
	o.Helper()
	d, err := review.Open(o.Context(), o.store(), reviewer, nil)
	o.must(err)
	return &desk{d, o}
}

func (o *office) must(err error) {
	o.Helper()
	if err != nil {
		o.Fatal(err)
	}
}

// desk is a desk whose methods fail the test on any error.
type desk struct {
	*review.Desk
	*office
}

func newDesk(t *testing.T) *desk { return newOffice(t).desk("ana") }

func (d *desk) add(urls ...string) review.AddReport {
	d.Helper()
	found := make([]review.Found, len(urls))
	for i, u := range urls {
		found[i] = review.Found{URL: u, Place: read.Place{File: "urls.txt", Path: fmt.Sprint(i + 1)}}
	}
	return d.addFound(found...)
}

func (d *desk) addFound(found ...review.Found) review.AddReport {
	d.Helper()
	report, err := d.Add(d.Context(), review.Input{}, each(found))
	d.must(err)
	return report
}

func each(found []review.Found) func(func(review.Found) error) error {
	return func(yield func(review.Found) error) error {
		for _, f := range found {
			if err := yield(f); err != nil {
				return err
			}
		}
		return nil
	}
}

// item returns the only item with that original or canonical URL.
func (d *desk) item(url string) review.Item {
	d.Helper()
	items, err := d.Find(d.Context(), url)
	d.must(err)
	if len(items) != 1 {
		d.Fatalf("%d items are %s", len(items), url)
	}
	return items[0]
}

func (d *desk) items(f review.Filter) []review.Item {
	d.Helper()
	var items []review.Item
	d.must(d.Each(d.Context(), f, func(it review.Item) error {
		items = append(items, it)
		return nil
	}))
	return items
}

func (d *desk) decide(kind review.Kind, urls ...string) review.Receipt {
	d.Helper()
	var targets []review.Target
	for _, u := range urls {
		targets = append(targets, review.Target{ID: d.item(u).ID})
	}
	receipt, err := d.Decide(d.Context(), review.Choice{Kind: kind}, targets...)
	d.must(err)
	return receipt
}

func (d *desk) save(rules ...canon.Override) (review.Receipt, *review.Effect) {
	d.Helper()
	var changes []review.OverrideChange
	for _, r := range rules {
		c, err := d.Amend(d.Context(), r)
		d.must(err)
		changes = append(changes, c)
	}
	receipt, effect, err := d.SaveOverrides(d.Context(), changes, "")
	d.must(err)
	return receipt, effect
}

func (d *desk) undo() {
	d.Helper()
	_, _, err := d.Undo(d.Context(), 0)
	d.must(err)
}

// sound fails the test if Check finds a problem.
func (d *desk) sound() {
	d.Helper()
	problems, err := d.Check(d.Context())
	d.must(err)
	for _, p := range problems {
		d.Errorf("%s: %s", p.What, p.Text)
	}
}

// pending fails the test unless so many URLs wait for new evidence about their hosts.
func (d *desk) pending(want int) {
	d.Helper()
	n, err := d.PendingItems(d.Context())
	if d.must(err); n != want {
		d.Errorf("%d pending URLs, want %d", n, want)
	}
}

// entries returns the summaries of the log, oldest first.
func (d *desk) entries() []string {
	d.Helper()
	var list []string
	d.must(d.EachEntry(d.Context(), func(e review.Entry) error {
		list = append(list, e.Summary)
		return nil
	}))
	return list
}

// state describes the state of an item as a reviewer sees it.
func state(it *review.Item) string {
	s := fmt.Sprintf("%s %s %v", it.Status, it.Computed.Canonical, it.Computed.Flags.Codes())
	if d := it.Decision; d != nil {
		s += fmt.Sprintf(" %s %s by %s in %d", d.Kind, d.Canonical, d.Reviewer, d.Batch)
	}
	return s
}

// states returns the states of all items by original.
func (d *desk) states() map[string]string {
	d.Helper()
	all := map[string]string{}
	for _, it := range d.items(review.Filter{}) {
		all[it.Original] = state(&it)
	}
	return all
}

func TestOpenNewStore(t *testing.T) {
	d := newDesk(t)
	meta, err := d.Meta(t.Context())
	d.must(err)
	if d.Policy().Name() != "clara" || meta.PolicyDigest != d.Policy().Digest() || d.Reviewer() != "ana" ||
		d.ReadOnly() {
		t.Errorf("policy %s, stored %+v", d.Policy().ID(), meta)
	}
	entries, err := d.Log(t.Context(), 0, 10)
	d.must(err)
	if len(entries) != 1 || entries[0].Action != review.ActPolicy || entries[0].Reviewer != "ana" {
		t.Errorf("log %+v", entries)
	}
	d.desk("luis") // opens the existing database
	if got := d.entries(); len(got) != 1 {
		t.Errorf("log %q", got)
	}
	d.sound()
}

func TestOpenOtherPolicy(t *testing.T) {
	o := newOffice(t)
	s := o.store()
	rfc, err := canon.ParsePolicy(canon.PolicyFile{Name: "own.yaml", Data: []byte("name: own\nversion: 7\n")})
	o.must(err)
	if _, err = review.Open(t.Context(), s, "ana", rfc); err != nil {
		t.Fatal(err)
	}
	if d := o.desk("ana"); d.Policy().ID() != "own@7" {
		t.Errorf("policy %s", d.Policy().ID())
	}
	clara, err := canon.Builtin("clara")
	o.must(err)
	changed := allowing(t, "7", "gob.es")
	for _, other := range []struct {
		policy *canon.Policy
		why    string
	}{
		{clara, "policy own@7, not " + clara.ID() + ": "},
		{changed, fmt.Sprintf("policy own@7 (%.12s), not own@7 (%.12s): ", rfc.Digest(), changed.Digest())},
	} {
		_, err = review.Open(t.Context(), o.store(), "ana", other.policy)
		if !errors.Is(err, review.ErrPolicy) || !strings.Contains(err.Error(), other.why) {
			t.Errorf("error %v", err)
		}
	}
}

func TestOpenWithoutName(t *testing.T) {
	if _, err := review.Open(t.Context(), newOffice(t).store(), " ", nil); err == nil {
		t.Error("a reviewer without a name was let in")
	}
}

func TestOpenReadOnly(t *testing.T) {
	d := newDesk(t)
	d.add("https://boe.es/buscar?tipo=leyes")
	s, err := sqlite.Open(t.Context(), d.path, sqlite.Options{ReadOnly: true})
	d.must(err)
	defer s.Close()
	r, err := review.Open(t.Context(), s, "luis", nil)
	d.must(err)
	if n, err := r.Count(t.Context(), review.Filter{}); n != 1 || err != nil || !r.ReadOnly() {
		t.Errorf("%d items, %v", n, err)
	}
	if _, err := r.Note(t.Context(), "hola", 1); !errors.Is(err, review.ErrReadOnly) {
		t.Errorf("error %v", err)
	}
}

// A desk takes the built-in policy that this process has compiled only if the store has the same text, not just a
// policy of that name.
func TestStoredPolicyWithABuiltInName(t *testing.T) {
	usual, err := canon.Builtin(canon.DefaultPolicy)
	if err != nil {
		t.Fatal(err)
	}
	own, err := canon.ParsePolicy(canon.PolicyFile{Name: canon.DefaultPolicy, Data: []byte("max_length: 62\n")})
	if err != nil {
		t.Fatal(err)
	}
	for _, policy := range []*canon.Policy{usual, own} {
		o := newOffice(t)
		_, err := review.Open(t.Context(), o.store(), "ana", policy)
		o.must(err)
		got := o.desk("bea").Policy()
		if got.Digest() != policy.Digest() || (got == usual) != (policy == usual) {
			t.Errorf("stored %s %.12s, got %.12s", policy.ID(), policy.Digest(), got.Digest())
		}
	}
	if own.Name() != usual.Name() {
		t.Errorf("the policy of the test has the name %s", own.Name())
	}
}

// A desk uses the policy, overrides and evidence of another desk as soon as they are written.
func TestDeskFollows(t *testing.T) {
	ana := newDesk(t)
	luis := ana.desk("luis")
	host := "https://sede.ejemplo.gob.es/"
	luis.save(canon.Override{Match: canon.Match{Host: "sede.ejemplo.gob.es"}, DropQueryParams: []string{"x"}})
	ana.add(host + "a/b/c-d-e?x=1")
	if got := ana.item(host + "a/b/c-d-e?x=1").Computed.Canonical; got != host+"a/b/c-d-e" {
		t.Errorf("canonical %s", got)
	}
	own, err := canon.ParsePolicy(canon.PolicyFile{Name: "own.yaml", Data: []byte("name: own\nversion: 7\n")})
	ana.must(err)
	_, _, err = luis.Recanon(t.Context(), own)
	ana.must(err)
	ana.add(host + "e/f/g-h-i")
	if ana.Policy().ID() != "own@7" {
		t.Errorf("policy %s", ana.Policy().ID())
	}
	ana.sound()
}

func TestStats(t *testing.T) {
	d := newDesk(t)
	d.add("https://a.ejemplo.gob.es/uno/dos/tres-cuatro-cinco", "https://a.ejemplo.gob.es/x/y/z-z-z?rara=1",
		"https://a.ejemplo.gob.es/x/y/z-z-z?rara=2",
		"https://b.ejemplo.gob.es/x/y/z-z-z?rara=1", "ftp://a.ejemplo.gob.es/")
	d.decide(review.Approve, "https://a.ejemplo.gob.es/x/y/z-z-z?rara=1")
	d.save(canon.Override{Match: canon.Match{Host: "b.ejemplo.gob.es"}, KeepQueryParams: []string{"rara"}})
	s, err := d.Stats(t.Context())
	d.must(err)
	got := fmt.Sprint(s.Total, s.Open, s.Reviewed, s.Verdicts, s.Statuses, s.OpenFlags, s.Flags, s.Hosts)
	want := fmt.Sprint(5, 1, 2, map[canon.Verdict]int{canon.Accepted: 2, canon.Flagged: 2, canon.Rejected: 1},
		map[review.Status]int{review.Pending: 1, review.Accepted: 2, review.Approved: 1, review.Rejected: 1},
		map[canon.Code]int{canon.UnknownParam: 1}, map[canon.Code]int{canon.UnknownParam: 2},
		[]review.Bucket{{Value: "a.ejemplo.gob.es", N: 1}})
	if got != want {
		t.Errorf("stats\n\t%s\nwant\n\t%s", got, want)
	}
	if len(s.DecisionCounts) != 1 ||
		s.DecisionCounts[0] != (review.DecisionCount{Reviewer: "ana", Day: "2026-11-21", Kind: review.Approve, N: 1}) {
		t.Errorf("decisions %+v", s.DecisionCounts)
	}
}

func TestFind(t *testing.T) {
	d := newDesk(t)
	d.add("http://a.ejemplo.gob.es/x/y/uno-dos-tres/")
	for _, arg := range []string{"1", " 1 ", "http://a.ejemplo.gob.es/x/y/uno-dos-tres/",
		"https://a.ejemplo.gob.es/x/y/uno-dos-tres"} {
		if items, err := d.Find(t.Context(), arg); err != nil || len(items) != 1 || items[0].ID != 1 {
			t.Errorf("%q: %v, %v", arg, items, err)
		}
	}
	for _, arg := range []string{"2", "https://a.ejemplo.gob.es/otra"} {
		if _, err := d.Find(t.Context(), arg); !errors.Is(err, review.ErrNotFound) ||
			!strings.Contains(err.Error(), arg) {
			t.Errorf("%q: %v", arg, err)
		}
	}
}

func TestDetail(t *testing.T) {
	d := newDesk(t)
	d.add("https://a.ejemplo.gob.es/x/y/z-z-z?b=2&a=1", "https://a.ejemplo.gob.es/x/y/z-z-z?a=1&b=2",
		"https://a.ejemplo.gob.es/x/y/w-w-w")
	d.decide(review.Defer, "https://a.ejemplo.gob.es/x/y/z-z-z?b=2&a=1")
	d.undo()
	d.decide(review.Approve, "https://a.ejemplo.gob.es/x/y/z-z-z?b=2&a=1")
	_, err := d.Note(t.Context(), "  mirar  ", 1)
	d.must(err)
	d.save(canon.Override{Match: canon.Match{Host: "*.ejemplo.gob.es"}, Accept: []string{"home-page"}})
	det, err := d.Detail(t.Context(), 1)
	d.must(err)
	if len(det.Twins) != 1 || det.Twins[0].ID != 2 {
		t.Errorf("twins %+v", det.Twins)
	}
	if len(det.History) != 2 || !det.History[0].Undone || det.History[1].Undone ||
		det.History[1].Kind != review.Approve {
		t.Errorf("history %+v", det.History)
	}
	if len(det.Notes) != 1 || det.Notes[0].Text != "mirar" || len(det.Overrides) != 1 {
		t.Errorf("notes %+v, overrides %+v", det.Notes, det.Overrides)
	}
	if det.Result.Canonical != det.Item.Computed.Canonical || det.Result.Original != det.Item.Original {
		t.Errorf("result %+v", det.Result)
	}
	if _, err := d.Detail(t.Context(), 9); !errors.Is(err, review.ErrNotFound) || err.Error() != "URL 9: not found" {
		t.Errorf("error %v", err)
	}
}

// A rule for a path is listed for URLs with that path as they came, after redirects, or after the overrides.
func TestDetailOverrides(t *testing.T) {
	d := newDesk(t)
	d.add("https://a.ejemplo.gob.es/viejo/x?b=1", "https://b.ejemplo.gob.es/sta/%50ortal/y",
		"https://b.ejemplo.gob.es/starter/y")
	rule := func(host, path string) canon.Override {
		return canon.Override{Match: canon.Match{Host: host, PathPrefix: path}, KeepQueryParams: []string{"b"}}
	}
	moved := rule("a.ejemplo.gob.es", "/viejo")
	moved.RewriteRules = []canon.Rewrite{{FromPrefix: "https://a.ejemplo.gob.es/viejo",
		ToPrefix: "https://b.ejemplo.gob.es/nuevo"}}
	d.save(moved, rule("*", "/sta"), rule("*", "/sta/Portal"), rule("*", "/nuevo"), rule("b.ejemplo.gob.es", ""))
	for id, want := range map[int64][]string{
		1: {"a.ejemplo.gob.es/viejo", "*/nuevo", "b.ejemplo.gob.es"},
		2: {"*/sta", "*/sta/Portal", "b.ejemplo.gob.es"},
		3: {"b.ejemplo.gob.es"},
	} {
		det, err := d.Detail(t.Context(), id)
		d.must(err)
		var got []string
		for _, o := range det.Overrides {
			got = append(got, o.Override.Match.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("URL %d: rules %q, want %q", id, got, want)
		}
	}
}

func cancelled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
