package testnet

import (
	"net/http"

	"visto/canon"
)

// boeSites are seed 000's examples on the BOE: rules 1, 2, 3, 5 and 9, and its edge case.
func boeSites() []Site {
	act := procedure("Ley 12/2023, de 24 de mayo")
	search := Page{Lang: "es", Title: "Buscar en el BOE"}
	laws := Page{Lang: "es", Title: "Leyes", Body: "<p>Página 7 de 12</p>\n"}
	return []Site{
		{
			Host: "boe.es", About: "redirects to www (rule 5)", Facts: Facts{Prefers: "www.boe.es"},
			Pages: pages("/", MovedTo("https://www.boe.es")), Rest: MovedTo("https://www.boe.es"),
			URLs: []Want{
				{URL: "https://boe.es/", Canonical: "https://www.boe.es", Flags: flags(canon.HomePage),
					Evidence: seen(home, hop(301, "https://www.boe.es/"))},
				{URL: "https://boe.es/buscar?id=BOE-A-2023-12345",
					Canonical: "https://www.boe.es/buscar?id=BOE-A-2023-12345",
					Evidence:  seen(act, hop(301, "https://www.boe.es/buscar?id=BOE-A-2023-12345"))},
				{URL: "https://boe.es/buscar?tipo=leyes&p=7", Canonical: "https://www.boe.es/buscar?tipo=leyes",
					Flags: flags(canon.HomePage), Page: "7",
					Evidence: seen(laws, hop(301, "https://www.boe.es/buscar?tipo=leyes&p=7")).ofPages(12)},
			},
		},
		{
			Host: "www.boe.es", About: "where boe.es leads",
			Pages: map[string]http.Handler{
				"/buscar":                                 search,
				"/buscar?tipo=leyes&p=7":                  laws,
				"/buscar?id=BOE-A-2023-12345":             act,
				"/buscar/act.php?id=BOE-A-2023-12345":     act,
				"/diario_boe/txt.php?id=BOE-A-2023-12345": act,
			},
			URLs: []Want{
				{URL: "http://www.boe.es/buscar/", Canonical: "https://www.boe.es/buscar",
					Flags: flags(canon.HomePage), Evidence: seen(search)},
				{URL: "https://www.boe.es/buscar/act.php?id=BOE-A-2023-12345", Evidence: seen(act),
					Canonical: "https://www.boe.es/buscar/act.php?id=BOE-A-2023-12345"},
				{URL: "https://www.boe.es/diario_boe/txt.php?id=BOE-A-2023-12345", Evidence: seen(act),
					Canonical: "https://www.boe.es/diario_boe/txt.php?id=BOE-A-2023-12345"},
			},
		},
	}
}

// home is a home page without special contents.
var home = Page{Lang: "es", Title: "Inicio"}

// seedSites are the other hosts of seed 000's examples.
func seedSites() []Site {
	const benefit = "/wps/portal/wss/internet/Trabajadores/PrestacionesPensionesTrabajadores/" +
		"65850d68-8d06-4645-bde7-05374ee42ac7"
	people := Page{Lang: "es", Title: "Personas"}
	income := procedure("Ingreso Mínimo Vital")
	spaces := procedure("Trámite con espacios")
	return []Site{
		{Host: "sepe.es", About: "redirects to www (rule 5)", Facts: Facts{Prefers: "www.sepe.es"},
			Pages: pages("/", MovedTo("https://www.sepe.es")), Rest: MovedTo("https://www.sepe.es"),
			URLs: []Want{
				{URL: "https://SEPE.ES/HomeSepe/Personas", Canonical: "https://www.sepe.es/HomeSepe/Personas",
					Flags:    flags(canon.SectionPage),
					Evidence: seen(people, hop(301, "https://www.sepe.es/HomeSepe/Personas"))},
			}},
		{Host: "www.sepe.es", About: "where sepe.es leads", Pages: pages("/HomeSepe/Personas", people),
			URLs: []Want{
				{URL: "http://www.sepe.es/HomeSepe/Personas/", Canonical: "https://www.sepe.es/HomeSepe/Personas",
					Flags: flags(canon.SectionPage), Evidence: seen(people)},
			}},
		{Host: "seg-social.es", About: "redirects to www (rules 5 and 7)", Facts: Facts{Prefers: "www.seg-social.es"},
			Pages: pages("/", MovedTo("https://www.seg-social.es")), Rest: MovedTo("https://www.seg-social.es"),
			URLs: []Want{
				{URL: "https://seg-social.es/imv", Canonical: "https://www.seg-social.es" + benefit,
					Evidence: seen(income, hop(301, "https://www.seg-social.es/imv"),
						hop(302, "https://www.seg-social.es"+benefit))},
			}},
		{Host: "www.seg-social.es", About: "the second redirect of rule 7's example",
			Pages: map[string]http.Handler{"/imv": Redirect(302, "https://www.seg-social.es"+benefit),
				benefit: income}},
		{Host: "sede.seg-social.gob.es", About: "tracking and language parameters (rule 3)",
			Pages: pages("/page", Page{Lang: "es", Title: "Sede electrónica"}),
			URLs: []Want{
				{URL: "https://sede.seg-social.gob.es/page?lang=es&utm_source=google",
					Canonical: "https://sede.seg-social.gob.es/page?lang=es",
					Flags:     flags(canon.HomePage), Evidence: seen(Page{Lang: "es", Title: "Sede electrónica"})},
			}},
		{Host: "agenciatributaria.es", About: "redirects to another domain (rule 5)",
			Pages: pages("/", MovedTo("https://sede.agenciatributaria.gob.es")),
			Rest:  MovedTo("https://sede.agenciatributaria.gob.es"),
			URLs: []Want{
				{URL: "http://agenciatributaria.es/Sede/renta/declaracion-2025.html",
					Canonical: "https://sede.agenciatributaria.gob.es/Sede/renta/declaracion-2025.html",
					Evidence: seen(ordinary, hop(301,
						"https://sede.agenciatributaria.gob.es/Sede/renta/declaracion-2025.html"))},
			}},
		{Host: "sede.agenciatributaria.gob.es", About: "where agenciatributaria.es leads", Rest: ordinary},
		{Host: "comunidad.madrid", About: "both names answer, the policy prefers www (rule 5)", Rest: ordinary,
			URLs: []Want{
				{URL: "https://comunidad.madrid/servicios/salud/tarjeta-sanitaria",
					Canonical: "https://www.comunidad.madrid/servicios/salud/tarjeta-sanitaria",
					Evidence:  seen(ordinary)},
			}},
		{Host: "www.comunidad.madrid", About: "the same pages as comunidad.madrid", Rest: ordinary},
		{Host: "inclusion.gob.es", About: "fragment (rule 4)",
			Pages: pages("/extranjeria", Page{Lang: "es", Title: "Extranjería"}),
			URLs: []Want{
				{URL: "https://inclusion.gob.es/extranjeria#requisitos",
					Canonical: "https://inclusion.gob.es/extranjeria",
					Flags:     flags(canon.HomePage), Evidence: seen(Page{Lang: "es", Title: "Extranjería"})},
			}},
		{Host: "sede.example.gob.es", About: "session in the path (rule 8)", Pages: pages("/tramite?id=456", ordinary),
			URLs: []Want{
				{URL: "https://sede.example.gob.es/tramite;jsessionid=ABC123?id=456",
					Canonical: "https://sede.example.gob.es/tramite?id=456",
					Evidence:  seen(ordinary)},
			}},
		{Host: "example.gob.es", About: "raw spaces (edge case); its title alone says that it is about a procedure",
			Pages: pages("/tramite%20con%20espacios", spaces),
			URLs: []Want{
				{URL: "https://example.gob.es/tramite con espacios",
					Canonical: "https://example.gob.es/tramite%20con%20espacios",
					Flags:     flags(canon.PastedText), Evidence: seen(spaces)},
			}},
	}
}
