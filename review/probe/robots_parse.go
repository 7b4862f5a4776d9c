package probe

import (
	"bytes"
	"slices"
	"sync"

	"github.com/jimsmart/grobotstxt"
)

// parsedRobots is a robots.txt as its parser calls its handler. A hostile one of 500 KiB takes half a second to parse,
// so that it is not parsed again for each URL of its site.
type parsedRobots struct {
	body     []byte
	calls    []func(grobotstxt.ParseHandler)
	sitemaps []string // at most maxNamedSitemaps
}

// maxNamedSitemaps is the number of sitemaps of a robots.txt that are kept.
const maxNamedSitemaps = 100

func parseRobots(body []byte) *parsedRobots {
	p := &parsedRobots{body: body}
	grobotstxt.Parse(string(body), p)
	return p
}

// replay makes the calls of the parser again.
func (p *parsedRobots) replay(h grobotstxt.ParseHandler) {
	for _, call := range p.calls {
		call(h)
	}
}

// allows reports whether the agent may request the URL.
func (p *parsedRobots) allows(agent, url string) bool {
	m := grobotstxt.NewRobotsMatcher()
	if !m.AgentAllowed("", agent, url) { // not a URL; of an empty file it allows any other
		return false
	}
	p.replay(m)
	return !m.Disallowed()
}

func (p *parsedRobots) add(call func(grobotstxt.ParseHandler)) { p.calls = append(p.calls, call) }

// HandleRobotsStart and the other methods record the calls of the parser.
func (p *parsedRobots) HandleRobotsStart() {
	p.add(func(h grobotstxt.ParseHandler) { h.HandleRobotsStart() })
}

// HandleRobotsEnd is recorded.
func (p *parsedRobots) HandleRobotsEnd() {
	p.add(func(h grobotstxt.ParseHandler) { h.HandleRobotsEnd() })
}

// HandleUserAgent is recorded.
func (p *parsedRobots) HandleUserAgent(line int, value string) {
	p.add(func(h grobotstxt.ParseHandler) { h.HandleUserAgent(line, value) })
}

// HandleAllow is recorded.
func (p *parsedRobots) HandleAllow(line int, value string) {
	p.add(func(h grobotstxt.ParseHandler) { h.HandleAllow(line, value) })
}

// HandleDisallow is recorded.
func (p *parsedRobots) HandleDisallow(line int, value string) {
	p.add(func(h grobotstxt.ParseHandler) { h.HandleDisallow(line, value) })
}

// HandleSitemap keeps the URL. Rules do not depend on it.
func (p *parsedRobots) HandleSitemap(_ int, value string) {
	if len(p.sitemaps) < maxNamedSitemaps && len(value) < maxURL {
		p.sitemaps = append(p.sitemaps, value)
	}
}

// HandleUnknownAction is recorded.
func (p *parsedRobots) HandleUnknownAction(line int, action, value string) {
	p.add(func(h grobotstxt.ParseHandler) { h.HandleUnknownAction(line, action, value) })
}

// robotsMemo keeps the robots.txt that were parsed last.
type robotsMemo struct {
	mu   sync.Mutex
	kept []*parsedRobots
}

// maxRobots is the number of parsed robots.txt that are kept, each of some MB at most.
const maxRobots = 16

// get returns the parsed body.
func (m *robotsMemo) get(body []byte) *parsedRobots {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(m.kept, func(p *parsedRobots) bool { return bytes.Equal(p.body, body) })
	if i < 0 {
		m.kept = append(m.kept, parseRobots(body))
		m.kept = m.kept[max(0, len(m.kept)-maxRobots):]
		i = len(m.kept) - 1
	}
	return m.kept[i]
}
