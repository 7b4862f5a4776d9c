package sqlite

import (
	"context"
	"errors"
	"time"

	"visto/review"
)

// The states of the stage.
const (
	idle    = iota // nothing is staged; rows in staged mean nothing
	staging        // a change is being written, and stands for nobody
	folding        // a change stands, and is being folded into the items
)

// abandonedAfter is after how long without a step of its writer a change that is being staged counts as left by a program that
// ended, and lookEvery how long to wait in between.
const (
	abandonedAfter = 5 * time.Second
	lookEvery      = 20 * time.Millisecond
)

// stage is the row of the table stage.
type stage struct{ state, token, step, batch int64 }

func readStage(ctx context.Context, q queryer) (stage, error) {
	var st stage
	err := q.QueryRowContext(ctx, "SELECT state, token, step, batch FROM stage").Scan(&st.state, &st.token, &st.step, &st.batch)
	return st, err
}

// setState sets the state. batch is the one whose decisions are being folded.
func (t *tx) setState(state int, batch int64) error {
	_, err := t.exec("UPDATE stage SET state = ?, batch = ?", state, batch)
	t.stage.state, t.stage.batch = int64(state), batch
	return err
}

// errStaged says that another change was staged meanwhile.
var errStaged = errors.New("another change of the rules is being written")

// free returns when nothing is staged. It folds a change that stands, and waits for one that is being written, unless
// whoever did so is gone.
func (s *Store) free(ctx context.Context, doing string) error {
	var seen stage
	var since time.Time
	for {
		now, err := readStage(ctx, s.read)
		switch {
		case err != nil:
			return s.failed(ctx, doing, err)
		case now.state == idle:
			return nil
		case now.state == folding:
			if err := s.fold(ctx); err != nil {
				return err
			}
			continue
		case now != seen:
			seen, since = now, time.Now()
		case time.Since(since) > s.patience:
			return s.abandon(ctx, doing, seen)
		}
		select {
		case <-ctx.Done():
			return s.failed(ctx, doing, ctx.Err())
		case <-time.After(lookEvery):
		}
	}
}

// abandon ends the staging of a change that does not stand.
func (s *Store) abandon(ctx context.Context, doing string, seen stage) error {
	return s.piece(ctx, doing, func(t *tx) error {
		if t.stage.state == staging && t.stage.token == seen.token && t.stage.step == seen.step {
			return t.setState(idle, 0)
		}
		return nil
	})
}

// stager writes one large change.
type stager struct {
	*Store
	ctx    context.Context
	doing  string
	change *review.Change
	token  int64
	staged int

	decisions *stagedBatch // of a change of decisions
}

// job is what becomes of one item: replace drops what is staged of it, and recomputed, if not nil, is staged.
type job struct {
	id         int64
	replace    bool
	recomputed *review.Recomputed
}

// commitStaged writes a change in pieces. Until the last of them stands nothing of it does.
func (s *Store) commitStaged(ctx context.Context, doing string, c *review.Change) (review.Receipt, error) {
	g := &stager{Store: s, ctx: ctx, doing: doing, change: c}
	if err := g.begin(); err != nil {
		return review.Receipt{}, err
	}
	run := g.run
	if decides(c) {
		run = g.runDecisions
	}
	r, err := run()
	if err != nil {
		left := stage{state: staging, token: g.token}
		if now, readErr := readStage(context.WithoutCancel(ctx), s.read); readErr == nil {
			left.step = now.step
		}
		err = errors.Join(err, s.abandon(context.WithoutCancel(ctx), doing, left))
		return review.Receipt{}, err
	}
	s.foldLater()
	return r, nil
}

func (g *stager) run() (review.Receipt, error) {
	jobs := make([]job, len(g.change.Recomputed))
	for i := range jobs {
		r := &g.change.Recomputed[i]
		jobs[i] = job{id: r.ID, recomputed: r}
	}
	g.change.Recomputed = nil
	if err := g.write(jobs); err != nil {
		return review.Receipt{}, err
	}
	if err := g.catchUp(); err != nil {
		return review.Receipt{}, err
	}
	return g.stand()
}

// begin takes the stage, after what an earlier change left on it is gone.
func (g *stager) begin() error {
	for {
		done := false
		err := g.piece(g.ctx, g.doing, func(t *tx) error {
			if t.stage.state != idle {
				return errStaged
			}
			left, err := t.clearStage()
			if done = left == 0; err != nil || !done {
				return err
			}
			if err := (&writer{tx: t, change: g.change}).checkTurn(); err != nil {
				return err
			}
			g.token = t.stage.token + 1
			_, err = t.exec("UPDATE stage SET state = ?, token = ?, step = 0", staging, g.token)
			return err
		})
		if err != nil || done {
			return err
		}
	}
}

// clearStage takes away some of what was staged, and returns how much that was.
func (t *tx) clearStage() (int64, error) {
	var left int64
	for _, query := range []string{
		"DELETE FROM staged WHERE id IN (SELECT id FROM staged LIMIT 2000)",
		"DELETE FROM staged_decision WHERE item_id IN (SELECT item_id FROM staged_decision LIMIT 2000)",
		`DELETE FROM tally WHERE (host_id, in_host_id, file_id, field_id, verdict, status, open, was_open, flags, staged) IN (SELECT host_id,
			in_host_id, file_id, field_id, verdict, status, open, was_open, flags, staged FROM tally WHERE staged = 1 LIMIT 1000)`,
	} {
		res, err := t.exec(query)
		if err != nil {
			return 0, err
		}
		n, err := res.RowsAffected()
		if err != nil {
			return 0, err
		}
		left += n
	}
	return left, nil
}

// write stages the jobs, each transaction as many of them as others can wait for.
func (g *stager) write(jobs []job) error {
	for len(jobs) > 0 {
		n := 0
		err := g.step(func(w *writer) error {
			for n = 0; n < len(jobs) && w.more(); n++ {
				if err := w.do(jobs[n]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		jobs = jobs[n:]
	}
	return nil
}

// step runs fn in a transaction, if the stage is still this change's.
func (g *stager) step(fn func(*writer) error) error {
	return g.piece(g.ctx, g.doing, func(t *tx) error {
		if t.stage.state != staging || t.stage.token != g.token {
			return review.ErrStale
		}
		w := &writer{tx: t, change: g.change, names: newInterner(t)}
		if err := fn(w); err != nil {
			return err
		}
		_, err := t.exec("UPDATE stage SET step = step + 1")
		g.staged += w.staged
		return err
	})
}

// catchUp stages what was added, or became known, since the change was computed, until little is left for the last piece.
func (g *stager) catchUp() error {
	for range maxCatchUps {
		var jobs []job
		var m review.Meta
		err := g.snapshot(g.ctx, g.doing, func(q queryer) error {
			var err error
			if m, err = readMeta(g.ctx, q); err != nil {
				return err
			}
			late, err := g.change.Behind(m)
			if err != nil || !late || m.Gen == g.change.Gen && m.LastID-g.change.LastID <= int64(g.atOnce) {
				return err
			}
			jobs, err = lateJobs(g.ctx, q, g.change)
			return err
		})
		if err != nil || len(jobs) == 0 {
			return err
		}
		if err := g.write(jobs); err != nil {
			return err
		}
		g.change.Gen, g.change.LastID = m.Gen, m.LastID
	}
	return nil
}

// maxCatchUps is how often a change is brought up to date before the rest is done at once: an import is slower than that.
const maxCatchUps = 10

// stand writes the rest of the change, and makes all of it stand.
func (g *stager) stand() (review.Receipt, error) {
	var r review.Receipt
	err := g.update(g.ctx, g.doing, func(t *tx) error {
		if t.stage.state != staging || t.stage.token != g.token {
			return review.ErrStale
		}
		w := &writer{tx: t, change: g.change, names: newInterner(t), onStage: g.decisions == nil, decisions: g.decisions}
		if err := w.commit(); err != nil {
			return err
		}
		r = w.receipt
		if r.Seq == 0 { // every decision was in conflict
			return t.setState(idle, 0)
		}
		if g.decisions != nil {
			return t.setState(folding, r.Batch)
		}
		r.Updated = g.staged + w.staged
		return t.setState(folding, 0)
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

// stageComputed stages a new answer of the machine.
func (w *writer) stageComputed(r *review.Recomputed) error {
	was, row, err := w.recomputed(r)
	if err != nil {
		return err
	}
	w.stagedMoves.move(was, row.kind)
	w.staged++
	_, err = w.exec(`INSERT INTO staged (canonical, page_key, verdict, reason, flags, unknown, in_host_id, host_id, link_type, language,
		via, status, open, was_open, title, title_seal, id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		append(row.args(), r.Title, titleSeal(r.Title), r.ID)...)
	return err
}

// stagedKind returns the kind that a staged item will be of, and what it is computed to be; false if nothing is staged of it.
func (t *tx) stagedKind(id int64) (kind, review.Computed, bool, error) {
	var k kind
	var c review.Computed
	found, err := t.find(`SELECT s.canonical, s.flags, s.verdict, s.host_id, s.in_host_id, i.file_id, i.field_id, s.verdict, s.status, s.open,
		s.was_open, s.flags FROM staged s CROSS JOIN item i ON i.id = s.id WHERE s.id = ?`, []any{id},
		append([]any{&c.Canonical, &c.Flags, &c.Verdict}, k.into()...)...)
	return k, c, found, err
}

// unstage drops what is staged of an item, if anything.
func (w *writer) unstage(id int64) error {
	will, _, found, err := w.stagedKind(id)
	if err != nil || !found {
		return err
	}
	var is kind
	if err := w.get("SELECT "+kindColumns+" FROM item i WHERE i.id = ?", []any{id}, is.into()...); err != nil {
		return err
	}
	w.stagedMoves.move(will, is)
	w.staged--
	_, err = w.exec("DELETE FROM staged WHERE id = ?", id)
	return err
}

// restage keeps what is staged of an item right when another decision comes to stand.
func (w *writer) restage(id int64, was, is kind, decision *review.Decision) error {
	if w.stage.state != staging {
		return nil
	}
	will, c, found, err := w.stagedKind(id)
	if err != nil || !found {
		return err
	}
	now := will
	now.wasOpen = is.wasOpen
	now = now.stands(c, decision)
	w.stagedMoves.move(will, now)
	w.stagedMoves.move(is, was)
	_, err = w.exec("UPDATE staged SET status = ?, flags = ?, open = ?, was_open = ? WHERE id = ?",
		now.status, now.flags, now.open, now.wasOpen, id)
	return err
}
