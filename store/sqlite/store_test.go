package sqlite_test

import (
	"crypto/sha256"
	"path/filepath"
	"testing"
	"time"

	"visto/review"
	"visto/store/sqlite"
	"visto/store/storetest"
)

func TestConformance(t *testing.T) {
	storetest.Run(t, func(t *testing.T) review.Store { return open(t, filepath.Join(t.TempDir(), "visto.db")) })
}

// The same where what follows from a rule is never folded into the items: whoever reads sees it all the same.
func TestConformanceStaged(t *testing.T) {
	storetest.Run(t, func(t *testing.T) review.Store {
		s := open(t, filepath.Join(t.TempDir(), "visto.db"))
		sqlite.StageAll(s)
		return s
	})
}

func sum(data []byte) [32]byte { return sha256.Sum256(data) }

// open opens a store whose clock goes forward by a second every time it is read.
func open(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{Create: true, Now: func() time.Time {
		now = now.Add(time.Second)
		return now
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
