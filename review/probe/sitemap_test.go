package probe_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"visto/review/probe"
	"visto/review/probe/testnet"
)

// manyPages is a site with a robots.txt, sitemaps and any number of pages.
func manyPages() testnet.Site {
	robots := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "Sitemap: /mapa.xml.gz\nsitemap: https://cdn.gob.es/otro.xml\nUser-agent: *\n"+
			"Disallow: /no/\n"+
			"Sitemap: javascript:x\n")
	})
	long := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, strings.Repeat("0123456789", 1000))
	})
	return testnet.Site{Host: "many.gob.es", Robots: robots,
		Pages: map[string]http.Handler{"/mapa.xml.gz": long, "/no/mapa.xml": long,
			"/old.xml": testnet.Redirect(301, "/mapa.xml.gz"), "/gone.xml": testnet.Gone(404)},
		Rest: testnet.Page{Lang: "es", Title: "Ayuda"}}
}

// Spec 15: never more than so many requests for one question. A budget bounds all requests of its targets, also those
// for robots.txt and for facts about the host, and puts off the targets that are left.
func TestBudget(t *testing.T) {
	w := newWorld(t, []testnet.Site{manyPages()})
	p, err := probe.New(w.config)
	if err != nil {
		t.Fatal(err)
	}
	budget := probe.NewBudget(7)
	var targets []probe.Target
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		targets = append(targets, probe.Target{URL: "https://many.gob.es/tramites/ayuda-" + name, Budget: budget})
	}
	answered, deferred := 0, 0
	err = p.Run(t.Context(), targets, func(r probe.Report) error {
		switch {
		case r.Evidence != nil && r.Evidence.Status == 200:
			answered++
		case r.Evidence == nil && strings.Contains(r.Deferred, "used up"):
			deferred++
		}
		return nil
	})
	if n := len(w.net.Log().Requests("many.gob.es")); err != nil || n != 7 || answered == 0 || answered+deferred != 6 ||
		budget.Left() != 0 {
		t.Errorf("%v: %d requests, %d answered, %d put off, %d left", err, n, answered, deferred, budget.Left())
	}
}

// Spec 15: a site's sitemap is read under all manners of the probe: robots.txt, limits, redirects.
func TestSitemaps(t *testing.T) {
	noRobots := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		io.WriteString(w, "Sitemap: /mapa.xml\n")
	})
	w := newWorld(t, []testnet.Site{manyPages(), {Host: "few.gob.es", Robots: noRobots}})
	p, err := probe.New(w.config)
	if err != nil {
		t.Fatal(err)
	}
	on := func(path string) probe.Target { return probe.Target{URL: "https://many.gob.es" + path} }
	named, err := p.Sitemaps(t.Context(), on("/tramites/ayuda"))
	if want := []string{"https://many.gob.es/mapa.xml.gz", "https://cdn.gob.es/otro.xml"}; err != nil ||
		!slices.Equal(named, want) {
		t.Errorf("%q, %v", named, err)
	}
	named, err = p.Sitemaps(t.Context(), probe.Target{URL: "https://few.gob.es/tramites/ayuda"})
	if err != nil || named != nil {
		t.Errorf("of a robots.txt that is not found: %q, %v", named, err)
	}
	for path, want := range map[string]int{"/mapa.xml.gz": 100, "/old.xml": 100, "/no/mapa.xml": 0, "/gone.xml": 0} {
		r, err := p.Download(t.Context(), on(path), 100)
		switch {
		case err != nil || (r != nil) != (want > 0):
			t.Errorf("%s: %v, %v", path, r, err)
		case r != nil && (len(r.Body) != want || !r.Truncated):
			t.Errorf("%s: %d bytes", path, len(r.Body))
		}
	}
	if n := w.net.Log().Asked("https://many.gob.es/no/mapa.xml"); n > 0 {
		t.Error("robots.txt was not heeded")
	}
}
