package testnet

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"visto/canon"
)

// Site is one host of the test internet: its behaviour, and the expected results for its URLs.
type Site struct {
	Host  string
	About string // its specialty

	Security Security // at port 443
	Insecure Insecure // at port 80

	Certified    func() time.Time // end of a certificate that is Trusted, at each handshake; nil: in 2099
	CertifiedFor []string         // the names of the certificate; nil: that of the host

	// Addresses are the answers of the resolver to the first, second, … question; the last one repeats. None: a
	// public address. Unresolved is a name that does not exist.
	Addresses  [][]netip.Addr
	Unresolved bool

	// Facts are the expected facts about the host after a probe. The zero value means the usual: it has HTTPS.
	Facts Facts

	Latency time.Duration // before each answer
	Cookies bool          // it sets some

	Robots http.Handler            // /robots.txt; nil: 404
	Pages  map[string]http.Handler // by path and query, else by path; "/" defaults to a home page
	Rest   http.Handler            // all other paths but "/"; nil: 404

	URLs []Want
}

// Facts are expected facts about a host.
type Facts struct {
	HTTPS   HTTPS
	Prefers string // empty: not compared
}

// Nobody is the value of Prefers for a host without a known preference.
const Nobody = "-"

// HTTPS is the expected fact about HTTPS support.
type HTTPS uint8

// Values of HTTPS. Broken is a certificate that cannot be trusted: the host has HTTPS and must not count as one
// without.
const (
	Supported HTTPS = iota
	Missing
	Broken
	Unknown
)

// Insecure is the behaviour of a host at port 80.
type Insecure uint8

// The kinds of Insecure.
const (
	Upgrades    Insecure = iota // redirects to the same URL with https
	SamePages                   // the same as at port 443
	ClosedPlain                 // nothing listens
)

// Want is a URL and its expected result after a probe under the policy clara, by specification and seeds. Fields that
// are not set must be empty.
type Want struct {
	URL       string
	Canonical string // empty: rejected for Reason
	Reason    canon.Reason
	Flags     canon.CodeSet // of the result
	LinkFlags canon.CodeSet // of the history that this one check begins (package health)
	Evidence  Evidence

	Language string            // of the result; empty: that of the page
	Variants map[string]string // language versions of the result
	Spanish  string            // candidate of no-spanish
	Page     json.Number       // pagination of the result; the evidence has the total
}

// Verdict follows from the other fields.
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
