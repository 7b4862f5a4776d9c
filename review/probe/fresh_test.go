package probe

import (
	"context"
	"io"
	"net/http"
	"reflect"
	"slices"
	"testing"
	"time"

	"visto/canon"
)

func TestTTL(t *testing.T) {
	tests := []struct {
		url   string
		hours int
	}{
		{"https://sede.ejemplo.gob.es/tramites/ayuda-alquiler", 168},
		{"https://www.ejemplo.gob.es", 168},
		{"https://www.ejemplo.gob.es/noticias/2026/ayudas", 24},
		{"https://www.ejemplo.gob.es/es/actualidad", 24},
		{"https://www.ejemplo.gob.es/sala-de-prensa/nota.html", 24},
		{"https://www.ejemplo.gob.es/noticiasviejas/1", 168},
		{"https://blog.ejemplo.es/una-entrada", 168},
		{"https://status.ejemplo.es/", 1},
		{"https://www.ejemplo.gob.es/dashboard", 1},
		{"https://www.ejemplo.gob.es/estatus-juridico", 168},
		{"https://github.com/a/b", 48},
		{"https://a.github.io/b", 48},
		{"https://notgithub.com/a/b", 168},
		{"https://es.stackoverflow.com/questions/1", 168},
		{"https://www.rfc-editor.org/rfc/rfc9111", 720},
		{"https://www.w3.org/TR/html52/", 720},
		{"https://www.w3.org/news/", 24},
		{"https://url.spec.whatwg.org/", 720},
		{"https://www.boe.es/diario_boe/txt.php?id=BOE-A-2023-12345", 720},
		{"https://www.boe.es/buscar/act.php?id=BOE-A-2023-12345", 168},
		{"https://api.ejemplo.gob.es/v1", 72},
		{"https://datos.ejemplo.gob.es/apidocs", 72},
		{"https://WWW.W3.ORG/TR/x", 720},
		{"no es nada", 168},
	}
	for _, tt := range tests {
		if got := ttl(&canon.Evidence{URL: tt.url, Status: 200}); got != time.Duration(tt.hours)*time.Hour {
			t.Errorf("%s: %v, want %d h", tt.url, got, tt.hours)
		}
	}
	moved := canon.Evidence{URL: "https://a.es/noticias/1", FinalURL: "https://a.es/tramites/1", Status: 200}
	if got := ttl(&moved); got != 168*time.Hour {
		t.Errorf("the final URL counts: %v", got)
	}
	for _, ev := range []canon.Evidence{{Error: "x"}, {Status: 404}, {Status: 503}, {Status: 200, Blocked: "login"},
		{Robots: "blocked"}, {Status: 302}} {
		if got := ttl(&ev); got != failedTTL {
			t.Errorf("%+v: %v, want %v", ev, got, failedTTL)
		}
	}
}

// pageEvidence is evidence with content, fetched at noon.
func pageEvidence() canon.Evidence {
	return canon.Evidence{
		URL: "http://a.es/x", Asked: "https://a.es/x", Status: 200, Method: "get", SHA256: "5f", Title: "X",
		ETag: `"v1"`, LastModified: "Tue, 13 Jan 2026 09:20:00 GMT", FetchedAt: "2026-02-01T12:00:00Z", TTLHours: 10,
	}
}

var noon = time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)

func TestMayRevalidate(t *testing.T) {
	tests := []struct {
		name   string
		change func(*canon.Evidence)
		after  time.Duration
		want   bool
	}{
		{"at once", nil, 0, true},
		{"stale", nil, 11 * time.Hour, true},
		{"at twice the TTL", nil, 20 * time.Hour, true},
		{"after twice the TTL", nil, 20*time.Hour + time.Second, false},
		{"from the future", nil, -time.Second, false},
		{"TTL not written down", func(ev *canon.Evidence) { ev.TTLHours = 0 }, 300 * time.Hour, true},
		{"no time", func(ev *canon.Evidence) { ev.FetchedAt = "" }, 0, false},
		{"a bad time", func(ev *canon.Evidence) { ev.FetchedAt = "ayer" }, 0, false},
		{"no content", func(ev *canon.Evidence) { ev.SHA256 = "" }, 0, false},
		{"an error page", func(ev *canon.Evidence) { ev.Status = 404 }, 0, false},
		{"an error", func(ev *canon.Evidence) { ev.Error = "x" }, 0, false},
		{"a wall", func(ev *canon.Evidence) { ev.Blocked = "login" }, 0, false},
		{"a copy", func(ev *canon.Evidence) { ev.Method = "archive" }, 0, false},
	}
	for _, tt := range tests {
		ev := pageEvidence()
		if tt.change != nil {
			tt.change(&ev)
		}
		if got := mayRevalidate(&ev, noon.Add(tt.after)); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	if mayRevalidate(nil, noon) {
		t.Error("nothing is known, and may be confirmed")
	}
}

func TestConditions(t *testing.T) {
	const modified = "Tue, 13 Jan 2026 09:20:00 GMT"
	tests := []struct {
		name, etag, modified, url string
		want                      http.Header
	}{
		{"both", `"v1"`, modified, "https://a.es/x",
			http.Header{"If-None-Match": {`"v1"`}, "If-Modified-Since": {modified}}},
		{"a weak tag", `W/"v1"`, "", "https://a.es/x", http.Header{"If-None-Match": {`W/"v1"`}}},
		{"a date alone", "", modified, "https://a.es/x", http.Header{"If-Modified-Since": {modified}}},
		{"an old form of date", "", "Tuesday, 13-Jan-26 09:20:00 GMT", "https://a.es/x",
			http.Header{"If-Modified-Since": {"Tuesday, 13-Jan-26 09:20:00 GMT"}}},
		{"no validator", "", "", "https://a.es/x", http.Header{}},
		{"another URL", `"v1"`, modified, "https://a.es/y", http.Header{}},
		{"a hop before", `"v1"`, modified, "http://a.es/x", http.Header{}},
		{"a tag without quotes", "v1", "", "https://a.es/x", http.Header{}},
		{"a tag with a header in it", "\"v1\r\nCookie: a\"", "", "https://a.es/x", http.Header{}},
		{"a tag with a quote in it", `"v1", "v2"`, "", "https://a.es/x", http.Header{}},
		{"no date", "", "ayer", "https://a.es/x", http.Header{}},
		{"a date of 0", "", "0", "https://a.es/x", http.Header{}},
	}
	for _, tt := range tests {
		ev := pageEvidence()
		ev.ETag, ev.LastModified = tt.etag, tt.modified
		if got := conditions(&ev, tt.url); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	if got := conditions(nil, "https://a.es/x"); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
	redirected := pageEvidence()
	redirected.Hops = []canon.Hop{{Status: 301, URL: "https://b.es/y"}}
	for url, want := range map[string]int{"https://a.es/x": 0, "https://b.es/y": 2} {
		if got := conditions(&redirected, url); len(got) != want {
			t.Errorf("redirected, %s: %v", url, got)
		}
	}
}

func TestConfirm(t *testing.T) {
	tests := []struct {
		name         string
		header       http.Header
		etag, stored string
		want         canon.Evidence
		ok           bool
	}{
		{name: "nothing new", header: http.Header{}, stored: `"v1"`, etag: `"v1"`, ok: true},
		{name: "the same tag", header: http.Header{"Etag": {`"v1"`}}, stored: `"v1"`, etag: `"v1"`, ok: true},
		{name: "another weak tag", header: http.Header{"Etag": {`W/"v2"`}}, stored: `W/"v1"`, etag: `W/"v2"`, ok: true},
		{name: "a weak tag for a strong one", header: http.Header{"Etag": {`W/"v1"`}}, stored: `"v1"`, etag: `W/"v1"`,
			ok: true},
		{name: "a tag at last", header: http.Header{"Etag": {`"v1"`}}, stored: "", etag: `"v1"`, ok: true},
		{name: "another strong tag", header: http.Header{"Etag": {`"v2"`}}, stored: `"v1"`, etag: `"v1"`, ok: false},
	}
	for _, tt := range tests {
		ev := pageEvidence()
		ev.ETag, ev.RetryAfter = tt.stored, "2026-01-01T00:00:00Z"
		got, ok := confirm(ev, tt.header, noon.Add(48*time.Hour).In(time.FixedZone("", 3600)))
		if ok != tt.ok || got.ETag != tt.etag {
			t.Errorf("%s: %v, %s", tt.name, ok, got.ETag)
		}
		if !ok {
			continue
		}
		want := pageEvidence()
		want.ETag, want.FetchedAt, want.TTLHours = tt.etag, "2026-02-03T12:00:00Z", 168
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", tt.name, got, want)
		}
	}
	got, _ := confirm(pageEvidence(), http.Header{"Last-Modified": {"Wed, 14 Jan 2026 09:20:00 GMT"}}, noon)
	if got.LastModified != "Wed, 14 Jan 2026 09:20:00 GMT" {
		t.Errorf("Last-Modified: %s", got.LastModified)
	}
}

func TestUnchanged(t *testing.T) {
	same, other, elsewhere, nothing := pageEvidence(), pageEvidence(), pageEvidence(), pageEvidence()
	other.SHA256, elsewhere.FinalURL, nothing.SHA256 = "6f", "https://b.es/", ""
	earlier := pageEvidence()
	for name, tt := range map[string]struct {
		earlier, now *canon.Evidence
		want         bool
	}{
		"the same bytes":  {&earlier, &same, true},
		"other bytes":     {&earlier, &other, false},
		"another place":   {&earlier, &elsewhere, false},
		"nothing before":  {nil, &same, false},
		"no bytes at all": {&nothing, &nothing, false},
	} {
		if got := unchanged(tt.earlier, tt.now); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// knownPage is a cache with the earlier evidence of a page.
type knownPage struct {
	Cache
	earlier *canon.Evidence
}

func (k knownPage) Earlier(context.Context, Target) (*canon.Evidence, error) { return k.earlier, nil }

// TestValidatorsComeAndGo stores the validators of an answer and sends them with the next request.
func TestValidatorsComeAndGo(t *testing.T) {
	const modified = "Tue, 13 Jan 2026 09:20:00 GMT"
	var shown []string
	network := newPipes(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		shown = append(shown, r.Header.Get("If-None-Match")+" "+r.Header.Get("If-Modified-Since"))
		w.Header().Set("ETag", `"v1"`)
		w.Header().Set("Last-Modified", modified)
		if r.Header.Get("If-Modified-Since") == modified {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<title>Ayuda</title>")
	}))
	defer close(network.done)
	clock, cache := newFakeClock(), knownPage{Cache: knownHosts{NewMemoryCache()}}
	for range 2 {
		p := proberFor(t, Config{Policy: keepsHTTP(t), Clock: clock, Resolver: anyName{}, Dial: network.Dial,
			Cache: cache})
		r, err := p.Probe(t.Context(), targetsOn(1, 1)[0])
		p.Close()
		if err != nil || r.Evidence.ETag != `"v1"` || r.Evidence.LastModified != modified ||
			r.Evidence.Title != "Ayuda" {
			t.Fatalf("%v: %+v", err, r.Evidence)
		}
		cache.earlier = r.Evidence
	}
	if want := []string{" ", `"v1" ` + modified}; !slices.Equal(shown, want) {
		t.Errorf("the server was shown %q, want %q", shown, want)
	}
}
