package testnet

import (
	"net/http"
	"strings"

	"visto/canon"
)

// robotsSites have all kinds of robots.txt (RFC 9309, seed 003).
func robotsSites() []Site {
	const path = "/tramites/ayuda-alquiler"
	open := func(host string) []Want {
		return []Want{{URL: "https://" + host + path, Canonical: "https://" + host + path, Evidence: seen(ordinary)}}
	}
	shut := func(host string) []Want {
		return []Want{{URL: "https://" + host + path, Canonical: "https://" + host + path,
			Flags:    flags(canon.RobotsBlocked),
			Evidence: robotsBlocked()}}
	}
	return []Site{
		{Host: "robots-blocked.gob.es", About: "forbids everything", Robots: Robots("User-agent: *", "Disallow: /"),
			Rest:  ordinary,
			Facts: Facts{Prefers: Nobody}, URLs: shut("robots-blocked.gob.es")},
		{Host: "robots-named.gob.es", About: "forbids visto alone", Rest: ordinary,
			Robots: Robots("User-agent: *", "Disallow:", "", "User-agent: VISTO", "Disallow: /"),
			Facts:  Facts{Prefers: Nobody}, URLs: shut("robots-named.gob.es")},
		{Host: "robots-allows.gob.es", About: "forbids all but one folder, the longest match counts", Rest: ordinary,
			Robots: Robots("User-agent: *", "Disallow: /", "Allow: /$", "Allow: /tramites/"),
			URLs:   open("robots-allows.gob.es")},
		{Host: "robots-wildcard.gob.es", About: "forbids by a pattern with * and $", Rest: ordinary,
			Robots: Robots("User-agent: *", "Disallow: /*-alquiler$"), URLs: shut("robots-wildcard.gob.es")},
		{Host: "robots-503.gob.es", About: "its robots.txt answers 503: as if it forbade everything",
			Robots: Gone(503), Rest: ordinary,
			Facts: Facts{Prefers: Nobody}, URLs: shut("robots-503.gob.es")},
		{Host: "robots-403.gob.es", About: "its robots.txt answers 403: as if there were none", Robots: Gone(403),
			Rest: ordinary, URLs: open("robots-403.gob.es")},
		{Host: "robots-moved.gob.es", About: "its robots.txt redirects to another host's, whose rules count here",
			Rest:   ordinary,
			Robots: Redirect(301, "https://robots-blocked.gob.es/robots.txt"), Facts: Facts{Prefers: Nobody},
			URLs: shut("robots-moved.gob.es")},
		{Host: "robots-page.gob.es", About: "answers with a page in the place of robots.txt", Robots: ordinary,
			Rest: ordinary, URLs: open("robots-page.gob.es")},
		{Host: "robots-huge.gob.es", About: "forbids everything, but behind more than 500 KiB", Rest: ordinary,
			URLs: open("robots-huge.gob.es"),
			Robots: Robots("User-agent: *", "Allow: /", strings.Repeat("# nothing\n", 60_000),
				"Disallow: /tramites/ayuda")},
		{Host: "crawl-delay.gob.es", About: "wants 7 seconds between requests",
			Robots: Robots("User-agent: *", "Crawl-delay: 7"), Rest: ordinary,
			URLs: []Want{
				{URL: "https://crawl-delay.gob.es/tramites/primera-ayuda",
					Canonical: "https://crawl-delay.gob.es/tramites/primera-ayuda", Evidence: seen(ordinary)},
				{URL: "https://crawl-delay.gob.es/tramites/segunda-ayuda",
					Canonical: "https://crawl-delay.gob.es/tramites/segunda-ayuda", Evidence: seen(ordinary)},
			}},
		{Host: "to-blocked.gob.es", About: "redirects to a host whose robots.txt forbids it: the target is never asked",
			Pages: map[string]http.Handler{path: Redirect(302, "https://robots-blocked.gob.es"+path)},
			URLs: []Want{{URL: "https://to-blocked.gob.es" + path, Canonical: "https://robots-blocked.gob.es" + path,
				Flags:    flags(canon.RobotsBlocked),
				Evidence: robotsBlocked(hop(302, "https://robots-blocked.gob.es"+path))}}},
	}
}
