package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/health"
	"visto/store/sqlite"
)

// goneFor is the evidence of a check that found the page of an item gone for good.
func goneFor(id int64) review.ItemEvidence {
	var r health.Record
	r.Add(health.Observation{Check: health.Check{At: time.Unix(1, 0), Outcome: health.Failed, Status: 410}}, 0,
		health.Settings{})
	return review.ItemEvidence{ID: id, Link: &r}
}

// Another program stores checks after each chunk of a large change, while its items follow. In the end each item has
// the status and the flags that follow from its result, its link and its decision.
func TestChecksWhilePending(t *testing.T) {
	approveAll := func(t *testing.T, s *sqlite.Store) review.Decide {
		c := rejectAll(t, s, "")
		c.Action = review.ActApprove
		for i := range c.Decisions {
			d := &c.Decisions[i].Decision
			d.Kind, d.Canonical = review.Approve, d.From
		}
		return c
	}
	for name, change := range map[string]func(t *testing.T, s *sqlite.Store) review.Change{
		"rules":    func(t *testing.T, s *sqlite.Store) review.Change { return moveAll(t, s, "moved.es") },
		"decision": func(t *testing.T, s *sqlite.Store) review.Change { return approveAll(t, s) },
		"undo": func(t *testing.T, s *sqlite.Store) review.Change {
			r, err := s.Commit(t.Context(), approveAll(t, s))
			must(t, err)
			sqlite.WaitApplied(s)
			return review.Revert{Reviewer: "ana", Batch: r.Batch}
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "visto.db")
			s := openMoving(t, path)
			manyItems(t, s)
			sqlite.Chunks(s, few, func() {})
			c := change(t, s)
			other := openMoving(t, path)
			next := int64(0)
			sqlite.Chunks(s, few, func() {
				for range 3 {
					if next++; next <= many {
						must(t, other.KeepChecks(t.Context(), []review.ItemEvidence{goneFor(next)}))
					}
				}
			})
			_, err := s.Commit(t.Context(), c)
			must(t, err)
			sqlite.WaitApplied(s)
			must(t, s.Maintain(t.Context()))
			if next < 20 {
				t.Errorf("only %d checks came in between", next)
			}
			broken := 0
			must(t, s.Each(t.Context(), review.Filter{}, func(it review.Item) error {
				status, flags := review.ResolveStatus(it.Computed, it.Link, it.Decision)
				if it.Status != status || it.Computed.Flags != flags || it.Link.Checked != (it.ID <= next) {
					t.Errorf("URL %d is %s %v, and %s %v follows; checked %v", it.ID, it.Status,
						it.Computed.Flags.Codes(), status, flags.Codes(), it.Link.Checked)
				}
				if flags.Has(canon.LinkBroken) {
					broken++
				}
				return nil
			}))
			n, err := s.Count(t.Context(), review.Filter{Flags: canon.SetOf(canon.LinkBroken)})
			if err != nil || n != broken {
				t.Errorf("%d are counted as broken, and %d are: %v", n, broken, err)
			}
			if problems, err := s.Check(t.Context()); err != nil || len(problems) > 0 {
				t.Errorf("check: %v %v", problems, err)
			}
		})
	}
}
