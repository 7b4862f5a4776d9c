package review_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/canon/suite"
	"visto/review"
	"visto/review/read"
)

// cited returns URLs of a file, each with its field.
func cited(file string, fieldsAndURLs ...string) (list []review.Found) {
	for i := 0; i < len(fieldsAndURLs); i += 2 {
		field, path := fieldsAndURLs[i], fmt.Sprint("/", i)
		list = append(list, review.Found{URL: fieldsAndURLs[i+1], Record: &read.Record{Path: path, ID: fmt.Sprint(i)},
			Place: read.Place{File: file, Field: field, Path: path + "/" + field, Line: i + 1}})
	}
	return list
}

// read reads a file whole.
func (d *desk) read(file string, fieldsAndURLs ...string) review.AddReport {
	d.Helper()
	whole := review.Input{File: file, Whole: func() bool { return true }, Takes: func(string) bool { return true }}
	report, err := d.Add(d.Context(), whole, each(cited(file, fieldsAndURLs...)))
	d.must(err)
	return report
}

// flags fails the test if the item has other flags, or if the store disagrees with the log and the rules.
func (d *desk) flags(when, url, want string) {
	d.Helper()
	it := d.item(url)
	if got := fmt.Sprint(it.Status, " ", it.Computed.Flags.Codes()); got != want {
		d.Errorf("%s: %s is %s, want %s", when, url, got, want)
	}
	d.sound()
	if got := d.replayed(); got != "" {
		d.Errorf("%s: the replay differs:\n%s", when, got)
	}
}

func fieldRule(field, host, path string, codes ...string) canon.Override {
	return canon.Override{Match: canon.Match{Field: field, Host: host, PathPrefix: path}, Accept: codes}
}

// "An override with match.field may only accept flags, for URLs all of whose occurrences it matches" (spec section 13),
// and it lasts: the result follows the occurrences as they come, go and come back, and the rule as it is undone.
func TestFieldRuleFollowsOccurrences(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	const home, accepted, flagged = "https://www.boe.es", "accepted []", "pending [home-page]"
	d := newDesk(t)
	d.read("a.yaml", "portal_url", home, "portal_url", "https://www.sepe.es", "url", "https://www.dgt.es")
	_, effect := d.save(fieldRule("portal_url", "", "", "home-page"))
	if effect.Total != 2 || effect.Settled != 2 || effect.Cleared[canon.HomePage] != 2 {
		t.Errorf("the effect is %+v", effect)
	}
	d.flags("saved", home, accepted)
	d.flags("another field", "https://www.dgt.es", flagged)
	d.read("b.yaml", "url", home)
	d.flags("cited in another field too", home, flagged)
	d.read("b.yaml", "url", "https://otra.boe.es")
	d.flags("the other place is gone", home, accepted)
	d.read("b.yaml", "url", home)
	d.flags("it came back", home, flagged)
	_, err := d.Forget(d.Context(), "b.yaml")
	d.must(err)
	d.flags("its file is forgotten", home, accepted)
	d.undo()
	d.flags("the file is back", home, flagged)
	d.save(fieldRule("url", "*.boe.es", "", "home-page"))
	d.flags("each place has a rule", home, accepted)
	d.flags("on another host", "https://www.dgt.es", flagged)
	d.undo()
	d.flags("undone", home, flagged)
	_, _, err = d.Redo(d.Context())
	d.must(err)
	d.flags("redone", home, accepted)
	d.read("c.yaml", "portal_url", "https://nueva.boe.es")
	d.flags("a new URL", "https://nueva.boe.es", accepted)
	d.read("a.yaml")
	d.read("b.yaml")
	d.flags("gone", home, flagged)
}

// A rule for a field, a host and a path matches all three. The trace says which rules accepted a flag, as it does for
// rules for hosts, and still replays.
func TestFieldRuleOnHost(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	d := newDesk(t)
	const url = "https://www.boe.es/sta/x"
	d.read("a.yaml", "portal_url", url, "sede_url", url, "portal_url", "https://www.boe.es/otra/x")
	d.save(fieldRule("portal_url", "www.boe.es", "/sta", "section-page"),
		fieldRule("sede_url", "", "/sta", "section-page"))
	d.flags("path", url, "accepted []")
	d.flags("other path", "https://www.boe.es/otra/x", "pending [section-page]")
	const two = "https://www.sepe.es/sta/y"
	d.read("b.yaml", "portal_url", two, "sede_url", two)
	d.flags("one of two fields has a rule here", two, "pending [section-page]")
	det, err := d.Detail(d.Context(), d.item(url).ID)
	d.must(err)
	last := det.Result.Trace[len(det.Result.Trace)-1]
	want := canon.Entry{Step: "override", Before: url, After: url, Note: "section-page is accepted by the override " +
		"for field portal_url on www.boe.es/sta; section-page is accepted by the override for field sede_url on /sta"}
	if last != want || len(det.Overrides) != 2 || det.Result.Verdict != canon.Accepted {
		t.Errorf("%s, %d rules, the trace ends with %+v", det.Result.Verdict, len(det.Overrides), last)
	}
	if out := d.export(review.JSONL, review.Filter{}); !strings.Contains(out, want.Note) {
		t.Errorf("exported without the reason: %s", out)
	}
}

// Each edit of a rule for a field concerns the URLs whose flags it accepts, and those whose flags it accepts no more.
func TestFieldRuleEdited(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	const home, section = "https://www.boe.es", "https://www.boe.es/sta/x"
	d := newDesk(t)
	d.read("a.yaml", "portal_url", home, "portal_url", section, "url", "https://www.dgt.es")
	edit := func(before, after *canon.Override, want ...string) {
		t.Helper()
		_, _, err := d.SaveOverrides(d.Context(), []review.OverrideChange{{Before: before, After: after}}, "")
		d.must(err)
		d.flags("home page", home, want[0])
		d.flags("section", section, want[1])
		d.flags("another field", "https://www.dgt.es", want[2])
	}
	const accepted, isHome, isSection = "accepted []", "pending [home-page]", "pending [section-page]"
	one, other := fieldRule("portal_url", "", "", "home-page"), fieldRule("portal_url", "", "", "section-page")
	both := fieldRule("portal_url", "", "", "home-page", "section-page")
	elsewhere := fieldRule("url", "", "", "home-page")
	edit(nil, &one, accepted, isSection, isHome)
	edit(&one, &other, isHome, accepted, isHome)
	edit(&other, &both, accepted, accepted, isHome)
	edit(&both, &elsewhere, isHome, isSection, accepted)
	edit(&elsewhere, nil, isHome, isSection, isHome)
}

// A rule for a field changes no URL: one that does more than accept flags is refused.
func TestFieldRuleOnlyAccepts(t *testing.T) {
	d := newDesk(t)
	rule := fieldRule("url", "", "", "home-page")
	rule.DropQueryParams = []string{"x"}
	_, _, err := d.SaveOverrides(d.Context(), []review.OverrideChange{{After: &rule}}, "")
	if err == nil || !strings.Contains(err.Error(), "an override for a field can only accept flags") {
		t.Errorf("saved: %v", err)
	}
}

// With rules for fields, in any order of reading, forgetting, deciding, correcting and undoing, the stored results are
// those that the log and the rules give.
func TestFieldRuleLaws(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	fields, urls := []string{"url", "portal_url", "sede_url"}, []string{}
	for i := range 8 {
		urls = append(urls, fmt.Sprintf("https://h%d.ejemplo.es", i))
	}
	for seed := range uint64(suite.Rounds(2, 6)) {
		r := rand.New(rand.NewPCG(seed, 1))
		pick := func(list []string) string { return list[r.IntN(len(list))] }
		d := newDesk(t)
		for range 25 {
			file := pick([]string{"a.yaml", "b.yaml", "c.yaml"})
			switch r.IntN(6) {
			case 0, 1:
				var list []string
				for range r.IntN(8) {
					list = append(list, pick(fields), pick(urls))
				}
				d.read(file, list...)
			case 2:
				d.save(fieldRule(pick(fields), pick([]string{"", "*.ejemplo.es", "h1.ejemplo.es"}), "", "home-page"))
			case 3:
				_, _ = d.Forget(d.Context(), file) // it may have no place
			case 4:
				_, _, _ = d.Undo(d.Context(), 0) // there may be nothing to undo
			case 5:
				if all := d.items(review.Filter{}); len(all) > 0 {
					it := all[r.IntN(len(all))]
					kind := []review.Kind{review.Approve, review.Reopen}[r.IntN(2)]
					_, err := d.Decide(d.Context(), review.Choice{Kind: kind}, review.Target{ID: it.ID})
					d.must(err)
				}
			}
		}
		d.sound()
		if got := d.replayed(); got != "" {
			t.Errorf("seed %d: the replay differs:\n%s", seed, got)
		}
		for _, it := range d.items(review.Filter{Presence: review.AnyPresence}) {
			var names []string
			for _, o := range d.item(it.Original).Occurrences {
				if !o.Gone {
					names = append(names, o.Field)
				}
			}
			if want := review.NewFieldSet(names...); it.Fields != want || !slices.IsSorted(it.Fields.Names()) {
				t.Errorf("seed %d: %s has the fields %q, its places %q", seed, it.Original, it.Fields, want)
			}
		}
	}
}
