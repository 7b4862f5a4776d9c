package console

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/wording"
)

// writer runs one write at a time. Keys pressed during a write are held until its result is on screen. A write may
// begin with the effect that decides whether the reviewer is asked.
type writer struct {
	*session
	desk     desk.Decisions
	cancel   func() // ends the computation of an effect that a write waits for; nil: there is none
	active   bool
	done     bool // the store has confirmed the write; the page with its result is not on screen yet
	since    time.Time
	held     meanwhile
	redoable redoable
	undoers  []undoer // of this session, the newest last
}

// undoer takes a write back, and returns words for it. It is nil for a batch, which the desk takes back.
type undoer func() (string, error)

// meanwhile is what the reviewer does during a write. A click or a paste is not held, since the result may move what it
// was meant for. The keys after it may build on it.
type meanwhile struct {
	keys   []arrival
	missed string // "click" or "paste"; "": there was none
}

// notTaken tells that held keys do nothing.
const notTaken = "the keys pressed meanwhile were not taken: press them again"

// untaken tells that nothing of it is taken; "" if there is nothing.
func (m *meanwhile) untaken() string {
	switch {
	case m.missed != "":
		return "the " + m.missed + " meanwhile was not taken, nor were keys: do it again"
	case len(m.keys) > 0:
		return notTaken
	}
	return ""
}

// patience is how long held keys stay valid. After a longer wait the reviewer may have pressed them in doubt.
const patience = 500 * time.Millisecond

// busy reports whether keys are held.
func (w *writer) busy() bool { return w.active || w.cancel != nil }

// hold keeps a key. Before the write itself, esc cancels it.
func (w *writer) hold(key arrival) tea.Cmd {
	if w.cancel != nil && key.String() == "esc" {
		w.cancel()
		return w.say("cancelled: nothing was written")
	}
	w.held.keys = append(w.held.keys, key)
	return nil
}

// miss notes a click or a paste, which are not held.
func (w *writer) miss(what string) tea.Cmd {
	w.held.missed = what
	return nil
}

// await holds keys until the effect of a change is known, and the change is written or asked about.
func (w *writer) await(cancel func()) {
	w.cancel, w.held, w.since = cancel, meanwhile{}, w.opts.clock.now()
}

// drop ends the waiting for an effect without a write. The held keys were meant for the screen after it.
func (w *writer) drop() {
	if text := w.held.untaken(); text != "" {
		w.warn(text)
	}
	w.cancel, w.held = nil, meanwhile{}
}

// release ends a confirmed write and returns the held keys. It tells if they are not taken: it is too late for them, or
// there was a click or a paste too. The root calls it once the result is on screen.
func (w *writer) release() []arrival {
	keys, why := w.held.keys, ""
	switch {
	case w.held.missed != "":
		why = "; "
	case len(keys) > 0 && w.opts.clock.now().Sub(w.since) > patience:
		why = ". This took long: "
	}
	if why != "" {
		told := w.message
		told.text += why + w.held.untaken()
		w.add(told)
		keys = nil
	}
	w.active, w.done, w.held = false, false, meanwhile{}
	return keys
}

// outcome is the result of a write as the store confirmed it.
type outcome struct {
	text     string // for the message line; trusted
	undoable bool   // the message names the key for undo
	nothing  bool   // there was nothing to write, as the text says
	lost     string // batches that can no longer be redone; trusted
	receipt  review.Receipt
	place    pane.Place      // where the queue goes next
	unmark   []int64         // decided items, which lose their marks
	settles  bool            // these are approved or rejected for all that cite them
	seen     []review.Target // items with a new revision that keep their marks

	undo      undoer // of a write without a batch
	undone    bool   // the last write is taken back
	unmarkAll bool
	leave     bool // a visited URL is closed
}

// wrote is the message that a write has ended.
type wrote struct {
	out  outcome
	err  error
	redo func()
}

// write runs a write other than undo and redo. Such a write ends the chance to redo. The reviewer is asked first if
// that concerns more than one URL, and told otherwise.
func (w *writer) write(do func() (outcome, error)) tea.Cmd {
	losing := func() tea.Cmd {
		lost := w.redoable
		return w.run(func() (outcome, error) {
			out, err := do()
			if len(lost) > 0 && out.receipt.Batch != 0 {
				out.lost = lost.text()
			}
			return out, err
		})
	}
	if w.active || w.redoable.urls() <= 1 {
		return losing()
	}
	w.drop()
	behind := w.dialog
	w.open(&dialog.Confirm{
		Title: "Redo will be lost", Yes: "go on",
		Do: action(func() tea.Cmd {
			w.dialog, w.behind = w.behind, nil
			return losing()
		}),
		Text: []string{"You took this back:", "", w.redoable.text(), "",
			w.keyed("{redo} can bring it back now, and no longer after this.")},
	})
	w.behind = behind
	return nil
}

// prepare reads the URLs of a write and goes on with them. Keys are held meanwhile, and esc cancels it.
func prepare[T any](w *writer, get func(context.Context) (T, error), then func(T) tea.Cmd) tea.Cmd {
	ctx, cancel := context.WithCancel(w.ctx)
	w.await(func() {
		cancel()
		w.drop()
	})
	w.message = message{text: "reading the URLs… esc cancels it", at: w.opts.clock.now()}
	return ask(func() (T, error) { return get(ctx) }, func(value T, err error) tea.Cmd {
		if ctx.Err() != nil { // cancelled
			return nil
		}
		cancel()
		return w.resume(func() tea.Cmd {
			if err != nil {
				return w.fail(wording.Error(err))
			}
			return then(value)
		})
	})
}

// resume goes on after a wait. The held keys stay held if there is more to wait for.
func (w *writer) resume(then func() tea.Cmd) tea.Cmd {
	held, since := w.held, w.since
	w.cancel, w.message = nil, message{}
	cmd := then()
	if w.held, w.since = held, since; w.cancel == nil {
		w.drop()
	}
	return cmd
}

// run runs any write, unless another is in progress. The dialog that asked stays open until the store confirms it.
func (w *writer) run(do func() (outcome, error)) tea.Cmd {
	switch {
	case w.active:
		return nil
	case w.cancel == nil:
		w.held, w.since = meanwhile{}, w.opts.clock.now()
	}
	w.active, w.done, w.cancel = true, false, nil
	return func() tea.Msg {
		out, err := do()
		next, redoErr := w.desk.NextRedo(w.ctx)
		return wrote{out, err, func() { w.takeRedo(next, redoErr) }}
	}
}

// take takes the end of a write and reports whether it was confirmed.
func (w *writer) take(a *wrote) bool {
	a.redo()
	if a.err != nil {
		text := wording.Error(a.err)
		if untaken := w.held.untaken(); untaken != "" {
			text += "; " + untaken
		}
		w.active, w.held = false, meanwhile{}
		w.fail(text)
		return false
	}
	w.done = true
	w.noteUndoer(&a.out)
	kept := w.updateDraft(a.out.receipt)
	if a.out.settles {
		w.dropDrafts(a.out.unmark, a.out.receipt.Conflicts)
	}
	w.closeDialog()
	w.report(&a.out, kept)
	return true
}

// noteUndoer notes how a write is taken back, or that the last one was.
func (w *writer) noteUndoer(out *outcome) {
	switch last := len(w.undoers) - 1; {
	case out.undone && last >= 0:
		w.undoers = w.undoers[:last]
	case !out.undone && (out.undo != nil || out.receipt.Batch != 0):
		w.undoers = append(w.undoers, out.undo)
	}
}

// lastUndoer returns the way to take the last write back; nil: the desk knows it.
func (w *writer) lastUndoer() undoer {
	if len(w.undoers) == 0 {
		return nil
	}
	return w.undoers[len(w.undoers)-1]
}

// report tells the result of a write and its conflicts. kept says where a typed text is kept.
func (w *writer) report(out *outcome, kept string) {
	text := out.text
	if out.undoable && text != "" {
		text += w.keyed(" ({undo} takes it back)")
	}
	if out.lost != "" {
		text += ". No longer to be brought back: " + out.lost
	}
	switch {
	case len(out.receipt.Conflicts) > 0:
		w.warn(text + wording.Conflicts(out.receipt) + kept)
	case out.nothing:
		w.warn(text)
	default:
		w.say(text)
	}
}

// redoable are the batches that can be redone, the next one last. Any other write clears them.
type redoable []review.Batch

// next adds the batch that the store would redo now. A known batch drops those after it.
func (r redoable) next(b review.Batch) redoable {
	if i := slices.IndexFunc(r, func(x review.Batch) bool { return x.ID == b.ID }); i >= 0 {
		return r[:i+1]
	}
	return append(r, b)
}

// urls is the number of URLs in the batches. A rule counts as two, for its number is unknown.
func (r redoable) urls() (n int) {
	for _, b := range r {
		n += len(b.Items)
		if len(b.Rules) > 0 {
			n += 2
		}
	}
	return n
}

func (r redoable) text() string {
	last := wording.Batch(r[len(r)-1])
	if len(r) > 1 {
		return fmt.Sprintf("%s, and %d more", last, len(r)-1)
	}
	return last
}

// loadRedo reads the batch that can be redone.
func (w *writer) loadRedo() tea.Cmd {
	return ask(func() (review.Batch, error) { return w.desk.NextRedo(w.ctx) }, w.takeRedo)
}

func (w *writer) takeRedo(next review.Batch, err error) tea.Cmd {
	switch {
	case errors.Is(err, review.ErrNotFound):
		w.redoable = nil
	case err == nil:
		w.redoable = w.redoable.next(next)
	}
	return nil
}
