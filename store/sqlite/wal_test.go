package sqlite_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"visto/review"
	"visto/store/sqlite"
)

// crashed returns the files of a database whose program was stopped in its tracks after n approvals: the file, and the
// write-ahead log with all of them in it.
func crashed(t *testing.T, n int) (db, wal []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, n+1)
	s := open(t, path)
	for id := range int64(n) {
		_, err := s.Commit(t.Context(), approval("berta", id+2, 0))
		must(t, err)
	}
	db, err := os.ReadFile(path)
	must(t, err)
	wal, err = os.ReadFile(path + "-wal")
	must(t, err)
	return db, wal
}

// commits returns where in the write-ahead log each transaction ends.
func commits(wal []byte) (ends []int) {
	const frame = 24 + 4096
	for at := 32; at+frame <= len(wal); at += frame {
		if string(wal[at+4:at+8]) != "\x00\x00\x00\x00" {
			ends = append(ends, at+frame)
		}
	}
	return ends
}

// laid puts the files of a database into a folder of its own.
func laid(t *testing.T, db, wal []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "visto.db")
	must(t, os.WriteFile(path, db, 0o600))
	must(t, os.WriteFile(path+"-wal", wal, 0o600))
	return path
}

// A flipped bit in what was confirmed is never taken for the end of the log: the database is refused, and the log left as
// it is. In the last transaction alone it looks like what the power failing leaves, and that was not confirmed.
func TestLogFlipped(t *testing.T) {
	const n = 12
	db, wal := crashed(t, n)
	ends := commits(wal)
	if len(ends) != n {
		t.Fatalf("%d transactions in the log", len(ends))
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 60 {
		at, bit := random.IntN(ends[n-2]), random.IntN(8)
		if at > 3 && at < 8 || at >= 12 && at < 16 {
			at = 0 // the format's version has but one value, and nobody reads the number of checkpoints
		}
		flipped(t, db, wal, at, bit)
	}
}

// What says that a frame ends a transaction, and that it is of this round of the log, may be what is damaged. The last
// transaction but one shows it: behind it there is a single end of a transaction.
func TestLogFlippedAtEnd(t *testing.T) {
	const n, frame = 3, 24 + 4096
	db, wal := crashed(t, n)
	last := commits(wal)[n-2] - frame
	for bit := range 24 * 8 {
		flipped(t, db, wal, last+bit/8, bit%8)
	}
}

// flipped tells whether the database is refused, and left as it is, with one bit of its write-ahead log flipped.
func flipped(t *testing.T, db, wal []byte, at, bit int) {
	t.Helper()
	broken := append([]byte(nil), wal...)
	broken[at] ^= 1 << bit
	path := laid(t, db, broken)
	before := snapshot(t, filepath.Dir(path))
	for _, opt := range []sqlite.Options{{}, {ReadOnly: true}} {
		s, err := sqlite.Open(t.Context(), path, opt)
		if err == nil {
			s.Close()
		}
		if !errors.Is(err, sqlite.ErrLogDamaged) {
			t.Errorf("bit %d of byte %d flipped: %v", bit, at, err)
		}
	}
	if snapshot(t, filepath.Dir(path)) != before {
		t.Errorf("bit %d of byte %d flipped: opening it changed something", bit, at)
	}
}

// Wherever a crash cuts the log off, or leaves the pages of the last transaction half-written, what was committed before is there.
func TestLogCutOff(t *testing.T) {
	const n = 12
	db, wal := crashed(t, n)
	ends := commits(wal)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 60 {
		at := random.IntN(len(wal) + 1)
		whole := 0
		for whole < n && ends[whole] <= at {
			whole++
		}
		approved(t, fmt.Sprintf("cut at %d", at), laid(t, db, wal[:at]), 1+whole)

		torn := append([]byte(nil), wal...)
		at = ends[n-2] + random.IntN(len(wal)-ends[n-2])
		clear(torn[at:min(at+512, len(torn))])
		if string(torn) != string(wal) {
			approved(t, fmt.Sprintf("torn at %d", at), laid(t, db, torn), n)
		}
	}
}

func approved(t *testing.T, what, path string, want int) {
	t.Helper()
	s := open(t, path)
	n, err := s.Count(t.Context(), review.Filter{Statuses: []review.Status{review.Approved}})
	if err != nil || n != want {
		t.Errorf("%s: %d approved, want %d (%v)", what, n, want, err)
	}
	if problems, err := s.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("%s: check: %v %v", what, problems, err)
	}
}

// A log that others write to meanwhile is never taken for damaged.
func TestLogInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, 3)
	s := open(t, path)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 400 {
			if _, err := s.Commit(t.Context(), approval("ana", 2, 0)); err != nil {
				t.Error(err)
			}
		}
	}()
	for looking := true; looking; {
		select {
		case <-done:
			looking = false
		default:
			must(t, sqlite.CheckLog(path))
		}
	}
}
