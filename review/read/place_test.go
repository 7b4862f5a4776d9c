package read_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
	"golang.org/x/text/encoding/charmap"

	"visto/canon"
	"visto/review/read"
)

// foundIn returns the URLs of an input with their places.
func foundIn(t testing.TB, name string, data []byte, opt read.Options) []read.Found {
	t.Helper()
	var list []read.Found
	_, err := read.URLs(t.Context(), name, bytes.NewReader(data), opt, func(f read.Found) error {
		list = append(list, f)
		return nil
	}, func(read.Skip) {})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// decoded returns the URL that the bytes of a place stand for in a format.
func decoded(format string, text []byte) (url string, err error) {
	switch format {
	case "json", "jsonl":
		err = json.Unmarshal(text, &url)
	case "yaml":
		err = yaml.Unmarshal(text, &url)
	case "csv", "tsv":
		url = string(text)
		if strings.HasPrefix(url, `"`) {
			var cells []string
			if cells, err = csv.NewReader(bytes.NewReader(text)).Read(); err == nil {
				url = cells[0]
			}
		}
		url = read.Unguard(url)
	case "html", "sitemap", "markdown":
		url = string(text)
		for _, pair := range []string{"<>", `""`, "''"} {
			if inside, ok := strings.CutPrefix(url, pair[:1]); ok {
				url = strings.TrimSuffix(inside, pair[1:])
			}
		}
		url = html.UnescapeString(url)
	default:
		url = string(text)
	}
	return canon.Trim(url), err
}

// placed checks that line, column and bytes of each place are those of its URL.
func placed(t testing.TB, format string, data []byte, list []read.Found) {
	t.Helper()
	for _, f := range list {
		p := f.Place
		if p.Line < 1 || p.Column < 1 || p.Path == "" {
			t.Errorf("%s: %q at %+v", format, f.URL, p)
		}
		if p.End == 0 {
			continue
		}
		if p.Begin < 0 || p.End > int64(len(data)) || p.Begin >= p.End {
			t.Fatalf("%s: %q at %+v of %d bytes", format, f.URL, p, len(data))
		}
		if format == "markdown" && bytes.ContainsAny(data[p.Begin:p.End], `\&`) { // as TestMarkdownLinks shows
			continue
		}
		raw := data[p.Begin:p.End]
		if (format == "csv" || format == "tsv") && !utf8.Valid(raw) && utf8.ValidString(f.URL) { // a cell in Windows-1252
			var err error
			if raw, err = charmap.Windows1252.NewDecoder().Bytes(raw); err != nil {
				t.Fatal(err)
			}
		}
		if url, err := decoded(format, raw); (url != f.URL || err != nil) && !isPart(format, raw, f.URL) {
			t.Errorf("%s: the bytes of %q are %q: %q, %v", format, f.URL, data[p.Begin:p.End], url, err)
		}
	}
}

// isPart reports whether bytes stand for the URL as a part of a quoted value.
func isPart(format string, raw []byte, url string) bool {
	quotes := map[string]string{"json": `"`, "jsonl": `"`, "csv": `"`, "tsv": `"`, "yaml": `"'`}
	return strings.ContainsFunc(quotes[format], func(quote rune) bool {
		got, err := decoded(format, fmt.Appendf(nil, "%c%s%c", quote, raw, quote))
		return got == url && err == nil
	})
}

// atLine checks that the bytes of a place stand at its line and column.
func atLine(t *testing.T, data []byte, p read.Place) {
	t.Helper()
	before := strings.TrimPrefix(string(data[:p.Begin]), "\uFEFF")
	line := 1 + strings.Count(before, "\n")
	if column := len(before) - strings.LastIndex(before, "\n"); p.Line != line || p.Column != column {
		t.Errorf("%+v stands at %d:%d", p, line, column)
	}
}

func describe(f read.Found) string {
	text := f.URL + " " + f.Place.Path
	if f.Place.End == 0 {
		text += " -"
	}
	if r := f.Record; r != nil {
		text += fmt.Sprintf(" [%s|%s|%s", r.Path, r.ID, r.Name)
		for _, a := range r.Attributes {
			text += "|" + a.Name + "=" + strings.Join(a.Values, ",")
		}
		text += "]"
	}
	return text
}

func sameFound(t *testing.T, got []read.Found, want ...string) {
	t.Helper()
	var lines []string
	for _, f := range got {
		lines = append(lines, describe(f))
	}
	if !slices.Equal(lines, want) {
		t.Errorf("found\n\t%s\nwant\n\t%s", strings.Join(lines, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// Spec 13: an occurrence has a path, which is an RFC 6901 pointer in YAML; a record has an ID, a name and attributes.
func TestPlaceYAML(t *testing.T) {
	data, err := os.ReadFile("testdata/places.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{data, append([]byte("\uFEFF"), data...),
		bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))} {
		list := foundIn(t, "places.yaml", data, read.Options{})
		placed(t, "yaml", data, list)
		sameFound(t, list,
			"https://a.es/ñ /ñ/url [/ñ|ñ|]",
			"https://a.es/l /ñ/link [/ñ|ñ|]",
			"https://a.es/1 /ñ/source_urls/0 [/ñ|ñ|]",
			"https://a.es/2 /ñ/source_urls/1 [/ñ|ñ|]",
			"https://a.es/plain /sources/0/portal_url [/sources/0|a|Uno|tier=1|keywords=uno,dos]",
			"https://sede.ejemplo.es/ /sources/0/sede_url [/sources/0|a|Uno|tier=1|keywords=uno,dos]",
			"https://a.es/tagged /sources/0/catalogo_url [/sources/0|a|Uno|tier=1|keywords=uno,dos]",
			"https://a.es/it's /sources/0/api_url [/sources/0|a|Uno|tier=1|keywords=uno,dos]",
			"https://a.es/ñA /sources/1/portal_url [/sources/1|1|Dos]",
			"https://a.es/literal /sources/1/link [/sources/1|1|Dos]",
			"https://a.es/folded /sources/1/href [/sources/1|1|Dos]",
			"https://a.es/ two /sources/1/url [/sources/1|1|Dos]",
			"https://a.es/inner /sources/1/lists/0/url [/sources/1|1|Dos]",
			"https://a.es/tagged /sources/2/url [/sources/2|2|]",
			"https://a.es/complex /sources/5/?0/url [/sources/5/?0|?0|]",
			"https://a.es/escaped /sources/6/a~1b~0c/url [/sources/6/a~1b~0c|a/b~c|]",
			"https://a.es/second 2#/url [2#|second||indented=x]",
			"https://a.es/explicit 2#/link - [2#|second||indented=x]")
		for _, f := range list {
			alias := f.Place.Path == "/sources/0/sede_url" || f.Place.Path == "/sources/2/url"
			if f.Place.End > 0 && !alias {
				atLine(t, data, f.Place)
			}
		}
	}
}

// The line of an alias is its own; its bytes are those at the anchor.
func TestPlaceAlias(t *testing.T) {
	const data = "base: &b https://a.es/\n\nurl: *b\n"
	p := foundIn(t, "x.yaml", []byte(data), read.Options{})[0].Place
	if p.Line != 3 || p.Column != 6 || data[p.Begin:p.End] != "https://a.es/" {
		t.Errorf("%+v", p)
	}
}

// A scalar whose bytes are not known for certain, such as a plain one over several lines, has its line and column.
func TestPlaceFolded(t *testing.T) {
	p := foundIn(t, "x.yaml", []byte("x: 1\nurl: https://a.es/a\n  b\n"), read.Options{})[0].Place
	if p.Line != 2 || p.Column != 6 || p.End != 0 {
		t.Errorf("%+v", p)
	}
}

// The bytes of a scalar over several lines are those of all of its lines.
func TestPlaceBlock(t *testing.T) {
	const data = "url: |\n    a\n \n    b\n\nlink: >+\n  c\n\nx: 1\n"
	list := foundIn(t, "x.yaml", []byte(data), read.Options{})
	placed(t, "yaml", []byte(data), list)
	for i, want := range []string{"|\n    a\n \n    b\n", ">+\n  c\n\n"} {
		if p := list[i].Place; data[p.Begin:p.End] != want {
			t.Errorf("%q, want %q", data[p.Begin:p.End], want)
		}
	}
}

// samePlaces checks the URLs of an input with their places and records, and that the bytes of each place stand at its
// line and column.
func samePlaces(t *testing.T, name, format, data string, want ...string) {
	t.Helper()
	list := foundIn(t, name, []byte(data), read.Options{})
	placed(t, format, []byte(data), list)
	sameFound(t, list, want...)
	for _, f := range list {
		atLine(t, []byte(data), f.Place)
	}
}

// Spec 13: every URL keeps its place and its record, with pointers in JSON and JSONL.
func TestPlaceJSON(t *testing.T) {
	const data = "\uFEFF" + `{"version": 1, "villa": {
	"empadronamiento": {"url" :  "https://a.es/\u00f1", "oficina": "Oficina", "telefono": 10, "abierta": true,
		"x": null, "largo": {"y": 1}, "horas": ["9", 14], "web": "https://a.es/otra"},
	"a/b": {"source_urls": ["https:\/\/a.es/1", ["https://a.es/2"]], "child": {"link": "https://a.es/3"}}
	}}
{"tramite": "beca", "id": "", "nombre": "Beca", "pasos": [{"href": "https://a.es/4", "via": "Online"}]}`
	samePlaces(t, "x.json", "json", data,
		"https://a.es/ñ /villa/empadronamiento/url [/villa/empadronamiento|empadronamiento|Oficina|telefono=10|"+
			"abierta=true|horas=9,14]",
		"https://a.es/1 /villa/a~1b/source_urls/0 [/villa/a~1b|a/b|]",
		"https://a.es/2 /villa/a~1b/source_urls/1/0 [/villa/a~1b|a/b|]",
		"https://a.es/3 /villa/a~1b/child/link [/villa/a~1b/child|child|]",
		"https://a.es/4 2#/pasos/0/href [2#|beca|Beca]")
}

func TestPlaceJSONL(t *testing.T) {
	const data = "\uFEFF\r\n" + `  {"url":"https://a.es/1","id":7,"title":"T","name":"N"}` + "\r\n" +
		`{"list":[{"url":"https://a.es/2"}]}`
	samePlaces(t, "x.jsonl", "jsonl", data, "https://a.es/1 2#/url [2#|7|N|title=T]",
		"https://a.es/2 3#/list/0/url [3#/list/0|0|]")
}

func TestPlaceCSV(t *testing.T) {
	const data = "\uFEFFid;Nombre;url;link;notas\r\n\r\n7;Ñuño;https://a.es/1;\"https://a.es/\"\"2\"\"\";'=x\r\n" +
		"broken\r\n;\"dos\r\n\r\nlineas\";\"https://a.es/3\"; https://a.es/4 ;https://b.es/\r\n"
	samePlaces(t, "x.csv", "csv", data,
		"https://a.es/1 3:3 [3|7|Ñuño|notas==x]",
		`https://a.es/"2" 3:4 [3|7|Ñuño|notas==x]`,
		"https://a.es/3 5:3 [5|5|dos\n\nlineas]",
		"https://a.es/4 5:4 [5|5|dos\n\nlineas]")
}

func TestPlaceText(t *testing.T) {
	const data = "\uFEFF\t<https://a.es/1>\r\n# no\n«https://a.es/2»"
	samePlaces(t, "x.txt", "text", data, "https://a.es/1 1:3", "https://a.es/2 3:3")
}

// Of the objects around a URL its record is the nearest with an ID, else the nearest with a name, else the innermost.
func TestRecordOf(t *testing.T) {
	const data = `{"name": "file", "a": {"url": "u1", "b": {"link": "u2", "id": "B", "c": {"href": "u3", "name": "C"}}},
		"d": {"url": "u4", "e": {"href": "u5", "title": "E"}}, "f": [{"url": "u6"}]}`
	sameFound(t, foundIn(t, "x.json", []byte(data), read.Options{}),
		"u1 /a/url [||file]",
		"u2 /a/b/link [/a/b|B|]",
		"u3 /a/b/c/href [/a/b|B|]",
		"u4 /d/url [||file]",
		"u5 /d/e/href [/d/e|e|E]",
		"u6 /f/0/url [||file]")
}

// Attributes are short: of a long text the beginning, of lists those of at most 16 scalars.
func TestRecordLimits(t *testing.T) {
	long := "a" + strings.Repeat("ñ", 150)
	short, much := strings.Repeat(`"v",`, 15), strings.Repeat(`"v",`, 16)
	data := `{"url": "u", "a": "` + long + `", "b": [` + short + `"w"], "c": [` + much + `"w"], "d": [], "e": "",
		"f": [null], "g": ["x", {}], "h": ["x", "https://a.es/"], "i": {"j": 1}}`
	r := foundIn(t, "x.json", []byte(data), read.Options{})[0].Record
	if len(r.Attributes) != 2 || r.Attributes[0].Values[0] != long[:199] || len(r.Attributes[1].Values) != 16 {
		t.Errorf("%+v", r)
	}
}

// Reading stays bounded in memory where the record of very many URLs is open to the end of the file.
func TestRecordLate(t *testing.T) {
	const n = 50_000
	data := `{"sources": [` + strings.Repeat(`{"url": "u", "name": "n"},`, n) + `{"url": "u"}], "id": "late"}`
	list := foundIn(t, "x.json", []byte(data), read.Options{})
	if len(list) != n+1 {
		t.Fatal(len(list))
	}
	early, late := list[0].Record, list[n].Record
	if early.Name != "n" || early.Path != "/sources/0" || late.Path != fmt.Sprintf("/sources/%d", n) {
		t.Errorf("%+v, %+v", early, late)
	}
	for i, f := range list {
		if want := fmt.Sprintf("/sources/%d/url", i); f.Place.Path != want || i < n && f.Record.Name != "n" {
			t.Fatalf("%+v, want %s", f, want)
		}
	}
}

// Spec 13: strings that are URLs under fields nobody named are counted by field.
func TestSummaryUntaken(t *testing.T) {
	for name, data := range map[string]string{
		"x.json": `{"cita_url": "https://a.es/1", "l": [{"cita_url": "HTTP://a.es/2"}], "web": ["https://a.es/3"],
			"url": "https://a.es", "nota": "see https://a.es/", "n": "https://"}`,
		"x.yaml": "cita_url: https://a.es/1\nl: [{cita_url: HTTP://a.es/2}]\nweb: [https://a.es/3]\nurl: u\n",
		"x.csv":  "cita_url,web,url\nhttps://a.es/1,https://a.es/2,u\nhttps://a.es/3,no url,u\n",
	} {
		got := readString(name, data).summary
		if want := []read.FieldCount{{"cita_url", 2}, {"web", 1}}; !slices.Equal(got.Untaken, want) {
			t.Errorf("%s: %+v", name, got)
		}
		if got.Format != name[2:] || got.Found == 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
