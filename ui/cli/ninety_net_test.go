package cli_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"visto/review/probe"
	"visto/review/probe/testnet"
)

// ninety is the world of the simulation: the links, a clock, and an internet that changes by the script.
type ninety struct {
	*testnet.Clock
	links     []*simLink
	internet  *testnet.Net
	documents probe.DocumentReader

	run atomic.Int64 // index of the run: 2 for each day
}

func newNinety(t *testing.T) *ninety {
	t.Helper()
	n := &ninety{Clock: testnet.NewClock(), links: readNinety(t), documents: openDocuments{newDocuments()}}
	t.Cleanup(func() { n.documents.(openDocuments).DocumentReader.Close() })
	var sites []testnet.Site
	seen := map[string]bool{}
	for _, l := range n.links {
		if !seen[l.host] {
			sites = append(sites, n.site(l.host))
		}
		seen[l.host] = true
	}
	n.internet = internet(t, sites, testnet.Options{Now: n.Now})
	return n
}

// openDocuments keeps its reader open, because starting one for each of 180 runs would take longer than the rest.
type openDocuments struct{ probe.DocumentReader }

func (openDocuments) Close() error { return nil }

func (n *ninety) log() *testnet.Log { return n.internet.Log() }

// begin begins a run at a time.
func (n *ninety) begin(run int, at time.Time) {
	n.run.Store(int64(run))
	n.Set(at)
}

func (n *ninety) day() int { return int(n.run.Load()) / 2 }

func (n *ninety) offline() bool { return n.day() == 70 || n.day() == 71 }

// answer returns the present answer of a host for which fn is true.
func (n *ninety) answer(host string, fn func(*simAnswer) bool) *simAnswer {
	run := n.run.Load()
	var last *simAnswer
	for _, l := range n.links {
		for i := range l.answers {
			if a := &l.answers[i]; l.host == host && a.during[run] && fn(a) {
				last = a
			}
		}
	}
	return last
}

func does(do string) func(*simAnswer) bool { return func(a *simAnswer) bool { return a.do == do } }

// network makes a prober live in the world.
func (n *ninety) network(cfg *probe.Config) {
	cfg.Clock, cfg.Resolver, cfg.Dial, cfg.Documents = n, n, n.dial, n.documents
	cfg.RootCAs = n.internet.Roots()
	cfg.Archive, cfg.Delay, cfg.Browser = "-", -1, nil
	cfg.Rand = rand.New(rand.NewPCG(1, 2))
}

// LookupNetIP is the resolver's.
func (n *ninety) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	switch {
	case n.offline():
		return nil, &net.DNSError{Err: "i/o timeout", Name: host, IsTimeout: true}
	case n.answer(host, does("dark")) != nil:
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return n.internet.LookupNetIP(ctx, network, host)
}

// dial leads to the test internet.
func (n *ninety) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if n.offline() {
		return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ENETUNREACH}
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	for _, rule := range n.internet.ConnectTo() {
		if parts := strings.SplitN(rule, ":", 3); parts[1] == port {
			return new(net.Dialer).DialContext(ctx, network, parts[2])
		}
	}
	return nil, syscall.ECONNREFUSED
}

// site returns the site of a host.
func (n *ninety) site(host string) testnet.Site {
	return testnet.Site{
		Host: host, Rest: http.HandlerFunc(n.servePage),
		Robots: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case n.answer(host, does("robots")) != nil:
				testnet.Robots("User-agent: *", "Disallow: /").ServeHTTP(w, r)
			case n.answer(host, does("all")) != nil:
				n.servePage(w, r)
			default:
				http.NotFound(w, r)
			}
		}),
		Certified: func() time.Time {
			if a := n.answer(host, does("certificate")); a != nil {
				return simTime(number(a.details[0]), 12)
			}
			return simTime(4000, 12)
		},
	}
}

func number(text string) int {
	v, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return v
}

// servePage answers a request for a page by the script.
func (n *ninety) servePage(w http.ResponseWriter, r *http.Request) {
	path, _, _ := strings.Cut(r.URL.Path, ";")
	host, _, _ := strings.Cut(r.Host, ":")
	a := n.answer(host, func(a *simAnswer) bool {
		return (a.path == path || a.do == "all") && a.do != "certificate" && a.do != "dark" && a.do != "robots"
	})
	if a == nil || strings.Contains(r.URL.Path, ";") {
		n.page(nil).ServeHTTP(w, r)
		return
	}
	n.handler(a).ServeHTTP(w, r)
}

func (n *ninety) handler(a *simAnswer) http.Handler {
	switch a.do {
	case "all":
		return testnet.Gone(number(a.details[0]))
	case "to":
		return testnet.Redirect(http.StatusFound, strings.ReplaceAll(a.details[0], "DAY", fmt.Sprint("A", n.day())))
	case "validated":
		return testnet.Validated(`"v1"`, "", n.page(nil))
	case "dated", "amount", "title", "words", "canonical":
		return n.page(a)
	}
	if len(a.details) > 0 {
		return testnet.RetryAfter(number(a.do), a.details[0])
	}
	return testnet.Gone(number(a.do))
}

// page returns the page, with the change that the answer describes.
func (n *ninety) page(a *simAnswer) testnet.Page {
	title, head, text := "Ayuda al alquiler de vivienda", "", simText
	updated, visits := "18 de febrero de 2026", 1001
	switch a = cmp.Or(a, &simAnswer{}); a.do {
	case "dated":
		updated, visits = simTime(n.day(), 0).Format("2-1-2006"), 1001+37*n.day()
	case "amount":
		text = strings.ReplaceAll(text, "250 euros", "275 euros")
	case "title":
		title = "Prestación por alquiler de vivienda habitual"
	case "words":
		text = strings.NewReplacer(simSynonyms[:2*number(a.details[0])]...).Replace(text)
	case "canonical":
		head = fmt.Sprintf("<link rel=\"canonical\" href=%q>\n", a.details[0])
	}
	return testnet.Page{Lang: "es", Title: title, Head: head, Body: fmt.Sprintf(
		"%s<p>Última actualización: %s.</p>\n<p>Visitas: %d</p>\n", text, updated, visits)}
}

// simSynonyms are words of simText, each with one that means the same.
var simSynonyms = []string{"jóvenes", "chicos", "contrato", "convenio", "sede", "oficina", "ordinaria", "normal",
	"cuenta", "libreta", "familiares", "parientes"}

const simText = `<h2>Quién puede pedirla</h2>
<p>Pueden solicitar esta ayuda las personas jóvenes que vivan de alquiler en su domicilio habitual y permanente, que
estén empadronadas en el municipio y que no tengan otra vivienda en propiedad ni en usufructo.</p>
<p>El contrato debe estar registrado y al corriente de pago, y la renta no puede superar el límite que fija la
convocatoria para cada zona. No se admiten los arrendamientos entre familiares hasta el segundo grado.</p>
<h2>Cuantía de la ayuda</h2>
<p>La cuantía es de 250 euros al mes durante dos años, y se abona por meses vencidos en la cuenta que la persona
beneficiaria haya comunicado al registro de terceros del ministerio.</p>
<h2>Cómo se solicita</h2>
<p>La solicitud se presenta en la sede electrónica con certificado digital, o con cita previa en cualquiera de las
oficinas de asistencia. Hay que adjuntar el documento de identidad, el volante de empadronamiento colectivo, los
recibos de los últimos meses y la declaración responsable firmada por todas las personas que conviven en el hogar.</p>
<p>Contra la resolución, que pone fin a la vía administrativa, cabe recurso potestativo de reposición ante el mismo
órgano, o bien recurso ante la jurisdicción ordinaria en los plazos que señala la ley.</p>
`
