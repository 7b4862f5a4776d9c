package postgres_test

import (
	"os"
	"sync"
	"testing"
	"time"

	"visto/canon/suite"
	"visto/review"
	"visto/store/postgres"
	"visto/store/postgrestest"
	"visto/store/storetest"
)

func TestMain(m *testing.M) {
	os.Exit(suite.InMemory{Tests: postgrestest.Stopping{Tests: m}}.Run())
}

func TestConformance(t *testing.T) {
	storetest.Run(t, func(t *testing.T) review.Store { return open(t) })
}

// open opens a new store whose clock advances by a second every time it is read.
func open(t *testing.T) *postgres.Store {
	t.Helper()
	var mu sync.Mutex
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	return postgrestest.Open(t, postgres.Options{Now: func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Second)
		return now
	}})
}
