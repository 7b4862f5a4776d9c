package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"testing"

	"visto/canon"
	"visto/canon/suite"
	"visto/review"
	"visto/review/read"
)

// Killing kills programs on databases of one kind.
type Killing struct {
	New  func(t *testing.T) (db string)
	Copy func(t *testing.T, db string) (copied string)
	Open func(t *testing.T, db string) Loaded

	// Kill returns one database for each transaction of do on copies of db: as it is if the program is killed behind
	// that transaction. Few URLs, as killedURLs returns, are many for a change.
	Kill func(t *testing.T, db string, do func(review.Store)) (killed []string)

	policy *canon.Policy // parsed once: that takes longer than most changes
}

// killedURLs is the number of URLs that a change is killed among: it has two parts, or three.
func killedURLs() int { return suite.Rounds(16, 40) }

// RunKilled kills a program behind each transaction of a rule, of a decision, of forgetting a file and of the undo of
// each. Whoever opens the database next finds all of it or nothing, and can go on: a reader, somebody who decides on
// one of its URLs, an undo, and a check.
func RunKilled(t *testing.T, k Killing) {
	var err error
	k.policy, err = canon.ParsePolicy(canon.PolicyFile{Name: "small", Data: []byte("name: small\n")})
	must(t, err)
	rule := review.OverrideChange{After: drop("www.boe.es", "", "x")}
	save := func(d *review.Desk) error {
		_, _, err := d.SaveOverrides(t.Context(), []review.OverrideChange{rule}, "drop x")
		return err
	}
	decide := func(d *review.Desk) error {
		_, err := d.DecideAll(t.Context(), review.Choice{Kind: review.Defer}, review.Filter{})
		return err
	}
	forget := func(d *review.Desk) error {
		_, err := d.Forget(t.Context(), "r")
		return err
	}
	for _, c := range []killedChange{
		{name: "a rule", do: save},
		{name: "a decision", do: decide},
		{name: "forgetting", do: forget, inParts: true},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, k) })
		undo := killedChange{"undo of " + c.name, c.do, func(d *review.Desk) error {
			_, _, err := d.Undo(t.Context(), 3) // after the policy and a note
			return err
		}, c.inParts}
		t.Run(undo.name, func(t *testing.T) { undo.run(t, k) })
	}
}

// killedChange is a change during which a program is killed.
type killedChange struct {
	name    string
	before  func(*review.Desk) error // what there is to undo
	do      func(*review.Desk) error
	inParts bool // each of its transactions is in force by itself, and doing it again does the rest
}

func (c killedChange) run(t *testing.T, k Killing) {
	t.Parallel()
	db := k.New(t)
	k.with(t, db, func(d *review.Desk, _ review.Store) {
		addKilled(t, d)
		if c.before != nil {
			must(t, c.before(d))
		}
	})
	done := k.Copy(t, db)
	k.with(t, done, func(d *review.Desk, _ review.Store) { must(t, c.do(d)) })

	killed := k.Kill(t, db, func(s review.Store) {
		if d, err := review.Open(t.Context(), s, "ana", nil); err == nil {
			c.do(d) // it may be killed
		}
	})
	t.Logf("killed behind each of %d transactions", len(killed))
	if len(killed) == 0 {
		t.Error("nobody was killed")
	}
	next := c.successors(t)
	for i, by := range next {
		var meet []int
		for n := range killed {
			if suite.All() || (n+len(c.name))%len(next) == i { // each change begins with another one
				meet = append(meet, n)
			}
		}
		if len(meet) == 0 {
			continue
		}
		whole, none := c.follow(t, k, done, by), c.follow(t, k, db, by)
		for _, n := range meet {
			if got := c.follow(t, k, killed[n], by); got != whole && got != none {
				t.Errorf("killed behind transaction %d, then %s:\n%s\nthe whole of it:\n%s\nnone of it:\n%s", n+1,
					by.name, got, whole, none)
			}
		}
	}
}

// successor opens a database after a program was killed.
type successor struct {
	name string
	do   func(*review.Desk) error
}

// follow lets the successor work on a copy, and returns what a user sees then.
func (c killedChange) follow(t *testing.T, k Killing, db string, by successor) (sees string) {
	t.Helper()
	k.with(t, k.Copy(t, db), func(d *review.Desk, s review.Store) {
		if err := by.do(d); err != nil {
			t.Errorf("%s: %v", by.name, err)
		}
		sees = seen(t, d, s, !c.inParts)
	})
	return sees
}

// with opens a database for fn.
func (k Killing) with(t *testing.T, db string, fn func(*review.Desk, review.Store)) {
	t.Helper()
	s := k.Open(t, db)
	d, err := review.Open(t.Context(), s, "ana", k.policy)
	must(t, err)
	fn(d, s)
	must(t, s.Close())
}

func (c killedChange) successors(t *testing.T) []successor {
	if c.inParts {
		return []successor{{"check and the same again", func(d *review.Desk) error {
			err := checks(t)(d)
			c.do(d) // it may be done
			return err
		}}}
	}
	return []successor{
		{"a reader", func(*review.Desk) error { return nil }},
		{"a decision", func(d *review.Desk) error {
			last := review.Target{ID: int64(killedURLs())}
			_, err := d.Decide(t.Context(), review.Choice{Kind: review.Reject, Note: "wrong"}, last)
			return err
		}},
		{"an undo", func(d *review.Desk) error {
			_, _, err := d.Undo(t.Context(), 0)
			return err
		}},
		{"check", checks(t)},
	}
}

// checks is a successor that finds nothing wrong.
func checks(t *testing.T) func(*review.Desk) error {
	return func(d *review.Desk) error {
		problems, err := d.Check(t.Context())
		for _, p := range problems {
			t.Errorf("check: %s: %s", p.What, p.Text)
		}
		return err
	}
}

// addKilled adds URLs that two files cite, with a note on one.
func addKilled(t *testing.T, d *review.Desk) {
	t.Helper()
	_, err := d.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
		var errs []error
		for i := range killedURLs() {
			for _, file := range []string{"r", "s"}[:2-min(i%4, 1)] {
				errs = append(errs, yield(review.Found{URL: fmt.Sprintf("http://www.boe.es/%d?x=1", i),
					Place: read.Place{File: file, Line: i + 1}}))
			}
		}
		return errors.Join(errs...)
	})
	must(t, err)
	_, err = d.Note(t.Context(), "asked", 1)
	must(t, err)
}

var anyTime = regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z`)

// seen is what a user sees of a store, without times: the export, counts, places and, if wanted, the log and what undo
// and redo take.
func seen(t *testing.T, d *review.Desk, s review.Store, withLog bool) string {
	t.Helper()
	var out bytes.Buffer
	_, err := d.Export(t.Context(), &out, review.ExportOptions{})
	must(t, err)
	counts, err := s.Totals(t.Context())
	must(t, err)
	facets, err := s.Facets(t.Context(), review.Filter{})
	must(t, err)
	fmt.Fprintf(&out, "%+v\n%+v\n", counts, facets)
	must(t, s.EachOccurrence(t.Context(), func(o review.StoredOccurrence) error {
		fmt.Fprint(&out, o.Item, o.Gone > 0, " ")
		return nil
	}))
	if withLog {
		history(t, s, &out)
	}
	return anyTime.ReplaceAllString(out.String(), "TIME")
}

func history(t *testing.T, s review.Store, out *bytes.Buffer) {
	t.Helper()
	log, err := s.Log(t.Context(), 0, 100)
	must(t, err)
	for _, e := range log {
		fmt.Fprintln(out, e.Reviewer, e.Action, e.Batch, e.Summary)
	}
	for _, undone := range []bool{false, true} {
		b, err := s.LastBatch(context.Background(), "ana", undone)
		fmt.Fprintln(out, b.ID, b.Summary, errors.Is(err, review.ErrNotFound))
	}
}
