package desk

import (
	"sync"
	"time"

	"visto/review/health"
)

// Surveys are the readings that go through all URLs. The consoles of one process on one store share them.
type Surveys struct {
	Causes OwnCauses
	Mining Shared[bool] // whether it found anything new to mine
	Links  Shared[health.Summary]
	Facets SharedFacets

	turns chan struct{}
}

// Limit lets only so many readings go on at a time, those of facets too, so that a processor is left for keys. It must
// be called before the first one.
func (s *Surveys) Limit(n int) { s.turns = make(chan struct{}, n) }

// Turn waits for the turn of a reading that goes through all URLs, which done ends. Without a limit it is at once.
func (s *Surveys) Turn() (done func()) {
	if s.turns == nil {
		return func() {}
	}
	s.turns <- struct{}{}
	return func() { <-s.turns }
}

// Shared is a reading and its last result, which nobody changes. One console at a time reads.
type Shared[T any] struct {
	mu      sync.Mutex
	known   bool
	value   T
	version int64     // of the store
	began   time.Time // when it was read
	took    time.Duration
	among   int // so many readings share sharedPart; 0: it is alone
}

// Source is where a shared reading comes from.
type Source[T any] struct {
	Version func() (int64, error) // of the store
	Now     func() time.Time
	Read    func() (T, error)
}

// sharedPart is the part of the time, as a divisor, in which a reading is repeated while others change the store.
const sharedPart = 10

// Get returns a result, and the version of the store that it belongs to. A result from before changes by others may do
// for a while if it was read after a moment; stale is then the time after which a newer one can be had.
func (s *Shared[T]) Get(from Source[T], after time.Time) (value T, version int64, stale time.Duration, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if version, err = from.Version(); err != nil {
		return value, version, 0, err
	}
	now := from.Now()
	if version != s.version && s.began.After(after) {
		stale = sharedPart*time.Duration(max(s.among, 1))*s.took - now.Sub(s.began)
	}
	if s.known && (version == s.version || stale > 0) {
		return s.value, s.version, stale, nil
	}
	if value, err = from.Read(); err != nil {
		return value, version, 0, err
	}
	s.known, s.value, s.version, s.began, s.took = true, value, version, now, from.Now().Sub(now)
	return value, version, 0, nil
}
