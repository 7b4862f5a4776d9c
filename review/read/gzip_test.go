package read_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"runtime"
	"strings"
	"testing"

	"visto/review/read"
)

func gzipped(t *testing.T, r io.Reader) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := io.Copy(z, r); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Spec 13: any of the text formats is read gzipped. Its places have no bytes, for nothing is written there.
func TestReadGzip(t *testing.T) {
	packed := gzipped(t, strings.NewReader("\uFEFFid,url\n1,https://a.es/1\n"))
	for _, name := range []string{"x.csv.gz", "X.CSV.GZ", "stdin", "x.csv"} {
		list := foundIn(t, name, packed, read.Options{})
		sameFound(t, list, "https://a.es/1 2:2 - [2|1|]")
		if list[0].Place.Line != 2 || list[0].Place.Begin != 0 {
			t.Errorf("%+v", list[0].Place)
		}
	}
	readString("x.csv.gz", string(packed[:len(packed)-9])).expect(t, nil, nil, "unexpected EOF")
	twice := gzipped(t, bytes.NewReader(packed))
	readString("x.gz", string(twice)).expect(t, nil, nil, "compressed with gzip twice")
	_, _, err := read.Rewrite(t.Context(), "x.csv.gz", packed, read.Options{}, nil)
	if err == nil || !strings.Contains(err.Error(), "unpack it first") {
		t.Error(err)
	}
}

// A bomb is bounded, in memory and in time.
func TestReadGzipBomb(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	bomb := gzipped(t, io.LimitReader(letters{}, 1<<28))
	for _, name := range []string{"x.txt.gz", "x.json.gz", "x.yaml.gz", "x.md.gz"} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := readString(name, string(bomb))
		runtime.ReadMemStats(&after)
		if len(got.found) > 0 || got.err == nil {
			t.Errorf("%s: %d found, %v", name, len(got.found), got.err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 300<<20 {
			t.Errorf("%s took %d MB of memory", name, used>>20)
		}
	}
	readString("x.txt.gz", string(bomb)).expect(t, nil, nil, "200 times its size")
}
