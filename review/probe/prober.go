package probe

import (
	"context"
	"crypto/tls"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"visto/canon"
	"visto/review/probe/extract"
)

// Target is a URL to probe.
type Target struct {
	ID    int64  // the caller's own, returned in the Report
	URL   string // the original; the prober requests the form that the policy's steps before "redirects" make of it
	Fresh bool   // fetch the content even if the server may confirm the known one, or was down a moment ago

	// Budget, if not nil, bounds the requests for this target together with others. Once it is spent the target is
	// Deferred. The web archive is then asked only while nothing has been heard of any host (doc.go, "No network").
	Budget *Budget

	Delay time.Duration // least time between two requests to its host, if longer than Config.Delay
	Log   TargetLog     // nil: none
}

// TargetLog notes targets before they are asked, so that a later prober knows of the requests of a killed one.
type TargetLog interface {
	// Begin is called before the first request for the target. An error ends the probe.
	Begin(ctx context.Context, t Target) error
}

// Budget is a number of requests that several targets share. It is safe for concurrent use.
type Budget struct{ left atomic.Int64 }

// spentBudget is the reason why a target is Deferred whose Budget is spent.
const spentBudget = "the requests that may be made for it are used up"

// NewBudget returns a budget of n requests.
func NewBudget(n int) *Budget {
	b := &Budget{}
	b.left.Store(int64(n))
	return b
}

// Left returns the number of requests that may still be made.
func (b *Budget) Left() int { return int(max(0, b.left.Load())) }

// spend takes one request from the budget and reports whether there was one. A nil Budget has no end.
func (b *Budget) spend() bool { return b == nil || b.left.Add(-1) >= 0 }

// Report is the result of probing one URL.
type Report struct {
	Target   Target
	Evidence *canon.Evidence // nil if there is nothing to record: see Deferred

	// Deferred is the reason why the URL was put off: its host wants a longer pause than Config.MaxWait, or answers 429.
	// A later run may ask from Until on. The Evidence of a URL that never answered anything else counts the runs.
	Deferred string
	Until    time.Time

	// Unready is the status, 429 or 5xx, of a robots.txt that forbids everything until the server answers otherwise; 0:
	// the URL was asked, or is forbidden by rules.
	Unready int

	isUnknown bool // the name of its host does not exist, or nothing is known without a network

	Unchanged bool // 304, or the same bytes: the evidence keeps the known content

	// Content is the content of the page, as a person would read it. It is nil if none was read: of a page behind a
	// wall or a login, of an error page, of a page without text, of a type that has none, and after 304.
	Content   *extract.Document
	NoContent bool // as in Config: Content is not to be stored

	Exchanges []Exchange // all requests in order, with those for robots.txt and host facts

	queued time.Duration // waited for the browser, which draws one page at a time
}

// Exchange is one request and its outcome, for people.
type Exchange struct {
	Method  string
	URL     string
	Status  int           // HTTP status of the answer; 0: none came
	Elapsed time.Duration // from dialling to the last byte, without the waits before
	Error   string        // reason for a missing answer
	Purpose string        // "page", "browser", "robots", "sitemap", "host", "answer", "archive"

	Certificate time.Time // when the certificate of the host ends, or ended; zero: not known
}

// Prober probes URLs. It is safe for concurrent use: all calls share its connections, waits and limits.
type Prober struct {
	cfg       Config
	transport *http.Transport
	gates     *gates
	parsed    robotsMemo
	ports     map[uint16]bool
	room      *semaphore.Weighted // bytes for bodies
	storedHosts

	drawing chan struct{} // a lock with one place: the browser draws one page at a time

	heard chan struct{} // closed as soon as something has been heard of a host
	hear  func()        // closes it, once

	events   sync.Mutex // one event at a time
	randLock sync.Mutex // guards cfg.Rand
}

// New returns a Prober. It makes no request.
func New(cfg Config) (*Prober, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	d := &dialer{
		routes: newRoutes(cfg.ConnectTo, cfg.Resolve), resolver: cfg.Resolver, timeout: cfg.Timeout,
		tls:  &tls.Config{RootCAs: cfg.RootCAs, MinVersion: tls.VersionTLS12, Time: cfg.Clock.Now},
		open: cfg.Dial,
	}
	if !cfg.AllowPrivate {
		d.guard = newGuard()
	}
	p := &Prober{cfg: cfg, transport: newTransport(cfg, d), gates: newGates(cfg), ports: map[uint16]bool{},
		drawing: make(chan struct{}, 1), heard: make(chan struct{}), room: semaphore.NewWeighted(roomFor(cfg))}
	p.storedHosts.cfg = &p.cfg
	p.hear = sync.OnceFunc(func() { close(p.heard) })
	for _, port := range slices.Concat(usualPorts, cfg.ExtraPorts) {
		p.ports[port] = true
	}
	return p, nil
}

// Close closes idle connections, Config.Documents and Config.Browser.
func (p *Prober) Close() {
	p.transport.CloseIdleConnections()
	if p.cfg.Documents != nil {
		_ = p.cfg.Documents.Close() // a reader has no data to lose
	}
	if p.cfg.Browser != nil {
		p.cfg.Browser.Close()
	}
}

// random returns a number from 0 up to 1.
func (p *Prober) random() float64 {
	p.randLock.Lock()
	defer p.randLock.Unlock()
	return p.cfg.Rand.Float64()
}

// shuffle shuffles n elements.
func (p *Prober) shuffle(n int, swap func(i, j int)) {
	p.randLock.Lock()
	defer p.randLock.Unlock()
	p.cfg.Rand.Shuffle(n, swap)
}
