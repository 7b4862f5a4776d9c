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
	p := &probes{session: s, byItem: map[int64]*pane.Probe{}}
	p.ctx, p.cancel = context.WithCancel(s.ctx)
	return p
}

// stop ends the running probes and returns when they have ended.
func (p *probes) stop() {
	p.cancel()
	p.group.Wait()
}

func (p *probes) of(id int64) *pane.Probe { return p.byItem[id] }

func (p *probes) set(id int64, run *pane.Probe) {
	p.byItem[id] = run
	p.changed(id, run)
}

// ask asks the network about an item, unless that is in progress.
func (p *probes) ask(it review.Item) tea.Cmd {
	run := p.of(it.ID)
	switch {
	case p.opts.Prober == nil:
		p.warn("there is no network to ask here")
	case run != nil && run.Running:
		p.say(fmt.Sprintf("the network is being asked about URL %d: go on meanwhile", it.ID))
	default:
		return p.start(it.ID)
	}
	return nil
}

// maxEvents is the number of events that wait to be shown. More are dropped: the screen cannot keep up.
const maxEvents = 32

// probeUpdate is an event of a probe, or its end.
type probeUpdate struct {
	event  probe.Event
	done   bool
	result review.ProbeResult
	err    error
}

// start probes in a goroutine, while a command waits for each event.
func (p *probes) start(id int64) tea.Cmd {
	p.set(id, &pane.Probe{Running: true})
	p.say(fmt.Sprintf("asking the network about URL %d: go on meanwhile", id))
	updates := make(chan probeUpdate, maxEvents+1)
	p.group.Go(func() {
		defer close(updates)
		result, err := p.opts.Prober.Probe(p.ctx, id, func(e probe.Event) {
			if len(updates) < maxEvents {
				updates <- probeUpdate{event: e}
			}
		})
		updates <- probeUpdate{done: true, result: result, err: err} // the last place is kept for it
	})
	return stream(updates, func(u probeUpdate) tea.Cmd {
		if u.done {
			return p.done(id, &u.result, u.err)
		}
		run := p.of(id)
		run.Take(u.event)
		p.set(id, run)
		return nil
	})
}

// done takes the end of a probe. The store has changed unless it failed.
func (p *probes) done(id int64, result *review.ProbeResult, err error) tea.Cmd {
	switch {
	case errors.Is(err, context.Canceled):
		p.set(id, nil)
		return nil
	case err != nil:
		why := wording.Error(err)
		p.set(id, &pane.Probe{
			Failed: why + p.keyed(". {probe} asks again, {open-in-browser} opens the page in the browser"),
		})
		return p.warn(fmt.Sprintf("URL %d could not be asked about: %s", id, why))
	}
	p.set(id, &pane.Probe{Result: result})
	p.say(wording.Probed(result))
	return send(changed{})
}
