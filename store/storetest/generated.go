package storetest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// Rows is how many URLs the benchmarks run on: VISTO_BENCH_ROWS, or a million.
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

// Generated returns the path of the database of that many URLs of Corpus, which the benchmarks share. Where it is not there
// fill makes it. It stays for the next run, in VISTO_BENCH_DIR if that is set, else where temporary files are.
func Generated(b *testing.B, fill func(path string, n int)) string {
	b.Helper()
	n := Rows(b)
	dir := os.Getenv("VISTO_BENCH_DIR")
	if dir == "" {
		dir = os.TempDir()
	}
	path := filepath.Join(dir, "visto-bench-"+strconv.Itoa(n)+".db")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		fill(path+".new", n)
		if err := os.Rename(path+".new", path); err != nil {
			b.Fatal(err)
		}
	}
	return path
}
