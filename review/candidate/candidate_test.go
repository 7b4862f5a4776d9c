package candidate_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"visto/review"
	"visto/review/candidate"
	"visto/review/probe"
	"visto/review/probe/extract"
	"visto/review/probe/testnet"
	"visto/review/read"
)

var padron = procedure("alta_padron", "Alta en el padrón municipal", "empadronamiento", "padrón", "登记", "تسجيل")

// Spec 15: the page that fits the record is first, though it is a step further than the cited home page, and its
// siblings have the same words: last year's, the Catalan one, news, questions and answers.
func TestRightPageFirst(t *testing.T) {
	w := newWorld(t, villa(map[string]http.Handler{
		"/": page("es", "Ayuntamiento de Villa", "", "/tramites", "Trámites",
			"/noticias/2026/empadronamiento", "Alta en el padrón",
			"/licencias/obra-menor", "Licencia de obra menor"),
		"/tramites": page("es", "Trámites", "", "/tramites/empadronamiento-altas", "Empadronamiento: altas",
			"/ca/tramits/empadronament-altes", "Alta al padró", "/tramites/padron-preguntas-frecuentes",
			"Preguntas frecuentes sobre el alta en el padrón", "/tramites/padron-alta-2024", "Alta en el padrón 2024"),
		"/tramites/empadronamiento-altas": page("es", "Empadronamiento: altas",
			"<p>Inscripción en el padrón municipal de habitantes.</p>"+steps),
		"/ca/tramits/empadronament-altes": page("ca", "Alta en el padró municipal",
			"<p>Alta en el padrón municipal.</p>"),
		"/tramites/padron-preguntas-frecuentes": page("es", "Preguntas frecuentes: alta en el padrón municipal",
			"<p>Alta en el padrón municipal: empadronamiento. Alta, padrón.</p>"),
		"/tramites/padron-alta-2024": page("es", "Alta en el padrón municipal 2024",
			"<p>Alta en el padrón municipal.</p>"+steps),
		"/noticias/2026/empadronamiento": page("es", "Más altas en el padrón municipal", "<p>Alta en el padrón.</p>"),
		"/licencias/obra-menor":          page("es", "Licencia de obra menor", steps),
	}))
	list := w.find(w.cite(host, padron))
	if len(list) == 0 || list[0].URL != host+"/tramites/empadronamiento-altas" {
		t.Fatalf("not first:\n%s", text(list))
	}
	why := strings.Join(list[0].Why, "; ")
	for _, want := range []string{"title has «Alta»", "«empadronamiento»", "in Spanish",
		"headings of a procedure: «Requisitos»"} {
		if !strings.Contains(why, want) {
			t.Errorf("%q does not say %q", why, want)
		}
	}
	if !strings.Contains(text(list), "older: 2024") || !strings.Contains(text(list), "in Catalan") {
		t.Errorf("signals are missing:\n%s", text(list))
	}
	if list[0].Report.Content == nil {
		t.Error("the page was not read")
	}
	if !slices.IsSortedFunc(list, func(a, b candidate.Candidate) int { return int(1000 * (b.Score - a.Score)) }) {
		t.Errorf("not sorted:\n%s", text(list))
	}
	for _, c := range list {
		if c.URL == host || strings.Contains(c.URL, "obra-menor") {
			t.Errorf("%s is proposed", c.URL)
		}
	}
}

// Spec 15: shown with score. On a site of two pages every word is in half of them, and still tells how well each fits.
func TestScoresOfSmallSites(t *testing.T) {
	w := newWorld(t, villa(map[string]http.Handler{
		"/":         page("es", "Inicio", "", "/t/padron", "Padrón municipal", "/t/tasas", "Padrón de tasas"),
		"/t/padron": page("es", "Alta en el padrón municipal", steps),
		"/t/tasas":  page("es", "Padrón de tasas", steps),
	}))
	list := w.find(w.cite(host, padron))
	if len(list) != 2 || list[0].URL != host+"/t/padron" || list[1].Score < 0.1 || list[0].Score < 2*list[1].Score {
		t.Errorf("%s", text(list))
	}
}

// Spec 15: never more than 30 requests a site for one question, robots.txt, sitemaps and redirects included.
func TestRequestsAreBounded(t *testing.T) {
	var links []string
	pages := map[string]http.Handler{}
	for i := range 60 {
		path := fmt.Sprintf("/tramites/padron-alta-%c%c", 'a'+i/26, 'a'+i%26)
		links = append(links, path, "Alta en el padrón")
		pages[path] = testnet.Redirect(301, path+"-nueva")
		pages[path+"-nueva"] = page("es", "Alta en el padrón", steps)
	}
	pages["/"] = page("es", "Inicio", "", links...)
	w := newWorld(t, villa(pages))
	it := w.cite(host, padron)
	for i := range 2 { // robots.txt is stored after the first question
		before := len(w.net.Log().Requests("villa.gob.es"))
		list := w.find(it)
		if n := len(w.net.Log().Requests("villa.gob.es")) - before; n > candidate.MaxRequests || n < 20 {
			t.Errorf("%d requests", n)
		}
		if len(list) == 0 || !strings.HasSuffix(list[0].URL, "-nueva") || list[0].Report.Evidence.Hops != nil {
			t.Errorf("the end of a redirect is not proposed:\n%s", text(list))
		}
		for url := range pages {
			if n := w.net.Log().Asked(host + url); n > i+1 && url != "/" {
				t.Errorf("%d requests for %s", n, url)
			}
		}
	}
}

// Spec 15: a candidate is checked against allowlist and robots.txt; home pages and rejected ones drop out, as do pages
// that are gone.
func TestCandidatesAreChecked(t *testing.T) {
	pages := map[string]http.Handler{
		"/": page("es", "Inicio", "", "/cerrado/alta-padron", "Alta en el padrón", "https://padron.example/alta-padron",
			"Alta en el padrón", "/gone/alta-padron", "Alta en el padrón", "/inicio", "Alta en el padrón municipal",
			"/tramites/alta-padron?ref_x=1", "Alta en el padrón", "http://127.0.0.1/alta-padron", "Alta en el padrón"),
		"/cerrado/alta-padron":  page("es", "Alta en el padrón", steps),
		"/inicio":               page("es", "Inicio", steps),
		"/tramites/alta-padron": page("es", "Alta en el padrón", steps),
	}
	site := villa(pages)
	site.Robots = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "User-agent: *\nDisallow: /cerrado/\n")
	})
	w := newWorld(t, site)
	list := w.find(w.cite(host, padron))
	if got := urls(list); !slices.Equal(got, []string{host + "/tramites/alta-padron?ref_x=1"}) {
		t.Errorf("%q", got)
	}
	if !strings.Contains(text(list), "flagged unknown-param") {
		t.Errorf("flags are not told:\n%s", text(list))
	}
	if n := w.net.Log().Asked(host + "/cerrado/alta-padron"); n > 0 {
		t.Error("robots.txt was not heeded")
	}
}

// Spec 15: the sitemap is a source: that of robots.txt, an index, a compressed one, one in Latin-1; a page that nothing
// links to.
func TestSitemaps(t *testing.T) {
	const name = "/sin-enlace/alta-padron-municipal"
	listed := urlset(host+name, "https://other.gob.es/alta-padron-municipal")
	latin1 := urlset(host+"/a\xF1o", host+name)
	declared := strings.Replace(latin1, `"1.0"`, `"1.0" encoding="ISO-8859-1"`, 1)
	index := `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>` + host +
		`/mapa-1.xml.gz</loc></sitemap></sitemapindex>`
	many := func(names, last string) (robots string) { // more than are read
		for i := range 6 {
			robots += "Sitemap: " + host + "/" + fmt.Sprintf(names, i) + "\n"
		}
		return robots + "Sitemap: " + host + "/" + last + "\n"
	}
	other := testnet.Site{Host: "other.gob.es", Pages: map[string]http.Handler{"/mapa.xml": raw([]byte(listed))}}
	for _, test := range []struct {
		name, robots string
		pages        map[string]http.Handler
	}{
		{"usual", "", map[string]http.Handler{"/sitemap.xml": raw([]byte(listed))}},
		{"robots", "Sitemap: https://other.gob.es/mapa.xml\nSitemap: " + host + "/mapa.xml\n", map[string]http.Handler{
			"/mapa.xml": raw([]byte(listed))}},
		{"index, compressed", "sitemap: /indice.xml\n", map[string]http.Handler{
			"/indice.xml": raw([]byte(index)), "/mapa-1.xml.gz": raw(packed([]byte(listed)))}},
		{"news last", many("noticias-%d.xml", "mapa.xml"), map[string]http.Handler{"/mapa.xml": raw([]byte(listed))}},
		{"of procedures first", many("mapa-%d.xml", "tramites.xml"), map[string]http.Handler{
			"/tramites.xml": raw([]byte(listed))}},
		{"Latin-1", "", map[string]http.Handler{"/sitemap.xml": raw([]byte(declared))}},
		{"Latin-1 by its header", "", map[string]http.Handler{
			"/sitemap.xml": testnet.Data("text/xml; charset=iso-8859-1", []byte(latin1))}},
		{"cut", "", map[string]http.Handler{"/sitemap.xml": raw([]byte(strings.TrimSuffix(listed, "</urlset>")))}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.pages["/"] = page("es", "Inicio", "")
			test.pages[name] = page("es", "Padrón municipal: alta", steps)
			site := villa(test.pages)
			site.Robots = raw([]byte("User-agent: *\nDisallow:\n" + test.robots))
			w := newWorld(t, site, other)
			list := w.find(w.cite(host, padron))
			if got := urls(list); !slices.Equal(got, []string{host + name}) {
				t.Errorf("%q", got)
			}
			if !strings.Contains(text(list), "in the sitemap") {
				t.Errorf("it is not told where it was found:\n%s", text(list))
			}
			if n := len(w.net.Log().Requests(other.Host)); n > 0 {
				t.Errorf("%d requests to another site", n)
			}
		})
	}
}

// Spec 15: hreflang is a source, also that of a sitemap: the version in Spanish is proposed, the others are not.
func TestSitemapVersions(t *testing.T) {
	const es, ca, only = "/es/tramites/alta-padron-311", "/ca/tramits/alta-padro-311", "/gl/alta-padron-municipal"
	version := func(lang, path string) string {
		return fmt.Sprintf(`<xhtml:link rel="alternate" hreflang="%s" href="%s"/>`, lang, host+path)
	}
	listed := `<urlset xmlns:xhtml="http://www.w3.org/1999/xhtml">` +
		`<url><loc>` + host + ca + `</loc>` + version("ca", ca) + version("es-ES", es) + `</url>` +
		`<url><loc>` + host + only + `</loc>` + version("gl", only) + `</url></urlset>`
	w := newWorld(t, villa(map[string]http.Handler{
		"/": page("es", "Inicio", ""), "/sitemap.xml": raw([]byte(listed)),
		es: page("es", "Alta en el padrón municipal", steps), ca: page("ca", "Alta en el padró municipal", steps),
		only: page("gl", "Alta no padrón municipal", steps),
	}))
	if got := urls(w.find(w.cite(host, padron))); !slices.Equal(got, []string{host + es, host + only}) {
		t.Errorf("%q", got)
	}
	if n := w.net.Log().Asked(host + ca); n > 0 {
		t.Error("the Catalan version was asked for")
	}
}

// A hostile sitemap ends at a limit: one without an end, and one that unpacks to very much.
func TestHostileSitemaps(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	one := "<url><loc>" + host + "/alta-padron</loc></url>"
	endless := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "<urlset>")
		for line := strings.Repeat(one, 1000); r.Context().Err() == nil; {
			if _, err := io.WriteString(w, line); err != nil {
				return
			}
		}
	})
	bomb := packed([]byte("<urlset>" + one + strings.Repeat(" ", 200<<20)))
	for name, handler := range map[string]http.Handler{"endless": endless, "bomb": raw(bomb),
		"page": page("es", "No", "")} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, villa(map[string]http.Handler{
				"/": page("es", "Inicio", "", "/alta-padron-a", "Alta"), "/sitemap.xml": handler,
				"/alta-padron":   page("es", "Alta en el padrón", steps),
				"/alta-padron-a": page("es", "Alta", steps),
			}))
			if list := w.find(w.cite(host, padron)); len(list) == 0 {
				t.Error("nothing was found besides")
			}
		})
	}
}

// Spec 15: hreflang and rel=canonical. For no-spanish the Spanish version that the page names is first, and a Catalan
// page that has one is not proposed itself.
func TestVersions(t *testing.T) {
	es, ca := host+"/es/tramites/volante", host+"/ca/tramits/volant"
	both := testnet.Alternates("es", es, "ca", ca)
	catalan := page("ca", "Volant", "")
	catalan.Head = both
	spanish := page("es", "Volante de convivencia", steps)
	spanish.Head = both
	w := newWorld(t, villa(map[string]http.Handler{
		"/":                  page("es", "Inicio", "", "/ca/tramits/volant", "Volante de convivencia"),
		"/ca/tramits/volant": catalan, "/es/tramites/volante": spanish,
	}))
	record := procedure("volante", "Volante de convivencia")
	list := w.find(w.cite(host, record))
	if got := urls(list); !slices.Equal(got, []string{es}) {
		t.Errorf("%q", got)
	}
	if list[0].Report.Evidence.Language != "es" {
		t.Errorf("the content is not that of the Spanish version:\n%s", text(list))
	}
}

// Spec 15: a page that the cited page names in the place of itself needs no word of the record.
func TestNamedPages(t *testing.T) {
	const other = host + "/tramites/otro"
	for name, head := range map[string]string{
		"hreflang": testnet.Alternates("es", other), "hreflang of a country": testnet.Alternates("es-ES", other),
		"canonical": `<link rel="canonical" href="` + other + `">`,
	} {
		cited := page("ca", "Volant", "")
		cited.Head = head
		w := newWorld(t, villa(map[string]http.Handler{
			"/ca/volant": cited, "/tramites/otro": page("es", "Documento", ""),
		}))
		list := w.find(w.cite(host+"/ca/volant", procedure("x", "Licencia de obra menor")))
		if got := urls(list); !slices.Equal(got, []string{other}) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A URL that a whole file cites has no record: its own title and address tell which page is wanted.
func TestNoRecord(t *testing.T) {
	w := newWorld(t, villa(map[string]http.Handler{
		"/": page("es", "Inicio", "", "/t/padron", "Alta en el padrón"), "/t/padron": page("es", "Padrón", steps),
	}))
	_, err := w.desk.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
		return yield(review.Found{URL: host, Title: "Padrón municipal", Place: read.Place{File: "/enlaces.csv"}})
	})
	w.must(err)
	items, err := w.desk.Find(t.Context(), host)
	w.must(err)
	if got := urls(w.find(items[0])); !slices.Equal(got, []string{host + "/t/padron"}) {
		t.Errorf("%q", got)
	}
}

// The name of the site, which all titles have, is no reason to propose a page.
func TestSiteNameIsNoReason(t *testing.T) {
	titled := func(title string) http.Handler {
		const form = "<html lang=es><title>%s | Ayuntamiento</title><main><h1>%[1]s</h1>%s"
		return raw(fmt.Appendf(nil, form, title, steps))
	}
	w := newWorld(t, villa(map[string]http.Handler{
		"/":         page("es", "Inicio", "", "/t/padron", "Padrón", "/t/tasas", "Tasas", "/t/altas", "Altas"),
		"/t/padron": titled("Padrón"), "/t/tasas": titled("Tasas del padrón"), "/t/altas": titled("Altas del padrón"),
	}))
	list := w.find(w.cite(host, padron))
	if len(list) != 3 || strings.Contains(text(list), "«Ayuntamiento»") {
		t.Errorf("%s", text(list))
	}
}

// Spec 15: stored URLs of the host are candidates. A URL that a record cites though the page is gone has its site's.
func TestStoredURLs(t *testing.T) {
	w := newWorld(t, villa(map[string]http.Handler{
		"/": page("es", "Inicio", ""), "/guardada/alta-padron": page("es", "Alta en el padrón", steps),
	}))
	w.cite(host+"/guardada/alta-padron", procedure("otro", "Otro"))
	list := w.find(w.cite(host+"/antigua/padron-alta-123", padron))
	if got := urls(list); !slices.Equal(got, []string{host + "/guardada/alta-padron"}) {
		t.Errorf("%q", got)
	}
}

// Without a network nothing is answered, and it is said.
func TestOffline(t *testing.T) {
	w := newWorld(t, villa(nil))
	it := w.cite(host, padron)
	w.config.ConnectTo, w.config.Resolver = nil, noResolver{}
	_, err := w.ask(t.Context(), candidate.Question{Item: it.ID, Now: w.clock.Now()})
	if !errors.Is(err, probe.ErrOffline) {
		t.Errorf("%v", err)
	}
}

// A site that does not answer is told from one without a page that fits. No more of its pages are asked for.
func TestDeadSite(t *testing.T) {
	site := villa(nil)
	site.Insecure = testnet.ClosedPlain
	w := newWorld(t, site)
	it := w.cite(host, padron)
	if list := w.find(it); len(list) > 0 {
		t.Errorf("of an empty site:\n%s", text(list))
	}
	for _, name := range []string{"a", "b", "c"} {
		w.cite(host+"/t/alta-padron-"+name, procedure(name, "Otro"))
	}
	w.config.Cache = probe.NewMemoryCache()
	for i := range w.config.ConnectTo {
		w.config.ConnectTo[i].ToPort = 9
	}
	p := &counting{Prober: w.prober()}
	_, err := candidate.Find(t.Context(), w.desk, p, candidate.Question{Item: it.ID, Now: w.clock.Now()})
	if err == nil || !strings.Contains(err.Error(), "no page could be read: ") || p.pages != 1 {
		t.Errorf("%d pages asked for, %v", p.pages, err)
	}
}

// counting counts the pages that are asked for.
type counting struct {
	candidate.Prober
	pages int
}

func (c *counting) Run(ctx context.Context, targets []probe.Target, sink func(probe.Report) error) error {
	c.pages += len(targets)
	return c.Prober.Run(ctx, targets, sink)
}

// Where several records cite a URL, the question names one, and the answer is for that one.
func TestSeveralRecords(t *testing.T) {
	w := newWorld(t, villa(map[string]http.Handler{
		"/": page("es", "Inicio", "", "/t/padron-alta", "Alta en el padrón",
			"/t/obra-menor", "Licencia de obra menor"),
		"/t/padron-alta": page("es", "Alta en el padrón", steps), "/t/obra-menor": page("es", "Obra menor", steps),
	}))
	w.cite(host, padron)
	it := w.cite(host, procedure("obra_menor", "Licencia de obra menor"))
	if _, err := w.ask(t.Context(), candidate.Question{Item: it.ID}); !errors.Is(err, candidate.ErrCiters) {
		t.Errorf("without a record: %v", err)
	}
	for _, by := range it.Citers(nil) {
		list, err := w.ask(t.Context(), candidate.Question{Item: it.ID, Citer: by.Number, Now: w.clock.Now()})
		want := map[string]string{"alta_padron": host + "/t/padron-alta",
			"obra_menor": host + "/t/obra-menor"}[by.Record.ID]
		if err != nil || len(list) == 0 || list[0].URL != want {
			t.Errorf("%s: %v\n%s", by.Name, err, text(list))
		}
	}
	if _, err := w.ask(t.Context(), candidate.Question{Item: it.ID, Citer: 99}); !errors.Is(err, review.ErrNotFound) {
		t.Errorf("an unknown record: %v", err)
	}
}

// Spec 15: citing a candidate is a correction, and its evidence and content are stored. The stored page is not one more
// URL to review, and undo takes the correction back.
func TestCite(t *testing.T) {
	w := newWorld(t, villa(map[string]http.Handler{
		"/":              page("es", "Inicio", "", "/t/padron-alta", "Alta en el padrón"),
		"/t/padron-alta": page("es", "Alta en el padrón", steps),
	}))
	it := w.cite(host, padron)
	best := w.find(it)[0]
	choice := review.Choice{Kind: review.Correct, Canonical: best.URL}
	receipt, err := w.desk.Cite(t.Context(), w.clock.Now,
		review.Citation{Choice: choice, Target: review.Target{ID: it.ID, Rev: it.Rev}, Page: best.Report})
	if err != nil || receipt.Decided != 1 {
		t.Fatal(receipt, err)
	}
	det, err := w.desk.Detail(t.Context(), it.ID)
	w.must(err)
	if det.Item.Canonical() != best.URL || det.Item.Status != review.Approved {
		t.Errorf("%s, %s", det.Item.Canonical(), det.Item.Status)
	}
	stored, err := w.desk.Find(t.Context(), best.URL)
	w.must(err)
	read, err := w.desk.Detail(t.Context(), stored[0].ID)
	w.must(err)
	if read.Item.Original != best.URL || read.Item.Presence != review.Gone || read.Item.Open() ||
		read.Evidence.Title != "Alta en el padrón" || read.Evidence.Status != 200 {
		t.Errorf("stored: %+v, %+v", read.Item, read.Evidence)
	}
	contents, err := w.desk.Contents(t.Context(), stored[0].ID)
	if err != nil || len(contents) != 1 || !strings.Contains(contents[0].Document.Text, "Documentación") {
		t.Errorf("content: %v, %v", contents, err)
	}
	if _, _, err := w.desk.Undo(t.Context(), receipt.Batch); err != nil {
		t.Error(err)
	}
	open, err := w.desk.Count(t.Context(), review.Filter{Open: true})
	if err != nil || open != 1 {
		t.Errorf("%d URLs wait, %v", open, err)
	}
	if problems, err := w.desk.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
	private := review.Choice{Canonical: "http://127.0.0.1/"}
	if _, err := w.desk.Cite(t.Context(), w.clock.Now,
		review.Citation{Choice: private, Target: review.Target{ID: it.ID}, Page: best.Report}); err == nil {
		t.Error("a private address was cited")
	}
}

// Spec 15: a link of the page opens as a candidate: it is read and checked as those are that are looked for.
func TestLink(t *testing.T) {
	w := newWorld(t, villa(map[string]http.Handler{
		"/": page("es", "Inicio", ""), "/t/padron-alta": page("es", "Alta en el padrón", steps),
		"/alta": http.RedirectHandler("/t/padron-alta", http.StatusMovedPermanently), "/weg": http.NotFoundHandler(),
	}))
	it := w.cite(host, padron)
	ask := func(path string) ([]candidate.Candidate, error) {
		link := extract.Link{URL: host + path, Text: "Alta en el padrón"}
		return w.ask(t.Context(), candidate.Question{Item: it.ID, Now: w.clock.Now(), Link: link})
	}
	for _, path := range []string{"/t/padron-alta", "/alta"} {
		before := w.requests()
		list, err := ask(path)
		if err != nil || len(list) != 1 || list[0].URL != host+"/t/padron-alta" || list[0].Report.Content == nil ||
			!strings.Contains(text(list), "link has «Alta», «padrón»") {
			t.Errorf("%s: %v, %s", path, err, text(list))
		}
		if n := w.requests() - before; n > 6 {
			t.Errorf("%s: %d requests", path, n)
		}
	}
	for path, want := range map[string]string{"/weg": "it answered 404", "/": "the same page"} {
		if list, err := ask(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %s", path, err, text(list))
		}
	}
}

func urlset(list ...string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for _, url := range list {
		fmt.Fprintf(&b, "<url><loc>%s</loc></url>", url)
	}
	b.WriteString("</urlset>")
	return b.String()
}

// raw answers with the bytes.
func raw(body []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(body) })
}

func packed(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(data)
	z.Close()
	return b.Bytes()
}
