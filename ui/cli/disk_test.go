//go:build linux

package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"visto/store/sqlite"
)

// onSmallDisk returns the program with its database on a disk of its own, of that size.
func onSmallDisk(t *testing.T, size string) (p *program, disk string) {
	t.Helper()
	p, disk = newProgram(t), t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("mounting a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	p.db = filepath.Join(disk, "visto.db")
	p.env = append(p.env, "VISTO_DB="+p.db)
	return p, disk
}

// urls is a text of numbered URLs.
func urls(from, to int) *strings.Reader {
	var list strings.Builder
	for i := from; i < to; i++ {
		const url = "https://sede.example.gob.es/tramite/%d/una-pagina-con-un-nombre-bastante-largo?plaza=%d\n"
		fmt.Fprintf(&list, url, i, i)
	}
	return strings.NewReader(list.String())
}

// fill leaves that many bytes free on the disk, at most.
func fill(t *testing.T, disk string, left int64) (filler string) {
	t.Helper()
	var free syscall.Statfs_t
	if err := syscall.Statfs(disk, &free); err != nil {
		t.Fatal(err)
	}
	filler = filepath.Join(disk, "filler")
	if err := os.WriteFile(filler, make([]byte, max(0, int64(free.Bavail)*free.Bsize-left)), 0o644); err != nil {
		t.Fatal(err)
	}
	return filler
}

// A database that has no room is not made, and leaves nothing behind.
func TestNewDatabaseOnFullDisk(t *testing.T) {
	t.Parallel()
	p, disk := onSmallDisk(t, "64k")
	if _, stderr := p.run(1, urls(0, 1), "add", "-"); !strings.Contains(stderr, "the disk is full") {
		t.Errorf("it says %q", stderr)
	}
	if left, err := os.ReadDir(disk); err != nil || len(left) > 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
}

// On a full disk everything can be read, and each attempt to write reports the full disk once (spec 8: nothing is
// half-written).
func TestReadingOnFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	t.Parallel()
	p, disk := onSmallDisk(t, "3m")
	p.run(0, urls(0, 300), "add", "-")
	want := p.ok("export", "--status", "all")
	filler := fill(t, disk, 0)
	for _, args := range [][]string{{"list"}, {"log"}, {"check"}, {"--read-only", "check"}, {"show", "1"}, {"causes"},
		{"stats"}, {"review", "--plain"}, {"recanon"}, {"override", "list"}, {"log", "--export", os.DevNull}} {
		p.ok(args...)
	}
	if p.ok("export", "--status", "all") != want || p.ok("--read-only", "export", "--status", "all") != want {
		t.Error("the export is another one on a full disk")
	}
	for _, args := range [][]string{{"approve", "1"}, {"add", "-"},
		{"override", "add", "--host", "a.es", "--drop", "b", "--new"},
		{"probe", "1", "--allow-private"}} {
		_, stderr := p.run(1, urls(300, 400), args...)
		if n := strings.Count(stderr, "the disk is full"); n != 1 {
			t.Errorf("visto %v says %d times that the disk is full:\n%s", args, n, stderr)
		}
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	p.ok("approve", "1")
	p.ok("check")
}

// A program that was killed leaves commits in the write-ahead log alone. Without room for its index they cannot be
// read, and the reason is the full disk, not the file.
func TestLogOnFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	t.Parallel()
	p, disk := onSmallDisk(t, "3m")
	p.run(0, urls(0, 100), "add", "-")
	open, err := sqlite.Open(t.Context(), p.db, sqlite.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	p.run(0, urls(100, 200), "add", "-")
	killed := filepath.Join(disk, "killed.db")
	for _, part := range []string{"", "-wal"} {
		data, err := os.ReadFile(p.db + part)
		if err == nil {
			err = os.WriteFile(killed+part, data, 0o600)
		}
		if err != nil || len(data) == 0 {
			t.Fatalf("the database%s has %d bytes: %v", part, len(data), err)
		}
	}
	if err := open.Close(); err != nil {
		t.Fatal(err)
	}
	filler := fill(t, disk, 0)
	for _, args := range [][]string{{"list"}, {"log"}, {"export"}, {"--read-only", "check"}, {"approve", "1"}} {
		_, stderr := p.run(1, strings.NewReader(""), append(args, "--db", killed)...)
		if strings.Count(stderr, "the disk is full") != 1 || strings.Contains(stderr, "not a SQLite database") {
			t.Errorf("visto %v says:\n%s", args, stderr)
		}
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	p.ok("check", "--db", killed)
	if n := len(lines(p.ok("list", "--ids", "--limit", "0", "--db", killed))); n != 200 {
		t.Errorf("with room again %d URLs are there", n)
	}
}

// An import that fills the disk reports once how many URLs it added, as text or as JSON, and so many are stored.
func TestAddFillsDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("a full disk is met by one goroutine")
	}
	t.Parallel()
	for _, args := range [][]string{{"add", "-"}, {"add", "--json", "-"}} {
		p, disk := onSmallDisk(t, "12m")
		p.run(0, urls(0, 1), "add", "-")
		fill(t, disk, 6<<20)
		stdout, stderr := p.run(1, urls(1, 40_000), args...)
		said := regexp.MustCompile(`(?m)^stdin: \d+ found, (\d+) added`).FindAllStringSubmatch(stderr, -1)
		stored := len(lines(p.ok("list", "--ids", "--limit", "0"))) - 1
		if len(said) != 1 || said[0][1] != strconv.Itoa(stored) || strings.Count(stderr, "the disk is full") != 1 {
			t.Errorf("%d are added, and visto says:\n%s", stored, stderr)
		}
		if strings.Contains(stderr, "nothing was written") {
			t.Errorf("%d are added, and visto says that nothing was written:\n%s", stored, stderr)
		}
		if json := fmt.Sprintf(`"added":%d,`, stored); len(args) > 2 && strings.Count(stdout, json) != 2 {
			t.Errorf("%d are added, and visto says %s", stored, stdout)
		}
		t.Logf("%d added", stored)
	}
}

// TestFullDisk fills a small disk by adding URLs to a database on it: the error is clear, and earlier URLs are intact.
func TestFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	t.Parallel()
	p, disk := onSmallDisk(t, "2m")
	p.run(0, urls(0, 600), "add", "-") // the next command may fail in its first chunk
	_, stderr := p.run(1, urls(600, 20_000), "add", "-")
	if !strings.Contains(stderr, "disk is full") {
		t.Errorf("the message does not say that the disk is full:\n%s", stderr)
	}

	// For opening the database, but not for the export. The failed add may have left less.
	filler := fill(t, disk, 128<<10)
	output := filepath.Join(disk, "registry.jsonl")
	_, stderr = p.run(1, strings.NewReader(""), "export", "--status", "all", "-o", output)
	if !strings.Contains(stderr, "no space left") {
		t.Errorf("the export does not say that the disk is full:\n%s", stderr)
	}
	if err := os.Remove(filler); err != nil {
		t.Error(err)
	}
	for _, name := range entries(t, disk) {
		if !strings.HasPrefix(name, "visto.db") {
			t.Errorf("%s is left on the full disk", name)
		}
	}
	p.ok("check")
	if len(lines(p.ok("list", "--ids"))) < 600 {
		t.Error("URLs that were added before the disk was full are missing")
	}
}
