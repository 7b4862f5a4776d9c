package console

import (
	"context"
	"errors"
	"fmt"
	"sync"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/review/probe"
	"visto/ui/pane"
)

// Prober asks the network about a stored URL and stores what it says. watch is told of each step as it happens, one at a time; it
// does not block. When ctx ends it stops at once.
type Prober interface {
	Probe(ctx context.Context, id int64, watch func(probe.Event)) (review.ProbeResult, error)
}

// probes are those of this session, by the item: what runs in the background, and what came of it.
type probes struct {
	ctx    context.Context
	cancel context.CancelFunc
	group  sync.WaitGroup
	byItem map[int64]*pane.Probe
}

func newProbes(ctx context.Context) *probes {
	p := &probes{byItem: map[int64]*pane.Probe{}}
	p.ctx, p.cancel = context.WithCancel(ctx)
	return p
}

// stop ends what still runs, and returns when it has.
func (p *probes) stop() {
	p.cancel()
	p.group.Wait()
}

func (p *probes) of(id int64) *pane.Probe { return p.byItem[id] }

// orElse says why an item is another one than before: what the network said of it, if it was asked and nothing else has been
// said since; else the text.
func (p *probes) orElse(id int64, text string) string {
	if run := p.byItem[id]; run != nil && run.Result != nil {
		return probedText(run.Result)
	}
	return fmt.Sprintf(text, id)
}

func probedText(l *review.ProbeResult) string {
	return fmt.Sprintf("URL %d: %s", l.After.ID, pane.Outcome(l))
}

// probe asks the network about the URL in the background.
func (m *Model) probe() tea.Cmd {
	return m.onCurrent(func(it review.Item) tea.Cmd {
		run := m.probes.of(it.ID)
		switch {
		case m.opts.Prober == nil:
			m.warn("there is no network to ask here")
		case run != nil && run.Running:
			m.say(fmt.Sprintf("the network is being asked about URL %d: go on meanwhile", it.ID))
		default:
			return m.startProbe(it.ID)
		}
		return nil
	})
}

// startProbe runs in two halves, as startEffect does: a goroutine that asks and a command that waits for what it tells.
func (m *Model) startProbe(id int64) tea.Cmd {
	m.setProbe(id, &pane.Probe{Running: true})
	m.say(fmt.Sprintf("asking the network about URL %d: go on meanwhile", id))
	told := make(chan probeNews, eventsAhead+1)
	m.probes.group.Go(func() {
		defer close(told)
		learned, err := m.opts.Prober.Probe(m.probes.ctx, id, func(e probe.Event) {
			if len(told) < eventsAhead { // else the screen cannot keep up, and needs not
				told <- probeNews{event: e}
			}
		})
		told <- probeNews{done: true, learned: learned, err: err} // for which there always is room
	})
	return nextProbe(id, told)
}

// eventsAhead is how many events may wait to be shown.
const eventsAhead = 32

// probeNews is what a probe tells: an event, or how it ended.
type probeNews struct {
	event   probe.Event
	done    bool
	learned review.ProbeResult
	err     error
}

func nextProbe(id int64, told <-chan probeNews) tea.Cmd {
	return func() tea.Msg {
		news, ok := <-told
		if !ok {
			return nil
		}
		return probeAnswer{id, news, told}
	}
}

type probeAnswer struct {
	id   int64
	news probeNews
	told <-chan probeNews
}

func (a probeAnswer) take(m *Model) tea.Cmd {
	if !a.news.done {
		run := m.probes.of(a.id)
		run.Take(a.news.event)
		m.setProbe(a.id, run)
		return nextProbe(a.id, a.told)
	}
	if a.news.err != nil {
		m.probeFailed(a.id, a.news.err)
		return nil
	}
	m.setProbe(a.id, &pane.Probe{Result: &a.news.learned})
	m.say(probedText(&a.news.learned))
	if m.writing.active {
		return nil // which reloads when it is done
	}
	return tea.Batch(m.reload(m.queue.Here()), m.effectAgain())
}

// probeFailed says why nothing came of a probe, and what to do.
func (m *Model) probeFailed(id int64, err error) {
	if errors.Is(err, context.Canceled) {
		m.setProbe(id, nil)
		return
	}
	why := plainError(err)
	m.setProbe(id, &pane.Probe{Failed: why + m.keyed(". {probe} asks again, {open-in-browser} opens the page in the browser")})
	m.warn(fmt.Sprintf("URL %d could not be asked about: %s", id, why))
}

// setProbe keeps the state of a probe, and shows it if its URL is shown.
func (m *Model) setProbe(id int64, run *pane.Probe) {
	m.probes.byItem[id] = run
	if shown, _ := m.detail.ID(); shown == id {
		m.detail.SetProbe(id, run)
	}
}

// probe asks the network about the URL, tells how that goes, and tells the URL again.
func (p *plain) probe(string) error {
	switch {
	case p.prober == nil:
		return errors.New("there is no network to ask here")
	case p.desk.ReadOnly():
		return review.ErrReadOnly
	}
	learned, err := p.prober.Probe(p.ctx, p.item.ID, p.asked)
	if err != nil {
		return err
	}
	p.out.printf("%s.\n", probedText(&learned))
	return p.tell(&learned.After)
}

// asked tells of a request.
func (p *plain) asked(e probe.Event) {
	switch e.Kind {
	case probe.Asking:
		p.say("Asking", e.Exchange.Method+" "+e.Exchange.URL)
	case probe.Waiting:
		p.say("Waiting", e.Why)
	}
}
