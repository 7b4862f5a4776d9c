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
	db, wal, _ = crashedWithIndex(t, n)
	return db, wal
}

// crashedWithIndex returns the index of the write-ahead log too, which a killed program leaves and a power cut may not.
func crashedWithIndex(t *testing.T, n int) (db, wal, index []byte) {
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
	index, err = os.ReadFile(path + "-shm")
	must(t, err)
	return db, wal, index
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

// The mark of the end of the last transaction but one may be what is gone: the last one then seems to have begun earlier.
func TestLogMarkGone(t *testing.T) {
	const n, frame = 3, 24 + 4096
	db, wal := crashed(t, n)
	clear(wal[commits(wal)[n-2]-frame+4:][:4])
	refused(t, "the mark is gone", laid(t, db, wal))
}

// Where the index of the log is left, as after a program was killed, no damage to anything confirmed goes unseen: not in the last
// transaction, not over several frames, and not if the log ends too early.
func TestLogDamagedWithIndex(t *testing.T) {
	const n, frame = 4, 24 + 4096
	db, wal, index := crashedWithIndex(t, n)
	ends := commits(wal)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for i := range 60 {
		broken := append([]byte(nil), wal...)
		from := 32 + random.IntN(ends[n-1]-32)
		what := fmt.Sprintf("cut off at %d", from)
		switch i % 3 {
		case 0:
			broken = broken[:from]
		case 1:
			what = fmt.Sprintf("%d to %d zeroed", from, min(from+frame, ends[n-1]))
			clear(broken[from:min(from+frame, ends[n-1])])
		case 2:
			what = fmt.Sprintf("byte %d flipped", from)
			broken[from] ^= 0x10
		}
		path := laid(t, db, broken)
		must(t, os.WriteFile(path+"-shm", index, 0o600))
		refused(t, what, path)
	}
	path := laid(t, db, wal)
	must(t, os.WriteFile(path+"-shm", index, 0o600))
	approved(t, "as it was", path, 1+n)
}

// A link leads to the database, and beside the link there is no log.
func TestLogDamagedBehindLink(t *testing.T) {
	db, wal := crashed(t, 3)
	wal[100] ^= 1
	path := laid(t, db, wal)
	link := filepath.Join(t.TempDir(), "link.db")
	must(t, os.Symlink(path, link))
	refused(t, "behind a link", link)
}

// What others left behind the end of the log is no damage: a program that was killed when its commit was written and no other
// program knew of it yet, on what another one had begun to write before.
func TestLogLeftovers(t *testing.T) {
	db, wal := crashed(t, 2)
	long, middle, short := continued(t, db, wal, 400), continued(t, db, wal, 60), continued(t, db, wal, 1)
	if len(short) >= len(middle) || len(middle) >= len(long) {
		t.Fatalf("%d, %d and %d bytes", len(short), len(middle), len(long))
	}
	copy(long, middle)
	copy(long, short)
	approved(t, "leftovers", laid(t, db, long), 3)
}

// continued returns the write-ahead log after one more transaction, in which n items are added.
func continued(t *testing.T, db, wal []byte, n int) []byte {
	t.Helper()
	path := laid(t, db, wal)
	s := open(t, path)
	var list []review.NewItem
	for i := range n {
		list = append(list, sample(1000*n+i))
	}
	_, err := s.Add(t.Context(), 0, list)
	must(t, err)
	after, err := os.ReadFile(path + "-wal")
	must(t, err)
	return after
}

// flipped tells whether the database is refused, and left as it is, with one bit of its write-ahead log flipped.
func flipped(t *testing.T, db, wal []byte, at, bit int) {
	t.Helper()
	broken := append([]byte(nil), wal...)
	broken[at] ^= 1 << bit
	refused(t, fmt.Sprintf("bit %d of byte %d flipped", bit, at), laid(t, db, broken))
}

// refused tells whether the database is refused, and left as it is.
func refused(t *testing.T, what, path string) {
	t.Helper()
	before := snapshot(t, filepath.Dir(path))
	for _, opt := range []sqlite.Options{{}, {ReadOnly: true}} {
		s, err := sqlite.Open(t.Context(), path, opt)
		if err == nil {
			s.Close()
		}
		if !errors.Is(err, sqlite.ErrLogDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if snapshot(t, filepath.Dir(path)) != before {
		t.Errorf("%s: opening it changed something", what)
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
