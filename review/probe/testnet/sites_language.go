package testnet

import (
	"net/http"

	"visto/canon"
)

// languageSites are pages in several languages (seed 000 rule 10), seed 000's own examples first.
func languageSites() []Site {
	const gencat, euskadi = "https://web.gencat.cat", "https://euskadi.eus"
	procedures := []string{
		"x-default", gencat + "/ca/tramits/tramit-12345",
		"es", gencat + "/es/tramits/tramit-12345",
		"ca", gencat + "/ca/tramits/tramit-12345",
		"en", gencat + "/en/tramits/tramit-12345",
	}
	catalan := Page{Lang: "ca", Title: "Tràmit 12345", Head: Alternates(procedures...)}
	basque := Page{Lang: "eu", Title: "Izapidea", Header: map[string]string{
		"Link": LinkHeader("es", euskadi+"/tramite/es/12345", "eu", euskadi+"/tramite/eu/12345")}}
	return append([]Site{
		{Host: "web.gencat.cat", About: "a Catalan page with hreflang elements (rule 10's first example)",
			Pages: map[string]http.Handler{"/ca/tramits/tramit-12345": catalan,
				"/es/tramits/tramit-12345": procedure("Trámite 12345")},
			URLs: []Want{
				{URL: gencat + "/ca/tramits/tramit-12345", Canonical: gencat + "/es/tramits/tramit-12345",
					Language: "es",
					Variants: versions("ca", gencat+"/ca/tramits/tramit-12345", "en",
						gencat+"/en/tramits/tramit-12345"),
					Evidence: seen(catalan).variants(procedures...)},
			}},
		{Host: "euskadi.eus", About: "a Basque page with a Link header (rule 10's second example)",
			Pages: map[string]http.Handler{"/tramite/eu/12345": basque, "/tramite/es/12345": procedure("Trámite")},
			URLs: []Want{
				{URL: euskadi + "/tramite/eu/12345", Canonical: euskadi + "/tramite/es/12345", Language: "es",
					Variants: versions("eu", euskadi+"/tramite/eu/12345"),
					Evidence: seen(basque).variants("es", euskadi+"/tramite/es/12345", "eu",
						euskadi+"/tramite/eu/12345")},
			}},
	}, moreLanguageSites()...)
}

func moreLanguageSites() []Site {
	const origin = "https://languages.gob.es"
	galician := Page{Lang: "gl", Title: "Axuda ao aluguer"}
	french := Page{Lang: "es", Title: "Pasaporte",
		Head: Alternates("es", origin+"/es/pasaporte/renovar-pasaporte", "fr",
			origin+"/fr/passeport/renouveler-passeport")}
	parameter := Page{Lang: "ca-ES", Title: "Alta al padró", Head: Alternates("es-ES", "?lang=es", "ca-ES", "?lang=ca")}
	relative := Page{Lang: "va", Title: "Targeta sanitària",
		Head: "<base href=\"/portal/\">\n" + Alternates("es", "es/tarjeta-sanitaria", "va", "va/targeta-sanitaria")}
	hidden := Page{Lang: "ca", Title: "Ajut al lloguer", Head: Alternates("es", origin+"/servicios/ayuda-al-alquiler")}
	foreign := Page{Lang: "eu", Title: "Diru-laguntza", Head: Alternates("es", shop+"/es/ofertas")}
	return []Site{{
		Host: "languages.gob.es", About: "language versions said in every way, and not at all",
		Pages: map[string]http.Handler{
			"/gl/tramites/axuda-aluguer":      galician,
			"/es/pasaporte/renovar-pasaporte": french,
			"/tramites/alta-padron?lang=ca":   parameter,
			"/tramites/alta-padron?lang=es":   ordinary,
			"/portal/va/targeta-sanitaria":    relative,
			"/serveis/ajut-al-lloguer":        hidden,
			"/eu/laguntzak/etxebizitza-saria": foreign,
			"/servicios/ayuda-al-alquiler":    ordinary,
			"/portal/es/tarjeta-sanitaria":    ordinary,
		},
		URLs: []Want{
			{URL: origin + "/gl/tramites/axuda-aluguer", Canonical: origin + "/gl/tramites/axuda-aluguer",
				Flags:   flags(canon.NoSpanish),
				Spanish: origin + "/es/tramites/axuda-aluguer", Evidence: seen(galician)},
			{URL: origin + "/es/pasaporte/renovar-pasaporte", Canonical: origin + "/es/pasaporte/renovar-pasaporte",
				Variants: versions("fr", origin+"/fr/passeport/renouveler-passeport"),
				Evidence: seen(french).variants("es", origin+"/es/pasaporte/renovar-pasaporte", "fr",
					origin+"/fr/passeport/renouveler-passeport")},
			{URL: origin + "/tramites/alta-padron?lang=ca", Canonical: origin + "/tramites/alta-padron?lang=es",
				Language: "es",
				Variants: versions("ca", origin+"/tramites/alta-padron?lang=ca"),
				Evidence: seen(parameter).variants("es-ES", origin+"/tramites/alta-padron?lang=es", "ca-ES",
					origin+"/tramites/alta-padron?lang=ca")},
			{URL: origin + "/portal/va/targeta-sanitaria", Canonical: origin + "/portal/es/tarjeta-sanitaria",
				Language: "es",
				Variants: versions("ca", origin+"/portal/va/targeta-sanitaria"),
				Evidence: seen(relative).variants("es", origin+"/portal/es/tarjeta-sanitaria", "va",
					origin+"/portal/va/targeta-sanitaria")},
			{URL: origin + "/serveis/ajut-al-lloguer", Canonical: origin + "/servicios/ayuda-al-alquiler",
				Language: "es",
				Variants: versions("ca", origin+"/serveis/ajut-al-lloguer"),
				Evidence: seen(hidden).variants("es", origin+"/servicios/ayuda-al-alquiler")},
			{URL: origin + "/eu/laguntzak/etxebizitza-saria", Canonical: origin + "/eu/laguntzak/etxebizitza-saria",
				Flags:    flags(canon.NoSpanish),
				Spanish:  origin + "/es/laguntzak/etxebizitza-saria",
				Evidence: seen(foreign).variants("es", shop+"/es/ofertas")},
		},
	}}
}

// listSites are lists of several pages (seed 000 rule 9).
func listSites() []Site {
	const origin, path = "https://lists.gob.es", "/ayudas/convocatorias-abiertas"
	text := Page{Lang: "es", Title: "Convocatorias", Body: "<p>Página 2 de 31</p>\n"}
	last := Page{Lang: "es", Title: "Convocatorias",
		Head: "<link rel=\"prev\" href=\"?pagina=2\">\n<link rel=\"next\" href=\"?pagina=4\">\n<link rel=\"last\" " +
			"href=\"?pagina=9\">\n"}
	none := Page{Lang: "es", Title: "Convocatorias", Head: "<link rel=\"next\" href=\"?page=5\">\n"}
	linked := Page{Lang: "es", Title: "Convocatorias", Head: "<link rel=\"canonical\" href=\"" + path + "\">\n"}
	return []Site{{
		Host: "lists.gob.es", About: "lists that state their pages in the text, in links, and not at all",
		Pages: map[string]http.Handler{path + "?p=2": text, path + "?pagina=3": last, path + "?page=4": none,
			path: linked},
		URLs: []Want{
			{URL: origin + path + "?p=2", Canonical: origin + path, Page: "2", Evidence: seen(text).ofPages(31)},
			{URL: origin + path + "?pagina=3", Canonical: origin + path, Page: "3",
				Evidence: seen(last).ofPages(9).between(origin+path+"?pagina=2", origin+path+"?pagina=4")},
			{URL: origin + path + "?page=4", Canonical: origin + path, Page: "4",
				Evidence: seen(none).between("", origin+path+"?page=5")},
			{URL: origin + path, Canonical: origin + path, Evidence: seen(linked).canonicalLink(origin + path)},
		},
	}}
}
