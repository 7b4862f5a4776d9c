package probe

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"visto/canon"
)

const (
	availability = "https://archive.example/wayback/available"
	gonePage     = "https://www.ejemplo.gob.es/viejo?a=b&c=d"
	copied       = "https://web.archive.org/web/20240611093000/" + gonePage
	copiedAsIs   = "https://web.archive.org/web/20240611093000id_/" + gonePage
)

// fakeArchive answers requests for known URLs and records all requests.
type fakeArchive struct {
	answers map[string]*Response
	asked   []string
}

// at returns the archive with its service at that URL.
func (a *fakeArchive) at(t *testing.T, service string) archive {
	t.Helper()
	policy, err := canon.Builtin(canon.DefaultPolicy)
	if err != nil {
		t.Fatal(err)
	}
	return archive{fetch: a.fetch, policy: policy, service: service}
}

func (a *fakeArchive) fetch(_ context.Context, url string) (*Response, error) {
	a.asked = append(a.asked, url)
	if r := a.answers[url]; r != nil {
		return r, nil
	}
	return nil, errors.New("connection refused")
}

func archiveAnswer(status int, contentType, body string) *Response {
	return &Response{URL: copiedAsIs, Method: "GET", Status: status,
		Header: http.Header{"Content-Type": {contentType}}, Body: []byte(body)}
}

func askFor(page string) string { return availability + "?url=" + url.QueryEscape(page) }

func goneEvidence() canon.Evidence {
	return canon.Evidence{URL: "http://WWW.ejemplo.gob.es/viejo?a=b&c=d", Asked: gonePage, Status: 404, Method: "get",
		ETag: `"x"`}
}

const hasCopy = `{"url": "x", "archived_snapshots": {"closest": {"status": "200", "available": true,
	"url": "http://web.archive.org/web/20240611093000/` + gonePage + `", "timestamp": "20240611093000"}}}`

func TestLookUpArchive(t *testing.T) {
	page := archiveAnswer(200, "text/html; charset=utf-8",
		`<html lang="es"><title>Ayuda al alquiler</title><link rel=canonical href=/otra><p>Era así.`)
	found := goneEvidence()
	found.ArchiveURL, found.ArchiveDate, found.Caveats = copied, "2024-06-11T09:30:00Z", []string{archiveFound}
	read := found
	read.Title, read.Language, read.Method, read.Caveats = "Ayuda al alquiler", "es", "archive", []string{archiveRead}
	with := func(caveat string) canon.Evidence {
		ev := goneEvidence()
		ev.Caveats = []string{caveat}
		return ev
	}
	json := func(text string) *Response { return archiveAnswer(200, "application/json", text) }
	tests := []struct {
		name   string
		answer *Response
		page   *Response
		want   canon.Evidence
	}{
		{"a copy that is read", json(hasCopy), page, read},
		{"a copy that is not read", json(hasCopy), nil, found},
		{"a copy that is gone too", json(hasCopy), archiveAnswer(503, "text/html", "x"), found},
		{"no copy", json(`{"url": "x", "archived_snapshots": {}}`), nil, with(archiveNone)},
		{"a copy of an error", json(strings.Replace(hasCopy, `"200"`, `"404"`, 1)), nil, with(archiveNone)},
		{"a copy that is not available", json(strings.Replace(hasCopy, "true", "false", 1)), nil, with(archiveNone)},
		{"CDX", json(`[["urlkey","timestamp","original","statuscode"],` +
			`["es,x)/","20200101000000","https://x.es/","200"],` +
			`["es,x)/","2024","` + gonePage + `","200"]]`), nil,
			func() canon.Evidence {
				ev := found
				ev.ArchiveURL, ev.ArchiveDate = "https://archive.example/web/2024/"+gonePage, "2024-01-01T00:00:00Z"
				return ev
			}()},
		{"CDX without a copy", json(`[]`), nil, with(archiveNone)},
		{"CDX that is empty", json("\n"), nil, with(archiveNone)},
		{"CDX without names", json(`[["a"],["b"]]`), nil,
			with("The web archive could not be asked: the answer has no known form.")},
		{"a short row", json(`[["timestamp","original"],["2024"]]`), nil,
			with("The web archive could not be asked: the answer has no known form.")},
		{"HTML", json(`<html>`), nil, with("The web archive could not be asked: the answer has no known form.")},
		{"another object", json(`{"error": "x"}`), nil,
			with("The web archive could not be asked: the answer has no known form.")},
		{"a bad date", json(strings.ReplaceAll(hasCopy, `: "20240611093000"`, `: "20249911"`)), nil,
			with("The web archive could not be asked: the answer has no known form.")},
		{"a script for a URL", json(strings.Replace(hasCopy, "http://web.archive.org/", "javascript:", 1)), nil,
			with("The web archive could not be asked: the answer has no known form.")},
		{"a busy archive", archiveAnswer(429, "text/html", ""), nil,
			with("The web archive could not be asked: archive.example answered 429.")},
		{"no answer", nil, nil, with("The web archive could not be asked: connection refused.")},
	}
	for _, tt := range tests {
		a := &fakeArchive{answers: map[string]*Response{askFor(gonePage): tt.answer, copiedAsIs: tt.page}}
		ev := goneEvidence()
		if err := lookUpArchive(t.Context(), a.at(t, availability), &ev); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if !reflect.DeepEqual(ev, tt.want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", tt.name, ev, tt.want)
		}
	}
}

// TestLookUpArchiveWhen looks up only pages that are gone.
func TestLookUpArchiveWhen(t *testing.T) {
	tests := []struct {
		name string
		ev   canon.Evidence
		want int // requests
	}{
		{"no answer", canon.Evidence{URL: gonePage, Error: "no such host"}, 1},
		{"404", canon.Evidence{URL: gonePage, Status: 404}, 1},
		{"410", canon.Evidence{URL: gonePage, Status: 410}, 1},
		{"500", canon.Evidence{URL: gonePage, Status: 500}, 1},
		{"404 after a redirect", canon.Evidence{URL: gonePage, Status: 404,
			FinalURL: "https://www.ejemplo.gob.es/error"}, 2},
		{"404 of itself", canon.Evidence{URL: gonePage, Status: 404, FinalURL: gonePage}, 1},
		{"200", canon.Evidence{URL: gonePage, Status: 200}, 0},
		{"403", canon.Evidence{URL: gonePage, Status: 403, Blocked: "forbidden"}, 0},
		{"429", canon.Evidence{URL: gonePage, Status: 429, Blocked: "rate-limited"}, 0},
		{"503 of a firewall", canon.Evidence{URL: gonePage, Status: 503, Blocked: "forbidden"}, 0},
		{"robots", canon.Evidence{URL: gonePage, Robots: "blocked", Error: "x"}, 0},
		{"nothing", canon.Evidence{}, 0},
	}
	none := archiveAnswer(200, "application/json", `{"archived_snapshots": {}}`)
	for _, tt := range tests {
		a := &fakeArchive{answers: map[string]*Response{askFor(gonePage): none, askFor(tt.ev.FinalURL): none}}
		err := lookUpArchive(t.Context(), a.at(t, availability), &tt.ev)
		if err != nil || len(a.asked) != tt.want {
			t.Errorf("%s: asked %q, %v; want %d requests", tt.name, a.asked, err, tt.want)
		}
		if gone := tt.want > 0; gone != reflect.DeepEqual(tt.ev.Caveats, []string{archiveNone}) {
			t.Errorf("%s: %q", tt.name, tt.ev.Caveats)
		}
	}
}

// TestLookUpArchiveService keeps the parameters in the address of the service.
func TestLookUpArchiveService(t *testing.T) {
	a := &fakeArchive{}
	ev := goneEvidence()
	cdx := a.at(t, "https://h.example/cdx?output=json&limit=-1")
	if err := lookUpArchive(t.Context(), cdx, &ev); err != nil {
		t.Fatal(err)
	}
	want := "https://h.example/cdx?output=json&limit=-1&url=" + url.QueryEscape(gonePage)
	if !reflect.DeepEqual(a.asked, []string{want}) {
		t.Errorf("asked %q, want %q", a.asked, want)
	}
}

func TestLookUpArchiveCancelled(t *testing.T) {
	why := errors.New("the user went away")
	for _, before := range []string{askFor(gonePage), copiedAsIs} {
		ctx, cancel := context.WithCancelCause(t.Context())
		answer := archiveAnswer(200, "application/json", hasCopy)
		a := &fakeArchive{answers: map[string]*Response{askFor(gonePage): answer}}
		fetch := func(ctx context.Context, url string) (*Response, error) {
			if url == before {
				cancel(why)
				return nil, ctx.Err()
			}
			return a.fetch(ctx, url)
		}
		ev := goneEvidence()
		if err := lookUpArchive(ctx, archive{fetch: fetch, service: availability}, &ev); !errors.Is(err, why) {
			t.Errorf("cancelled before %s: %v", before, err)
		}
	}
}
