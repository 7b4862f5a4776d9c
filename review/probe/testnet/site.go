package testnet

import (
	"net/http"
	"net/netip"
	"strings"
	"time"

	"visto/canon"
)

// Site is one host of the test internet: what it does, and what must come out for URLs on it.
type Site struct {
	Host  string
	About string // what is special about it

	Security Security // at port 443
	Insecure Insecure // at port 80

	// Addresses are the answers of the resolver to the first, second, … question, the last one for all that follow; none:
	// a public address. Unresolved is a name that does not exist.
	Addresses  [][]netip.Addr
	Unresolved bool

	// Facts is what must be known of the host when it has been probed. The zero value means the usual: it has HTTPS.
	Facts Facts

	Latency time.Duration // before each answer

	Robots http.Handler            // /robots.txt; nil: 404
	Pages  map[string]http.Handler // by path and query, else by path; "/" has a home page if it is not among them
	Rest   http.Handler            // every other path but "/"; nil: 404

	URLs []Want
}

// Facts is what is learned of a host.
type Facts struct {
	HTTPS   HTTPS
	Prefers string // empty: not compared
}

// Nobody is Prefers of a host of which nothing is learned.
const Nobody = "-"

// HTTPS is what is learned of HTTPS support.
type HTTPS uint8

// What may be learned of HTTPS support. Broken is a certificate that cannot be trusted: there is HTTPS, and it is not to be
// mistaken for a host without.
const (
	Supported HTTPS = iota
	Missing
	Broken
	Unknown
)

// Insecure is what a host has at port 80.
type Insecure uint8

// The kinds of Insecure.
const (
	Upgrades    Insecure = iota // a redirect to the same URL with https
	SamePages                   // what it has at port 443
	ClosedPlain                 // nobody listens
)

// Want is a URL and what must come of it under the policy clara when it has been probed, as the specification and the
// seeds say. Fields that are not set must not be there.
type Want struct {
	URL       string
	Canonical string // empty: rejected, for Reason
	Reason    canon.Reason
	Flags     canon.CodeSet
	Evidence  Evidence

	Language string            // of the result; empty: that of the page
	Variants map[string]string // language versions of the result
	Spanish  string            // the candidate behind no-spanish
	Page     int               // pagination of the result; its total is that of the evidence
}

// Verdict follows from the rest.
func (w Want) Verdict() canon.Verdict {
	switch {
	case w.Canonical == "":
		return canon.Rejected
	case w.Flags != 0:
		return canon.Flagged
	}
	return canon.Accepted
}

func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.Latency > 0 {
		select {
		case <-time.After(s.Latency):
		case <-r.Context().Done():
		}
	}
	if r.TLS == nil && s.Insecure == Upgrades {
		MovedTo("https://"+s.Host).ServeHTTP(w, r)
		return
	}
	s.handler(r).ServeHTTP(w, r)
}

func (s *Site) handler(r *http.Request) http.Handler {
	path, _, _ := strings.Cut(r.RequestURI, "?")
	if h := s.Pages[r.RequestURI]; h != nil {
		return h
	}
	if h := s.Pages[path]; h != nil {
		return h
	}
	switch {
	case path == "/robots.txt" && s.Robots != nil:
		return s.Robots
	case path == "/":
		return Page{Lang: "es", Title: "Inicio"}
	case s.Rest != nil && path != "/robots.txt":
		return s.Rest
	}
	return Gone(http.StatusNotFound)
}
