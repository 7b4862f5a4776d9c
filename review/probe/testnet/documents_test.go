package testnet_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"visto/review/probe/testnet"
)

func TestDocuments(t *testing.T) {
	n := start(t, testnet.Documents())
	c := client(t, n)
	const path = ".gob.es/tramites/ayuda-alquiler"
	for host, want := range map[string]struct {
		unit  string
		times int
	}{
		"nested": {"<div>", 1_000_000}, "nested-inline": {"<b>", 1_000_000}, "nested-tables": {"<table>", 100_000},
		"formatting": {"<b class=", 20_000}, "attributes": {"=b ", 100_000}, "links": {"<a href=", 100_000},
		"nested-json": {"[", 1_000_000}, "consent": {"cookie-consent", 1},
	} {
		if _, body := get(t, c, "https://"+host+path); strings.Count(string(body), want.unit) != want.times {
			t.Errorf("%s: %d times %s, want %d", host, strings.Count(string(body), want.unit), want.unit, want.times)
		}
	}
	_, first := get(t, c, "https://changes.gob.es/avisos/cortes-de-agua")
	_, second := get(t, c, "https://changes.gob.es/avisos/cortes-de-agua")
	if bytes.Equal(first, second) {
		t.Error("the page does not change")
	}
	if _, body := get(t, c, "https://open-data.gob.es/api/subvenciones-concedidas"); !json.Valid(body) {
		t.Error("the JSON is invalid")
	}
	if resp, _ := get(t, c, "https://soft-404.gob.es/tramites/ayuda-de-otro-ano"); resp.StatusCode != 200 {
		t.Errorf("the soft 404 answers %d", resp.StatusCode)
	}
}

// TestEndlessSitemaps reads the beginning of the sitemaps of 1 GB. A server must be able to stop.
func TestEndlessSitemaps(t *testing.T) {
	n := start(t, testnet.Documents())
	c := client(t, n)
	const entry, size = "<url><loc>https://sitemaps.gob.es/", 8 << 20
	for name, packed := range map[string]bool{"largo.xml": false, "bomba.xml.gz": true} {
		resp, err := c.Get("https://sitemaps.gob.es/" + name)
		if err != nil {
			t.Fatal(err)
		}
		body := io.Reader(resp.Body)
		if packed {
			if resp.ContentLength > 16<<20 {
				t.Errorf("%s: %d bytes", name, resp.ContentLength)
			}
			if body, err = gzip.NewReader(body); err != nil {
				t.Fatal(err)
			}
		}
		data := make([]byte, size)
		if _, err := io.ReadFull(body, data); err != nil || bytes.Count(data, []byte(entry)) < size/100 {
			t.Errorf("%s: %v, %d entries", name, err, bytes.Count(data, []byte(entry)))
		}
		resp.Body.Close()
	}
}

func TestScripted(t *testing.T) {
	n := start(t, testnet.Documents())
	c := client(t, n)
	_, page := get(t, c, "https://scripted.gob.es/")
	_, text := get(t, c, "https://scripted.gob.es/api/textos.json")
	if strings.Contains(string(page), "Elija la oficina") || !strings.Contains(string(text), "Elija la oficina") ||
		!json.Valid(text) {
		t.Errorf("the text is not in the answer to the script alone: %s", page)
	}
}
