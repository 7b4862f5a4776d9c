package testnet

import (
	"net/http"
	"slices"
)

// Sites returns the table of the test internet: every host with the expected results for its URLs. Each call makes
// new sites, because some of them have state.
func Sites() []Site {
	return slices.Concat(
		boeSites(), seedSites(), redirectSites(), chainSites(), domainSites(), slashSites(), languageSites(),
		listSites(),
		tlsSites(), robotsSites(), statusSites(), contentSites(), browserSites(), hostileSites(), addressSites(),
		archiveSites(), errorPageSites(),
	)
}

// pages is the table of a site with one page.
func pages(path string, h http.Handler) map[string]http.Handler {
	return map[string]http.Handler{path: h}
}

// procedure is a page about a procedure, in Spanish.
func procedure(title string) Page { return Page{Lang: "es", Title: title} }

// ordinary is the page of most sites.
var ordinary = procedure("Ayuda al alquiler")
