package probe

import (
	"context"
	"sync"
	"time"

	"visto/canon"
)

// Cache is what a Prober remembers from one run to the next; it lives in the database. It is called concurrently. An error
// ends the probe, for without it the same things would be asked again and again.
type Cache interface {
	// Robots returns the robots.txt of an origin ("https://www.boe.es", with the port if it is not the default), nil if none is kept.
	Robots(ctx context.Context, origin string) (*Robots, error)
	KeepRobots(ctx context.Context, r Robots) error

	// Host returns what was learned of a host, an ASCII name in lower case; nil if nothing was.
	Host(ctx context.Context, host string) (*HostFacts, error)
	KeepHost(ctx context.Context, f HostFacts) error

	// Earlier returns the evidence that a target has already, nil if none: its ETag and Last-Modified make the next request
	// a conditional one (seed 003, "Conditional Fetch").
	Earlier(ctx context.Context, t Target) (*canon.Evidence, error)
}

// Robots is the robots.txt of an origin as it was last asked for (RFC 9309 section 2.4: kept for 24 hours at most).
type Robots struct {
	Origin    string
	FetchedAt time.Time
	Status    int    // HTTP status of the answer; a server that cannot be reached is not kept
	Body      []byte // of a 2xx answer, at most 500 KiB
}

// HostFacts is what was learned of a host, and when.
type HostFacts struct {
	Host      string    // ASCII, in lower case
	CheckedAt time.Time // the older of what follows

	HTTPS         *bool  // whether the host answers over HTTPS; nil: not known
	PreferredHost string // the host to which the domain leads (seed 000 rule 5), the host itself included; empty: not known
}

// memoryCache is a Cache that lasts as long as the process.
type memoryCache struct {
	mu     sync.Mutex
	robots map[string]Robots
	hosts  map[string]HostFacts
}

// NewMemoryCache returns a Cache that is forgotten with the process, and knows no earlier evidence.
func NewMemoryCache() Cache {
	return &memoryCache{robots: map[string]Robots{}, hosts: map[string]HostFacts{}}
}

func (c *memoryCache) Robots(_ context.Context, origin string) (*Robots, error) {
	return lookUp(&c.mu, c.robots, origin), nil
}

func (c *memoryCache) KeepRobots(_ context.Context, r Robots) error {
	keep(&c.mu, c.robots, r.Origin, r)
	return nil
}

func (c *memoryCache) Host(_ context.Context, host string) (*HostFacts, error) {
	return lookUp(&c.mu, c.hosts, host), nil
}

func (c *memoryCache) KeepHost(_ context.Context, f HostFacts) error {
	keep(&c.mu, c.hosts, f.Host, f)
	return nil
}

func (c *memoryCache) Earlier(context.Context, Target) (*canon.Evidence, error) { return nil, nil }

func lookUp[T any](mu *sync.Mutex, m map[string]T, key string) *T {
	mu.Lock()
	defer mu.Unlock()
	if v, ok := m[key]; ok {
		return &v
	}
	return nil
}

func keep[T any](mu *sync.Mutex, m map[string]T, key string, value T) {
	mu.Lock()
	defer mu.Unlock()
	m[key] = value
}
