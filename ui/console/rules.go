package console

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/review"
	"visto/ui/dialog"
	"visto/ui/pane"
)

// effectRun is the effect being computed for the open dialog. Each change of the rule starts a new run; what an
// older one still sends is dropped by its number.
type effectRun struct {
	seq    int
	want   dialog.AskEffect
	cancel context.CancelFunc
}

// stop ends the run, if there is one.
func (r *effectRun) stop() {
	r.seq++
	if r.cancel != nil {
		r.cancel()
		r.cancel = nil
	}
}

// askEffect computes an effect once the typing has paused.
func (m *Model) askEffect(want dialog.AskEffect) tea.Cmd {
	m.effect.stop()
	m.effect.want = want
	return m.opts.clock.after(pause, debounced{m.effect.seq})
}

// startEffect runs in two halves: a goroutine that computes and a command that waits for the next thing it
// tells, so that the effect is shown as it grows.
func (m *Model) startEffect() tea.Cmd {
	ctx, cancel := context.WithCancel(m.ctx)
	m.effect.cancel = cancel
	seq, want := m.effect.seq, m.effect.want
	told := make(chan dialog.EffectState, 1)
	go func() {
		defer close(told)
		told <- m.computeEffect(ctx, want, func(s dialog.EffectState) { offer(told, s) })
	}()
	return nextEffect(seq, told)
}

// offer hands over a state of progress unless the last one was not taken yet.
func offer(told chan<- dialog.EffectState, s dialog.EffectState) {
	select {
	case told <- s:
	default:
	}
}

func (m *Model) computeEffect(ctx context.Context, want dialog.AskEffect, tell func(dialog.EffectState)) dialog.EffectState {
	changes, err := m.changes(ctx, want)
	if err != nil {
		return dialog.EffectState{Failed: ruleError(err)}
	}
	state := dialog.EffectState{Summary: changeText(changes)}
	effect, err := m.desk.Effect(ctx, changes, func(e review.Effect) {
		partial := state
		partial.Effect = &e
		tell(partial)
	})
	state.Effect, state.Done = effect, true
	if err != nil {
		state.Failed = ruleError(err)
	}
	return state
}

// changes are the changes of the overrides that a wish comes to.
func (m *Model) changes(ctx context.Context, want dialog.AskEffect) ([]review.OverrideChange, error) {
	if want.Before != nil || want.After == nil {
		return []review.OverrideChange{{Before: want.Before, After: want.After}}, nil
	}
	change, err := m.desk.Amend(ctx, *want.After)
	return []review.OverrideChange{change}, err
}

// changeText says in words what changes.
func changeText(changes []review.OverrideChange) string {
	c := changes[0]
	if c.After == nil {
		return fmt.Sprintf("remove the override for %s", pane.Matches(c.Before.Match))
	}
	return fmt.Sprintf("%s on %s", pane.Does(*c.After), pane.Matches(c.After.Match))
}

// ruleError says what is wrong with a rule.
func ruleError(err error) string {
	var loop *canon.LoopError
	if errors.As(err, &loop) {
		text := "this rule sends a URL round in circles:"
		for _, u := range loop.URLs[:min(4, len(loop.URLs))] {
			text += " → " + safeText(u)
		}
		return text
	}
	return plainError(err)
}

func nextEffect(seq int, told <-chan dialog.EffectState) tea.Cmd {
	return func() tea.Msg {
		s, open := <-told
		if !open {
			return nil
		}
		return effectAnswer{seq, s, told}
	}
}

type effectAnswer struct {
	seq   int
	state dialog.EffectState
	told  <-chan dialog.EffectState
}

func (a effectAnswer) take(m *Model) tea.Cmd {
	if d, ok := m.dialog.(dialog.EffectViewer); ok && a.seq == m.effect.seq {
		d.SetEffect(a.state)
	}
	return nextEffect(a.seq, a.told) // to the end, so that the sender never waits
}

// saveRule is a change of the overrides to write.
type saveRule struct{ want dialog.AskEffect }

func (m *Model) saveRule(s saveRule) tea.Cmd {
	place := m.queue.Here()
	place.NextOpen = true
	return m.write(func() (outcome, error) {
		changes, err := m.changes(m.ctx, s.want)
		if err != nil {
			return outcome{}, err
		}
		r, e, err := m.desk.SaveOverrides(m.ctx, changes, changeText(changes))
		if err != nil {
			return outcome{}, err
		}
		return outcome{text: savedText(e), receipt: r, place: place}, nil
	})
}

func savedText(e *review.Effect) string {
	text := fmt.Sprintf("saved: %s settled", counted(e.Settled))
	if e.Reopened > 0 {
		text += fmt.Sprintf(", %d back in the queue", e.Reopened)
	}
	return text + ". u takes it back"
}
