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
	seq     int
	want    dialog.AskEffect
	cancel  context.CancelFunc
	running bool
	again   bool                    // the store has changed while it was running
	changes []review.OverrideChange // those whose whole effect is shown: what is saved is what was shown
}

// stop ends the run, if there is one.
func (r *effectRun) stop() {
	if r.cancel != nil {
		r.cancel()
	}
	*r = effectRun{seq: r.seq + 1}
}

// askEffect computes an effect once the typing has paused.
func (m *Model) askEffect(want dialog.AskEffect) tea.Cmd {
	m.effect.stop()
	m.effect.want = want
	return m.opts.clock.after(pause, debounced{m.effect.seq})
}

// effectAgain computes the effect on display once more, since someone else has changed what it came from.
func (m *Model) effectAgain() tea.Cmd {
	switch {
	case m.effect.cancel == nil: // no dialog that shows one, or none yet
		return nil
	case m.effect.running:
		m.effect.again = true
		return nil
	}
	m.effect.cancel()
	return m.startEffect(true)
}

// startEffect runs in two halves: a goroutine that computes and a command that waits for the next thing it
// tells, so that the effect is shown as it grows. A quiet run leaves what is shown until it is done.
func (m *Model) startEffect(quiet bool) tea.Cmd {
	ctx, cancel := context.WithCancel(m.ctx)
	m.effect.cancel, m.effect.running = cancel, true
	seq, want := m.effect.seq, m.effect.want
	told := make(chan effectNews, 1)
	go func() {
		defer close(told)
		told <- m.computeEffect(ctx, want, func(n effectNews) {
			if !quiet {
				offer(told, n)
			}
		})
	}()
	return nextEffect(seq, told)
}

// effectNews is what a run tells: what is known of the effect, and of which changes it is.
type effectNews struct {
	state   dialog.EffectState
	changes []review.OverrideChange
}

// last reports whether the run tells nothing after it.
func (n effectNews) last() bool { return n.state.Done || n.state.Failed != "" }

// offer hands over a state of progress unless the last one was not taken yet.
func offer(told chan<- effectNews, n effectNews) {
	select {
	case told <- n:
	default:
	}
}

func (m *Model) computeEffect(ctx context.Context, want dialog.AskEffect, tell func(effectNews)) effectNews {
	changes, err := m.changes(ctx, want)
	if err != nil {
		return effectNews{state: dialog.EffectState{Failed: ruleError(err)}}
	}
	news := effectNews{dialog.EffectState{Summary: changeText(changes)}, changes}
	effect, err := m.desk.Effect(ctx, changes, func(e review.Effect) {
		partial := news
		partial.state.Effect = &e
		tell(partial)
	})
	news.state.Effect, news.state.Done = effect, true
	if err != nil {
		news.state.Failed = ruleError(err)
	}
	return news
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

func nextEffect(seq int, told <-chan effectNews) tea.Cmd {
	return func() tea.Msg {
		n, open := <-told
		if !open {
			return nil
		}
		return effectAnswer{seq, n, told}
	}
}

type effectAnswer struct {
	seq  int
	news effectNews
	told <-chan effectNews
}

func (a effectAnswer) take(m *Model) tea.Cmd {
	next := nextEffect(a.seq, a.told) // to the end, so that the sender never waits
	if a.seq != m.effect.seq {
		return next
	}
	if d, ok := m.dialog.(dialog.EffectViewer); ok {
		d.SetEffect(a.news.state)
	}
	if !a.news.last() {
		return next
	}
	again := m.effect.again
	m.effect.running, m.effect.again, m.effect.changes = false, false, a.news.changes
	if again {
		next = tea.Batch(next, m.effectAgain())
	}
	return next
}

// saveRule writes the changes of the overrides whose effect is shown. If the rules were changed meanwhile, so that
// they would do something else, that fails.
type saveRule struct{}

func (m *Model) saveRule() tea.Cmd {
	place := m.queue.Here()
	place.NextOpen = true
	changes := m.effect.changes
	return m.write(func() (outcome, error) {
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
