package sqlite_test

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/store/sqlite"
)

// What the console asks for all the time is found by an index, in the index's order: no table is scanned, nothing is sorted.
func TestPlans(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "visto.db"))
	open, all := review.Filter{Open: true}, review.Filter{}
	host := review.Filter{Hosts: []string{"boe.es"}}
	openHost := review.Filter{Hosts: []string{"boe.es"}, Open: true}
	flag := review.Filter{Open: true, Flags: canon.SetOf(canon.HomePage)}
	it := review.Item{ID: 7, Computed: review.Computed{Host: "boe.es", Canonical: "https://boe.es"}}
	for name, q := range map[string]review.Query{
		"queue":                {Filter: open},
		"queue, last first":    {Filter: open, Desc: true},
		"queue by host":        {Filter: open, Sort: review.ByHost},
		"queue by URL":         {Filter: open, Sort: review.ByURL},
		"queue by status":      {Filter: open, Sort: review.ByStatus},
		"queue, one flag":      {Filter: flag},
		"all":                  {Filter: all},
		"all by host":          {Filter: all, Sort: review.ByHost, Desc: true},
		"all by URL":           {Filter: all, Sort: review.ByURL, Desc: true},
		"all by status":        {Filter: all, Sort: review.ByStatus, Desc: true},
		"a host":               {Filter: host},
		"a host, open":         {Filter: openHost},
		"a host exactly, open": {Filter: review.Filter{AtHost: "boe.es", Open: true}},
		"a status":             {Filter: review.Filter{Statuses: []review.Status{review.Deferred}}},
		"twins":                {Filter: review.Filter{Keys: []review.Key{{1}}}},
	} {
		for _, from := range []*review.Cursor{nil, q.After(&it), q.Before(&it)} {
			for _, line := range sqlite.Plan(t, s, q, from) {
				if scans(line, q) || strings.Contains(line, "TEMP B-TREE") {
					t.Errorf("%s: %s\nin %q", name, line, sqlite.Plan(t, s, q, from))
				}
			}
		}
	}
}

// What a rule concerns is found by index and comes as it is found: it is neither looked for among all nor sorted first.
func TestEachPlans(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "visto.db"))
	for name, f := range map[string]review.Filter{
		"a host": {Hosts: []string{"boe.es"}}, "hosts": {Hosts: []string{"boe.es", "*.gencat.cat"}}, "exactly": {AtHost: "boe.es"},
		"reached": {Reach: []string{"boe.es", "*.gencat.cat"}}, "twins": {Keys: []review.Key{{1}}}, "by ID": {IDs: []int64{1, 2}},
	} {
		plan := sqlite.EachPlan(t, s, f)
		for _, line := range plan {
			if strings.HasPrefix(line, "SCAN i") || strings.Contains(line, "TEMP B-TREE") && name != "twins" {
				t.Errorf("%s: %q", name, plan)
			}
		}
	}
}

// Counting goes through no items, and where it is not by host through no hosts either.
func TestCountPlans(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "visto.db"))
	for name, f := range map[string]review.Filter{
		"all": {}, "open": {Open: true}, "flag": {Flags: canon.SetOf(canon.HTTPOnly)}, "open, flag": {Open: true, Flags: canon.SetOf(canon.HTTPOnly)},
		"status": {Statuses: []review.Status{review.Approved}}, "field": {Fields: []string{"url"}}, "a host": {Hosts: []string{"boe.es"}},
		"exactly": {AtHost: "boe.es"},
	} {
		for _, line := range slices.Concat(sqlite.CountPlan(t, s, f), sqlite.FacetPlan(t, s, f)) {
			if strings.Contains(line, " i ") || strings.HasPrefix(line, "SCAN tally") {
				t.Errorf("%s: %q", name, line)
			}
		}
	}
}

// scans reports whether a line of a plan goes through a table by no index. That is as good as one only where nothing is left
// out, in the order of the IDs.
func scans(line string, q review.Query) bool {
	whole := q.Sort == review.ByID && reflect.DeepEqual(q.Filter, review.Filter{})
	return strings.HasPrefix(line, "SCAN") && !strings.Contains(line, "USING") && !whole
}
