package read_test

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review/read"
)

// readAt is the time at which evidence is read.
var readAt = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func readEvidence(t *testing.T, text string) (*read.EvidenceFile, error) {
	t.Helper()
	file, err := read.Evidence(t.Context(), "e.jsonl", strings.NewReader(text), mustClara(t), readAt)
	if err == nil {
		t.Cleanup(func() { file.Close() })
	}
	return file, err
}

func evidenceFor(t *testing.T, file *read.EvidenceFile, c *canon.Canonicalizer, raw string) *canon.Evidence {
	t.Helper()
	ev, err := file.For(c, raw)
	if err != nil {
		t.Fatal(err)
	}
	return ev
}

// Recorded evidence of very many URLs stays out of the memory.
func TestReadEvidenceMemory(t *testing.T) {
	const lines = 20000
	var text strings.Builder
	for i := range lines {
		fmt.Fprintf(&text, `{"url":"https://a.es/%d","title":"%0200d"}`+"\n", i, i)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	file, err := readEvidence(t, text.String())
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if held := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / lines; held > 60 {
		t.Errorf("%d bytes are held for each line", held)
	}
	ev := evidenceFor(t, file, canon.New(mustClara(t), nil), "https://a.es/19999")
	if ev == nil || !strings.HasSuffix(ev.Title, "019999") {
		t.Errorf("%+v", ev)
	}
}

// Nothing stays of a program that is killed while it keeps evidence in a temporary file.
func TestReadEvidenceLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP"} {
		t.Setenv(name, dir)
	}
	file, err := readEvidence(t, `{"url":"https://a.es/1","title":"one"}`)
	if err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 && runtime.GOOS != "windows" {
		t.Errorf("while it is read there are %v, %v", left, err)
	}
	if ev := evidenceFor(t, file, canon.New(mustClara(t), nil), "https://a.es/1"); ev == nil || ev.Title != "one" {
		t.Errorf("%+v", ev)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("after closing it there are %v, %v", left, err)
	}
}

func TestReadEvidence(t *testing.T) {
	file, err := readEvidence(t, "\xEF\xBB\xBF"+
		`{"url":" http://a.ejemplo.gob.es/viejo ","final_url":"https://a.ejemplo.gob.es/nuevo",`+
		`"hops":[{"status":301,"url":"https://c.ejemplo.gob.es/paso"}]}

{"url":"https://b.ejemplo.gob.es/pagina","title":"Ayuda","https":true}
{"hosts":{"A.ejemplo.gob.es":{"https":false},"lejos.es":{"https":true}}}
{"hosts":{"c.ejemplo.gob.es":{"preferred_host":"www.ejemplo.gob.es"}}}
{"url":"https://b.ejemplo.gob.es/otra","preferred_host":"www.b.ejemplo.gob.es"}
`)
	if err != nil {
		t.Fatal(err)
	}
	c := canon.New(mustClara(t), nil)
	ev := evidenceFor(t, file, c, "\thttp://a.ejemplo.gob.es/viejo")
	if ev == nil || ev.FinalURL != "https://a.ejemplo.gob.es/nuevo" || len(ev.Hosts) != 2 ||
		*ev.Hosts["a.ejemplo.gob.es"].HTTPS || ev.Hosts["c.ejemplo.gob.es"].PreferredHost == "" {
		t.Errorf("by original: %+v", ev)
	}
	ev = evidenceFor(t, file, c, "http://www.b.ejemplo.gob.es/pagina/") // canonical with www; the file has it without
	if ev == nil || ev.Title != "" || !*ev.Hosts["b.ejemplo.gob.es"].HTTPS ||
		ev.Hosts["b.ejemplo.gob.es"].PreferredHost != "www.b.ejemplo.gob.es" {
		t.Errorf("by host alone: %+v", ev)
	}
	if ev := evidenceFor(t, file, c, "http://d.ejemplo.gob.es/"); ev != nil {
		t.Errorf("of nothing: %+v", ev)
	}
}

func TestReadEvidenceByCanonical(t *testing.T) {
	file, err := readEvidence(t, `{"url":"https://b.ejemplo.gob.es/pagina","title":"Ayuda"}`)
	if err != nil {
		t.Fatal(err)
	}
	ev := evidenceFor(t, file, canon.New(mustClara(t), nil), "http://B.ejemplo.gob.es/pagina/?utm_source=x")
	if ev == nil || ev.Title != "Ayuda" {
		t.Errorf("evidence %+v", ev)
	}
}

func mustClara(t testing.TB) *canon.Policy {
	t.Helper()
	p, err := canon.Builtin("clara")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestReadEvidenceWithoutAnswer: spec 3, unreachable. curl writes the status 000 where there was no answer.
func TestReadEvidenceWithoutAnswer(t *testing.T) {
	file, err := readEvidence(t, "{\"url\":\"https://a.es/x\",\"status\":0}\n{\"url\":\"https://b.es/x\"}")
	if err != nil {
		t.Fatal(err)
	}
	c := canon.New(mustClara(t), nil)
	if ev := evidenceFor(t, file, c, "https://a.es/x"); ev == nil || ev.Error != "status 000" {
		t.Errorf("%+v", ev)
	}
	if ev := evidenceFor(t, file, c, "https://b.es/x"); ev == nil || ev.Error != "" {
		t.Errorf("%+v", ev)
	}
}

// TestReadEvidencePrivateVersion: spec 2, row 1, private-address. Nothing at a private address is a version of a page.
func TestReadEvidencePrivateVersion(t *testing.T) {
	file, err := readEvidence(t,
		`{"url":"https://a.es/x","lang_variants":{"ca":"http://10.0.0.1/x","en":"https://a.es/en"}}`)
	if err != nil {
		t.Fatal(err)
	}
	ev := evidenceFor(t, file, canon.New(mustClara(t), nil), "https://a.es/x")
	if len(ev.LangVariants) != 1 || ev.LangVariants["en"] != "https://a.es/en" {
		t.Errorf("%v", ev.LangVariants)
	}
}

func TestReadEvidenceErrors(t *testing.T) {
	for _, test := range []struct{ input, err string }{
		{"{\"url\":\"a.es\"}\n{\"url\":\"a.es\",\"finalurl\":\"x\"}",
			`reading e.jsonl: line 2: unknown field "finalurl"`},
		{"{\"url\":\"a.es\"", "line 1: unexpected end of JSON input"},
		{"{\"url\":\"a.es\"} {}", "line 1: invalid character '{' after top-level value"},
		{"{\"url\":\"a.es\",\"status_code\":200}\x00", `line 1: invalid character '\x00' after`},
		{"[]", "line 1: an object is wanted, not a JSON array"},
		{"{\"title\":\"x\"}", `line 1: it names neither a "url" nor "hosts"`},
		{"{\"url\":7}", "line 1: url: a text is wanted, not a JSON number"},
		{"\x00\x01\x02\x03", "it is binary data"},
		{"{\"url\":\"" + strings.Repeat("a", 2<<20) + "\"}", "line 1: a line of 2097162 bytes"},
	} {
		if _, err := readEvidence(t, test.input); err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("%.40q: %v, want %s", test.input, err, test.err)
		}
	}
	if file, err := readEvidence(t, ""); err != nil || file == nil {
		t.Errorf("empty: %v", err)
	}
}

func FuzzReadEvidence(f *testing.F) {
	f.Add([]byte(`{"url":"http://a.es/x","final_url":"https://a.es/y","https":true,"hosts":{"a.es":{"https":false}}}`),
		"a.es/x")
	clara := mustClara(f)
	f.Fuzz(func(t *testing.T, data []byte, raw string) {
		file, err := read.Evidence(t.Context(), "fuzz", strings.NewReader(string(data)), clara, readAt)
		if err == nil {
			defer file.Close()
			evidenceFor(t, file, canon.New(clara, nil), raw)
		}
	})
}

// Spec 13: Clara's link_check JSONL is read as evidence.
// TestReadMixedEvidence has fields of evidence in lines of link checks: they are taken, or counted.
func TestReadMixedEvidence(t *testing.T) {
	file, err := readEvidence(t, `{"url":"https://a.es/1","status_code":200,"title":"Ayuda","https":true,"tier":1}
{"url":"https://a.es/2","status_code":200,"status":404,"language":7,"hops":[],"error":null}
{"url":"https://a.es/3","status_code":200,"status":"active"}`)
	if err != nil {
		t.Fatal(err)
	}
	c := canon.New(mustClara(t), nil)
	ev := evidenceFor(t, file, c, "https://a.es/1")
	if ev == nil || ev.Title != "Ayuda" || ev.HTTPS == nil || ev.Status != 200 || !*ev.Hosts["a.es"].HTTPS {
		t.Errorf("%+v", ev)
	}
	if ev := evidenceFor(t, file, c, "https://a.es/2"); ev == nil || ev.Status != 200 || ev.Language != "" {
		t.Errorf("%+v", ev)
	}
	want := map[string]int{"status": 2, "language": 1, "hops": 1}
	if got := file.Unread(); !maps.Equal(got, want) {
		t.Errorf("not read: %v, want %v", got, want)
	}
}

func TestReadLinkCheck(t *testing.T) {
	file, err := readEvidence(t, `{"url": "https://a.es/1", "final_url": "https://a.es/1", "status_code": 200,`+
		`"checked_at": "2026-02-18T13:00:00.5+01:00", "redirect_chain": [], `+
		`"response_time_ms": 1.5, "failure_reason": null}
{"url":"https://a.es/2","final_url":"https://a.es/z","status_code":404,`+
		`"redirect_chain":["https://a.es/2","https://a.es/y","https://a.es/z"]}
{"url":"https://a.es/3","status_code":null,"failure_reason":"timeout","tier":1}
{"url":"https://a.es/4","final_url":"https://a.es/w","status_code":200}
{"url":"https://a.es/5","final_url":"https://a.es/5","status_code":200,"redirect_chain":["https://a.es/5"]}
{"url":"https://a.es/6","title":"T"}
{"url":"https://a.es/7","status_code":200,"checked_at":"2026-02-20T12:00:00Z"}
{"url":"https://a.es/7","status_code":404,"checked_at":"2026-02-18T12:00:00Z"}
{"url":"https://a.es/7","status_code":503,"checked_at":"2026-03-01T00:00:01Z"}
{"url":"https://a.es/8","status_code":200,"redirect_chain":[null,""]}
{"url":"https://a.es/9","status_code":404,"checked_at":"2026-02-18T12:00:00Z"}
{"url":"https://a.es/9","status_code":200}
{"url":"https://a.es/10","status_code":0,"checked_at":"1970-01-01T00:00:00Z","response_time_ms":1.5}
{"url":"https://a.es/11","final_url":"https://a.es/w","status_code":200,`+
		`"redirect_chain":[" ", "https://a.es/11"," https://a.es/w ",""]}
{"url":"https://a.es/12","status_code":302,"failure_reason":"redirect loop"}
{"url":"https://a.es/13","status_code":304}
{"url":"https://a.es/14","status_code":200,"failure_reason":"body cut off"}
{"url":"https://a.es/15","status_code":410,"failure_reason":"HTTP 410"}`)
	if err != nil {
		t.Fatal(err)
	}
	c := canon.New(mustClara(t), nil)
	for i, want := range []string{
		"200  2026-02-18T12:00:00Z  []", "404   https://a.es/z [{0 https://a.es/y} {0 https://a.es/z}]",
		"0 timeout   []",
		"200   https://a.es/w [{0 https://a.es/w}]", "200    []", "0    []",
		"200  2026-02-20T12:00:00Z  []", "200    []",
		"200    []", "0 no answer 1970-01-01T00:00:00Z  []",
		"200   https://a.es/w [{0 https://a.es/w}]",
		"0 redirect loop   []", "0 the last answer was a redirect (304)   []", "0 body cut off   []", "410    []",
	} {
		ev := evidenceFor(t, file, c, fmt.Sprintf("https://a.es/%d", i+1))
		if got := fmt.Sprint(ev.Status, " ", ev.Error, " ", ev.FetchedAt, " ", ev.FinalURL, " ", ev.Hops); got != want {
			t.Errorf("%d: %s, want %s", i+1, got, want)
		}
	}
	checks, err := file.Checks(c, "https://a.es/10")
	if err != nil || len(checks) != 1 || checks[0].Took != 1500*time.Microsecond {
		t.Errorf("the time of an answer: %+v, %v", checks, err)
	}
	for _, test := range []struct{ line, err string }{
		{`{"status_code":200}`, `it names no "url"`},
		{`{"url":"a.es","checked_at":"today"}`, `checked_at: "today" is no time such as 2026-02-18T12:00:00Z`},
		{`{"url":"a.es","checked_at":"2026-02-18T12:00:00"}`, `is no time such as`},
		{`{"url":"a.es","checked_at":"0001-01-01T00:00:00Z"}`, `checked_at: no check was made in the year 1: leave`},
		{`{"url":"a.es","checked_at":"9999-12-31T23:59:59-01:00"}`, `checked_at: no check was made in the year 10000`},
		{`{"url":"a.es","checked_at":1700000000}`, `checked_at: a text is wanted, not a JSON number`},
		{`{"url":"a.es","ssl_expiry":"9999-12-31T23:59:59-01:00","checked_at":""}`,
			"ssl_expiry: no certificate ends in the year 10000"},
		{`{"url":"a.es","ssl_expiry":"9999-12-31T23:59:59Z","checked_at":""}`, ""},
		{`{"url":"a.es","ssl_expiry":"soon","checked_at":""}`, `ssl_expiry: "soon" is no day such as 2026-02-18`},
		{`{"url":"a.es","status_code":"x"}`, `status_code: a whole number is wanted, not a JSON string`},
		{`{"url":"a.es","status_code":200.5}`, `status_code: a whole number is wanted, not a JSON number 200.5`},
		{`{"url":"a.es","status_code":2147483648}`, "status_code: 2147483648 is no HTTP status"},
		{`{"url":"a.es","status_code":7}`, "status_code: 7 is no HTTP status"},
		{`{"url":"a.es","status_code":1000}`, "status_code: 1000 is no HTTP status"},
		{`{"url":"a.es","status_code":200,"response_time_ms":-1}`, "response_time_ms: -1 is no time"},
		{`{"url":"a.es","status_code":200,"response_time_ms":86400001}`, "is no time of an answer"},
		{`{"url":"a.es","status_code":200,"redirect_chain":[1]}`, "chain: a text is wanted, not a JSON number"},
		{`{"url":"a.es","status_code":200,"redirect_chain":"x"}`, "chain: a list is wanted, not a JSON string"},
		{`{"url":"a.es","status_code":999,"response_time_ms":86400000}`, ""},
		{`{"url":"a.es","redirect_chain":["","https://a.es/b",""]}`, ""},
	} {
		_, err := readEvidence(t, test.line)
		if text := fmt.Sprint(err); (err == nil) != (test.err == "") || err != nil &&
			!(strings.Contains(text, "line 1: ") && strings.Contains(text, test.err)) {
			t.Errorf("%s: %v, want %q", test.line, err, test.err)
		}
	}
}
