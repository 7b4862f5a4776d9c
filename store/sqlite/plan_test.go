package sqlite_test

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/probe/extract"
	"visto/review/read"
	"visto/store/sqlite"
	"visto/store/storetest"
)

// An index finds the data of a reviewer's keys, in its own order: only small tables are scanned, or, where a case
// allows it, one that is counted whole, and only few rows are sorted, where a case allows it. The plans do not depend
// on statistics: a new database has none, and those of ANALYZE on a full one change nothing.
func TestPlans(t *testing.T) {
	oneGoroutine(t)
	for name, s := range map[string]*sqlite.Store{"without statistics": open(t,
		filepath.Join(t.TempDir(), "visto.db")), "with statistics": analyzed(t)} {
		t.Run(name, func(t *testing.T) {
			for _, c := range slices.Concat(pageCases(), countCases(), readCases()) {
				for _, asked := range sqlite.Asked(t, s, func() { must(t, c.ask(t, s)) }) {
					c.judge(t, asked)
				}
			}
		})
	}
}

// analyzed is a store with URLs, and with statistics of them.
func analyzed(t *testing.T) *sqlite.Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "visto.db")
	s, d := corpusIn(t, path, 3000)
	list, err := d.Page(t.Context(), review.Query{Filter: review.Filter{Open: true}}, nil, 200)
	must(t, err)
	for _, it := range list {
		_, err := d.Decide(t.Context(), review.Choice{Kind: review.Approve, Note: "so"}, review.Target{ID: it.ID})
		must(t, err)
		_, err = d.Note(t.Context(), "seen", it.ID)
		must(t, err)
	}
	must(t, sqlite.Exec(t, s, "ANALYZE"))
	must(t, s.Close())
	return open(t, path)
}

// The program makes no statistics. Those of a small table would have SQLite scan it after it has grown.
func TestNoStatistics(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s, _ := corpusIn(t, path, 3000)
	must(t, s.Close())
	if err := sqlite.Exec(t, open(t, path), "SELECT * FROM sqlite_stat1"); err == nil {
		t.Error("there are some")
	}
}

// corpusIn is a new store with n generated URLs.
func corpusIn(t *testing.T, path string, urls int) (*sqlite.Store, *review.Desk) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{Create: true})
	must(t, err)
	d, err := review.Open(t.Context(), s, "ana", nil)
	must(t, err)
	_, err = d.Add(t.Context(), review.Input{}, storetest.Corpus(1, urls))
	must(t, err)
	return s, d
}

// asking is a question to the store, with the plan steps that it may have besides look-ups.
type asking struct {
	name  string
	ask   func(*testing.T, *sqlite.Store) error
	scans []string // the beginnings of plan lines
	sorts bool
}

func (a asking) judge(t *testing.T, asked sqlite.AskedQuery) {
	t.Helper()
	for _, line := range asked.Plan {
		scan := strings.HasPrefix(line, "SCAN") && !strings.HasSuffix(line, "-ROW VALUES CLAUSE") &&
			!slices.ContainsFunc(append(a.scans, small...), func(s string) bool { return strings.HasPrefix(line, s) })
		if scan || strings.Contains(line, "TEMP B-TREE") && !a.sorts {
			t.Errorf("%s: %s\n%s\nin %s", a.name, line, strings.Join(asked.Plan, "\n"), asked.Query)
		}
	}
}

// small are the beginnings of allowed scans: of tables that are never large, of results of other steps, and of the
// hosts by name, which a page scans no further than it has to. The rows of an INSERT are allowed too.
var small = []string{"SCAN pending", "SCAN work", "SCAN meta", "SCAN search_state", "SCAN search_dirty",
	"SCAN record_dirty",
	"SCAN search VIRTUAL TABLE", "SCAN json_each", "SCAN suffix", "SCAN hop", "SCAN param", "SCAN wanted",
	"SCAN file", "SCAN field",
	"SCAN CONSTANT ROW", "SCAN (subquery", "SCAN h USING COVERING INDEX sqlite_autoindex_host_1", "SCAN kinds",
	"SCAN g", "SCAN sums", "SCAN cited", "SCAN out", "SCAN unwanted", "SCAN total", "SCAN override", "SCAN policy",
	"SCAN e USING COVERING INDEX host_evidence_pending", "SCAN host", "SCAN m", "SCAN p LEFT-JOIN", "SCAN t"}

func pageCases() (list []asking) {
	it := review.Item{ID: 7, Computed: review.Computed{Host: "boe.es", Canonical: "https://boe.es/a"}}
	filters := map[string]review.Filter{
		"all": {}, "open": {Open: true}, "a host": {Hosts: []string{"boe.es"}},
		"a host, open":         {Hosts: []string{"boe.es"}, Open: true},
		"exactly a host, open": {AtHosts: []string{"boe.es"}, Open: true},
		"two hosts, open":      {AtHosts: []string{"boe.es", "www.boe.es"}, Open: true},
		"a status":             {Statuses: []review.Status{review.Deferred}},
		"a flag, open":         {Open: true, Flags: canon.SetOf(canon.HomePage)}, "a file, open": {Open: true,
			Files: []string{"in.txt"}},
		"no flag, open": {Open: true, Not: review.Values{Flags: canon.SetOf(canon.HomePage)}},
		"twins":         {Keys: []review.Key{{1}}}, "by ID": {IDs: []int64{1, 2}},
		"twins of a status": {Keys: []review.Key{{1}}, Statuses: []review.Status{review.Approved}},
		"an attribute":      {Where: []read.Attribute{{Name: "tier", Values: []string{"1"}}}, Open: true},
		"originals":         {Originals: []string{"https://boe.es/a"}},
		"reached":           {Reach: []string{"boe.es", "*.gencat.cat"}},
		"search":            {Search: "dronpa"}, "search, open": {Search: "dronpa", Open: true},
		"two letters": {Search: "zz"},
		"path":        {Path: "/sta/CarpetaPublic"},
		"mine, open":  {Open: true, Assigned: []string{review.Mine}, Me: "ana"},
		"nobody's":    {Open: true, Assigned: []string{review.Nobody}},
		"own work":    {Open: true, For: "ana"},
		"not mine":    {Open: true, Not: review.Values{Assigned: []string{review.Mine}}, Me: "ana"},
	}
	few := []string{"twins", "twins of a status", "an attribute", "originals", "by ID", "reached",
		"search", "search, open", "two letters", "path", "mine, open"}
	for name, f := range filters {
		for _, sort := range []review.Sort{review.ByID, review.ByHost, review.ByURL, review.ByStatus,
			review.ByDecided, review.ByRecord} {
			if sort == review.ByDecided && f.Open {
				continue // pending items are seldom decided
			}
			q := review.Query{Filter: f, Sort: sort}
			for _, from := range []*review.Cursor{nil, q.After(&it), q.Before(&it)} {
				a := asking{name: name + " by " + sort.String(), ask: func(t *testing.T, s *sqlite.Store) error {
					_, err := s.Page(t.Context(), q, from, 50)
					return err
				}}
				// A few items are looked up and sorted, and so are those that come from a host and lead to another.
				// The URLs of a host by status, of which there are few, and those of a status by decision are sorted
				// too.
				a.sorts = slices.Contains(few, name) || len(f.Hosts) > 0 && sort != review.ByID || f.AtHosts != nil &&
					sort == review.ByStatus ||
					len(f.Statuses) > 0 && sort == review.ByDecided || sort == review.ByRecord // a page at most
				// no further than the page
				if wide := f.Open && f.Hosts == nil && f.AtHosts == nil && f.Search == "" || name == "all"; wide {
					a.scans = map[review.Sort][]string{review.ByID: {"SCAN i USING INDEX item_open"},
						review.ByStatus:  {"SCAN i USING INDEX item_status"},
						review.ByDecided: {"SCAN i USING INDEX item_decided"}}[sort]
				}
				if sort == review.ByRecord {
					a.scans = []string{"SCAN x", "SCAN i"} // of few items
				}
				if name == "all" && sort == review.ByID {
					a.scans = []string{"SCAN i"}
				}
				list = append(list, a)
			}
		}
	}
	return list
}

// Many items are read in the order of their records, from the place of the cursor on. Only the page itself is sorted.
func TestPlanByRecord(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "visto.db"))
	sqlite.SetFew(s, -1)
	it := review.Item{ID: 7, Occurrences: []review.Occurrence{{ID: 9, Citer: 3,
		Record: &review.Record{Name: "x"}}}}
	for _, f := range []review.Filter{{}, {Open: true}, {Flags: canon.SetOf(canon.HomePage)}} {
		q := review.Query{Filter: f, Sort: review.ByRecord}
		for _, from := range []*review.Cursor{nil, q.After(&it), q.Before(&it)} {
			for _, asked := range sqlite.Asked(t, s, func() {
				_, err := s.Page(t.Context(), q, from, 50)
				must(t, err)
			}) {
				plan := strings.Join(asked.Plan, "\n")
				found, _, ok := strings.Cut(plan, "SCAN x") // x is the page
				inOrder := strings.Contains(found, "COVERING INDEX record_name")
				if ok && (!inOrder || strings.Contains(found, "TEMP B-TREE")) {
					t.Errorf("%+v: %s\nin %s", f, plan, asked.Query)
				}
			}
		}
	}
}

// In an order by flags the items of one rank are read in the order of an index, from the place of the cursor on, and
// nothing is sorted.
func TestPlanByFlags(t *testing.T) {
	s, d := corpusIn(t, filepath.Join(t.TempDir(), "visto.db"), 300)
	sqlite.SetFew(s, -1)
	for _, sort := range []review.Sort{review.ByFlags, review.ByDoubt} {
		q := review.Query{Filter: review.Filter{Open: true}, Sort: sort}
		list, err := d.Page(t.Context(), q, nil, 50)
		must(t, err)
		for _, from := range []*review.Cursor{nil, q.After(&list[20]), q.Before(&list[20])} {
			pages := 0
			for _, asked := range sqlite.Asked(t, s, func() {
				_, err := s.Page(t.Context(), q, from, 50)
				must(t, err)
			}) {
				plan := strings.Join(asked.Plan, "\n")
				if !strings.Contains(asked.Query, "SELECT i.id FROM item i") {
					continue
				}
				if pages++; strings.Contains(plan, "TEMP B-TREE") || !strings.Contains(plan, "item_open") {
					t.Errorf("by %s: %s\nin %s", sort, plan, asked.Query)
				}
			}
			if pages == 0 {
				t.Errorf("by %s: no page was read", sort)
			}
		}
	}
}

// Counting from the kept counts scans no items, and no hosts unless it is by host. A rare two-letter search is looked
// up.
func countCases() (list []asking) {
	for name, f := range map[string]review.Filter{
		"all": {}, "open": {Open: true}, "flag": {Flags: canon.SetOf(canon.HTTPOnly)},
		"open, flag": {Open: true, Flags: canon.SetOf(canon.HTTPOnly)},
		"status":     {Statuses: []review.Status{review.Approved}}, "field": {Fields: []string{"url"}},
		"a host":  {Hosts: []string{"boe.es"}},
		"exactly": {AtHosts: []string{"boe.es"}}, "two letters": {Search: "zz"}, "suffix": {Hosts: []string{"*.es"}},
		"not a host":          {Not: review.Values{Hosts: []string{"boe.es"}}},
		"suffix, not another": {Hosts: []string{"*.es"}, Not: review.Values{Hosts: []string{"*7.gob.es"}}},
		"not a flag":          {Not: review.Values{Flags: canon.SetOf(canon.HTTPOnly)}},
	} {
		list = append(list, asking{name: "count " + name, ask: func(t *testing.T, s *sqlite.Store) error {
			_, err := s.Count(t.Context(), f)
			return err
			// the counts, largest first
		}}, asking{name: "facets of " + name, sorts: true, ask: func(t *testing.T, s *sqlite.Store) error {
			_, err := s.Facets(t.Context(), f)
			return err
		}})
	}
	return list
}

// readCases are the questions of the detail, the tabs, undo and the check for other people's work.
func readCases() (list []asking) {
	reads := map[string]func(*testing.T, *sqlite.Store) error{
		"meta": func(t *testing.T, s *sqlite.Store) error { _, err := s.Meta(t.Context()); return err },
		"item": func(t *testing.T, s *sqlite.Store) error { return missing(s.Item(t.Context(), 7)) },
		"find": func(t *testing.T, s *sqlite.Store) error {
			_, err := s.Find(t.Context(), "https://boe.es/a")
			return err
		},
		"evidence": func(t *testing.T, s *sqlite.Store) error { return missing(s.Evidence(t.Context(), 7)) },
		"contents": func(t *testing.T, s *sqlite.Store) error { _, err := s.Contents(t.Context(), 7); return err },
		"notes":    func(t *testing.T, s *sqlite.Store) error { _, err := s.Notes(t.Context(), 7); return err },
		"history":  func(t *testing.T, s *sqlite.Store) error { _, err := s.History(t.Context(), 7); return err },
		"log":      func(t *testing.T, s *sqlite.Store) error { _, err := s.Log(t.Context(), 0, 50); return err },
		"log on":   func(t *testing.T, s *sqlite.Store) error { _, err := s.Log(t.Context(), 900, 50); return err },
		"batch":    func(t *testing.T, s *sqlite.Store) error { return missing(s.Batch(t.Context(), 7)) },
		"undo": func(t *testing.T, s *sqlite.Store) error {
			return missing(s.LastBatch(t.Context(), "ana",
				false))
		},
		"redo": func(t *testing.T, s *sqlite.Store) error {
			return missing(s.LastBatch(t.Context(), "ana",
				true))
		},
		"totals":    func(t *testing.T, s *sqlite.Store) error { _, err := s.Totals(t.Context()); return err },
		"overrides": func(t *testing.T, s *sqlite.Store) error { _, err := review.Overrides(t.Context(), s); return err },
		"unspread":  func(t *testing.T, s *sqlite.Store) error { _, err := s.PendingHosts(t.Context()); return err },
		"postponed": func(t *testing.T, s *sqlite.Store) error { _, err := s.Postponed(t.Context(), 7); return err },
		"version":   func(t *testing.T, s *sqlite.Store) error { _, err := s.Version(t.Context()); return err },
		"assigned":  func(t *testing.T, s *sqlite.Store) error { _, err := s.Assignment(t.Context(), 7); return err },
		"count mine": func(t *testing.T, s *sqlite.Store) error {
			_, err := s.Count(t.Context(), review.Filter{Open: true, Assigned: []string{"ana"}})
			return err
		},
	}
	few := []string{"batch", "undo", "redo", "totals", "history"} // the items of one batch; the count keys; of one item
	for _, name := range slices.Sorted(maps.Keys(reads)) {
		scans := map[string][]string{"history": {"SCAN d"}}[name] // of the item, pending or not
		list = append(list, asking{name: name, ask: reads[name], scans: scans, sorts: slices.Contains(few, name)})
	}
	return append(list,
		// Work is one pass over the batches, the index of the decisions and the index of the decided items: no item
		// is read.
		asking{name: "work", sorts: true, scans: []string{"SCAN b",
			"SCAN decision USING COVERING INDEX decision_batch"}, ask: func(t *testing.T, s *sqlite.Store) error {
			_, err := s.Work(t.Context())
			return err
		}},
		// The deciders of the items are counted batch by batch.
		asking{name: "reviewers", scans: []string{"SCAN b USING COVERING INDEX batch_reviewer"},
			ask: func(t *testing.T, s *sqlite.Store) error {
				_, err := s.Facet(t.Context(), review.Filter{}, review.ByReviewer)
				return err
			}},
		// Groups are summed from the kept counts, or from the items if those do not suffice. The parameters of all
		// open items, and the due items, are one pass over everything.
		asking{name: "groups", sorts: true, ask: groups(review.Filter{Open: true})},
		asking{name: "groups of a language", sorts: true, scans: []string{"SCAN i USING INDEX item_open"},
			ask: groups(review.Filter{Open: true, Languages: []string{"ca"}})},
		asking{name: "parameters", scans: []string{"SCAN i USING INDEX item_host",
			"SCAN i USING INDEX item_open_host"}, ask: undecided(review.Filter{Open: true})},
		asking{name: "parameters of a host", ask: undecided(review.Filter{Open: true,
			AtHosts: []string{"boe.es"}})},
		asking{name: "due", scans: []string{"SCAN i"}, ask: func(t *testing.T, s *sqlite.Store) error {
			return s.Each(t.Context(), review.Filter{Due: time.Unix(1, 0)}, func(review.Item) error { return nil })
		}})
}

func groups(f review.Filter) func(*testing.T, *sqlite.Store) error {
	return func(t *testing.T, s *sqlite.Store) error {
		return s.Groups(t.Context(), f, func(review.Group) error { return nil })
	}
}

func undecided(f review.Filter) func(*testing.T, *sqlite.Store) error {
	return func(t *testing.T, s *sqlite.Store) error {
		return s.Undecided(t.Context(), f, func(review.Undecided) error { return nil })
	}
}

// missing is the error, unless it is ErrNotFound.
func missing[T any](_ T, err error) error {
	if errors.Is(err, review.ErrNotFound) {
		return nil
	}
	return err
}

// The items that a rule concerns are found by index and returned in its order: neither scanned for nor sorted first.
func TestEachPlans(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "visto.db"))
	for name, f := range map[string]review.Filter{
		"a host": {Hosts: []string{"boe.es"}}, "hosts": {Hosts: []string{"boe.es", "*.gencat.cat"}},
		"exactly": {AtHosts: []string{"boe.es"}}, "two hosts": {AtHosts: []string{"boe.es", "www.boe.es"}},
		"reached": {Reach: []string{"boe.es", "*.gencat.cat"}}, "twins": {Keys: []review.Key{{1}}},
		"by ID": {IDs: []int64{1, 2}},
	} {
		a := asking{name: name, sorts: name == "twins", scans: []string{"SCAN item USING INDEX item_via",
			"SCAN host USING COVERING INDEX", "SCAN known"},
			ask: func(t *testing.T, s *sqlite.Store) error {
				err := s.Each(t.Context(), f, func(review.Item) error { return nil })
				return errors.Join(err, s.EachAnswered(t.Context(), f,
					func(review.Item, *canon.Evidence) error { return nil }))
			}}
		for _, asked := range sqlite.Asked(t, s, func() { must(t, a.ask(t, s)) }) {
			a.judge(t, asked)
		}
	}
}

// A change looks its rows up by key, whether it is written at once or its items are pending. Only pending rows are
// scanned in their order.
func TestWritePlans(t *testing.T) {
	oneGoroutine(t)
	s, d := corpusIn(t, filepath.Join(t.TempDir(), "visto.db"), 300)
	sqlite.Chunks(s, few, func() {})
	item := func() review.Item {
		list, err := d.Page(t.Context(), review.Query{Filter: review.Filter{Open: true}}, nil, 1)
		must(t, err)
		return list[0]
	}
	commit := func(c review.Change) func(*testing.T, *sqlite.Store) error {
		return func(t *testing.T, s *sqlite.Store) error {
			_, err := s.Commit(t.Context(), c)
			sqlite.WaitApplied(s)
			return err
		}
	}
	undo := func(redo bool) func(*testing.T, *sqlite.Store) error {
		return func(t *testing.T, s *sqlite.Store) error {
			b, err := s.LastBatch(t.Context(), "ana", redo)
			must(t, err)
			return commit(review.Revert{Reviewer: "ana", Batch: b.ID, Redo: redo})(t, s)
		}
	}
	it := item()
	reject := review.Decision{Kind: review.Reject, From: it.Computed.Canonical, Note: "no"}
	for _, c := range []asking{
		{name: "a decision", ask: commit(review.Decide{Reviewer: "ana", Action: review.ActReject,
			Decisions: []review.ItemDecision{{ID: it.ID, Rev: it.Rev, Decision: reject}}})},
		{name: "a note", ask: commit(review.AddNotes{Reviewer: "ana",
			Notes: []review.ItemNote{{ID: it.ID, Text: "ojo"}}})},
		{name: "its undo", sorts: true, ask: undo(false)},
		{name: "its redo", sorts: true, ask: undo(true)},
		{name: "a rule for all", ask: commit(moveAll(t, s, "sede.example.es"))},
		{name: "its undo", sorts: true, ask: undo(false)},
		{name: "a decision on all", ask: func(t *testing.T, s *sqlite.Store) error {
			return commit(rejectAll(t, s,
				"no"))(t, s)
		}},
		{name: "the undo of that", sorts: true, ask: undo(false)},
		{name: "the redo of that", sorts: true, ask: undo(true)},
		{name: "adding", ask: func(t *testing.T, s *sqlite.Store) error {
			_, err := d.Add(t.Context(), review.Input{}, storetest.Corpus(2, 10))
			return err
		}},
		{name: "adding known URLs", ask: func(t *testing.T, s *sqlite.Store) error {
			_, err := d.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
				return storetest.Corpus(1, 10)(func(f review.Found) error {
					f.Place.File = "known.txt" // a text is one record of all its URLs
					return errors.Join(yield(f), yield(f))
				})
			})
			return err
		}},
		{name: "the contents of a page", ask: func(t *testing.T, s *sqlite.Store) error {
			for _, text := range []string{"a", "b", "c"} {
				readPage(t, s, it.ID, extract.Document{Text: text})
			}
			return nil
		}},
		{name: "tending", ask: func(t *testing.T, s *sqlite.Store) error { return s.Maintain(t.Context()) }},
	} {
		c.scans = []string{"SCAN log", "SCAN n"} // for its last entry; the notes of a batch
		for _, asked := range sqlite.AskedToWrite(t, s, func() { must(t, c.ask(t, s)) }) {
			if strings.HasPrefix(asked.Query, "INSERT ") && strings.HasSuffix(asked.Query, "RETURNING id") {
				continue // it looks for items with a new host, file or set, of which there are none yet
			}
			c.judge(t, asked)
			for _, line := range asked.Plan {
				if strings.Contains(line, "occurrence_record") && strings.HasPrefix(c.name, "adding") {
					t.Errorf("%s goes through all URLs of a record: %s\nin %s", c.name, line, asked.Query)
				}
				if strings.HasPrefix(line, "SEARCH item ") && !strings.Contains(line, "=?") &&
					!strings.HasPrefix(asked.Query, "SELECT") {
					t.Errorf("%s goes through a range of items: %s\n%s\nin %s", c.name, line,
						strings.Join(asked.Plan, "\n"), asked.Query)
				}
			}
		}
	}
}
