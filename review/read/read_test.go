package read_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"visto/review/read"
)

// reading is the result of URLs: "field@position url (title)" for each URL, "line: why" for each skip.
type reading struct {
	found, skipped []string
	summary        read.Summary
	err            error
}

func readFrom(name string, r io.Reader, opt read.Options) reading {
	var got reading
	got.summary, got.err = read.URLs(context.Background(), name, r, opt, func(f read.Found) error {
		text := fmt.Sprintf("%s@%d %s", f.Place.Field, f.Place.Line, f.URL)
		if f.Title != "" {
			text += " (" + f.Title + ")"
		}
		got.found = append(got.found, text)
		return nil
	}, func(s read.Skip) {
		got.skipped = append(got.skipped, fmt.Sprintf("%d: %s", s.Line, s.Why))
	})
	return got
}

func readString(name, text string) reading {
	return readFrom(name, strings.NewReader(text), read.Options{})
}

func (got reading) expect(t *testing.T, found, skipped []string, err string) {
	t.Helper()
	if !slices.Equal(got.found, found) {
		t.Errorf("found\n\t%s\nwant\n\t%s", strings.Join(got.found, "\n\t"), strings.Join(found, "\n\t"))
	}
	if len(got.skipped) != len(skipped) {
		t.Errorf("skipped %q, want %q", got.skipped, skipped)
	} else {
		for i := range skipped {
			if !strings.HasPrefix(got.skipped[i], skipped[i]) {
				t.Errorf("skipped %q, want %q", got.skipped[i], skipped[i])
			}
		}
	}
	switch {
	case err == "" && got.err != nil:
		t.Errorf("error %v", got.err)
	case err != "" && (got.err == nil || !strings.Contains(got.err.Error(), err)):
		t.Errorf("error %v, want one with %q", got.err, err)
	}
}

// A URL is trimmed. A line that is empty then is blank (spec 2, row 1).
func TestReadTrims(t *testing.T) {
	const lines = "\"https://www.boe.es/a\"\n\u200b\n\u00a0# a remark\n<https://www.boe.es/b>\u00a0\n\"\"\n"
	readString("urls.txt", lines).expect(t, []string{"@1 https://www.boe.es/a", "@4 https://www.boe.es/b"}, nil, "")
	const table = "portal_url,title\n\u200b«https://www.boe.es/a»\u00a0,A\n\u2060,B\n"
	readString("urls.csv", table).expect(t, []string{"portal_url@2 https://www.boe.es/a (A)"}, nil, "")
}

func TestReadFiles(t *testing.T) {
	for _, test := range []struct {
		file           string
		found, skipped []string
		err            string
	}{
		{"urls.txt", []string{
			"@3 https://sede.ejemplo.es/tramites/padron",
			"@4 http://www.ejemplo.es/buscar?p=7&tipo=leyes",
			"@5 sede.muestra.es/sta/CarpetaPublic/doEvent?APP_CODE=STA",
		}, nil, ""},
		{"semicolon.csv", []string{
			"portal_url@2 https://sede.ejemplo.es/padron (Padrón)",
			"portal_url@5 https://sede.ejemplo.es/lineas (Dos\nlíneas)",
			"portal_url@8 https://sede.ejemplo.es/buena (Buena)",
		}, []string{"3: the row has 2 cells, the header 3", `6: a quote (") that neither`,
			`7: a quote (") that is never closed`}, ""},
		{"nested.json", []string{
			"portal_url@4 https://www.ejemplo.es/",
			"source_urls@5 https://sede.ejemplo.es/uno",
			"source_urls@6 https://sede.ejemplo.es/dos",
			"href@7 https://sede.ejemplo.es/tres",
		}, []string{"6: api_url is 7, not a string"}, ""},
		{"lines.jsonl", []string{
			"url@1 https://sede.ejemplo.es/uno",
			"link@4 https://sede.ejemplo.es/tres",
			"link@4 https://sede.ejemplo.es/cuatro",
		}, []string{"2: it is not JSON: unexpected end"}, ""},
		{"anchors.yaml", []string{
			"portal_url@5 https://www.ejemplo.es/",
			"sede_url@6 https://sede.ejemplo.es/",
			"portal_url@8 https://www.ejemplo.es/",
			"source_urls@9 https://sede.ejemplo.es/uno",
			"source_urls@9 https://sede.ejemplo.es/dos",
		}, []string{"10: api_url is 2026, not a string"}, ""},
		{"bomb.yaml", nil, nil, "reading bomb.yaml: its aliases stand for more than"},
	} {
		t.Run(test.file, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "intake", test.file))
			if err != nil {
				t.Fatal(err)
			}
			readFrom(test.file, bytes.NewReader(data), read.Options{}).expect(t, test.found, test.skipped, test.err)
			// The content alone gives the same format.
			sniffed := readFrom("stdin", bytes.NewReader(data), read.Options{})
			sniffed.expect(t, test.found, test.skipped, strings.Replace(test.err, test.file, "stdin", 1))
		})
	}
}

func TestReadWhole(t *testing.T) {
	for _, test := range []struct{ name, input, err string }{
		{"empty.txt", "", ""},
		{"empty.csv", "", ""},
		{"empty.json", "", ""},
		{"empty.yaml", "", ""},
		{"bom.txt", "\xEF\xBB\xBF", ""},
		{"blank.json", " \n", ""},
		{"utf16.txt", "\xFF\xFEh\x00t\x00t\x00p\x00", "reading utf16.txt: it is UTF-16"},
		{"utf16be.csv", "\xFE\xFF\x00u\x00r\x00l", "it is UTF-16"},
		{"nomark.txt", "h\x00t\x00t\x00p\x00s\x00:\x00/\x00/\x00a\x00.\x00e\x00s\x00\n\x00", "it looks like UTF-16"},
		{"binary.txt", "\x7FELF\x02\x01\x01\x00\x00\x00\x00\x00", "it is binary data"},
		{"picture.csv", "\x89PNG\r\n\x1A\n\x00\x00\x00\rIHDR\x00\x00\x01\x00", "it is binary data"},
		{"store.db", "SQLite format 3\x00\x10\x00", "with --query"},
		{"urls.txt.gz", "\x1F\x8B\x08\x00", "it is compressed with gzip, and broken"},
		{"book.csv", "PK\x03\x04\x14", "save it as CSV"},
		{"other.csv", "name,address\na,b\n",
			`none of the columns ["name" "address"] is known to hold URLs: name it with --field`},
		{"wide.csv", strings.Repeat("x", 1000_000) + ",y\n1,2\n",
			`none of the columns ["` + strings.Repeat("x", 40) + `" "y"] is known`},
		{"other.tsv", "name\taddress\na\tb\n", `none of the columns ["name" "address"]`},
		{"html.json", "<html></html>", "it is not JSON"},
		{"bad.yaml", "url: [\n  x: : y\n", "yaml:"},
		{"deep.yaml", strings.Repeat("[", 2000) + strings.Repeat("]", 2000), "nested too deep"},
		{"loop.yaml", "url: &a [*a]\n", "alias is inside its own target"},
		{"latin.yaml", "url: https://a.es/\xE1\n", "UTF-8"},
	} {
		t.Run(test.name, func(t *testing.T) {
			readString(test.name, test.input).expect(t, nil, nil, test.err)
		})
	}
}

func TestReadDirectory(t *testing.T) {
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	readFrom("data", dir, read.Options{}).expect(t, nil, nil, "reading data: it is a directory")
}

func TestReadText(t *testing.T) {
	input := "\xEF\xBB\xBFhttps://a.es/1\r\n\r\n\t https://a.es/\xE1\x1B[2J\x00b \n#no\nhttps://a.es/last"
	readString("x.txt", input).expect(t,
		[]string{"@1 https://a.es/1", "@3 https://a.es/\xE1\x1B[2J\x00b", "@5 https://a.es/last"}, nil, "")
}

func TestReadFields(t *testing.T) {
	opt := read.Options{Fields: []string{"Enlace"}}
	readFrom("x.csv", strings.NewReader("ENLACE,title,url\na.es,A,\nb.es,B,c.es\n"), opt).expect(t,
		[]string{"Enlace@2 a.es (A)", "Enlace@3 b.es (B)", "url@3 c.es (B)"}, nil, "")
	readFrom("x.json", strings.NewReader(`{"enlace":["a.es"," "]}`), opt).expect(t, []string{"Enlace@1 a.es"}, nil, "")
	readFrom("x", strings.NewReader("url\na.es\n"), read.Options{Format: "list"}).expect(t,
		[]string{"@1 url", "@2 a.es"}, nil, "")
	readFrom("x", strings.NewReader("url\na.es\n"), read.Options{Format: "xml"}).expect(t, nil, nil,
		`no format "xml": there is text`)
}

func TestReadJSON(t *testing.T) {
	for _, test := range []struct {
		name, input    string
		found, skipped []string
	}{
		{"cut", "[{\"url\":\"https://a.es/1\"},\n{\"url\":\"https://a.es/2\"},\n{\"url\":\"https://a.e",
			[]string{"url@1 https://a.es/1", "url@2 https://a.es/2"},
			[]string{"3: nothing can be read from here on: it ends in the middle"}},
		{"cut between", "[{\"url\":\"a.es\"},\n", []string{"url@1 a.es"}, []string{"1: nothing can be read"}},
		{"broken", "{\"url\":\"a.es\",\n\"link\":\"b.es\" \"href\":\"c.es\"}", []string{"url@1 a.es", "link@2 b.es"},
			[]string{"2: nothing can be read"}},
		{"bytes", "{\"url\":\"https://a.es/\xE1\",\"link\":\"b.es\"}", []string{"link@1 b.es"},
			[]string{"1: url holds bytes that are not UTF-8"}},
		{"controls", `{"url":"https://a.es/\u0000\u001b[2J\u202eb"}`, []string{"url@1 https://a.es/\x00\x1B[2J\u202Eb"},
			nil},
		{"deep", strings.Repeat("[", 5000), nil,
			[]string{"1: nothing can be read from here on: it is nested too deep"}},
		{"lists", `{"url":[["a.es"],{"x":"no.es","url":"b.es"},true]}`, []string{"url@1 a.es", "url@1 b.es"},
			[]string{"1: url is true, not a string"}},
		{"two documents", "{\"url\":\"a.es\"}\n{\"url\":\"b.es\"}", []string{"url@1 a.es", "url@2 b.es"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			readString("x.json", test.input).expect(t, test.found, test.skipped, "")
		})
	}
}

// longLine returns a line of a hundred million bytes between two short ones.
func longLine(before, after string) io.Reader {
	return io.MultiReader(strings.NewReader(before), io.LimitReader(letters{}, 100_000_000), strings.NewReader(after))
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

func TestReadLongLine(t *testing.T) {
	for _, test := range []struct{ name, before, after, first, last, skip string }{
		{"x.txt", "https://a.es/1\nhttps://a.es/", "\nhttps://a.es/3\n", "@1 https://a.es/1", "@3 https://a.es/3",
			"2: a line of 100000014 bytes"},
		{"x.csv", "url\na.es\n", "\nb.es\n", "url@2 a.es", "url@4 b.es", "3: a line of 100000001 bytes"},
		{"x.jsonl", "{\"url\":\"a.es\"}\n{\"url\":\"", "\"}\n{\"url\":\"b.es\"}\n", "url@1 a.es", "url@3 b.es",
			"2: a line of 100000011 bytes"},
		{"x.json", "[{\"url\":\"a.es\"},{\"link\":\"b.es\"},\n{\"url\":\"", "\"}]", "url@1 a.es", "link@1 b.es",
			"2: nothing can be read from here on: a value of more than 1 MB"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got := readFrom(test.name, longLine(test.before, test.after), read.Options{})
			runtime.ReadMemStats(&after)
			got.expect(t, []string{test.first, test.last}, []string{test.skip}, "")
			if used := after.TotalAlloc - before.TotalAlloc; used > 20<<20 {
				t.Errorf("took %d MB of memory", used>>20)
			}
		})
	}
}

// The row after a header that is too long is no header.
func TestReadLongHeader(t *testing.T) {
	got := readFrom("x.csv", longLine("url,", "\na.es,x\nb.es,y\n"), read.Options{})
	got.expect(t, nil, nil, "line 1: the header: a line of 100000005 bytes: at most 1048576 are read")
}

func TestReadOpenQuote(t *testing.T) {
	rows := strings.Repeat("https://a.es/x,y\n", 100_000) // more than a row may have
	got := readString("x.csv", "url,n\n\"https://a.es/open,y\n"+rows)
	if len(got.found) != 100_000 || len(got.skipped) != 1 || !strings.HasPrefix(got.skipped[0], "2: ") {
		t.Errorf("found %d, skipped %q", len(got.found), got.skipped)
	}
}

// The lines after an open quote are parsed once more, and only once, even if many of them are broken too.
func TestReadOpenQuoteBeforeBrokenRows(t *testing.T) {
	const n = 150_000
	got := readString("x.csv", "url\n\"\n"+strings.Repeat("a\"b\"\n", n)+"a.es\n")
	if len(got.found) != 1 || len(got.skipped) != n+1 {
		t.Errorf("found %q, skipped %d", got.found, len(got.skipped))
	}
}

func TestReadTakes(t *testing.T) {
	opt := read.Options{Fields: []string{"Enlace"}}
	for field, want := range map[string]bool{"URL": true, " enlace ": true, "href": true, "enlaces": false, "": false} {
		if opt.Takes(field) != want {
			t.Errorf("takes %q: %v", field, !want)
		}
	}
}

func TestReadStops(t *testing.T) {
	inputs := map[string]string{
		"x.txt": "a.es\nb.es\n", "x.csv": "url\na.es\nb.es\n", "x.json": `[{"url":"a.es"},{"url":"b.es"}]`,
		"x.jsonl": "{\"url\":\"a.es\"}\n{\"url\":\"b.es\"}\n", "x.yaml": "- url: a.es\n- url: b.es\n",
		"x.xml": "<urlset><url><loc>a.es</loc><loc>b.es</loc></url></urlset>",
	}
	full := errors.New("full")
	for name, input := range inputs {
		ctx, cancel := context.WithCancel(context.Background())
		n := 0
		_, err := read.URLs(ctx, name, strings.NewReader(input), read.Options{}, func(read.Found) error {
			n++
			cancel()
			return nil
		}, func(read.Skip) {})
		if !errors.Is(err, context.Canceled) || n != 1 {
			t.Errorf("%s: cancelled: %d found, %v", name, n, err)
		}
		n = 0
		_, err = read.URLs(context.Background(), name, strings.NewReader(input), read.Options{}, func(read.Found) error {
			n++
			return full
		}, func(s read.Skip) { t.Errorf("%s: skipped %v", name, s) })
		if !errors.Is(err, full) || n != 1 {
			t.Errorf("%s: full: %d found, %v", name, n, err)
		}
	}
}

func TestReadBrokenInput(t *testing.T) {
	for _, name := range []string{"x.txt", "x.csv", "x.jsonl"} {
		broken := errors.New("the disk is on fire")
		head := map[string]string{"x.txt": "a.es\n", "x.csv": "url\na.es\n", "x.jsonl": "{\"url\":\"a.es\"}\n"}[name]
		r := io.MultiReader(strings.NewReader(head+strings.Repeat("\n", 1<<16)), failing{broken})
		got := readFrom(name, r, read.Options{})
		if len(got.found) != 1 || !errors.Is(got.err, broken) {
			t.Errorf("%s: found %q, %v", name, got.found, got.err)
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("../../testdata/intake/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("\"url\"\n\"\n\"\""))
	f.Add([]byte("url;n\nhttps://a.es/\x8a;1\n"))
	f.Add([]byte("\r3\x86"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range slices.Concat(read.Formats(), []string{""}) {
			lines := bytes.Count(data, []byte("\n")) + 1
			if lines == 1 { // those of the old Macintosh end with CR
				lines = bytes.Count(data, []byte("\r")) + 1
			}
			var list []read.Found
			s, _ := read.URLs(context.Background(), "fuzz", bytes.NewReader(data), read.Options{Format: format},
				func(f read.Found) error {
					if strings.TrimSpace(f.URL) == "" {
						t.Errorf("%s: found %q", format, f.URL)
					}
					list = append(list, f)
					return nil
				}, func(s read.Skip) {
					if s.Line > lines || s.Why == "" {
						t.Errorf("%s: skipped %+v of %d lines", format, s, lines)
					}
				})
			placed(t, s.Format, data, list)
		}
	})
}
