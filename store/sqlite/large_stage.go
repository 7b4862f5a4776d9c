package sqlite

import (
	"context"
	"errors"
	"sync"
	"time"

	"visto/canon"
	"visto/review"
	"visto/store/rows"
)

// The values of stage.state.
const (
	idle     = iota // nothing is staged; leftover rows mean nothing
	staging         // a change is being staged and is not in force
	applying        // a change is in force and is being applied to the items
)

// A change whose writer took no step for stalledAfter counts as abandoned by a program that ended. stagePoll is the
// pause between two looks.
const (
	stalledAfter = 5 * time.Second
	stagePoll    = 20 * time.Millisecond
)

// stage is the row of the table stage.
type stage struct{ state, token, step, batch int64 }

func readStage(ctx context.Context, q queryer) (stage, error) {
	var st stage
	err := q.QueryRowContext(ctx, "SELECT state, token, step, batch FROM stage").
		Scan(&st.state, &st.token, &st.step, &st.batch)
	return st, err
}

// setState sets the state, and the batch whose decisions are being applied.
func (t *tx) setState(state int, batch int64) error {
	t.stage.state, t.stage.batch = int64(state), batch
	return t.Exec("UPDATE stage SET state = ?, batch = ?", state, batch)
}

// errStageTaken is the error of a change that found another one staged.
var errStageTaken = errors.New("another change of the rules is being written")

// largeChanges writes the changes of very many items (large_doc.go).
type largeChanges struct {
	conn         *writeConn
	search       searchIndex
	atOnce       int            // the most items of a chunk that cannot end early
	stalledAfter time.Duration  // a change that is staged without progress for this long is abandoned
	applying     sync.WaitGroup // the changes of this store that are being applied
	stageAll     bool           // stage every change of the rules, and do not apply it
}

// waitUnstaged returns when nothing is staged. It applies a change in force, and waits for one that is being staged
// unless its writer is gone.
func (l *largeChanges) waitUnstaged(ctx context.Context, doing string) error {
	var seen stage
	var since time.Time
	for {
		now, err := readStage(ctx, l.conn.read)
		switch {
		case err != nil:
			return l.conn.read.failed(ctx, doing, err)
		case now.state == idle:
			return nil
		case now.state == applying:
			if err := l.apply(ctx); err != nil {
				return err
			}
			continue
		case now != seen:
			seen, since = now, time.Now()
		case time.Since(since) > l.stalledAfter:
			return l.abandon(ctx, doing, func(now stage) bool { return now == seen })
		}
		select {
		case <-ctx.Done():
			return l.conn.read.failed(ctx, doing, ctx.Err())
		case <-time.After(stagePoll):
		}
	}
}

// abandon ends the staging of a change that is not in force. is reports whether the stage is still that of the change.
func (l *largeChanges) abandon(ctx context.Context, doing string, is func(stage) bool) error {
	return l.conn.chunk(ctx, doing, func(t *tx) error {
		if !is(t.stage) {
			return nil
		}
		return t.setState(idle, 0)
	})
}

// stager writes one large change.
type stager struct {
	*largeChanges
	ctx    context.Context
	doing  string
	change *rows.Change
	token  int64
	staged int

	decisions *stagedBatch // nil for a change of rules
}

// job is the work for one item: replace drops its staged row, and recomputed, if not nil, is staged.
type job struct {
	id         int64
	replace    bool
	recomputed *review.Recomputed
}

// commit writes a change in chunks. Until the last of them commits, none of it is in force.
func (l *largeChanges) commit(ctx context.Context, doing string, c *rows.Change) (review.Receipt, error) {
	g := &stager{largeChanges: l, ctx: ctx, doing: doing, change: c}
	if err := g.begin(); err != nil {
		return review.Receipt{}, err
	}
	run := g.run
	if decides(c) {
		run = g.runDecisions
	}
	r, err := run()
	if err != nil {
		return review.Receipt{}, errors.Join(err, l.abandon(context.WithoutCancel(ctx), doing, g.holds))
	}
	l.applyLater()
	return r, nil
}

func (g *stager) run() (review.Receipt, error) {
	jobs := make([]job, len(g.change.Recomputed))
	for i := range jobs {
		r := &g.change.Recomputed[i]
		jobs[i] = job{id: r.ID, recomputed: r}
	}
	g.change.Recomputed = nil
	if err := stageChunks(g, jobs, (*writer).do); err != nil {
		return review.Receipt{}, err
	}
	if err := g.catchUp(); err != nil {
		return review.Receipt{}, err
	}
	return g.putInForce()
}

// begin takes the stage and clears leftovers of an earlier change.
func (g *stager) begin() error {
	return g.conn.chunks(g.ctx, g.doing, func(t *tx) (more bool, err error) {
		if t.stage.state != idle {
			return false, errStageTaken
		}
		left, err := t.clearStage()
		if err != nil || left > 0 {
			return true, err
		}
		g.token = t.stage.token + 1
		return false, rows.InOrder((&writer{tx: t, change: g.change}).checkRevert, func() error {
			return t.Exec("UPDATE stage SET state = ?, token = ?, step = 0", staging, g.token)
		})
	})
}

// clearStage deletes some leftover rows, and returns how many.
func (t *tx) clearStage() (int64, error) {
	var left int64
	for _, query := range []string{
		"DELETE FROM staged WHERE id IN (SELECT id FROM staged LIMIT 2000)",
		"DELETE FROM staged_decision WHERE item_id IN (SELECT item_id FROM staged_decision LIMIT 2000)",
		"DELETE FROM item_count WHERE (" + countColumnNames + ", staged) IN (SELECT " + countColumnNames +
			", staged FROM item_count WHERE staged = 1 LIMIT 1000)",
	} {
		n, err := t.execCount(query)
		if err != nil {
			return 0, err
		}
		left += n
	}
	return left, nil
}

// stageChunks stages each of the list in chunks, as long as the stage belongs to this change.
func stageChunks[T any](g *stager, list []T, stage func(*writer, T) error) error {
	if len(list) == 0 {
		return nil
	}
	return g.conn.chunks(g.ctx, g.doing, func(t *tx) (more bool, err error) {
		if !g.holds(t.stage) {
			return false, g.lost()
		}
		w := &writer{tx: t, change: g.change, names: newInterner(t)}
		for ; len(list) > 0 && w.more(); list = list[1:] {
			if err := stage(w, list[0]); err != nil {
				return false, err
			}
		}
		g.staged += w.staged
		if g.decisions != nil {
			g.decisions.add(w)
		}
		return len(list) > 0, t.Exec("UPDATE stage SET step = step + 1")
	})
}

// holds reports whether the stage belongs to this change.
func (g *stager) holds(st stage) bool { return st.state == staging && st.token == g.token }

// lost is the error of a change that another program took for abandoned. Decisions are staged again, and results of
// rules are computed again.
func (g *stager) lost() error {
	if g.decisions != nil {
		return errStageTaken
	}
	return review.ErrStale
}

// catchUp stages the items that were added, or got evidence, since the change was computed, until few are left for
// the last chunk.
func (g *stager) catchUp() error {
	for range maxCatchUps {
		var jobs []job
		var m review.Meta
		err := g.conn.read.snapshot(g.ctx, g.doing, func(q queryer) error {
			var err error
			if m, err = readMeta(g.ctx, q); err != nil {
				return err
			}
			late, err := g.change.Behind(m)
			if err != nil || !late || m.Gen == g.change.Results.Gen && m.LastID-g.change.LastID <= int64(g.atOnce) {
				return err
			}
			jobs, err = lateJobs(g.ctx, q, g.change)
			return err
		})
		if err != nil || len(jobs) == 0 {
			return err
		}
		if err := stageChunks(g, jobs, (*writer).do); err != nil {
			return err
		}
		g.change.Results.Gen, g.change.LastID, g.change.Seq = m.Gen, m.LastID, m.LastSeq
	}
	return nil
}

// maxCatchUps limits the rounds of catching up; the last chunk does the rest at once. An import is slower than that.
const maxCatchUps = 10

// putInForce writes the rest of the change, and puts all of it in force.
func (g *stager) putInForce() (review.Receipt, error) {
	var r review.Receipt
	err := g.conn.update(g.ctx, g.doing, func(t *tx) error {
		if !g.holds(t.stage) {
			return g.lost()
		}
		w := &writer{tx: t, change: g.change, names: newInterner(t), ontoStage: g.decisions == nil,
			decisions: g.decisions}
		if err := w.commit(); err != nil {
			return err
		}
		r = w.receipt
		if r.Seq == 0 { // every decision was in conflict
			return t.setState(idle, 0)
		}
		if g.decisions != nil {
			return t.setState(applying, r.Batch)
		}
		r.Updated = g.staged + w.staged
		return t.setState(applying, 0)
	})
	return r, err
}

// do does one job.
func (w *writer) do(j job) error {
	if j.replace {
		if err := w.unstage(j.id); err != nil {
			return err
		}
	}
	if j.recomputed == nil {
		return nil
	}
	return w.stageComputed(j.recomputed)
}

// stageComputed stages a new result of the rules.
func (w *writer) stageComputed(r *review.Recomputed) error {
	was, row, err := w.names.recomputed(r)
	if err != nil {
		return err
	}
	w.stagedDeltas.Move(was, row.CountKey)
	w.staged++
	return w.Insert("INTO staged ("+rows.ComputedColumns+", title, title_seal, id)",
		append(row.Args(), r.Title, rows.TitleSeal(r.Title), r.ID)...)
}

// stagedKey returns the count key and the result that a staged item will have, false if it is not staged.
func (t *tx) stagedKey(id int64) (k rows.CountKey, c review.Computed, link review.Link, found bool, err error) {
	found, err = t.Find(`SELECT s.canonical, i.link, s.host_id, s.in_host_id, i.place_set_id, s.verdict, s.status,
		s.open, s.was_open, s.flags FROM staged s CROSS JOIN item i ON i.id = s.id WHERE s.id = ?`, []any{id},
		append([]any{&c.Canonical, packedLink{&link}}, k.Into()...)...)
	c.Verdict, c.Flags = canon.Verdict(k.Verdict), canon.CodeSet(k.Flags)
	return k, c, link, found, err
}

// unstage drops the staged row of an item, if there is one.
func (w *writer) unstage(id int64) error {
	found, err := w.dropStagedResult(id)
	if found {
		w.staged--
	}
	return err
}

// dropStagedResult drops the staged result of an item, and reports whether there was one.
func (t *tx) dropStagedResult(id int64) (bool, error) {
	will, _, _, found, err := t.stagedKey(id)
	if err != nil || !found {
		return false, err
	}
	return true, t.drop("DELETE FROM staged WHERE id = ?", id, will)
}

// drop deletes the staged row of an item, which would have had the count key.
func (t *tx) drop(query string, id int64, will rows.CountKey) error {
	var is rows.CountKey
	if err := t.Get("SELECT "+rows.CountColumns+" FROM item i WHERE i.id = ?", []any{id}, is.Into()...); err != nil {
		return err
	}
	t.stagedDeltas.Move(will, is)
	return t.Exec(query, id)
}

// restage updates the staged row of an item after another decision came into force.
func (w *writer) restage(id int64, was, is rows.CountKey, decision *review.Decision) error {
	if w.stage.state != staging {
		return nil
	}
	will, c, link, found, err := w.stagedKey(id)
	if err != nil || !found {
		return err
	}
	now := will
	now.WasOpen = is.WasOpen
	by, err := w.byRecord(id, decision)
	if err != nil {
		return err
	}
	now = now.Resolve(c, link, decision, by)
	w.stagedDeltas.Move(will, now)
	w.stagedDeltas.Move(is, was)
	return w.Exec("UPDATE staged SET status = ?, flags = ?, open = ?, was_open = ? WHERE id = ?",
		now.Status, now.Flags, now.Open, now.WasOpen, id)
}
