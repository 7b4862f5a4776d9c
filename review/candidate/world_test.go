package candidate_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"visto/review"
	"visto/review/candidate"
	"visto/review/probe"
	"visto/review/probe/extract/extracttest"
	"visto/review/probe/testnet"
	"visto/review/read"
	"visto/store/sqlite"
	"visto/store/sqlitetest"
)

func TestMain(m *testing.M) { extracttest.Main(m, documents) }

// documents reads the documents of all tests.
var documents = extracttest.NewClient()

// world is a test internet, a desk, and a prober that reaches the one for the other. No request really waits.
type world struct {
	*testing.T
	net    *testnet.Net
	clock  *testnet.Clock
	desk   *review.Desk
	config probe.Config
}

func newWorld(t *testing.T, sites ...testnet.Site) *world {
	t.Helper()
	w := &world{T: t, clock: testnet.NewClock()}
	var err error
	w.net, err = testnet.Start(sites, testnet.Options{Now: w.clock.Now})
	w.must(err)
	t.Cleanup(func() { w.must(w.net.Close()) })
	path := filepath.Join(t.TempDir(), "visto.db")
	s, err := sqlitetest.Open(t.Context(), path, sqlite.Options{Now: w.clock.Now})
	w.must(err)
	t.Cleanup(func() { w.must(s.Close()) })
	w.desk, err = review.Open(t.Context(), s, "ana", nil)
	w.must(err)
	w.config = probe.Config{
		Policy: w.desk.Policy(), Clock: w.clock, Resolver: w.net, RootCAs: w.net.Roots(), Timeout: 5 * time.Second,
		Rand: rand.New(rand.NewPCG(1, 2)), Cache: w.desk.ProbeCache(), Documents: documents, Archive: "-",
	}
	w.config.ConnectTo, err = probe.ParseConnectTo(w.net.ConnectTo()...)
	w.must(err)
	return w
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// prober returns a new prober: of earlier requests it knows only those that the store keeps.
func (w *world) prober() *probe.Prober {
	w.Helper()
	p, err := probe.New(w.config)
	w.must(err)
	return p
}

// cite adds a URL that a record cites, and returns the item.
func (w *world) cite(url string, record read.Record) review.Item {
	w.Helper()
	record.Path = "/" + record.ID
	_, err := w.desk.Add(w.Context(), review.Input{}, func(yield func(review.Found) error) error {
		place := read.Place{File: "/tramites/" + record.ID + ".json", Field: "fuente_url", Path: "/fuente_url"}
		return yield(review.Found{URL: url, Place: place, Record: &record})
	})
	w.must(err)
	items, err := w.desk.Find(w.Context(), url)
	w.must(err)
	return items[0]
}

// procedure returns a record as procedure files have them.
func procedure(id, name string, keywords ...string) read.Record {
	return read.Record{ID: id, Name: name, Attributes: []read.Attribute{
		{Name: "keywords", Values: keywords}, {Name: "organismo", Values: []string{"Ayuntamiento"}},
		{Name: "verificado", Values: []string{"false"}},
	}}
}

// find returns the candidates for an item, which one record cites.
func (w *world) find(it review.Item) []candidate.Candidate {
	w.Helper()
	list, err := w.ask(w.Context(), candidate.Question{Item: it.ID, Now: w.clock.Now()})
	w.must(err)
	return list
}

func (w *world) ask(ctx context.Context, q candidate.Question) ([]candidate.Candidate, error) {
	p := w.prober()
	defer p.Close()
	list, err := candidate.Find(ctx, w.desk, onlyRequests{p}, q)
	return list, err
}

// onlyRequests keeps Close from ending the reader of all tests.
type onlyRequests struct{ *probe.Prober }

// urls returns the URLs of candidates.
func urls(list []candidate.Candidate) (urls []string) {
	for _, c := range list {
		urls = append(urls, c.URL)
	}
	return urls
}

// text returns the candidates as a reviewer sees them.
func text(list []candidate.Candidate) string {
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "%.2f %s %q: %s\n", c.Score, c.URL, c.Title, strings.Join(c.Why, "; "))
	}
	return b.String()
}

// page is a page with a heading and a text, and links given as path and text by turns.
func page(lang, title, body string, links ...string) testnet.Page {
	var b strings.Builder
	fmt.Fprintf(&b, "<main>%s</main>\n<nav><ul>\n", body)
	for i := 0; i+1 < len(links); i += 2 {
		fmt.Fprintf(&b, "<li><a href=%q>%s</a></li>\n", links[i], links[i+1])
	}
	b.WriteString("</ul></nav>\n")
	return testnet.Page{Lang: lang, Title: title, Body: b.String()}
}

// steps is the text of a procedure's page.
const steps = `<h2>Requisitos</h2><p>Ser mayor de edad y residir en el municipio desde hace un año.</p>
<h2>Documentación</h2><p>El impreso normalizado, firmado, y el documento de identidad.</p>
<h2>Plazo</h2><p>Todo el año. La resolución llega en tres meses.</p>`

const host = "https://villa.gob.es"

// villa returns a small town, with the pages.
func villa(pages map[string]http.Handler) testnet.Site {
	return testnet.Site{Host: "villa.gob.es", Pages: pages}
}

// noResolver is the resolver of a machine without a network.
type noResolver struct{}

func (noResolver) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return nil, &net.DNSError{Err: "read udp 127.0.0.1:1->127.0.0.1:53: read: connection refused", IsTemporary: true}
}
