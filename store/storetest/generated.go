package storetest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// Rows returns the number of URLs for the benchmarks: VISTO_BENCH_ROWS, or a million.
func Rows(b *testing.B) int {
	b.Helper()
	text := os.Getenv("VISTO_BENCH_ROWS")
	if text == "" {
		return 1_000_000
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// Generated returns the path of a database with Rows URLs of Corpus, which the benchmarks share. fill makes it if it
// does not exist. It stays for the next run, in VISTO_BENCH_DIR, or else in the folder for temporary files.
func Generated(b *testing.B, fill func(path string, n int)) string {
	b.Helper()
	return GeneratedAs(b, "visto-bench-", fill)
}

// GeneratedAs is Generated for a database of other contents. Its file has the name with the number of rows behind it.
func GeneratedAs(b *testing.B, name string, fill func(path string, n int)) string {
	b.Helper()
	n := Rows(b)
	dir := os.Getenv("VISTO_BENCH_DIR")
	if dir == "" {
		dir = os.TempDir()
	}
	path := filepath.Join(dir, name+strconv.Itoa(n)+".db")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		fill(path+".new", n)
		if err := os.Rename(path+".new", path); err != nil {
			b.Fatal(err)
		}
	}
	return path
}
