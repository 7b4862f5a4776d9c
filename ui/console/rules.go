package console

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/review"
	"visto/ui/desk"
	"visto/ui/dialog"
	"visto/ui/wording"
)

// ruleDesk is the part of the desk that changes of rules need.
type ruleDesk interface {
	desk.Rules
	Count(ctx context.Context, f review.Filter) (int, error)
	Reviewer() string
}

// rules changes the rules. It shows the effect of a change before it is written.
type rules struct {
	*session
	desk   ruleDesk
	decide *decider
	run    effectRun
	asks   *dialog.Confirm // the question of a change that is written without it where that is safe; nil: none
}

// pendingChange is a change of the rules, or a decision on many URLs, that is not written yet.
type pendingChange struct {
	edit     *review.OverrideChange // an override as the form has it
	merge    []canon.Override       // each merged into the override for the same URLs
	proposal *review.Batch          // of another person, to confirm
	choice   review.Choice          // about all items of these filters
	only     []review.Filter
	seen     []review.Target // the items of only as the reviewer saw them; nil: as they are
	listed   int             // the most items that the reviewer knows a decision to be about; 0: seen are all
	about    []review.Filter // the change is void if nothing of these waits any more
	hosts    []string        // of the rules; the reviewer has not seen them all
	all      string          // about several causes: the change of them all, in words
	done     string          // a change of the rules that is made, in words
}

// pendingFor reads the request of a dialog.
func pendingFor(a dialog.ComputeEffect) pendingChange {
	if a.Before != nil || a.After == nil {
		return pendingChange{edit: &review.OverrideChange{Before: a.Before, After: a.After}}
	}
	return pendingChange{merge: []canon.Override{*a.After}}
}

// effectRun is the effect that is computed for the open dialog. A later change cancels it.
type effectRun struct {
	change  pendingChange
	cancel  context.CancelFunc // nil: not started
	seq     int
	running bool
	again   bool // the store has changed during the run
	shown   effectState
}

// effectState is the state of an effect and the writes that the reviewer would confirm.
type effectState struct {
	dialog.EffectState
	changes []review.OverrideChange
	choice  review.Choice
	targets []review.Target
	done    string
}

// stop cancels the run, and the change that waits for it.
func (r *rules) stop() {
	if r.run.cancel != nil {
		r.run.cancel()
	}
	r.run = effectRun{seq: r.run.seq + 1}
	if r.asks != nil {
		r.asks = nil
		r.decide.writer.drop()
	}
}

// settle computes the effect of a change and writes it at once where one undo takes back all of it. Otherwise it asks
// the question with the effect.
func (r *rules) settle(question *dialog.Confirm, change pendingChange) tea.Cmd {
	cmd := r.show(change, 0)
	r.asks = question
	r.decide.writer.await(r.stop)
	r.tellProgress(nil)
	return cmd
}

// tellProgress tells how far the effect is that a change waits for.
func (r *rules) tellProgress(e *review.Effect) {
	text := "computing the effect… esc cancels it"
	if e != nil && e.Total > 0 {
		text = fmt.Sprintf("computing the effect: %d of %s… esc cancels it", e.Scanned, wording.URLs(e.Total))
	}
	r.message = message{text: text, at: r.opts.clock.now()}
}

// settled goes on with a change whose effect is known: it is written, asked about, or impossible.
func (r *rules) settled(s effectState) tea.Cmd {
	question := r.asks
	r.asks, r.message = nil, message{}
	listed := r.run.change.listed
	grown := listed > 0 && len(s.targets) > listed
	if s.Failed == "" && !grown && len(r.run.change.hosts) == 0 && !r.needsQuestion(s.Effect) {
		return r.save()
	}
	r.decide.writer.drop()
	if s.Failed != "" {
		return r.warn(s.Failed)
	}
	if grown {
		text := fmt.Sprintf("%s, more than the %d that were listed: look at the others", wording.URLs(len(s.targets)),
			listed)
		question.Text = append(question.Text, text)
	}
	if hosts := r.run.change.hosts; len(hosts) > 0 {
		question.Text = append(question.Text, "a rule for each of "+wording.Safe(strings.Join(hosts, ", ")))
	}
	question.Do = action(r.save)
	r.open(question.WithEffect())
	question.SetEffect(s.EffectState)
	return nil
}

// needsQuestion reports whether a reviewer has to see the effect first: it is large, it has nothing to show for it, or
// it undoes earlier decisions.
func (r *rules) needsQuestion(e *review.Effect) bool {
	return e.Affected == 0 || e.Affected > r.opts.unasked || e.Approved+e.Reopened+e.Refused > 0
}

// typingPause is how long typing pauses before an effect is computed.
const typingPause = 100 * time.Millisecond

// show computes an effect. A positive delay is the pause to wait for.
func (r *rules) show(change pendingChange, delay time.Duration) tea.Cmd {
	r.stop()
	r.run.change = change
	if delay == 0 {
		return r.start(false)
	}
	seq := r.run.seq
	return r.opts.clock.after(delay, answer(func() tea.Cmd {
		if seq != r.run.seq {
			return nil
		}
		return r.start(false)
	}))
}

// again computes the shown effect once more after a change by others. A decision keeps its items.
func (r *rules) again() tea.Cmd {
	switch {
	case r.run.cancel == nil, len(r.run.change.only) > 0:
		return nil
	case r.run.running:
		r.run.again = true
		return nil
	}
	r.run.cancel()
	return r.start(true)
}

// start computes in a goroutine, while a command waits for each state, so that the effect grows on screen. A quiet run
// shows the last state only.
func (r *rules) start(quiet bool) tea.Cmd {
	ctx, cancel := context.WithCancel(r.ctx)
	r.run.cancel, r.run.running = cancel, true
	change, seq := r.run.change, r.run.seq
	states := make(chan answer, 2)
	taking := func(s effectState) answer { return func() tea.Cmd { return r.take(seq, s) } }
	go func() {
		defer end(states)
		last := r.compute(ctx, change, func(s effectState) {
			if !quiet && !r.opts.whole && len(states) == 0 { // the state before it has been drawn
				states <- taking(s)
			}
		})
		states <- taking(last) // the last place is kept for it: the console may have ended
	}()
	return stream(states)
}

func (r *rules) take(seq int, s effectState) tea.Cmd {
	if seq != r.run.seq {
		return nil
	}
	for _, d := range []dialog.Dialog{r.dialog, r.behind} { // the question about redo may cover it
		if v, ok := d.(dialog.EffectViewer); ok && r.asks == nil {
			v.SetEffect(s.EffectState)
		}
	}
	if !s.Done && s.Failed == "" {
		if r.asks != nil {
			r.tellProgress(s.Effect)
		}
		return nil
	}
	if before := r.run.shown; before.Done && !reflect.DeepEqual(before.EffectState, s.EffectState) {
		r.opened = r.opts.clock.now() // the question is another one now
	}
	again := r.run.again
	r.run.running, r.run.again, r.run.shown = false, false, s
	switch {
	case again:
		return r.again()
	case r.asks != nil:
		return r.settled(s)
	}
	return nil
}

// compute computes the effect of a change and reports its progress.
func (r *rules) compute(ctx context.Context, change pendingChange, report func(effectState)) effectState {
	s := effectState{choice: change.choice, done: change.done}
	effect, err := r.effect(ctx, change, &s, func(e review.Effect) {
		partial := s
		partial.Effect = &e
		report(partial)
	})
	s.Effect, s.Done = effect, true
	if err == nil {
		err = r.stillWaiting(ctx, change.about)
	}
	if err != nil {
		s.Failed = wording.Error(err)
	}
	return s
}

// effect computes the effect and notes the writes in s.
func (r *rules) effect(ctx context.Context, change pendingChange, s *effectState, progress func(review.Effect)) (
	effect *review.Effect, err error) {
	s.Summary = change.all
	if len(change.only) > 0 {
		effect, s.targets, err = r.desk.DecisionEffect(ctx, change.choice, progress, change.only...)
		switch {
		case err != nil:
		case change.seen != nil:
			s.targets = change.seen
		case len(s.targets) == 0:
			err = errors.New("all URLs of these causes have other flags too, which would be overlooked: " +
				"settle those first, or mark them too")
		case change.all != "":
			s.Summary = fmt.Sprintf("%s: %s, all that have no other flag", change.all, wording.URLs(len(s.targets)))
			if change.choice.Kind == review.Reject {
				s.Summary = fmt.Sprintf("%s: %s", change.all, wording.URLs(len(s.targets)))
			}
		}
		return effect, err
	}
	if s.changes, err = r.changes(ctx, change); err != nil {
		return nil, err
	}
	s.Later = wording.Later(s.changes)
	if s.Doubts, err = r.doubts(ctx, s.changes); err != nil {
		return nil, err
	}
	if change.all == "" {
		s.Summary = wording.Changes(s.changes)
		effect, err = r.desk.Effect(ctx, s.changes, progress)
		if change.proposal != nil && errors.Is(err, review.ErrStale) {
			err = wording.ErrStaleProposal
		}
		return effect, err
	}
	for _, c := range s.changes {
		s.Rules = append(s.Rules, "rule: "+wording.Changes([]review.OverrideChange{c}))
	}
	if effect, err = r.desk.Effect(ctx, s.changes, progress); err == nil {
		s.Summary = fmt.Sprintf("%s with %s: %s settled", change.all, number(len(s.changes), "rule"),
			wording.URLs(effect.Settled))
	}
	return effect, err
}

// doubts asks about the hosts and fields of new rules that no stored URL has.
func (r *rules) doubts(ctx context.Context, changes []review.OverrideChange) (list []string, err error) {
	var added []canon.Override
	for _, c := range changes {
		if c.Before == nil && c.After != nil {
			added = append(added, *c.After)
		}
	}
	strangers, err := r.desk.Strangers(ctx, added...)
	for _, s := range strangers {
		list = append(list, s.String())
	}
	return list, err
}

// changes returns the changes of overrides of a pending change. A proposal has to wait still.
func (r *rules) changes(ctx context.Context, change pendingChange) ([]review.OverrideChange, error) {
	b := change.proposal
	switch {
	case change.edit != nil:
		return []review.OverrideChange{*change.edit}, nil
	case b == nil:
		return r.desk.AmendAll(ctx, change.merge...)
	}
	list, err := r.desk.Proposals(ctx)
	if err == nil && !slices.ContainsFunc(list, func(p review.Batch) bool { return p.ID == b.ID }) {
		err = errors.New("it waits no more: somebody confirmed it or took it back")
	}
	return b.Rules, err
}

func number(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// stillWaiting is an error if there are filters and they select nothing any more.
func (r *rules) stillWaiting(ctx context.Context, about []review.Filter) (err error) {
	for _, f := range about {
		if n, countErr := r.desk.Count(ctx, f); countErr != nil || n > 0 {
			return countErr
		}
		err = errors.New("no URL of this waits any more: others have settled it")
	}
	return err
}

// save writes the change whose effect is shown. It fails if the rules have changed since, and skips URLs that others
// have decided.
func (r *rules) save() tea.Cmd {
	place, shown := r.decide.next(), r.run.shown
	if len(shown.targets) > 0 {
		return r.decide.decide(decision{choice: shown.choice, targets: shown.targets, bulk: true})
	}
	return r.decide.writer.write(func() (outcome, error) {
		receipt, e, err := r.desk.SaveOverrides(r.ctx, shown.changes, wording.Changes(shown.changes))
		if err != nil {
			return outcome{}, err
		}
		return outcome{text: wording.Saved(shown.done, e, receipt), undoable: true, receipt: receipt, place: place}, nil
	})
}
