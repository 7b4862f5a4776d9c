package sqlite_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"visto/review"
	"visto/store/sqlite"
	"visto/store/storetest"
)

// benchRows is how many URLs the benchmarks run on: VISTO_BENCH_ROWS, or a million.
func benchRows(b *testing.B) int {
	text := os.Getenv("VISTO_BENCH_ROWS")
	if text == "" {
		return 1_000_000
	}
	n, err := strconv.Atoi(text)
	must(b, err)
	return n
}

// benchFile is the generated database that the benchmarks share. It is made once, in VISTO_BENCH_DIR if that is set, where
// it stays for the next run.
func benchFile(b *testing.B) string {
	b.Helper()
	n := benchRows(b)
	dir := os.Getenv("VISTO_BENCH_DIR")
	if dir == "" {
		dir = os.TempDir()
	}
	path := filepath.Join(dir, "visto-bench-"+strconv.Itoa(n)+".db")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		makeBench(b, path, n)
	}
	return path
}

// makeBench fills a database with storetest.Corpus and decides on some of it.
func makeBench(b *testing.B, path string, n int) {
	b.Helper()
	fresh := path + ".new"
	must(b, errors.Join(remove(fresh), remove(fresh+"-wal"), remove(fresh+"-shm")))
	s, err := sqlite.Open(b.Context(), fresh, sqlite.Options{Create: true})
	must(b, err)
	d, err := review.Open(b.Context(), s, "ana", nil)
	must(b, err)
	_, err = d.Add(b.Context(), storetest.Corpus(1, n))
	must(b, err)
	must(b, s.Close())
	must(b, os.Rename(fresh, path))
}

func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// BenchmarkMake is adding the generated URLs to a new database.
func BenchmarkMake(b *testing.B) {
	n := benchRows(b)
	for b.Loop() {
		makeBench(b, filepath.Join(b.TempDir(), "visto.db"), n)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/row")
}
