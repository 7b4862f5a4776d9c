package probe

import (
	"crypto/tls"
	"net/http"
	"slices"
	"sync"
	"time"

	"visto/canon"
)

// Target is a URL to ask about.
type Target struct {
	ID    int64  // the caller's own, handed back in the Report
	URL   string // the original as it came; what is asked is what the policy's steps before "redirects" make of it
	Fresh bool   // ask for the content even where the server would say that it has not changed, or did not answer a moment ago
}

// Report is what came of asking about one URL.
type Report struct {
	Target   Target
	Evidence *canon.Evidence // nil where nothing was asked: see Deferred

	// Deferred says why the URL was not asked now: its host wants to be left alone for longer than Config.MaxWait. It is to
	// be asked in a later run, not before Until.
	Deferred string
	Until    time.Time

	Unchanged bool       // the server said 304, or sent the same bytes: what the evidence says of the content is what was known
	Exchanges []Exchange // the requests that were made, robots.txt and host checks included, in their order
}

// Exchange is one request and what became of it, for people.
type Exchange struct {
	Method  string
	URL     string
	Status  int           // HTTP status of the answer; 0: there was none
	Bytes   int64         // of the decoded body that were read
	Elapsed time.Duration // from dialling to the last byte, without the waits before
	Error   string        // why there was no answer
	Purpose string        // "page", "robots", "host", "archive"
}

// Prober asks the network about URLs. It is safe for concurrent use, and shares one set of connections, waits and limits
// among all calls.
type Prober struct {
	cfg       Config
	transport *http.Transport
	gates     *gates
	ports     map[uint16]bool

	events   sync.Mutex // one event at a time
	dice     sync.Mutex // of cfg.Rand
	learning sync.Mutex // what is known of a host is read, added to and kept in one
}

// New returns a Prober. It makes no request.
func New(cfg Config) (*Prober, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	d := &dialer{
		routes: newRoutes(cfg.ConnectTo, cfg.Resolve), resolver: cfg.Resolver, timeout: cfg.Timeout,
		tls: &tls.Config{RootCAs: cfg.RootCAs, MinVersion: tls.VersionTLS12}, open: cfg.Dial,
	}
	if !cfg.AllowPrivate {
		d.guard = newGuard()
	}
	p := &Prober{cfg: cfg, transport: newTransport(cfg, d), gates: newGates(cfg), ports: map[uint16]bool{}}
	for _, port := range slices.Concat(usualPorts, cfg.ExtraPorts) {
		p.ports[port] = true
	}
	return p, nil
}

// Close ends the idle connections, and closes Config.Documents.
func (p *Prober) Close() {
	p.transport.CloseIdleConnections()
	if p.cfg.Documents != nil {
		_ = p.cfg.Documents.Close() // nothing that was written can be lost
	}
}

// random returns a number from 0 up to 1.
func (p *Prober) random() float64 {
	p.dice.Lock()
	defer p.dice.Unlock()
	return p.cfg.Rand.Float64()
}

// shuffle shuffles n things.
func (p *Prober) shuffle(n int, swap func(i, j int)) {
	p.dice.Lock()
	defer p.dice.Unlock()
	p.cfg.Rand.Shuffle(n, swap)
}
