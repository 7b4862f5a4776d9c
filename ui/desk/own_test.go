package desk_test

import (
	"errors"
	"path/filepath"
	"strconv"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/review/read"
	"visto/store/sqlite"
	"visto/store/sqlitetest"
	"visto/ui/desk"
)

// deskAt opens a desk on the database at the path.
func deskAt(t *testing.T, path, reviewer string) *review.Desk {
	t.Helper()
	store, err := sqlitetest.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	d, err := review.Open(t.Context(), store, reviewer, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// halfApproved returns two desks on three home pages, which take the approvals of two persons. Ana has approved the
// first one.
func halfApproved(t *testing.T) (ana, berta *review.Desk) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "visto.db")
	ana = deskAt(t, path, "ana")
	_, err := ana.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
		for i, host := range []string{"www.sepe.es", "www.boe.es", "www.boe.es/?x"} {
			tier := []read.Attribute{{Name: "tier", Values: []string{strconv.Itoa(i % 2)}}}
			record := &read.Record{Path: "/" + host, ID: host, Attributes: tier}
			place := read.Place{File: "/data/a.yaml", Field: "url", Path: record.Path + "/url"}
			if err := yield(review.Found{URL: "https://" + host, Record: record, Place: place}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	policy, err := canon.ParsePolicy(canon.PolicyFile{Name: "two.yaml", Data: []byte("second_look: [home-page]\n")})
	if err == nil {
		_, _, err = ana.Recanon(t.Context(), policy)
	}
	if err == nil {
		_, err = ana.DecideAll(t.Context(), review.Choice{Kind: review.Approve}, review.Filter{Hosts: []string{"www.sepe.es"}})
	}
	if err != nil {
		t.Fatal(err)
	}
	return ana, deskAt(t, path, "berta")
}

// What waits for another person after the reviewer is counted by nothing that the reviewer can settle.
func TestOwnWork(t *testing.T) {
	ana, berta := halfApproved(t)
	open := review.Filter{Open: true}
	for _, who := range []struct {
		desk *review.Desk
		want int
	}{{ana, 2}, {berta, 3}} {
		d, ctx := desk.OwnWork(who.desk), t.Context()
		n, err := d.Count(ctx, open)
		if err != nil || n != who.want {
			t.Errorf("%s: %d counted, %v", d.Reviewer(), n, err)
		}
		page, err := d.Page(ctx, review.Query{Filter: open}, nil, 10)
		if err != nil || len(page) != who.want {
			t.Errorf("%s: %d on a page, %v", d.Reviewer(), len(page), err)
		}
		each := 0
		err = d.Each(ctx, open, func(review.Item) error { each++; return nil })
		if err != nil || each != who.want {
			t.Errorf("%s: %d read, %v", d.Reviewer(), each, err)
		}
		grouped := 0
		err = d.Groups(ctx, open, func(g review.Group) error { grouped += g.N; return nil })
		if err != nil || grouped != who.want {
			t.Errorf("%s: %d in groups, %v", d.Reviewer(), grouped, err)
		}
		undecided := map[string]bool{}
		err = d.Undecided(ctx, open, func(u review.Undecided) error { undecided[u.Host] = true; return nil })
		if err != nil || len(undecided) != 1 || !undecided["www.boe.es"] {
			t.Errorf("%s: undecided on %v, %v", d.Reviewer(), undecided, err)
		}
		_, targets, err := d.DecisionEffect(ctx, review.Choice{Kind: review.Approve}, nil, open)
		if err != nil || len(targets) != who.want {
			t.Errorf("%s: %d targets, %v", d.Reviewer(), len(targets), err)
		}
		causes, err := desk.ReadCauses(ctx, d)
		most := 0
		for _, c := range causes.List {
			if c.Flag == canon.HomePage {
				most = max(most, c.N)
			}
		}
		if err != nil || most != who.want {
			t.Errorf("%s: a cause of %d home pages, %v", d.Reviewer(), most, err)
		}
	}
}

// A note and a decision on all that waits leave it out, too.
func TestOwnDecisions(t *testing.T) {
	ana, _ := halfApproved(t)
	d, ctx, open := desk.OwnWork(ana), t.Context(), review.Filter{Open: true}
	_, err := d.NoteAll(ctx, "ojo", open)
	noted, errNoted := d.Count(ctx, review.Filter{Search: "ojo"})
	r, errDecided := d.DecideAll(ctx, review.Choice{Kind: review.Defer}, open)
	if err := errors.Join(err, errNoted, errDecided); err != nil || noted != 2 || r.Decided != 2 {
		t.Errorf("%d noted, %d decided: %v", noted, r.Decided, err)
	}
}

// A choice of reviewers, of URLs or of records is shown as it was made, and so is what is chosen by its status. Of open
// URLs that are chosen by their numbers, as the marked ones of a page are, those alone that the reviewer can settle.
func TestOwnKeepsChoices(t *testing.T) {
	ana, _ := halfApproved(t)
	for _, f := range []review.Filter{{Statuses: []review.Status{review.Pending}},
		{Open: true, Reviewers: []string{"ana"}}, {IDs: []int64{1}}, {Open: true, Records: []int64{1}}} {
		n, err := desk.OwnWork(ana).Count(t.Context(), f)
		if all, errAll := ana.Count(t.Context(), f); n == 0 || n != all || err != nil || errAll != nil {
			t.Errorf("%+v: %d of %d, %v, %v", f, n, all, err, errAll)
		}
	}
	items, err := ana.Page(t.Context(), review.Query{}, nil, 10)
	marked, errMarked := desk.MarkedRows(t.Context(), desk.OwnWork(ana), &review.Filter{Open: true}, review.Filter{}, items)
	if err := errors.Join(err, errMarked); err != nil || len(items) != 3 || len(marked) != 2 || marked[1] {
		t.Errorf("marked of %d: %v, %v", len(items), marked, err)
	}
}

// The facets count as waiting what waits for the reviewer, and all other values as they are.
func TestFacetsOfOwnWork(t *testing.T) {
	ana, berta := halfApproved(t)
	for who, want := range map[*review.Desk]map[string]int{
		ana:   {"status waiting": 2, "status pending": 3, "host www.boe.es": 2, "host www.sepe.es": 1, "attribute tier=0": 2},
		berta: {"status waiting": 3, "status pending": 3, "host www.boe.es": 2, "host www.sepe.es": 1, "attribute tier=0": 2},
	} {
		got := facets(t, who, review.Filter{Where: []read.Attribute{{Name: "tier", Values: []string{"0", "1"}}}})
		for value, n := range want {
			if got[value] != n {
				t.Errorf("%s: %d of %s, not %d: %v", who.Reviewer(), got[value], value, n, got)
			}
		}
	}
}

// facets returns the counts of all groups by their names and values.
func facets(t *testing.T, d *review.Desk, f review.Filter) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for _, c := range desk.FacetCounts(d, f) {
		groups, err := c.Read(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		for group, list := range groups {
			for _, x := range list {
				counts[group+" "+x.Value] = x.N
			}
		}
	}
	return counts
}

// Reviewers share their causes unless the policy asks for two persons.
func TestOwnCauses(t *testing.T) {
	ana, berta := halfApproved(t)
	var two desk.OwnCauses
	anas := two.Of(ana)
	if anas == two.Of(berta) || anas != two.Of(ana) {
		t.Error("the causes of two reviewers are the same, or those of one are not")
	}
	one := deskAt(t, filepath.Join(t.TempDir(), "visto.db"), "ana")
	other := deskAt(t, filepath.Join(t.TempDir(), "visto.db"), "berta")
	var all desk.OwnCauses
	if all.Of(one) != all.Of(other) {
		t.Error("the causes differ")
	}
}
