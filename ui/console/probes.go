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
	"visto/ui/wording"
)

// probes are the probes of this session by item: those that run in the background, and the results.
type probes struct {
	*session
	ctx     context.Context
	cancel  context.CancelFunc
	group   sync.WaitGroup
	byItem  map[int64]*pane.Probe
	changed func(id int64, run *pane.Probe) // shows a new state
}

func newProbes(s *session) *probes {
	ctx, cancel := context.WithCancel(s.ctx)
	return &probes{session: s, ctx: ctx, cancel: cancel, byItem: map[int64]*pane.Probe{}}
}

func (p *probes) of(id int64) *pane.Probe { return p.byItem[id] }

func (p *probes) set(id int64, run *pane.Probe) {
	p.byItem[id] = run
	p.changed(id, run)
}

// stop ends the running probes and returns when they have ended.
func (p *probes) stop() {
	p.cancel()
	p.group.Wait()
}

// ask asks the network about an item, unless that is in progress.
func (p *probes) ask(it review.Item) tea.Cmd {
	run := p.of(it.ID)
	switch {
	case p.opts.Prober == nil:
		return p.warn("there is no network to ask here")
	case run != nil && run.Running:
		return p.say(fmt.Sprintf("the network is being asked about URL %d: go on meanwhile", it.ID))
	}
	return p.start(it.ID)
}

// maxEvents is the number of events that wait to be shown. More are dropped: the screen cannot keep up.
const maxEvents = 32

// start probes in a goroutine, while a command waits for each event.
func (p *probes) start(id int64) tea.Cmd {
	p.set(id, &pane.Probe{Running: true})
	p.say(fmt.Sprintf("asking the network about URL %d: go on meanwhile", id))
	updates := make(chan answer, maxEvents+1)
	p.group.Go(func() {
		defer end(updates)
		result, err := p.opts.Prober.Probe(p.ctx, id, func(e probe.Event) {
			if len(updates) < maxEvents {
				updates <- func() tea.Cmd { return p.take(id, e) }
			}
		})
		updates <- func() tea.Cmd { return p.done(id, &result, err) } // the last place is kept for it
	})
	return stream(updates)
}

func (p *probes) take(id int64, e probe.Event) tea.Cmd {
	run := p.of(id)
	run.Take(e)
	p.set(id, run)
	return nil
}

// done takes the end of a probe. The store has changed unless it failed.
func (p *probes) done(id int64, result *review.ProbeResult, err error) tea.Cmd {
	switch {
	case errors.Is(err, context.Canceled):
		p.set(id, nil)
		return nil
	case err != nil:
		why := wording.Error(err)
		again := p.keyed(". {probe} asks again, {open-in-browser} opens the page in the browser")
		p.set(id, &pane.Probe{Failed: why + again})
		return p.warn(fmt.Sprintf("URL %d could not be asked about: %s", id, why))
	}
	p.set(id, &pane.Probe{Result: result})
	p.say(wording.Probed(result))
	return send(changed{})
}
