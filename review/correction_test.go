package review_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
)

// The corrections of these tests.
const (
	padron    = "https://sede.ejemplo.gob.es/tramite/alta-de-padron"
	marked    = padron + "?utm_source=a#f"
	startPage = "https://otra.ejemplo.gob.es"
)

func (d *desk) correct(kind review.Kind, url, to string) error {
	_, err := d.Decide(d.Context(), review.Choice{Kind: kind, Canonical: to}, review.Target{ID: d.item(url).ID})
	return err
}

func (d *desk) replaysSame() {
	d.Helper()
	if text := d.replayed(); text != "" {
		d.Error(text)
	}
}

// Spec 14: a correction is a URL like any other. One that cannot be cited is refused with the reason.
func TestCorrectionRefused(t *testing.T) {
	d := newDesk(t)
	d.add(odd)
	for _, test := range []struct {
		kind      review.Kind
		url, want string
	}{
		{review.Correct, "https://evil.example.com/phish?utm_source=a#f", "off-allowlist"},
		{review.CorrectAsTyped, "https://evil.example.com/phish?utm_source=a#f", "off-allowlist"},
		{review.Correct, "http://127.1/", "private-address"},
		{review.CorrectAsTyped, "http://127.1/", "private-address"},
		{review.Correct, "ftp://x.es", "unsupported-scheme"},
		{review.Correct, "", "invalid-url"},
		{review.CorrectAsTyped, "sede.ejemplo.gob.es/tramite", "needs http:// or https://"},
		{review.CorrectAsTyped, "https://sede.ejemplo.gob.es/trámite uno", "no space or letter outside ASCII"},
		{review.CorrectAsTyped, "https://ana:x@sede.ejemplo.gob.es/tramite", "user name or password"},
	} {
		if err := d.correct(test.kind, odd, test.url); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %s: %v, want %s", test.kind, test.url, err, test.want)
		}
	}
	if it := d.item(odd); it.Decision != nil || len(d.entries()) != 2 {
		t.Errorf("written: %s, %q", state(&it), d.entries())
	}
}

// Spec 14: enter takes the canonical form, ctrl+o the text as typed, which is said in the log. Stored, listed and
// exported are the flags, link type, language and hash of the corrected URL.
func TestCorrectionIsLikeAnyOther(t *testing.T) {
	if testing.Short() {
		t.Skip("fills a store for each of many corrections")
	}
	for _, test := range []struct {
		kind              review.Kind
		typed, canonical  string
		flags             string
		linkType          canon.LinkType
		language, summary string
	}{
		{review.Correct, marked, padron, "[]", canon.Informative, "", "correct URL 1 to " + padron},
		{review.CorrectAsTyped, marked, marked, "[]", canon.Informative, "",
			"correct URL 1 to " + marked + ", as typed"},
		{review.Correct, startPage + "/", startPage, "[home-page]", canon.Homepage, "",
			"correct URL 1 to " + startPage},
		{review.CorrectAsTyped, startPage + "/", startPage + "/", "[home-page]", canon.Homepage, "",
			"correct URL 1 to " + startPage + "/, as typed"},
		{review.Correct, "https://sede.ejemplo.gob.es/ca/tramits/alta/uno",
			"https://sede.ejemplo.gob.es/ca/tramits/alta/uno",
			"[no-spanish]", canon.Informative, "ca",
			"correct URL 1 to https://sede.ejemplo.gob.es/ca/tramits/alta/uno"},
	} {
		t.Run(fmt.Sprint(test.kind, test.typed), func(t *testing.T) {
			d := newDesk(t)
			d.add(odd, test.canonical)
			before := d.states()
			d.must(d.correct(test.kind, odd, test.typed))
			it := d.items(review.Filter{IDs: []int64{1}})[0]
			hash := canon.HashOf(test.canonical)
			if c := it.Computed; c.Canonical != test.canonical || fmt.Sprint(c.Flags.Codes()) != test.flags ||
				c.LinkType != test.linkType || c.Language != test.language || string(c.Key[:]) != string(hash[:16]) ||
				it.Status != review.Approved || it.Canonical() != test.canonical {
				t.Errorf("stored %s, %+v", state(&it), c)
			}
			rec, err := d.Exported(t.Context(), it)
			d.must(err)
			r := rec.Result
			if fmt.Sprint(r.Codes().Codes()) != test.flags || r.LinkType != test.linkType ||
				r.Language != test.language || r.Hash() != hash || r.FragmentNote != "" ||
				r.Original != odd {
				t.Errorf("exported %+v", r)
			}
			leads(t, r.Trace, r.Original, test.canonical)
			if log := d.entries(); log[len(log)-1] != test.summary {
				t.Errorf("log %q", log)
			}
			d.sound()
			d.replaysSame()
			d.undo()
			d.same(before)
			d.sound()
			d.replaysSame()
			_, _, err = d.Redo(t.Context())
			d.must(err)
			if again := d.items(review.Filter{IDs: []int64{1}})[0]; state(&again) != state(&it) {
				t.Errorf("redone %s, was %s", state(&again), state(&it))
			}
			d.sound()
			d.replaysSame()
		})
	}
}

// A corrected URL is found, filtered and counted by its own flags and host; the one that it replaces is not.
func TestCorrectionIsListed(t *testing.T) {
	d := newDesk(t)
	d.add(odd, fine)
	d.must(d.correct(review.Correct, odd, startPage))
	flag := func(c canon.Code) review.Filter { return review.Filter{Flags: canon.SetOf(c)} }
	for name, test := range map[string]struct {
		filter review.Filter
		n      int
	}{
		"new flag": {flag(canon.HomePage), 1}, "old flag": {flag(canon.UnknownParam), 0},
		"new host": {review.Filter{Hosts: []string{"otra.ejemplo.gob.es"}}, 1},
		"old host": {review.Filter{Hosts: []string{"sede.ejemplo.gob.es"}}, 2},
		"search":   {review.Filter{Search: "otra.ejemplo"}, 1}, "param": {review.Filter{Params: []string{"rara"}}, 0},
	} {
		if n := len(d.items(test.filter)); n != test.n {
			t.Errorf("%s: %d items", name, n)
		}
		n, err := d.Count(t.Context(), test.filter)
		d.must(err)
		if n != test.n {
			t.Errorf("%s: %d counted", name, n)
		}
	}
	if it := d.item(startPage); it.ID != 1 {
		t.Errorf("found %s", state(&it))
	}
}

// Any later decision replaces the correction, and the result is that of the original again.
func TestCorrectionReplaced(t *testing.T) {
	for _, kind := range []review.Kind{review.Reject, review.Defer, review.Reopen} {
		d := newDesk(t)
		d.add(odd)
		d.must(d.correct(review.Correct, odd, startPage))
		d.decide(kind, odd)
		if it := d.item(odd); fmt.Sprint(it.Computed.Flags.Codes()) != "[unknown-param]" ||
			it.Computed.Canonical != odd {
			t.Errorf("%s: %s", kind, state(&it))
		}
		d.sound()
		d.undo()
		if it := d.item(odd); it.Computed.Canonical != startPage || it.Status != review.Approved {
			t.Errorf("undone %s: %s", kind, state(&it))
		}
		d.sound()
		d.replaysSame()
	}
	d := newDesk(t)
	d.add(odd)
	d.must(d.correct(review.CorrectAsTyped, odd, marked))
	d.decide(review.Approve, odd)
	if it := d.item(odd); it.Canonical() != marked || it.Decision.Kind != review.CorrectAsTyped {
		t.Errorf("approved again: %s", state(&it))
	}
	d.sound()
}

// Rules that give another canonical URL for the corrected one open it again (spec 3, changed-since-approval), and
// approving it takes that URL. Rules for the original's host alone do not concern it.
func TestCorrectionUnderNewRules(t *testing.T) {
	const to = startPage + "/tramite/alta-de-padron?plaza=1"
	drop := func(host, param string) canon.Override {
		return canon.Override{Match: canon.Match{Host: host}, DropQueryParams: []string{param}}
	}
	for _, kind := range []review.Kind{review.Correct, review.CorrectAsTyped} {
		d := newDesk(t)
		d.add(odd, fine)
		d.must(d.correct(kind, odd, to))
		if _, effect := d.save(drop("sede.ejemplo.gob.es", "rara")); effect.Changed != 0 {
			t.Errorf("%s: the rule for the original: %+v", kind, effect)
		}
		_, effect := d.save(drop("otra.ejemplo.gob.es", "plaza"))
		it := d.items(review.Filter{IDs: []int64{1}})[0]
		if kind == review.CorrectAsTyped { // stays as it was typed
			if it.Open() || it.Canonical() != to || effect.Changed != 0 {
				t.Errorf("as typed: %s, %+v", state(&it), effect)
			}
			d.sound()
			continue
		}
		if !it.Open() || it.Canonical() != to || effect.Approved != 1 || effect.Reopened != 1 {
			t.Errorf("%s, %+v", state(&it), effect)
		}
		rec, err := d.Exported(t.Context(), it)
		d.must(err)
		if f := rec.Result.Flags; len(f) != 1 || f[0].Code != canon.ChangedSinceApproval ||
			!strings.Contains(f[0].Detail, to) || rec.Result.Canonical != to {
			t.Errorf("record %+v", rec.Result)
		}
		d.sound()
		d.replaysSame()
		_, err = d.Decide(t.Context(), review.Choice{Kind: review.Approve}, review.Target{ID: 1})
		d.must(err)
		it = d.items(review.Filter{IDs: []int64{1}})[0]
		if it.Open() || it.Canonical() != strings.TrimSuffix(to, "?plaza=1") {
			t.Errorf("approved: %s", state(&it))
		}
		d.sound()
		d.replaysSame()
	}
}

// A policy that refuses the corrected URL opens it again; the original's own result is no way back.
func TestCorrectionUnderNewPolicy(t *testing.T) {
	d := newDesk(t)
	d.add(odd)
	d.must(d.correct(review.Correct, odd, startPage+"/tramite/alta-de-padron?otra=1234567890"))
	p, err := canon.ParsePolicy(canon.PolicyFile{Name: "short.yaml",
		Data: []byte("extends: clara\nname: short\nmax_length: 62\n")})
	d.must(err)
	effect, err := d.RecanonEffect(t.Context(), p, nil)
	d.must(err)
	_, written, err := d.Recanon(t.Context(), p)
	d.must(err)
	it := d.item(odd)
	if !it.Open() || it.Computed.Reason != canon.TooLong || effect.Refused != 1 || written.Refused != 1 {
		t.Errorf("%s, %+v", state(&it), effect)
	}
	d.sound()
	if _, err := d.Decide(t.Context(), review.Choice{Kind: review.Approve}, review.Target{ID: 1}); err == nil {
		t.Error("approved without a canonical URL")
	}
}

// Spec 14: the blocklist sees a correction. Under a new policy a stored one is refused by it too, and no decision of a
// person unblocks a host.
func TestCorrectionBlocked(t *testing.T) {
	d := newDesk(t)
	d.add(odd)
	d.must(d.correct(review.Correct, odd, startPage+"/tramite/alta-de-padron?otra=1234567890"))
	p, err := canon.ParsePolicy(canon.PolicyFile{Name: "blocks.yaml",
		Data: []byte("extends: clara\nname: blocks\nblocklist: {otra.ejemplo.gob.es: Copies of others}\n")})
	d.must(err)
	_, written, err := d.Recanon(t.Context(), p)
	d.must(err)
	if it := d.item(odd); !it.Open() || it.Computed.Reason != canon.Blocked || written.Refused != 1 {
		t.Errorf("%s, %+v", state(&it), written)
	}
	d.sound()
	for _, kind := range []review.Kind{review.Correct, review.CorrectAsTyped} {
		const want = "blocked: www.otra.ejemplo.gob.es is on the blocklist: Copies of others"
		err := d.correct(kind, odd, "https://www.otra.ejemplo.gob.es/tramite/alta-de-padron")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", kind, err, want)
		}
	}
}

// A rule that is computed while somebody corrects is written with the new result of the corrected URL.
func TestCorrectionBesideRule(t *testing.T) {
	ana := newDesk(t)
	luis := ana.desk("luis")
	ana.add(odd, fine)
	const to = startPage + "/tramite/alta-de-padron?plaza=1"
	rule := canon.Override{Match: canon.Match{Host: "otra.ejemplo.gob.es"}, DropQueryParams: []string{"plaza"}}
	change, err := ana.Amend(t.Context(), rule)
	ana.must(err)
	store := &interrupting{Store: ana.store(), before: func() { ana.must(luis.correct(review.Correct, odd, to)) }}
	d, err := review.Open(t.Context(), store, "ana", nil)
	ana.must(err)
	_, _, err = d.SaveOverrides(t.Context(), []review.OverrideChange{change}, "")
	ana.must(err)
	if it := ana.items(review.Filter{IDs: []int64{1}})[0]; !it.Open() || it.Canonical() != to {
		t.Errorf("%s", state(&it))
	}
	ana.sound()
	ana.replaysSame()
}

// interrupting lets another desk write once before a commit.
type interrupting struct {
	review.Store
	before func()
}

func (s *interrupting) Commit(ctx context.Context, c review.Change) (review.Receipt, error) {
	if before := s.before; before != nil {
		s.before = nil
		before()
	}
	return s.Store.Commit(ctx, c)
}

// A correction of so many URLs that they follow it one by one.
func TestCorrectionOfMany(t *testing.T) {
	if testing.Short() {
		t.Skip("smaller tests go the same ways in several goroutines")
	}
	d := newDesk(t)
	d.add(many(1200)...)
	receipt, err := d.DecideAll(t.Context(), review.Choice{Kind: review.Correct, Canonical: startPage}, review.Filter{})
	d.must(err)
	d.must(d.Maintain(t.Context()))
	home := review.Filter{Flags: canon.SetOf(canon.HomePage)}
	if n := len(d.items(home)); receipt.Decided != 1200 || n != 1200 {
		t.Errorf("%d corrected, %d with its flag", receipt.Decided, n)
	}
	d.sound()
	d.undo()
	d.must(d.Maintain(t.Context()))
	if n := len(d.items(home)); n != 0 {
		t.Errorf("%d left after undo", n)
	}
	d.sound()
	_, _, err = d.Redo(t.Context())
	d.must(err)
	d.must(d.Maintain(t.Context()))
	if n := len(d.items(home)); n != 1200 {
		t.Errorf("%d after the redo", n)
	}
	d.sound()
	if !slices.Contains(d.entries(), "correct 1200 URLs") {
		t.Errorf("log %q", d.entries())
	}
}
