package candidate_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/probe/testnet"
)

// Spec 15: pages of the host that the record cites are shown though it is off the allowlist, with that said. Citing one
// asks to accept the host first. Other hosts off the allowlist stay out.
func TestHostOffTheAllowlist(t *testing.T) {
	const path, named = "/tramites/alta-padron", "Alta en el padrón"
	for _, test := range []struct{ name, cited, host string }{
		{"home page", "https://aytovillar.es", "aytovillar.es"},
		{"section page", "https://www.villarejo.cat/tramites", "www.villarejo.cat"},
		{"moves to www", "http://concellovila.gal", "www.concellovila.gal"},
		{"moves from www", "https://www.udalherri.eus", "udalherri.eus"},
	} {
		t.Run(test.name, func(t *testing.T) {
			links := page("es", "Trámites", "", path, named, "https://otra.example"+path, named,
				"/salida/alta-padron", named)
			sites := []testnet.Site{{Host: test.host, Pages: map[string]http.Handler{
				"/": links, "/tramites": links, path: page("es", named, steps),
				"/salida/alta-padron": testnet.Redirect(302, "https://tercera.example"+path),
			}}, {Host: "otra.example"}, {Host: "tercera.example", Rest: page("es", named, steps)}}
			if at := hostOf(test.cited); at != test.host {
				moved := testnet.MovedTo("https://" + test.host)
				sites = append(sites, testnet.Site{Host: at, Pages: map[string]http.Handler{"/": moved}, Rest: moved})
			}
			w := newWorld(t, sites...)
			it := w.cite(test.cited, padron)
			list := w.find(it)
			if got := urls(list); !slices.Equal(got, []string{"https://" + test.host + path}) {
				t.Fatalf("%q", got)
			}
			want := "off the allowlist: to cite it, accept the host " + test.host + " first"
			if list[0].Why[0] != want {
				t.Errorf("%q does not begin with %q", list[0].Why, want)
			}
			if n := len(w.net.Log().Requests("otra.example")); n > 0 {
				t.Errorf("%d requests to another host off the allowlist", n)
			}
			w.acceptToCite(it, list[0].URL, test.host)
		})
	}
}

// acceptToCite checks that a page off the allowlist is refused until its host is accepted.
func (w *world) acceptToCite(it review.Item, url, host string) {
	w.Helper()
	choice := review.Choice{Kind: review.Correct, Canonical: url}
	cite := func() error {
		_, err := w.desk.Cite(w.Context(), func() time.Time { return w.clock.Now() },
			review.Citation{Choice: choice, Target: review.Target{ID: it.ID}})
		return err
	}
	if err := cite(); err == nil || !strings.Contains(err.Error(), host+" is not on the allowlist: accept it") {
		w.Errorf("citing it: %v", err)
	}
	rule := canon.Override{Match: canon.Match{Host: host}, Accept: []string{"off-allowlist"}}
	_, _, err := w.desk.SaveOverrides(w.Context(), []review.OverrideChange{{After: &rule}}, "")
	w.must(err)
	w.must(cite())
}

func hostOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host
}
