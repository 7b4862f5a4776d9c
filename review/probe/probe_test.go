package probe

import (
	"cmp"
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"visto/canon"
)

// fakeClock is a clock without real waits: Sleep moves it and records the duration.
type fakeClock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

var begin = time.Date(2026, 2, 18, 9, 0, 0, 0, time.UTC)

func newFakeClock() *fakeClock { return &fakeClock{now: begin} }

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.slept = append(c.slept, d)
	return context.Cause(ctx)
}

// proberFor returns a prober of the default policy with a fakeClock and a fixed seed.
func proberFor(t testing.TB, cfg Config) *Prober {
	t.Helper()
	if cfg.Policy == nil {
		policy, err := canon.Builtin(canon.DefaultPolicy)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Policy = policy
	}
	cfg.Clock = cmp.Or[Clock](cfg.Clock, newFakeClock())
	cfg.Archive = cmp.Or(cfg.Archive, "-")
	if cfg.Rand == nil {
		cfg.Rand = rand.New(rand.NewPCG(1, 2))
	}
	p, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// probeOne probes a URL.
func probeOne(t testing.TB, p *Prober, url string) Report {
	t.Helper()
	r, err := p.Probe(t.Context(), Target{URL: url})
	if err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	return r
}
