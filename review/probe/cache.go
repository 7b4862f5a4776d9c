package probe

import (
	"context"
	"sync"
	"time"

	"visto/canon"
)

// Cache holds the knowledge of a Prober between runs; it lives in the database. It is called concurrently. An error
// ends the probe: without the cache it would repeat requests.
type Cache interface {
	// Robots returns the robots.txt of an origin ("https://www.boe.es", with any port but the default), nil if none
	// is stored.
	Robots(ctx context.Context, origin string) (*Robots, error)
	KeepRobots(ctx context.Context, r Robots) error

	// Host returns the facts about a host, an ASCII name in lower case; nil if none are stored.
	Host(ctx context.Context, host string) (*HostFacts, error)
	KeepHost(ctx context.Context, f HostFacts) error

	// Earlier returns the stored evidence of a target, nil if none. Its ETag and Last-Modified make the next request
	// conditional (seed 003, "Conditional Fetch").
	Earlier(ctx context.Context, t Target) (*canon.Evidence, error)

	// HasContent reports whether the content of a target's page is stored. If it is not, and is wanted, the next
	// request is unconditional: a server that confirms a page sends no content.
	HasContent(ctx context.Context, t Target) (bool, error)
}

// Robots is the last answer to a request for an origin's robots.txt (RFC 9309 section 2.4: kept for 24 hours at
// most).
type Robots struct {
	Origin    string
	FetchedAt time.Time
	Status    int    // HTTP status of the answer; no answer is not stored
	Body      []byte // of a 2xx answer, at most 500 KiB
}

// HostFacts holds the facts about a host and their age.
type HostFacts struct {
	Host      string    // ASCII, in lower case
	CheckedAt time.Time // time of the oldest fact below

	HTTPS *bool // whether the host answers over HTTPS; nil: not known
	// PreferredHost is the host that the domain redirects to (seed 000 rule 5), possibly the host itself; empty: not
	// known.
	PreferredHost string
	Reached       canon.Reach // how it was found; zero: by a program without this record

	// NotBefore is the end of the last pause that the host asked for (Retry-After), whatever the age of the other
	// facts.
	NotBefore time.Time
}

// memoryCache is a Cache that lives as long as the process.
type memoryCache struct{ robots, hosts sync.Map }

// NewMemoryCache returns a Cache in memory, without earlier evidence.
func NewMemoryCache() Cache { return &memoryCache{} }

func (c *memoryCache) Robots(_ context.Context, origin string) (*Robots, error) {
	return lookUp[Robots](&c.robots, origin), nil
}

func (c *memoryCache) KeepRobots(_ context.Context, r Robots) error {
	c.robots.Store(r.Origin, r)
	return nil
}

func (c *memoryCache) Host(_ context.Context, host string) (*HostFacts, error) {
	return lookUp[HostFacts](&c.hosts, host), nil
}

func (c *memoryCache) KeepHost(_ context.Context, f HostFacts) error {
	c.hosts.Store(f.Host, f)
	return nil
}

func (c *memoryCache) Earlier(context.Context, Target) (*canon.Evidence, error) { return nil, nil }

func (c *memoryCache) HasContent(context.Context, Target) (bool, error) { return false, nil }

// lookUp returns a copy of the value of a key, nil if there is none.
func lookUp[T any](m *sync.Map, key string) *T {
	if v, ok := m.Load(key); ok {
		value := v.(T)
		return &value
	}
	return nil
}
