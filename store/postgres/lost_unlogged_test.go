package postgres_test

import (
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"visto/review"
	"visto/review/health"
	"visto/review/probe"
	"visto/store/postgres"
	"visto/store/postgrestest"
	"visto/store/rows"
)

// unlogged are writes without a log entry, each with the table that it changes. They are made in this order, on a store
// with one URL. Most of them fail if they are made twice.
func unlogged(t *testing.T) []unloggedWrite {
	ctx, at := t.Context(), time.UnixMilli(1e12).UTC()
	lease := review.Lease{Reviewer: "ana", Holder: review.Holder{Machine: "m", PID: 1}, Since: at, Until: at}
	record := &health.Record{}
	record.Add(health.Observation{Check: health.Check{At: at, Status: 404, Outcome: health.OutcomeOf(404)}}, 0,
		health.Settings{Similarity: health.DefaultThreshold})
	return []unloggedWrite{
		{"save a view", "saved_view", func(s store) error {
			return s.SaveView(ctx, review.StoredView{Name: "v", Body: []byte("{}"), Reviewer: "ana"})
		}},
		{"rename a view", "saved_view", func(s store) error { return s.RenameView(ctx, "v", "w") }},
		{"delete a view", "saved_view", func(s store) error { return s.DeleteView(ctx, "w") }},
		{"assign", "assignment", func(s store) error {
			one := []review.Assigned{{ID: 1, Reviewer: "ben"}}
			n, err := s.Assign(ctx, review.AssignmentChange{By: "ana", Items: one})
			if err == nil && n != 1 {
				t.Errorf("it assigned %d URLs", n)
			}
			return err
		}},
		{"dismiss", "dismissed", func(s store) error { return s.Dismiss(ctx, review.Dismissal{ID: "d"}) }},
		{"undismiss", "dismissed", func(s store) error { return s.Undismiss(ctx, "d") }},
		{"postpone", "postponed", func(s store) error {
			return s.Postpone(ctx, review.Postponed{ID: 1, Until: at, Why: "a pause"})
		}},
		{"lease", "lease", func(s store) error { return s.Lease(ctx, lease, at) }},
		{"end a lease", "lease", func(s store) error { return s.EndLease(ctx, lease) }},
		{"keep a robots.txt", "robots", func(s store) error {
			return s.KeepRobots(ctx, probe.Robots{Origin: "https://h.es", FetchedAt: at})
		}},
		{"keep a host", "probed_host", func(s store) error {
			return s.KeepHost(ctx, probe.HostFacts{Host: "h.es", CheckedAt: at})
		}},
		{"keep a check", "link_history", func(s store) error {
			return s.KeepChecks(ctx, []review.ItemEvidence{{ID: 1, Link: record}})
		}},
		{"keep a report", "link_report", func(s store) error { return s.KeepReport(ctx, "f", at) }},
		{"keep suggestions", "mined", func(s store) error {
			return s.KeepMined(ctx, review.Mined{Seq: 1, Body: []byte("{}")})
		}},
		{"mark hosts", "host_evidence", func(s store) error { return s.MarkPropagated(ctx, []string{""}, 1) }},
	}
}

// store has all methods of a store.
type store = *postgres.Store

type unloggedWrite struct {
	name, table string
	write       func(store) error
}

// A write without a log entry whose commit is cut off has one of two ends, and the store tells the right one.
func TestUnloggedCutOff(t *testing.T) {
	p, s, _ := openCut(t)
	approveOne(t, s)
	must(t, postgres.Exec(t.Context(), s, "INSERT INTO host_evidence (host_id, preferred, gen, propagated) "+
		"SELECT id, '', 1, false FROM host"))
	cutOff := func(w unloggedWrite, c cut, written bool) {
		t.Helper()
		before := tableOf(t, s, w.table)
		p.mu.Lock()
		p.next, p.done = c, false
		p.mu.Unlock()
		err := w.write(s)
		if !p.cutNow() {
			t.Fatalf("%s: nothing was cut", w.name)
		}
		if changed := tableOf(t, s, w.table) != before; changed != written {
			t.Errorf("%s: written: %t", w.name, changed)
		}
		if written && err != nil || !written && !errors.Is(err, postgres.ErrLost) {
			t.Errorf("%s: %v; it was written: %t", w.name, err, written)
		}
	}
	for _, w := range unlogged(t) {
		cutOff(w, cutRequest, false)
		cutOff(w, holdRequest, false)
		cutOff(w, cutAnswer, true)
	}
}

// A copy whose commit is cut off is there, or nothing of it.
func TestCopyCutOff(t *testing.T) {
	from := newLite(t)
	approveOne(t, from)
	p, s, _ := openCut(t)
	p.arm(cutRequest)
	if err := s.Fill(t.Context(), from); !errors.Is(err, postgres.ErrLost) {
		t.Errorf("the request cut off: %v", err)
	}
	p.arm(cutAnswer)
	if err := s.Fill(t.Context(), from); err != nil {
		t.Errorf("the answer cut off: %v", err)
	}
	if err := s.Fill(t.Context(), from); !errors.Is(err, rows.ErrNotEmpty) {
		t.Errorf("once more: %v", err)
	}
}

// tableOf returns all rows of a table.
func tableOf(t *testing.T, s store, table string) string {
	t.Helper()
	return postgres.Column(t, s, "SELECT coalesce(string_agg(x::text, ' ' ORDER BY x::text), '')::bytea FROM "+
		table+" x")[0]
}

// After a crash of the server the number of a transaction that was not written may be that of another one. Then a write
// without a log entry is not confirmed, and the other one goes on.
func TestUnloggedCrash(t *testing.T) {
	for name, crash := range map[string]func(*testing.T, store){
		"restarted": func(t *testing.T, _ store) { postgrestest.Restart(t) },
		"repaired":  crashBackend,
	} {
		t.Run(name, func(t *testing.T) {
			p, s, other := openCut(t)
			save := func(s store, name string) error {
				return s.SaveView(t.Context(), review.StoredView{Name: name, Body: []byte("{}")})
			}
			must(t, save(s, "a"))

			taken, ended := make(chan error), make(chan struct{})
			for _, c := range []struct {
				name string
				take func()
				want error
			}{
				{"free", func() {}, postgres.ErrLost},
				{"taken", func() { must(t, save(other, "taken")) }, postgres.ErrUnknown},
				{"in use", func() {
					held := make(chan struct{})
					go func() {
						taken <- postgres.Hold(t.Context(), other, func() {
							close(held)
							<-ended
						})
					}()
					<-held
				}, postgres.ErrLost},
			} {
				p.mu.Lock()
				p.next, p.done = cutRequest, false
				p.before = func() {
					crash(t, other)
					c.take()
				}
				p.mu.Unlock()
				if err := save(s, "b"); !errors.Is(err, c.want) {
					t.Errorf("its number is %s: %v", c.name, err)
				}
				if !p.cutNow() {
					t.Fatal("nothing was cut")
				}
			}
			close(ended)
			if err := <-taken; err != nil {
				t.Errorf("the other transaction: %v", err)
			}
		})
	}
}

// crashBackend kills a process of the server, which then ends all others, and repairs itself.
func crashBackend(t *testing.T, s store) {
	t.Helper()
	pids := postgres.Column(t, s, "SELECT concat(pg_backend_pid(), ' ', pid)::bytea FROM pg_stat_activity "+
		"WHERE backend_type = 'checkpointer'")
	var backend, checkpointer int
	_, err := fmt.Sscan(pids[0], &backend, &checkpointer)
	must(t, err)
	process, err := os.FindProcess(backend)
	must(t, err)
	must(t, process.Kill())
	repaired := fmt.Sprintf("SELECT FROM pg_stat_activity WHERE backend_type = 'checkpointer' AND pid <> %d",
		checkpointer)
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		n, err := postgres.Rows(t.Context(), s, repaired)
		if n == 1 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the server does not repair itself: %v", err)
		}
	}
}
