package testnet

import (
	"net/http"
	"slices"
)

// Sites returns the table of the test internet: every host, and what must come out for the URLs on it. Each call makes
// new sites, for some of them remember who asked.
func Sites() []Site {
	return slices.Concat(
		boeSites(), seedSites(), redirectSites(), chainSites(), domainSites(), slashSites(), languageSites(), listSites(),
		tlsSites(), robotsSites(), statusSites(), contentSites(), hostileSites(), addressSites(), archiveSites(),
	)
}

// pages is what a site with one page has.
func pages(path string, h http.Handler) map[string]http.Handler {
	return map[string]http.Handler{path: h}
}

// procedure is a page about a procedure, in Spanish.
func procedure(title string) Page { return Page{Lang: "es", Title: title} }

// ordinary is what most sites show.
var ordinary = procedure("Ayuda al alquiler")
