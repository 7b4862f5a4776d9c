package sqlite_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"visto/review"
	"visto/review/probe"
	"visto/store/sqlite"
)

// crashed returns the files of a database whose program was killed after n approvals: the file, and the write-ahead
// log with all of them.
func crashed(t *testing.T, n int) (db, wal []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, n+1)
	s := open(t, path)
	approve(t, s, 2, n)
	return files(t, path)
}

// opened opens a store that the test closes itself.
func opened(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	must(t, err)
	return s
}

// approve approves n items from first on.
func approve(t *testing.T, s *sqlite.Store, first int64, n int) {
	t.Helper()
	for id := first; id < first+int64(n); id++ {
		_, err := s.Commit(t.Context(), approval("berta", id, 0))
		must(t, err)
	}
}

// files reads a database and its write-ahead log while a program has them open.
func files(t *testing.T, path string) (db, wal []byte) {
	t.Helper()
	db, err := os.ReadFile(path)
	must(t, err)
	wal, err = os.ReadFile(path + "-wal")
	must(t, err)
	return db, wal
}

// laid puts the files of a database into a folder of its own.
func laid(t *testing.T, db, wal []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "visto.db")
	must(t, os.WriteFile(path, db, 0o600))
	must(t, os.WriteFile(path+"-wal", wal, 0o600))
	return path
}

// commits returns the offset in the write-ahead log at which each transaction ends.
func commits(wal []byte) (ends []int) {
	const frame = 24 + 4096
	for at := 32; at+frame <= len(wal); at += frame {
		if string(wal[at+4:at+8]) != "\x00\x00\x00\x00" {
			ends = append(ends, at+frame)
		}
	}
	return ends
}

// refused checks that the database is refused, and that the file and its write-ahead log stay as they are.
func refused(t *testing.T, name, path string) {
	t.Helper()
	db, wal := files(t, path)
	for _, opt := range []sqlite.Options{{}, {ReadOnly: true}, {Create: true}} {
		s, err := sqlite.Open(t.Context(), path, opt)
		if err == nil {
			s.Close()
		}
		if !errors.Is(err, sqlite.ErrLogMismatch) {
			t.Errorf("%s, %+v: %v", name, opt, err)
		}
	}
	if db2, wal2 := files(t, path); !bytes.Equal(db, db2) || !bytes.Equal(wal, wal2) {
		t.Errorf("%s: opening it changed the file or its write-ahead log", name)
	}
}

// approved checks that the database opens, is sound and has so many approved items.
func approved(t *testing.T, name, path string, want int) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	defer s.Close()
	n, err := s.Count(t.Context(), review.Filter{Statuses: []review.Status{review.Approved}})
	if err != nil || n != want {
		t.Errorf("%s: %d approved, want %d (%v)", name, n, want, err)
	}
	if problems, err := s.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("%s: check: %v %v", name, problems, err)
	}
}

// A file that was put over the path of a database with a write-ahead log is refused: a backup, opened and worked on
// or not, another database, and a later copy of the same file.
func TestForeignLog(t *testing.T) {
	oneGoroutine(t)
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, 9)
	before, err := os.ReadFile(path)
	must(t, err)
	s := opened(t, path)
	approve(t, s, 2, 3)
	must(t, s.SaveView(t.Context(), review.StoredView{Name: strings.Repeat("v", 1<<16)})) // the file grows
	copied := filepath.Join(t.TempDir(), "copy.db")
	must(t, s.Backup(t.Context(), copied))
	_, wal := files(t, path)
	approve(t, s, 5, 2)
	must(t, s.Close())
	later, err := os.ReadFile(path)
	must(t, err)

	refused(t, "a later copy", laid(t, later, wal))
	pristine, err := os.ReadFile(copied)
	must(t, err)
	refused(t, "a backup", laid(t, pristine, wal))
	must(t, opened(t, copied).Close()) // now it is in WAL mode
	checked, err := os.ReadFile(copied)
	must(t, err)
	refused(t, "a backup that was opened", laid(t, checked, wal))
	c := opened(t, copied)
	approve(t, c, 6, 4)
	must(t, c.Close())
	diverged, err := os.ReadFile(copied)
	must(t, err)
	refused(t, "a backup that was worked on", laid(t, diverged, wal))
	other := filepath.Join(t.TempDir(), "other.db")
	filled(t, other, 2)
	db, err := os.ReadFile(other)
	must(t, err)
	refused(t, "another database", laid(t, db, wal))
	approved(t, "its own file", laid(t, before, wal), 4)
}

// A small -wal does not touch the pages of the log. The header tells that a backup was never in WAL mode, and the
// schema cookie that a file is newer than the -wal.
func TestForeignLogElsewhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, 3)
	newer, err := os.ReadFile(path)
	must(t, err)
	s := opened(t, path)
	must(t, s.KeepRobots(t.Context(), probe.Robots{Origin: "https://boe.es", FetchedAt: time.Unix(1, 0)}))
	copied := filepath.Join(t.TempDir(), "copy.db")
	must(t, s.Backup(t.Context(), copied))
	backup, err := os.ReadFile(copied)
	must(t, err)
	_, wal := files(t, path)
	refused(t, "a backup", laid(t, backup, wal))

	_, err = s.Add(t.Context(), &review.Intake{}, samples(300)) // the file grows, which is noted on its first page
	must(t, err)
	db, wal := files(t, path)
	must(t, s.Close())
	approved(t, "its own file", laid(t, db, wal), 1)
	path = laid(t, newer, nil)
	script(t, path, "CREATE TABLE later (x); DROP TABLE later")
	newer, err = os.ReadFile(path)
	must(t, err)
	refused(t, "a file with a newer schema", laid(t, newer, wal))
}

// An older copy of the same file with the write-ahead log of the newer opens if that log has everything the copy
// lacks. If pages in between are missing it is refused, or Check finds the contradiction: which of both depends on the
// pages that the log happens to have.
func TestOlderCopy(t *testing.T) {
	oneGoroutine(t)
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, 900)
	older, err := os.ReadFile(path)
	must(t, err)
	s := opened(t, path)
	approve(t, s, 2, 5)
	_, wal := files(t, path)
	approved(t, "all is in the log", laid(t, older, wal), 6)

	approve(t, s, 7, 800)
	must(t, s.Close()) // this empties the write-ahead log
	s = opened(t, path)
	approve(t, s, 807, 5)
	defer s.Close()
	_, wal = files(t, path)
	refusedOrFound(t, laid(t, older, wal))
}

// refusedOrFound checks that the database is refused as by refused, or that Check finds a problem.
func refusedOrFound(t *testing.T, path string) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{ReadOnly: true})
	if err != nil {
		refused(t, "most is missing", path)
		return
	}
	defer s.Close()
	if problems, err := s.Check(t.Context()); err != nil || len(problems) == 0 {
		t.Errorf("it opens although most is missing, and check finds %v, %v", problems, err)
	}
}

// Other files beside the -wal of a database are refused for their own reason, and left untouched.
func TestOtherFileBesideLog(t *testing.T) {
	_, wal := crashed(t, 3)
	newer := filepath.Join(t.TempDir(), "newer.db")
	filled(t, newer, 2)
	script(t, newer, "PRAGMA user_version = 99")
	foreign := filepath.Join(t.TempDir(), "foreign.db")
	script(t, foreign, "CREATE TABLE t (x)")
	text := filepath.Join(t.TempDir(), "text.txt")
	must(t, os.WriteFile(text, []byte(strings.Repeat("https://boe.es\n", 900)), 0o600))
	for source, want := range map[string]error{newer: sqlite.ErrNewer, foreign: sqlite.ErrNotOurs,
		text: sqlite.ErrNotSQLite, developed(t): sqlite.ErrTooOld} {
		db, err := os.ReadFile(source)
		must(t, err)
		path := laid(t, db, wal)
		before := snapshot(t, filepath.Dir(path))
		for _, opt := range []sqlite.Options{{}, {ReadOnly: true}} {
			if _, err := sqlite.Open(t.Context(), path, opt); !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", filepath.Base(source), err, want)
			}
		}
		if snapshot(t, filepath.Dir(path)) != before {
			t.Errorf("%s: opening it changed the folder", filepath.Base(source))
		}
	}
}

// Through a link the files beside the database count, not those beside the link.
func TestForeignLogBehindLink(t *testing.T) {
	_, wal := crashed(t, 3)
	db, _ := crashed(t, 0)
	link := filepath.Join(t.TempDir(), "link.db")
	must(t, os.Symlink(laid(t, db, wal), link))
	if s, err := sqlite.Open(t.Context(), link, sqlite.Options{}); !errors.Is(err, sqlite.ErrLogMismatch) {
		t.Errorf("behind a link: %v %v", s, err)
	}
}

// Wherever a crash cuts the write-ahead log off, or leaves the pages of the last transaction half-written, all
// earlier commits are there.
func TestLogCutOff(t *testing.T) {
	oneGoroutine(t)
	const n = 12
	db, wal := crashed(t, n)
	ends := commits(wal)
	if len(ends) != n {
		t.Fatalf("%d transactions in the log", len(ends))
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 30 {
		at := random.IntN(len(wal) + 1)
		whole := 0
		for whole < n && ends[whole] <= at {
			whole++
		}
		approved(t, fmt.Sprintf("cut at %d", at), laid(t, db, wal[:at]), 1+whole)

		torn := bytes.Clone(wal)
		at = ends[n-2] + random.IntN(len(wal)-ends[n-2])
		clear(torn[at:min(at+512, len(torn))])
		if !bytes.Equal(torn, wal) {
			approved(t, fmt.Sprintf("torn at %d", at), laid(t, db, torn), n)
		}
	}
}

// A crash during a checkpoint leaves any of the pages of the write-ahead log copied into the file. The database opens
// with all commits. The last entry is a large one, so that it may be torn too.
func TestCheckpointTorn(t *testing.T) {
	oneGoroutine(t)
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, 300)
	s := open(t, path)
	approve(t, s, 2, 3)
	_, err := s.Commit(t.Context(), rejectAll(t, s, strings.Repeat("no ", 99)))
	must(t, err)
	db, wal := files(t, path)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 30 {
		share := random.Float64()
		copied := checkpointed(db, wal, func(int) bool { return random.Float64() < share })
		approved(t, fmt.Sprintf("%.0f %% copied", 100*share), laid(t, copied, wal), 0)
	}
}

// A crash during a checkpoint may keep the last page of the last log entry from the file, which then has zeros in
// place of the hash.
func TestCheckpointTornEntry(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, 9)
	s := opened(t, path)
	change := approval("berta", 2, 0)
	change.Decisions[0].Decision.Note = strings.Repeat("x", 5000) // the entry has one page besides its part of the leaf
	_, err := s.Commit(t.Context(), change)
	must(t, err)
	_, err = s.Add(t.Context(), &review.Intake{}, samples(300)) // pages behind it
	must(t, err)
	db, wal := files(t, path)
	must(t, s.Close())
	for missing := len(db) / 4096; missing < len(db)/4096+6; missing++ { // the first new pages
		at := missing + 1
		copied := checkpointed(db, wal, func(page int) bool { return page != at })
		approved(t, fmt.Sprintf("page %d is missing", at), laid(t, copied, wal), 2)
	}
}

// checkpointed returns the file with the newest version of some pages of the write-ahead log copied into it.
func checkpointed(db, wal []byte, some func(page int) bool) []byte {
	const frame = 24 + 4096
	newest := map[int]int{}
	for at := 32; at+frame <= len(wal); at += frame {
		page := int(wal[at])<<24 | int(wal[at+1])<<16 | int(wal[at+2])<<8 | int(wal[at+3])
		newest[page] = at + 24
	}
	out := bytes.Clone(db)
	for page, at := range newest {
		if !some(page) {
			continue
		}
		if missing := page*4096 - len(out); missing > 0 {
			out = append(out, make([]byte, missing)...)
		}
		copy(out[(page-1)*4096:], wal[at:at+4096])
	}
	return out
}

// An empty database with a write-ahead log is not refused: its creation was interrupted.
func TestEmptyWithLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	must(t, os.WriteFile(path, nil, 0o600))
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{Create: true})
	must(t, err)
	defer s.Close()
	db, wal := files(t, path)
	approved(t, "no log entry yet", laid(t, db, wal), 0)
}

// Programs that open, write and close a database at once, in this process and in others, never get a mismatch of its
// write-ahead log, although checkpoints copy pages all the time.
func TestOpenAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, 400)
	var others []*bufio.Scanner
	for i := range 2 {
		others = append(others, opener(t, path, 2+int64(100*i)))
	}
	rounds := 60
	for i := range rounds {
		s, err := sqlite.Open(t.Context(), path, sqlite.Options{ReadOnly: i%2 == 0})
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 1 {
			approve(t, s, int64(250+i), 1)
			sqlite.CheckpointLog(t, s)
			must(t, sqlite.Exec(t, s, "PRAGMA wal_checkpoint(PASSIVE)"))
		}
		must(t, s.Close())
	}
	for _, out := range others {
		last := ""
		for out.Scan() {
			last = out.Text()
		}
		if last != "done" {
			t.Errorf("another program ended with %q", last)
		}
	}
	approved(t, "afterwards", path, 1+2*40+rounds/2)
}

// opener starts a process that opens the database again and again, and approves one item each time.
func opener(t *testing.T, path string, first int64) *bufio.Scanner {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestOpener$")
	cmd.Env = append(os.Environ(), fmt.Sprintf("VISTO_OPENER=%d %s", first, path))
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		io.Copy(io.Discard, out)
		cmd.Wait()
	})
	return bufio.NewScanner(out)
}

// TestOpener is the program of opener, and nothing when it is run by itself.
func TestOpener(t *testing.T) {
	args := os.Getenv("VISTO_OPENER")
	if args == "" {
		t.Skip("run by TestOpenAtOnce")
	}
	var first int64
	_, path, _ := strings.Cut(args, " ")
	fmt.Sscan(args, &first)
	for id := first; id < first+40; id++ {
		s, err := sqlite.Open(context.Background(), path, sqlite.Options{})
		if err == nil {
			_, err = s.Commit(context.Background(), approval("carla", id, 0))
			err = errors.Join(err, s.Close())
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	fmt.Println("done")
	os.Exit(0)
}

// A write-ahead log that was left without its file is not applied to a new one.
func TestLogWithoutFile(t *testing.T) {
	_, wal := crashed(t, 3)
	path := filepath.Join(t.TempDir(), "visto.db")
	must(t, os.WriteFile(path+"-wal", wal, 0o600))
	if _, err := sqlite.Open(t.Context(), path, sqlite.Options{Create: true}); !errors.Is(err, sqlite.ErrLogMismatch) {
		t.Errorf("opened: %v", err)
	}
	if kept, err := os.ReadFile(path + "-wal"); err != nil || !bytes.Equal(kept, wal) {
		t.Errorf("the log was changed, %v", err)
	}
}
