package review_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
)

const (
	home   = "https://sede.ejemplo.gob.es/"
	odd    = "https://sede.ejemplo.gob.es/tramite/alta-de-padron?rara=1"
	fine   = "https://sede.ejemplo.gob.es/tramite/baja-de-padron"
	broken = "ftp://sede.ejemplo.gob.es/"
)

func TestDecide(t *testing.T) {
	for _, test := range []struct {
		choice review.Choice
		url    string
		want   string
	}{
		{review.Choice{Kind: review.Approve}, odd, "approved " + odd + " [unknown-param] approve " + odd +
			" by ana in 2"},
		{review.Choice{Kind: review.Approve, Canonical: "https://ignored.es"}, odd,
			"approved " + odd + " [unknown-param] approve " + odd + " by ana in 2"},
		{review.Choice{Kind: review.Correct, Canonical: " HTTPS://Sede.Ejemplo.gob.es/tramite/alta-de-padron "}, odd,
			"approved https://sede.ejemplo.gob.es/tramite/alta-de-padron" +
				" [] correct https://sede.ejemplo.gob.es/tramite/alta-de-padron by ana in 2"},
		{review.Choice{Kind: review.Correct, Canonical: odd}, odd, "approved " + odd + " [unknown-param] approve " +
			odd + " by ana in 2"},
		{review.Choice{Kind: review.Correct, Canonical: fine}, broken, "approved " + fine +
			" [] correct " + fine + " by ana in 2"},
		{review.Choice{Kind: review.Reject}, odd, "rejected " + odd + " [unknown-param] reject  by ana in 2"},
		{review.Choice{Kind: review.Defer}, fine, "deferred " + fine + " [] defer  by ana in 2"},
		{review.Choice{Kind: review.Reopen}, fine, "pending " + fine + " [] reopen  by ana in 2"},
	} {
		d := newDesk(t)
		d.add(odd, fine, broken)
		target := review.Target{ID: d.item(test.url).ID}
		test.choice.Note = " dicho \xFF "
		receipt, err := d.Decide(t.Context(), test.choice, target, target)
		d.must(err)
		it := d.item(test.url)
		if receipt.Decided != 1 || state(&it) != strings.Replace(test.want, "https://sede.ejemplo.gob.es [", "[", 1) {
			t.Errorf("%s %s: %+v\n\t%s\nwant\n\t%s", test.choice.Kind, test.url, receipt, state(&it), test.want)
		}
		if it.Decision.Note != "dicho \uFFFD" {
			t.Errorf("note %q", it.Decision.Note)
		}
		d.sound()
	}
}

func TestDecideErrors(t *testing.T) {
	for _, test := range []struct {
		choice  review.Choice
		targets []review.Target
		err     string
	}{
		{review.Choice{Kind: review.Approve}, []review.Target{{ID: 1}, {ID: 2}},
			"URL 2 has no canonical URL to approve (unsupported-scheme)"},
		{review.Choice{Kind: review.Reject}, []review.Target{{ID: 1}, {ID: 7}}, "URL 7: not found"},
		{review.Choice{Kind: review.Correct, Canonical: "ftp://x.es"}, []review.Target{{ID: 1}},
			`correcting to "ftp://x.es": unsupported-scheme`},
		{review.Choice{Kind: review.Correct}, []review.Target{{ID: 1}}, "invalid-url"},
		{review.Choice{Kind: review.Correct, Canonical: "http://127.1/"}, []review.Target{{ID: 1}}, "private-address"},
		{review.Choice{}, []review.Target{{ID: 1}}, "no such kind"},
	} {
		d := newDesk(t)
		d.add(odd, broken)
		_, err := d.Decide(t.Context(), test.choice, test.targets...)
		if err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("%v: %v, want %s", test.choice, err, test.err)
		}
		if log := d.entries(); len(log) != 2 || d.item("1").Decision != nil {
			t.Errorf("%v: written %q", test.choice, log)
		}
	}
}

// Of two decisions on one URL the second is a conflict that names the first reviewer.
func TestDecideConflict(t *testing.T) {
	ana := newDesk(t)
	luis := ana.desk("luis")
	ana.add(odd, home)
	seen, other := ana.item(odd), ana.item(home)
	luis.decide(review.Reject, odd)
	receipt, err := ana.Decide(t.Context(), review.Choice{Kind: review.Approve},
		review.Target{ID: seen.ID, Rev: seen.Rev}, review.Target{ID: other.ID, Rev: other.Rev})
	ana.must(err)
	if receipt.Decided != 1 || len(receipt.Conflicts) != 1 ||
		!strings.Contains(receipt.Conflicts[0].Error(), "rejected by luis") &&
			!strings.Contains(receipt.Conflicts[0].Error(), "reject by luis") {
		t.Errorf("receipt %+v", receipt)
	}
	if it := ana.item(odd); it.Status != review.Rejected || it.Decision.Reviewer != "luis" {
		t.Errorf("item %s", state(&it))
	}
	receipt, err = ana.Decide(t.Context(), review.Choice{Kind: review.Approve},
		review.Target{ID: seen.ID, Rev: seen.Rev})
	if err != nil || receipt.Batch != 0 || len(receipt.Conflicts) != 1 {
		t.Errorf("receipt %+v, %v", receipt, err)
	}
	// Without a revision there is no conflict.
	if receipt := ana.decide(review.Approve, odd); receipt.Decided != 1 {
		t.Errorf("receipt %+v", receipt)
	}
	ana.sound()
}

// A new result since the reviewer looked is a conflict too.
func TestDecideConflictWithEvidence(t *testing.T) {
	ana := newDesk(t)
	ana.add("http://sede.ejemplo.gob.es/tramite/alta-de-padron?rara=1")
	seen := ana.item("1")
	ana.addFound(review.Found{URL: home, Evidence: &canon.Evidence{HTTPS: no()}})
	receipt, err := ana.Decide(t.Context(), review.Choice{Kind: review.Approve},
		review.Target{ID: seen.ID, Rev: seen.Rev})
	if err != nil || len(receipt.Conflicts) != 1 ||
		!strings.Contains(receipt.Conflicts[0].Error(), "it is now http://sede.") {
		t.Errorf("receipt %+v, %v", receipt, err)
	}
}

func TestDecideAll(t *testing.T) {
	d := newDesk(t)
	d.add(many(1300)...)
	f := review.Filter{Open: true, AtHosts: []string{"h3.ejemplo.gob.es"}}
	want := len(d.items(f))
	receipt, err := d.DecideAll(t.Context(), review.Choice{Kind: review.Approve, Note: "todas"}, f)
	d.must(err)
	if want == 0 || receipt.Decided != want || len(d.items(f)) != 0 {
		t.Errorf("decided %d of %d", receipt.Decided, want)
	}
	if n, err := d.Count(t.Context(), review.Filter{Statuses: []review.Status{review.Approved}}); n != want ||
		err != nil {
		t.Errorf("%d approved, %v", n, err)
	}
	if receipt, err := d.DecideAll(t.Context(), review.Choice{Kind: review.Approve}, f); err != nil ||
		receipt.Batch != 0 {
		t.Errorf("nothing to decide: %+v, %v", receipt, err)
	}
	d.sound()
	d.undo()
	if got := len(d.items(f)); got != want {
		t.Errorf("%d open after undo, want %d", got, want)
	}
	d.sound()
}

func TestDecideAllRefused(t *testing.T) {
	d := newDesk(t)
	d.add(odd, broken)
	_, err := d.DecideAll(t.Context(), review.Choice{Kind: review.Approve}, review.Filter{})
	if err == nil || d.item(odd).Decision != nil {
		t.Errorf("error %v", err)
	}
}

func TestNote(t *testing.T) {
	d := newDesk(t)
	d.add(odd, home)
	receipt, err := d.Note(t.Context(), "\nver \x1B[31m\n", 2, 1, 2)
	d.must(err)
	if it := d.item(odd); it.Notes != 1 || d.item(home).Notes != 1 {
		t.Errorf("notes %d", it.Notes)
	}
	_, err = d.Note(t.Context(), "otra", 2)
	d.must(err)
	if found := d.items(review.Filter{Search: "VER \x1B"}); len(found) != 2 {
		t.Errorf("found %d by their note", len(found))
	}
	d.sound()
	_, _, err = d.Undo(t.Context(), receipt.Batch)
	d.must(err)
	if it := d.item(odd); it.Notes != 0 {
		t.Errorf("notes %d after undo", it.Notes)
	}
	d.sound()
	for _, test := range []struct {
		text string
		id   int64
	}{{" ", 1}, {"x", 9}} {
		if _, err := d.Note(t.Context(), test.text, test.id); err == nil {
			t.Errorf("note %q on %d was taken", test.text, test.id)
		}
	}
}

// Spec 8, hostile input: a note that nobody wrote by hand is refused, and nothing is written.
func TestLongNote(t *testing.T) {
	d := newDesk(t)
	d.add(home)
	long := strings.Repeat("x", 50<<20)
	_, noted := d.Note(t.Context(), long, 1)
	_, decided := d.Decide(t.Context(), review.Choice{Kind: review.Reject, Note: long}, review.Target{ID: 1})
	rule := canon.Override{Match: canon.Match{Host: "boe.es"}, Note: long}
	_, _, ruled := d.SaveOverrides(t.Context(), []review.OverrideChange{{After: &rule}}, "")
	for name, err := range map[string]error{"note": noted, "decision": decided, "rule": ruled} {
		if err == nil || !strings.Contains(err.Error(), "the note has 52428800 bytes: at most 65536 are kept") {
			t.Errorf("%s: %.200v", name, err)
		}
	}
	if it := d.item(home); it.Notes != 0 || it.Decision != nil {
		t.Errorf("written: %d notes, %v", it.Notes, it.Decision)
	}
}

func TestCorrection(t *testing.T) {
	d := newDesk(t)
	for _, test := range []struct{ raw, want string }{
		{"http://BOE.es:80/a/../b%7ec?b=2&a=%e1#x", "https://www.boe.es/b~c?b=2&a=%E1"},
		{"boe.es/lista?p=3&utm_source=x", "https://www.boe.es/lista"},
		{"javascript:alert(1)", "unsupported-scheme"},
		{"", "invalid-url"},
	} {
		correction, err := d.Correction(t.Context(), test.raw)
		d.must(err)
		r := correction.Result
		got := r.Canonical
		if r.Verdict == canon.Rejected {
			got = r.Reason.String()
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.raw, got, test.want)
		}
	}
}

func TestUndoRedo(t *testing.T) {
	ana := newDesk(t)
	luis := ana.desk("luis")
	ana.add(odd, home, fine)
	steps := []map[string]string{ana.states()}
	ana.decide(review.Approve, odd, home)
	steps = append(steps, ana.states())
	ana.decide(review.Reject, odd)
	luis.decide(review.Defer, fine)
	ana.undo()
	luis.undo()
	ana.same(steps[1])
	ana.undo()
	ana.same(steps[0])
	if _, _, err := ana.Undo(t.Context(), 0); !errors.Is(err, review.ErrNotFound) {
		t.Errorf("undoing nothing: %v", err)
	}
	if _, _, err := luis.Redo(t.Context()); err != nil {
		t.Error(err)
	}
	if b, _, err := ana.Redo(t.Context()); err != nil || b.Action != review.ActApprove {
		t.Errorf("redo %+v, %v", b, err)
	}
	luis.undo()
	ana.same(steps[1])
	ana.decide(review.Defer, home)
	if _, _, err := ana.Redo(t.Context()); !errors.Is(err, review.ErrNotFound) {
		t.Errorf("redo after something else: %v", err)
	}
	ana.sound()
}

func (d *desk) same(want map[string]string) {
	d.Helper()
	got := d.states()
	for url := range want {
		if got[url] != want[url] {
			d.Errorf("%s\n\t%s\nwant\n\t%s", url, got[url], want[url])
		}
	}
	if len(got) != len(want) {
		d.Errorf("%d items, want %d", len(got), len(want))
	}
}

func TestUndoByNumber(t *testing.T) {
	d := newDesk(t)
	d.add(odd, home)
	first := d.decide(review.Approve, odd)
	second := d.decide(review.Reject, odd)
	_, _, err := d.Undo(t.Context(), first.Batch)
	d.must(err)
	if it := d.item(odd); it.Status != review.Rejected {
		t.Errorf("the later decision is no longer in effect: %s", state(&it))
	}
	for _, test := range []struct {
		batch int64
		err   string
	}{{first.Batch, "undone already"}, {second.Batch + 1, "not found"}, {1, "cannot be undone"}} {
		if _, _, err := d.Undo(t.Context(), test.batch); err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("undo %d: %v, want %s", test.batch, err, test.err)
		}
	}
	d.sound()
}

func TestSummaries(t *testing.T) {
	d := newDesk(t)
	d.add(odd, home)
	d.decide(review.Approve, odd)
	d.decide(review.Defer, odd, home)
	d.undo()
	d.save(canon.Override{Match: canon.Match{Host: "*.gob.es", PathPrefix: "/sta"}, Accept: []string{"home-page"}})
	want := []string{"policy " + d.Policy().ID(), "added 2 URLs", "approve URL 1 " + odd, "defer 2 URLs",
		"undo 3: defer 2 URLs", "add the override for *.gob.es/sta"}
	if got := d.entries(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("log\n\t%q\nwant\n\t%q", got, want)
	}
}

// Spec 10: a approves as shown. A URL that is the approved canonical URL of another one is shown as approved in its
// own form, not in the computed one.
func TestApproveSettled(t *testing.T) {
	d := newDesk(t)
	const slashed = "https://www.boe.es/buscar/"
	d.add("https://www.boe.es/buscar/boe.php", slashed)
	asTyped := review.Choice{Kind: review.CorrectAsTyped, Canonical: slashed}
	_, err := d.Decide(t.Context(), asTyped, review.Target{ID: 1})
	d.must(err)
	settled := d.item(slashed)
	if settled.Computed.Canonical == slashed || settled.Canonical() != slashed {
		t.Fatalf("computed %s, shown %s", settled.Computed.Canonical, settled.Canonical())
	}
	_, err = d.Decide(t.Context(), review.Choice{Kind: review.Approve}, review.Target{ID: 2, Rev: settled.Rev})
	d.must(err)
	if it := d.item(slashed); it.Canonical() != slashed || it.Status != review.Approved || it.Open() ||
		it.Decision.CanonicalOf != nil {
		t.Errorf("%+v with %+v", it, it.Decision)
	}
	d.proven()
}
