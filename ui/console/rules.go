package console

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/review"
	"visto/ui/dialog"
	"visto/ui/pane"
)

// wish is a change of the rules, or a decision about many URLs, whose effect is asked for before it is made.
type wish struct {
	edit   *review.OverrideChange // an override as the form has it
	rules  []canon.Override       // each merged into what stands for the same URLs
	choice review.Choice          // about all that these select
	only   []review.Filter
	about  []review.Filter // what waits for it: if nothing does, others have been there before
}

// wishOf is what a dialog wants to know the effect of.
func wishOf(want dialog.ComputeEffect) wish {
	if want.Before != nil || want.After == nil {
		return wish{edit: &review.OverrideChange{Before: want.Before, After: want.After}}
	}
	return wish{rules: []canon.Override{*want.After}}
}

// effectRun is the effect being computed for the open dialog. Each change of the rule starts a new run; what an
// older one still sends is dropped by its number.
type effectRun struct {
	seq     int
	want    wish
	cancel  context.CancelFunc
	running bool
	again   bool // the store has changed while it was running
	shown   effectNews
}

// stop ends the run, if there is one.
func (r *effectRun) stop() {
	if r.cancel != nil {
		r.cancel()
	}
	*r = effectRun{seq: r.seq + 1}
}

// askEffect computes an effect once the typing has paused.
func (m *Model) askEffect(want wish) tea.Cmd {
	m.effect.stop()
	m.effect.want = want
	return m.opts.clock.after(pause, debounced{m.effect.seq})
}

// startWish computes an effect at once: nothing is typed here.
func (m *Model) startWish(want wish) tea.Cmd {
	m.effect.stop()
	m.effect.want = want
	return m.startEffect(false)
}

// effectAgain computes the effect on display once more, since someone else has changed what it came from.
func (m *Model) effectAgain() tea.Cmd {
	switch {
	case m.effect.cancel == nil, len(m.effect.want.only) > 0: // no dialog that shows one, or none yet; a decision stays about what it was about
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

// effectNews is what a run tells: what is known of the effect, and what is written if the reviewer wants that effect.
type effectNews struct {
	state   dialog.EffectState
	changes []review.OverrideChange
	choice  review.Choice
	targets []review.Target
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

func (m *Model) computeEffect(ctx context.Context, want wish, tell func(effectNews)) effectNews {
	news := effectNews{choice: want.choice}
	effect, err := m.effectOf(ctx, want, &news, func(e review.Effect) {
		partial := news
		partial.state.Effect = &e
		tell(partial)
	})
	news.state.Effect, news.state.Done = effect, true
	if err == nil {
		err = m.waits(ctx, want.about)
	}
	if err != nil {
		news.state.Failed = ruleError(err)
	}
	return news
}

// effectOf computes the effect of the wish and notes in news what would be written.
func (m *Model) effectOf(ctx context.Context, want wish, news *effectNews, progress func(review.Effect)) (effect *review.Effect, err error) {
	if len(want.only) > 0 {
		effect, news.targets, err = m.desk.DecisionEffect(ctx, want.choice, progress, want.only...)
		return effect, err
	}
	if want.edit != nil {
		news.changes = []review.OverrideChange{*want.edit}
	} else if news.changes, err = m.desk.AmendAll(ctx, want.rules...); err != nil {
		return nil, err
	}
	news.state.Summary = changeText(news.changes)
	return m.desk.Effect(ctx, news.changes, progress)
}

// waits is an error if nothing that the filters select is left.
func (m *Model) waits(ctx context.Context, about []review.Filter) error {
	for _, f := range about {
		if n, err := m.desk.Count(ctx, f); err != nil || n > 0 {
			return err
		}
	}
	if len(about) == 0 {
		return nil
	}
	return errors.New("no URL of this waits any more: others have settled it")
}

// changeText says in words what changes.
func changeText(changes []review.OverrideChange) string {
	var list []string
	for _, c := range changes {
		if c.After == nil {
			list = append(list, "remove the override for "+pane.Matches(c.Before.Match))
		} else {
			list = append(list, fmt.Sprintf("%s on %s", pane.Does(*c.After), pane.Matches(c.After.Match)))
		}
	}
	if n := len(list); n > maxNamed {
		list = append(list[:maxNamed], fmt.Sprintf("and %d more", n-maxNamed))
	}
	return strings.Join(list, "; ")
}

// maxNamed is how many changes of the rules are told one by one.
const maxNamed = 5

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
	m.effect.running, m.effect.again, m.effect.shown = false, false, a.news
	if again {
		next = tea.Batch(next, m.effectAgain())
	}
	return next
}

// saveShown writes that whose effect is shown. If the rules were changed meanwhile, so that they would do something else,
// that fails; a URL that was decided meanwhile is left as it is.
type saveShown struct{}

func (m *Model) saveShown() tea.Cmd {
	place := m.next()
	shown := m.effect.shown
	if len(shown.targets) > 0 {
		return m.decide(decide{choice: shown.choice, targets: shown.targets, marked: true})
	}
	return m.write(func() (outcome, error) {
		r, e, err := m.desk.SaveOverrides(m.ctx, shown.changes, changeText(shown.changes))
		if err != nil {
			return outcome{}, err
		}
		return outcome{text: savedText(e), back: true, receipt: r, place: place}, nil
	})
}

func savedText(e *review.Effect) string {
	text := fmt.Sprintf("saved: %s settled", counted(e.Settled))
	if e.Reopened > 0 {
		text += fmt.Sprintf(", %d back in the queue", e.Reopened)
	}
	return text
}
