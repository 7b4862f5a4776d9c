package testnet

import (
	"net/http"

	"visto/canon"
)

// domainSites are domains that prefer one of their names, or another domain (seed 000 rule 5). The policy's own map
// has none of them, so requests have to find out.
func domainSites() []Site {
	const path = "/tramites/ayuda-alquiler"
	return []Site{
		{Host: "to-www.gob.es", About: "every page redirects to www", Facts: Facts{Prefers: "www.to-www.gob.es"},
			Pages: pages("/", MovedTo("https://www.to-www.gob.es")), Rest: MovedTo("https://www.to-www.gob.es"),
			URLs: []Want{
				{URL: "http://to-www.gob.es" + path, Canonical: "https://www.to-www.gob.es" + path,
					Evidence: seen(ordinary, hop(301, "https://www.to-www.gob.es"+path))},
			}},
		{Host: "www.to-www.gob.es", About: "where to-www.gob.es leads", Rest: ordinary,
			URLs: []Want{{URL: "https://www.to-www.gob.es" + path, Canonical: "https://www.to-www.gob.es" + path,
				Evidence: seen(ordinary)}}},
		{Host: "www.from-www.gob.es", About: "every page redirects to the name without www",
			Facts: Facts{Prefers: "from-www.gob.es"},
			Pages: pages("/", MovedTo("https://from-www.gob.es")), Rest: MovedTo("https://from-www.gob.es"),
			URLs: []Want{
				{URL: "https://www.from-www.gob.es" + path, Canonical: "https://from-www.gob.es" + path,
					Evidence: seen(ordinary, hop(301, "https://from-www.gob.es"+path))},
			}},
		{Host: "from-www.gob.es", About: "where www.from-www.gob.es leads", Rest: ordinary},
		{Host: "root-to-www.gob.es", About: "only the home page redirects to www; other pages answer under both names",
			Pages: pages("/", Redirect(301, "https://www.root-to-www.gob.es/")), Rest: ordinary,
			Facts: Facts{Prefers: "www.root-to-www.gob.es"},
			URLs: []Want{
				{URL: "https://root-to-www.gob.es" + path, Canonical: "https://www.root-to-www.gob.es" + path,
					Evidence: seen(ordinary)},
			}},
		{Host: "www.root-to-www.gob.es", About: "where root-to-www.gob.es leads", Rest: ordinary},
		{Host: "moved.gob.es", About: "moved to another domain, page by page",
			Pages: pages("/", MovedTo("https://new-home.gob.es")), Rest: MovedTo("https://new-home.gob.es"),
			URLs: []Want{
				{URL: "https://moved.gob.es" + path, Canonical: "https://new-home.gob.es" + path,
					Evidence: seen(ordinary, hop(301, "https://new-home.gob.es"+path))},
			}},
		{Host: "new-home.gob.es", About: "where moved.gob.es leads", Rest: ordinary},
		{Host: "www.only-www.gob.es", About: "the name without www does not exist", Rest: ordinary},
		{Host: "only-www.gob.es", About: "a name that does not exist, but does with www", Unresolved: true,
			Facts: Facts{HTTPS: Unknown, Prefers: "www.only-www.gob.es"},
			URLs: []Want{
				{URL: "https://only-www.gob.es" + path, Canonical: "https://www.only-www.gob.es" + path,
					Evidence: seen(ordinary).insteadOf(Evidence{Error: "no such host"},
						"https://www.only-www.gob.es"+path)},
			}},
		{Host: "root-leaves.gob.es", About: "its home page redirects off the allowlist, its other pages answer",
			Rest:  ordinary,
			Pages: pages("/", Redirect(302, shop+"/")), Facts: Facts{Prefers: Nobody},
			URLs: []Want{{URL: "https://root-leaves.gob.es" + path, Canonical: "https://root-leaves.gob.es" + path,
				Evidence: seen(ordinary)}}},
	}
}

// slashSites are servers for which the slash at the end of a path matters (seed 000 rule 2, exception).
func slashSites() []Site {
	const path = "/ayudas/alquiler-joven"
	other := procedure("Todas las ayudas")
	want := func(host string, e Evidence) []Want {
		return []Want{{URL: "https://" + host + path + "/", Canonical: "https://" + host + path + "/",
			Flags: flags(canon.TrailingSlash), Evidence: e}}
	}
	return []Site{
		{Host: "slash-added.gob.es", About: "the form without the slash redirects to the one with it",
			Pages: map[string]http.Handler{path: Redirect(301, path+"/"), path + "/": ordinary},
			URLs:  want("slash-added.gob.es", seen(ordinary, hop(301, "https://slash-added.gob.es"+path+"/")))},
		{Host: "slash-elsewhere.gob.es", About: "the form without the slash redirects to another page",
			Pages: map[string]http.Handler{path: Redirect(302, "/ayudas/todas-las-ayudas"), path + "/": ordinary,
				"/ayudas/todas-las-ayudas": other},
			URLs: want("slash-elsewhere.gob.es",
				seen(ordinary).keepsSlash("https://slash-elsewhere.gob.es"+path+"/"))},
		{Host: "slash-needed.gob.es", About: "the form without the slash is not there",
			Pages: map[string]http.Handler{path + "/": ordinary},
			URLs:  want("slash-needed.gob.es", seen(ordinary).keepsSlash("https://slash-needed.gob.es"+path+"/"))},
		{Host: "slash-differs.gob.es", About: "the form without the slash is another page",
			Pages: map[string]http.Handler{path: other, path + "/": ordinary},
			URLs:  want("slash-differs.gob.es", seen(ordinary).keepsSlash("https://slash-differs.gob.es"+path+"/"))},
		{Host: "slash-removed.gob.es", About: "the form with the slash redirects to the one without",
			Pages: map[string]http.Handler{path: ordinary, path + "/": Redirect(301, path)},
			URLs: []Want{
				{URL: "https://slash-removed.gob.es" + path + "/", Canonical: "https://slash-removed.gob.es" + path,
					Evidence: seen(ordinary)},
			}},
		{Host: "slash-same.gob.es", About: "both forms are one page",
			Pages: map[string]http.Handler{path: ordinary, path + "/": ordinary},
			URLs: []Want{
				{URL: "https://slash-same.gob.es" + path + "/", Canonical: "https://slash-same.gob.es" + path,
					Evidence: seen(ordinary)},
			}},
	}
}
