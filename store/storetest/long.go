package storetest

import (
	"fmt"
	"testing"

	"visto/canon"
	"visto/review"
)

// longList is a length that a list of an input may have: more than a statement of SQL takes as arguments (32,766) or as
// terms of an expression.
const longList = 33_000

// RunLong runs the tests of long lists, which take seconds. open is that of Run.
func RunLong(t *testing.T, open func(t *testing.T) review.Store) {
	t.Run("filters", func(t *testing.T) { testLongFilters(newFixture(t, open)) })
	t.Run("evidence", func(t *testing.T) { testLongEvidence(newFixture(t, open)) })
}

// longNames returns a long list of names of which only the last ones are stored.
func longNames(form string, last ...string) []string {
	list := make([]string, 0, longList)
	for i := range longList - len(last) {
		list = append(list, fmt.Sprintf(form, i))
	}
	return append(list, last...)
}

// A filter's lists may have any length (spec 6: a rule lasts, so there may be as many as there are hosts). It selects
// the same items as a short list of the stored values.
func testLongFilters(f *fixture) {
	all := f.mixed()
	keys := make([]review.Key, longList)
	ids := make([]int64, longList)
	for i := range longList {
		keys[i], ids[i] = keyOf(fmt.Sprint(i)), int64(1_000_000+i)
	}
	keys[longList/2], ids[longList/2] = all[0].Computed.Key, 7
	hosts := longNames("h%d.es", "gencat.cat", "b.example.es")
	patterns := longNames("*.h%d.es", "*.gencat.cat", "a.example.es")
	for name, filter := range map[string]review.Filter{
		"hosts":             {Hosts: hosts},
		"patterns":          {Hosts: patterns, Open: true},
		"not hosts":         {Not: review.Values{Hosts: hosts}},
		"not patterns":      {Not: review.Values{Hosts: patterns}},
		"reach":             {Reach: longNames("h%d.es", "via.example.es")},
		"reach of patterns": {Reach: longNames("*.h%d.es", "*.example.es")},
		"files":             {Files: longNames("%d.yaml", "f1.yaml")},
		"not files":         {Not: review.Values{Files: longNames("%d.yaml", "f1.yaml")}},
		"fields":            {Fields: longNames("%d", "url")},
		"not fields":        {Not: review.Values{Fields: longNames("%d", "url")}},
		"languages":         {Languages: longNames("l%d", "ca", "")},
		"not languages":     {Not: review.Values{Languages: longNames("l%d", "ca")}},
		"params":            {Params: longNames("p%d", "plaza")},
		"not params":        {Not: review.Values{Params: longNames("p%d", "plaza")}},
		"reviewers":         {Reviewers: longNames("r%d", "ana")},
		"not reviewers":     {Not: review.Values{Reviewers: longNames("r%d", "ana")}},
		"assigned":          {Assigned: longNames("r%d", review.Nobody)},
		"not assigned":      {Not: review.Values{Assigned: longNames("r%d")}},
		"keys":              {Keys: keys}, "ids": {IDs: ids}, "not ids": {NotIDs: ids},
	} {
		want := sorted(all, review.Query{Filter: filter})
		page, err := f.Page(f.ctx, review.Query{Filter: filter}, nil, 1000)
		f.must(err)
		equal(f, "page by "+name, idsOf(page), want)
		equal(f, "count by "+name, f.count(filter), len(want))
	}
}

// An item's evidence may know any number of hosts, new ones or known ones (spec 7), and so may all items together.
func testLongEvidence(f *fixture) {
	hosts := canon.Hosts{}
	for _, name := range longNames("h%d.es") {
		hosts[name] = canon.HostEvidence{PreferredHost: "www." + name}
	}
	item := flagged("https://boe.es/a", canon.HomePage)
	item.Evidence = &canon.Evidence{Status: 200, Hosts: hosts}
	id := f.add(item)[0]
	late := 0
	before := f.meta()
	f.commit(review.AddEvidence{Evidence: []review.ItemEvidence{{ID: id, Evidence: item.Evidence}}})
	known, err := f.Evidence(f.ctx, id)
	f.must(err)
	equal(f, "hosts of the evidence", len(known.Hosts), longList)
	pending, err := f.PendingHosts(f.ctx)
	f.must(err)
	equal(f, "pending hosts", len(pending), longList)

	// a rule that was computed before sees the evidence of all of them
	count := func(review.Item, *canon.Evidence) *review.Recomputed {
		late++
		return nil
	}
	r := f.commit(review.ChangeRules{Results: review.Results{Gen: before.Gen - 1, Late: count},
		Overrides: []review.OverrideChange{{After: &canon.Override{Match: canon.Match{Host: "boe.es"}, Note: "x"}}}})
	equal(f, "late items", late, 1)
	equal(f, "batch", r.Batch > 0, true)

	f.must(f.MarkPropagated(f.ctx, pending, f.meta().Gen))
	pending, err = f.PendingHosts(f.ctx)
	f.must(err)
	equal(f, "pending hosts", len(pending), 0)
	past, err := f.RuleHistory(f.ctx, longNames("h%d.es", "boe.es"), 10)
	f.must(err)
	equal(f, "rules of the hosts", len(past), 1)
}
