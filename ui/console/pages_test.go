package console_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"visto/review"
	"visto/review/candidate"
	"visto/review/probe"
	"visto/review/probe/extract/extracttest"
	"visto/review/probe/testnet"
	"visto/store/sqlite"
	"visto/ui/console"
)

func TestMain(m *testing.M) { extracttest.Main(m, console.SampleDesks{}) }

// bodies are the sites of the set tramites whose home pages are cited, each with the page of the procedure and with
// rivals.
var bodies = []struct{ host, truth, name, about string }{
	{"www.organismo-inventado-a.gob.es", "/transporte/titulos/solicitud-del-abono", "Abono de transporte",
		"El abono de transporte permite viajar en todos los medios de transporte de la región."},
	{"www.organismo-inventado-b.gob.es", "/energia/bono-social/solicitud", "Bono social eléctrico",
		"El bono social eléctrico es un descuento en la factura de la luz."},
	{"www.organismo-inventado-c.gob.es", "/ayudas/emergencia-social", "Ayuda de emergencia social",
		"La ayuda de emergencia social paga gastos urgentes de la casa."},
}

// rivals are pages of each body besides that of the procedure.
var rivals = []struct{ path, title string }{
	{"/noticias/transporte", "Más viajeros en autobús"}, {"/noticias/luz", "Baja el precio eléctrico"},
	{"/noticias/social", "Jornada de trabajo social"}, {"/padron/alta", "Alta en el padrón"},
	{"/obras/licencia", "Licencia de obra menor"}, {"/impuestos/recibos", "Domiciliación de recibos"},
	{"/cultura/carne", "Carné de la biblioteca"}, {"/deporte/pista", "Reserva de pista de pádel"},
	{"/mercado/puesto", "Puesto en el mercado"}, {"/animales/censo", "Censo de animales de compañía"},
	{"/cementerio/nicho", "Concesión de nicho"}, {"/boda/civil", "Celebración de matrimonio"},
	{"/escuela/plaza", "Plaza en la escuela infantil"}, {"/arbol/poda", "Poda de un árbol"},
	{"/terraza/permiso", "Permiso de terraza"}, {"/vado/placa", "Placa de vado"},
	{"/queja/buzon", "Buzón de sugerencias"}, {"/agua/contador", "Alta del contador de agua"},
}

// siteOf returns the site of a body. Without a truth it lacks the page of the procedure.
func siteOf(host, truth, name, about string) testnet.Site {
	const steps = `<h2>Requisitos</h2><p>Ser mayor de edad y residir en el municipio.</p>
<h2>Documentación</h2><p>El impreso, firmado, y el documento de identidad.</p>
<h2>Plazo</h2><p>Todo el año.</p>`
	pages, links := map[string]http.Handler{}, ""
	add := func(path, title, text string) {
		body := fmt.Sprintf("<main><h1>%s</h1><p>%s</p>%s<h2>Tramitar: %[1]s</h2></main>", title, text, steps)
		pages[path] = testnet.Page{Lang: "es", Title: title, Body: body}
		links += fmt.Sprintf("<li><a href=%q>%s</a></li>\n", path, title)
	}
	if truth != "" {
		add(truth, name, about)
	}
	for _, r := range rivals {
		add(r.path, r.title, "Esta página trata de otra cosa.")
	}
	home := "<main>Bienvenidos</main><nav><ul>" + links + "</ul></nav>"
	pages["/"] = testnet.Page{Lang: "es", Title: "Inicio", Body: home}
	return testnet.Site{Host: host, Pages: pages}
}

// testProber finds pages in a test internet. No request really waits.
type testProber struct {
	*probe.Prober
	desk  *review.Desk
	clock *testnet.Clock
}

func (p testProber) Probe(context.Context, int64, func(probe.Event)) (r review.ProbeResult, err error) {
	return r, nil
}

func (p testProber) Candidates(
	ctx context.Context, q candidate.Question, _ func(probe.Event),
) ([]candidate.Candidate, error) {
	q.Now = p.clock.Now()
	return candidate.Find(ctx, p.desk, p.Prober, q)
}

// reach starts a test internet of the sites, and returns a prober that reaches it for the desk.
func reach(t *testing.T, desk *review.Desk, sites ...testnet.Site) testProber {
	t.Helper()
	clock := testnet.NewClock()
	n, err := testnet.Start(sites, testnet.Options{Now: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	cfg := probe.Config{Policy: desk.Policy(), Clock: clock, Resolver: n, RootCAs: n.Roots(), Archive: "-",
		Timeout: 5 * time.Second, Rand: rand.New(rand.NewPCG(1, 2)), Cache: probe.NewMemoryCache(),
		Documents: extracttest.NewClient()}
	if cfg.ConnectTo, err = probe.ParseConnectTo(n.ConnectTo()...); err != nil {
		t.Fatal(err)
	}
	p, err := probe.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return testProber{p, desk, clock}
}

// citesPages checks that the home page of each body is corrected to the page of its procedure, or waits.
func citesPages(t *testing.T, desk *review.Desk, waits ...string) {
	t.Helper()
	for _, b := range bodies {
		items, err := desk.Find(t.Context(), "https://"+b.host+"/")
		if err != nil {
			t.Fatal(err)
		}
		want, status := "https://"+b.host+b.truth, review.Approved
		if strings.Contains(strings.Join(waits, " "), b.host) {
			want, status = "https://"+b.host, review.Pending
		}
		if got := items[0]; strings.TrimSuffix(got.Canonical(), "/") != want || got.Status != status {
			t.Errorf("%s: %s, %s; want %s, %s", b.host, got.Canonical(), got.Status, want, status)
		}
	}
}

// Before a page is cited for a URL of a cause it is on screen, with its score and why. A URL without its page stays and
// says why; one undo takes the others back.
func TestPagesOfACause(t *testing.T) {
	db := addSet(t, writtenBy(t, writeTramites)...)
	desk := openSet(t, db)
	var sites []testnet.Site
	for i, b := range bodies {
		if i == 1 {
			b.truth = ""
		}
		sites = append(sites, siteOf(b.host, b.truth, b.name, b.about))
	}
	k := console.NewKeyboardWith(t.Context(), desk, reach(t, desk, sites...), 120, 40)
	press := func(keys ...string) {
		for _, key := range keys {
			if _, err := k.Press(key); err != nil {
				t.Fatal(err)
			}
		}
	}
	shows := func(texts ...string) {
		t.Helper()
		for _, text := range texts {
			if !strings.Contains(k.Screen(), text) {
				t.Errorf("%q is not on the screen:\n%s", text, k.Screen())
			}
		}
	}
	press("2")
	shows("C  look for the pages to cite in their place")
	press("C")
	shows("pages were found for 2 of 3 URLs: C in Causes cites them", "C  cite the 2 pages found; 1 URL stays",
		"https://"+bodies[0].host+"  abono_de_transporte: "+bodies[0].name, "→ https://"+bodies[0].host+bodies[0].truth,
		"→ https://"+bodies[2].host+bodies[2].truth, "title has «Abono», «transporte»", "stays: no page fits well")
	citesPages(t, desk, bodies[0].host, bodies[1].host, bodies[2].host)
	press("C")
	shows("corrected: 2 URLs to the pages found (u takes it back)")
	citesPages(t, desk, bodies[1].host)
	press("u")
	citesPages(t, desk, bodies[0].host, bodies[1].host, bodies[2].host)
}

func openSet(t *testing.T, db string) *review.Desk {
	t.Helper()
	store, err := sqlite.Open(t.Context(), db, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	desk, err := review.Open(t.Context(), store, "ana", nil)
	if err != nil {
		t.Fatal(err)
	}
	return desk
}
