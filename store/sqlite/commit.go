package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/store/rows"
)

// Commit writes one batch, or nothing. An undo or a redo is a log entry but no batch of its own: its receipt names
// the batch that it reverts. The items of a change of very many follow it (large_doc.go),
// and one of very many occurrences is written in parts (commitPlaces).
func (s *Store) Commit(ctx context.Context, c review.Change) (review.Receipt, error) {
	return s.commit(ctx, rows.ChangeOf(c))
}

// Replay is review.Replayer's.
func (s *Store) Replay(ctx context.Context, e review.Replayed) (review.Receipt, error) {
	return s.commit(ctx, rows.Again(e))
}

func (s *Store) commit(ctx context.Context, c *rows.Change) (review.Receipt, error) {
	doing := fmt.Sprintf("writing a batch (%s)", c.Action)
	if err := c.Validate(); err != nil {
		return review.Receipt{}, s.read.failed(ctx, doing, err)
	}
	if s.ReadOnly() {
		return s.write.commit(ctx, doing, c, rows.Marking{})
	}
	places, err := s.read.presenceOf(ctx, c)
	switch {
	case err != nil:
		return review.Receipt{}, s.read.failed(ctx, doing, err)
	case c.Replay == nil && (len(places.IDs) > s.large.atOnce || c.Rest > 0):
		return s.large.commitPlaces(ctx, doing, c, places)
	}
	large, err := s.large.isLarge(ctx, c)
	switch {
	case err != nil:
		return review.Receipt{}, s.read.failed(ctx, doing, err)
	case large:
		return s.large.commit(ctx, doing, c)
	}
	r, err := s.write.commit(ctx, doing, c, places)
	if met, ok := errors.AsType[pendingError](err); ok {
		err = s.large.followNow(ctx, doing, met)
	}
	return r, err
}

// commit writes a change in one transaction.
func (c *writeConn) commit(
	ctx context.Context, doing string, change *rows.Change, places rows.Marking,
) (review.Receipt, error) {
	var r review.Receipt
	err := c.update(ctx, doing, func(t *tx) error {
		w := &writer{tx: t, change: change, names: newInterner(t), presence: places}
		err := w.commit()
		r = w.receipt
		return err
	})
	if err != nil {
		return review.Receipt{}, err
	}
	if change.Replay == nil && change.Policy != nil && change.LastID == 0 { // a new store gets its policy: nobody can be at work on it yet
		c.lock.forget()
	}
	return r, nil
}

// commitPlaces writes a change that forgets a file with very many places, or takes that back, while others go on
// deciding. The entry of the change has atOnce of the places, and entries of its run have the others, in chunks: they
// come after the entry that forgets the file, and before the one that takes that back. So whatever is gone is in a
// batch, and an undo that was interrupted can be done again.
func (l *largeChanges) commitPlaces(
	ctx context.Context, doing string, c *rows.Change, p rows.Marking,
) (r review.Receipt, err error) {
	run := &rows.Adder{Intake: review.Intake{Reviewer: c.Reviewer, Run: p.Since, Computing: c.Computing},
		Action: c.Action, Summary: c.Summary}
	n := len(p.IDs) - l.atOnce
	first, last := p, p
	if c.Forget == "" {
		first.IDs, last.IDs = p.IDs[:n], p.IDs[n:]
		check := func(t *tx) error { return (&writer{tx: t, change: c}).checkRevert() }
		if err := l.conn.markChunks(ctx, doing, run, first, check); err != nil {
			return r, err
		}
		return l.conn.commit(ctx, doing, c, last)
	}
	if r = (review.Receipt{Seq: p.Since, Batch: c.Rest}); c.Rest == 0 {
		first.IDs, last.IDs = p.IDs[:l.atOnce], p.IDs[l.atOnce:]
		if r, err = l.conn.commit(ctx, doing, c, first); err != nil {
			return r, err
		}
		run.Intake.Run = r.Seq
	}
	undo := rows.ChangeOf(review.Revert{Batch: r.Batch})
	return r, l.conn.markChunks(ctx, doing, run, last, func(t *tx) error {
		return (&writer{tx: t, change: undo}).checkRevert()
	})
}

// writer writes one change in one transaction.
type writer struct {
	*tx
	change    *rows.Change
	names     *interner
	decided   []review.ItemDecision // the decisions without a conflict
	reverted  review.Batch          // the batch to undo or redo
	receipt   review.Receipt
	later     bool              // the items of the change become pending
	checked   *checkedDecisions // its decisions; nil: not checked yet
	corrected bool              // the correction of an item changed
	hosts     canon.Hosts       // all host evidence; nil until a correction needs it
	unsettled []int64           // the items to settle (settle.go)
	presence  rows.Marking      // the occurrences that go or come back
}

func (w *writer) commit() error {
	if w.change.Adds() {
		return w.addAgain()
	}
	err := rows.InOrder(w.checkRules, w.checkRevert, w.checkConfirmed, w.checkDecisions, w.writePresence)
	if err != nil || w.nothing() {
		return err
	}
	return rows.InOrder(w.begin, w.writeOverrides, w.writePolicy, w.writeAllEvidence, w.writeRecomputed, w.writeDecisions,
		w.writeNotes, w.revert, w.settle, w.startGen)
}

// addAgain adds the items of one log entry, with or without that entry, or appends the entry alone.
func (w *writer) addAgain() (err error) {
	a := adder{list: w.change.Replay.Added}
	w.receipt.Seq, err = rows.AddAgain(w.tx, w.change.Replay, &a.Adder, func() error {
		return a.run(w.tx, rows.Always, func() error { return nil })
	})
	return err
}

// checkRules fails with ErrStale if the stored rules are not those that the change was computed from.
func (w *writer) checkRules() error {
	if !w.change.OnRules() {
		return nil
	}
	m, err := readMeta(w.ctx, w)
	if err != nil {
		return err
	}
	late, err := w.change.Behind(m)
	if err == nil && late {
		var jobs []job
		jobs, err = lateJobs(w.ctx, w, w.change)
		w.change.Recomputed = merged(w.change.Recomputed, jobs)
	}
	if err != nil {
		return err
	}
	return w.checkPending()
}

// checkPending fails if the change has results that were computed before their items followed a large change.
func (w *writer) checkPending() error {
	if !w.anyPending || w.later || w.change.Replay != nil {
		return nil
	}
	var ids []int64
	for _, r := range w.change.Recomputed {
		ids = append(ids, r.ID)
	}
	for _, e := range w.change.Evidence {
		ids = append(ids, e.ID)
	}
	met, err := column[int64](w.ctx, w, "SELECT item_id FROM pending WHERE item_id IN (SELECT value FROM json_each(?))",
		jsonList(ids))
	if err == nil && len(met) > 0 {
		err = pendingError{met}
	}
	return err
}

// job is an item that is recomputed late: recomputed is nil if its result stays.
type job struct {
	id         int64
	recomputed *review.Recomputed
}

// merged returns the recomputed items; those of the jobs replace earlier ones.
func merged(list []review.Recomputed, jobs []job) []review.Recomputed {
	late := map[int64]bool{}
	for _, j := range jobs {
		late[j.id] = true
	}
	list = slices.DeleteFunc(slices.Clone(list), func(r review.Recomputed) bool { return late[r.ID] })
	for _, j := range jobs {
		if j.recomputed != nil {
			list = append(list, *j.recomputed)
		}
	}
	return list
}

// nothing reports whether the change is empty, or every decision is in conflict.
func (w *writer) nothing() bool {
	return w.change.Nothing(w.decided, len(w.presence.IDs), len(w.change.Recomputed))
}

// begin appends the log entry and, unless the change is an undo or a redo, starts the batch.
func (w *writer) begin() error {
	body, err := w.body()
	if err != nil {
		return err
	}
	return rows.Begin(w, w.change, body, &w.receipt)
}

// body returns the body of the log entry. That of very many decisions was prepared before this transaction locked
// others out.
func (w *writer) body() ([]byte, error) {
	if w.checked != nil && w.checked.body != nil {
		return w.checked.body, nil
	}
	replaced, err := rows.ReplacedInputs(w, w.change)
	return w.change.Body(w.decided, replaced, w.presence.Entry()), err
}

func (w *writer) writePolicy() error { return rows.WritePolicy(w, w.change.Policy) }

func (w *writer) startGen() error { return rows.StartGen(w, w.change, w.corrected, &w.names.Interner) }

// RaiseGen starts a new generation, for the rules, for host evidence, or for neither.
func (t *tx) RaiseGen(rules, hosts bool) error {
	return t.Exec(`UPDATE meta SET gen = gen + 1, rules_gen = iif(?, gen + 1, rules_gen),
		hosts_gen = iif(?, gen + 1, hosts_gen)`, rules, hosts)
}

// writeRecomputed stores the new results of the rules.
func (w *writer) writeRecomputed() error {
	w.receipt.Updated += len(w.change.Recomputed)
	if w.later {
		return w.pendComputed()
	}
	return rows.ForEach(w.change.Recomputed, w.names.writeComputed)
}

// updateComputed begins the statement that stores a rows.ComputedRow in an item.
var updateComputed = "UPDATE item SET rev = rev + 1, (" + rows.ComputedColumns + ") = " +
	marks(strings.Count(rows.ComputedColumns, ",")+1)

func (in *interner) writeComputed(r review.Recomputed) error {
	was, row, err := in.recomputed(&r)
	if err != nil {
		return err
	}
	in.deltas.Move(was, row.CountKey)
	return in.Exec(updateComputed+`, title_seal = iif(?15 = '', title_seal, ?16),
		title = iif(?15 = '', title, ?15) WHERE id = ?17`,
		append(row.Args(), r.Title, rows.TitleSeal(r.Title), r.ID)...)
}

// recomputed returns the current count key of an item and its row with the new result. Its status follows from the
// decision in force.
func (in *interner) recomputed(r *review.Recomputed) (was rows.CountKey, row rows.ComputedRow, err error) {
	var canonical string
	var link review.Link
	var s rows.Standing
	found, err := in.Find("SELECT "+rows.CountColumns+", i.link, i.canonical, "+standingColumns+" FROM item i"+
		decisionJoin+" WHERE i.id = ?", []any{r.ID},
		slices.Concat(was.Into(), []any{packedLink{&link}, &canonical}, s.Into())...)
	if err == nil && !found {
		err = rows.NoItem(r.ID)
	}
	if err != nil {
		return was, row, err
	}
	standing := s.Decision()
	if row, err = in.Computed(&r.Computed); err != nil {
		return was, row, err
	}
	records, err := in.byRecord(r.ID, standing)
	if err != nil {
		return was, row, err
	}
	row.Resolve(r.Computed, link, standing, records, was)
	if r.Title != "" || row.Canonical != canonical && !strings.Contains(s.Original, row.Canonical) {
		err = in.markSearch(r.ID)
	}
	return was, row, err
}

// lateJobs recomputes the items that were added, corrected or got evidence since the change was computed. The change's
// own evidence does not count yet.
func lateJobs(ctx context.Context, q queryer, c *rows.Change) ([]job, error) {
	hosts, err := newlyKnown(ctx, q, c)
	if err != nil {
		return nil, err
	}
	known, err := readHosts(ctx, q, allHosts)
	if err != nil {
		return nil, err
	}
	late, args := lateItems(&c.Results, hosts)
	query := "SELECT " + itemColumns + ", e.body" + fromItems + evidenceJoin + " WHERE i.id IN (" + late +
		") ORDER BY i.id"
	var jobs []job
	row := newEvidenceRow(ctx, q)
	err = each(ctx, q, query, args, func(scan scanner) error {
		it, ev, err := row.ReadWithEvidence(scan)
		if err != nil {
			return err
		}
		j := job{id: it.ID}
		if r := c.Late(it, rows.WithHosts(ev, known)); r != nil {
			own := *r
			j.recomputed = &own
		}
		jobs = append(jobs, j)
		return nil
	})
	return jobs, err
}

// newlyKnown returns the hosts with new evidence since the change was computed, each with and without "www.".
func newlyKnown(ctx context.Context, q queryer, c *rows.Change) ([]string, error) {
	names, err := column[string](ctx, q,
		"SELECT h.name FROM host_evidence e JOIN host h ON h.id = e.host_id WHERE e.gen > 0 AND e.gen > ?",
		c.Results.Gen)
	return review.RelatedHosts(nil, names...), err
}

// lateItems returns a query for the IDs of the items to recompute.
func lateItems(c *review.Results, hosts []string) (string, []any) {
	query := `SELECT id FROM item WHERE id > ? UNION ALL SELECT item_id FROM evidence WHERE gen > 0 AND gen > ?
		UNION ALL SELECT d.item_id FROM log l CROSS JOIN decision d ON d.batch_id = l.batch_id WHERE l.seq > ?
		AND EXISTS (SELECT 1 FROM decision c WHERE c.item_id = d.item_id AND c.kind IN (2, 6))` + itemsPlacedLate
	args := []any{c.LastID, c.Gen, c.Seq, c.Seq, c.Seq, c.Seq}
	if reached, reachArgs := reaching(hosts); reached != "" {
		query += " UNION ALL " + reached
		args = append(args, reachArgs...)
	}
	return query, args
}
