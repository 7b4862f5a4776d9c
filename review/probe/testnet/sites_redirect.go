package testnet

import (
	"net/http"

	"visto/canon"
)

// shop is a commercial site: off the allowlist, and never to be requested.
const shop = "https://shop.example"

// redirectSites write redirects in all forms, also to forbidden places (seed 000 rule 7, seed 003).
func redirectSites() []Site {
	kinds := map[string]http.Handler{"/tramites/nuevo/ayuda-alquiler": ordinary}
	kindURLs := []Want{}
	for _, k := range []struct {
		path, location string
		status         int
	}{
		{"/tramites/relativa-301", "nuevo/ayuda-alquiler", 301},
		{"/tramites/ruta-302", "/tramites/nuevo/ayuda-alquiler", 302},
		{"/tramites/puntos-303", "../tramites/./nuevo/ayuda-alquiler", 303},
		{"/tramites/sin-esquema-307", "//kinds.gob.es/tramites/nuevo/ayuda-alquiler", 307},
		{"/tramites/entera-308", "https://kinds.gob.es/tramites/nuevo/ayuda-alquiler", 308},
		{"/tramites/fragmento-302", "/tramites/nuevo/ayuda-alquiler#requisitos", 302},
		{"/tramites/seguimiento-302", "/tramites/nuevo/ayuda-alquiler?utm_source=portada", 302},
	} {
		kinds[k.path] = Redirect(k.status, k.location)
		to := "https://kinds.gob.es/tramites/nuevo/ayuda-alquiler"
		switch k.path {
		case "/tramites/fragmento-302":
			to += "#requisitos"
		case "/tramites/seguimiento-302":
			to += "?utm_source=portada"
		}
		kindURLs = append(kindURLs, Want{URL: "https://kinds.gob.es" + k.path,
			Canonical: "https://kinds.gob.es/tramites/nuevo/ayuda-alquiler",
			Evidence:  seen(ordinary, hop(k.status, to))})
	}
	refreshed := seen(refreshPage)
	refreshed.MetaRefresh = "https://refresh.gob.es/tramites/pagina-nueva"
	return []Site{
		{Host: "kinds.gob.es", About: "301, 302, 303, 307 and 308 with every form of a Location", Pages: kinds,
			URLs: kindURLs},
		oddLocations(),
		{Host: "shop.example", About: "a commercial site: never to be asked", Rest: ordinary},
		{Host: "leaves.gob.es", About: "redirects off the allowlist (rule 7)", Rest: Redirect(302, shop+"/ofertas"),
			URLs: []Want{
				{URL: "https://leaves.gob.es/tramites/venta-entradas", Reason: canon.LeftAllowlist,
					Evidence: stopped(hop(302, shop+"/ofertas"))},
			}},
		{Host: "leaves-late.gob.es", About: "leaves the allowlist at the second hop",
			Pages: map[string]http.Handler{
				"/tramites/venta-entradas": Redirect(302, "/tramites/salida"),
				"/tramites/salida":         Redirect(302, shop+"/ofertas"),
			},
			URLs: []Want{
				{URL: "https://leaves-late.gob.es/tramites/venta-entradas", Reason: canon.LeftAllowlist,
					Evidence: stopped(hop(302, "https://leaves-late.gob.es/tramites/salida"),
						hop(302, shop+"/ofertas"))},
			}},
		{Host: "refresh.gob.es", About: "meta refresh: recorded, not followed (its target is never to be asked)",
			Pages: pages("/tramites/pagina-antigua", refreshPage),
			URLs: []Want{
				{URL: "https://refresh.gob.es/tramites/pagina-antigua",
					Canonical: "https://refresh.gob.es/tramites/pagina-antigua", Evidence: refreshed},
			}},
		{Host: "bit.ly", About: "a shortener (edge case)",
			Pages: map[string]http.Handler{
				"/ayuda-alquiler": Redirect(301, "https://kinds.gob.es/tramites/nuevo/ayuda-alquiler?utm_source=bitly"),
				"/oferta-unica":   Redirect(301, shop+"/ofertas"),
				"/por-otro":       Redirect(301, "https://goo.gl/ayuda-alquiler"),
			},
			URLs: []Want{
				{URL: "https://bit.ly/ayuda-alquiler", Canonical: "https://kinds.gob.es/tramites/nuevo/ayuda-alquiler",
					Evidence: seen(ordinary, hop(301,
						"https://kinds.gob.es/tramites/nuevo/ayuda-alquiler?utm_source=bitly"))},
				{URL: "https://bit.ly/oferta-unica", Reason: canon.LeftAllowlist,
					Evidence: stopped(hop(301, shop+"/ofertas"))},
				{URL: "https://bit.ly/por-otro", Canonical: "https://kinds.gob.es/tramites/nuevo/ayuda-alquiler",
					Evidence: seen(ordinary, hop(301, "https://goo.gl/ayuda-alquiler"),
						hop(302, "https://kinds.gob.es/tramites/nuevo/ayuda-alquiler"))},
				{URL: "https://bit.ly/ya-no-existe", Canonical: "https://bit.ly/ya-no-existe",
					Flags: flags(canon.UnresolvedShortener, canon.Unreachable), Evidence: answered(404)},
			}},
		{Host: "goo.gl", About: "another shortener",
			Pages: pages("/ayuda-alquiler", Redirect(302, "https://kinds.gob.es/tramites/nuevo/ayuda-alquiler"))},
	}
}

var refreshPage = Page{Lang: "es", Title: "Página trasladada",
	Head: "<meta http-equiv=\"refresh\" content=\"0; url=/tramites/pagina-nueva\">\n"}

// oddLocations is a server with hardly valid redirects.
func oddLocations() Site {
	const host = "https://odd-redirects.gob.es"
	return Site{
		Host: "odd-redirects.gob.es", About: "no Location, raw letters in it, credentials in it, a file",
		Pages: map[string]http.Handler{
			"/tramites/sin-destino": Redirect(302, ""),
			"/tramites/en-utf8":     Redirect(302, "/trámites/prestación-única"),
			"/tramites/en-latin1":   Redirect(302, "/tr\xe1mites/prestaci\xf3n-\xfanica"),
			"/tramites/con-clave": Redirect(302,
				"https://ana:secreto@odd-redirects.gob.es/tramites/ayuda-alquiler"),
			"/tramites/a-fichero":                       Redirect(302, "file:///etc/passwd"),
			"/tramites/ayuda-alquiler":                  ordinary,
			"/tr%C3%A1mites/prestaci%C3%B3n-%C3%BAnica": ordinary,
			"/tr%E1mites/prestaci%F3n-%FAnica":          ordinary,
		},
		URLs: []Want{
			{URL: host + "/tramites/sin-destino", Canonical: host + "/tramites/sin-destino",
				Flags:    flags(canon.Unreachable),
				Evidence: Evidence{Status: 302, Error: "Location", Robots: "allowed"}},
			{URL: host + "/tramites/en-utf8", Canonical: host + "/tr%C3%A1mites/prestaci%C3%B3n-%C3%BAnica",
				Evidence: seen(ordinary, hop(302, host+"/tr%C3%A1mites/prestaci%C3%B3n-%C3%BAnica"))},
			{URL: host + "/tramites/en-latin1", Canonical: host + "/tr%E1mites/prestaci%F3n-%FAnica",
				Flags:    flags(canon.BrokenEncoding),
				Evidence: seen(ordinary, hop(302, host+"/tr%E1mites/prestaci%F3n-%FAnica"))},
			{URL: host + "/tramites/con-clave", Canonical: host + "/tramites/ayuda-alquiler",
				Evidence: seen(ordinary, hop(302, host+"/tramites/ayuda-alquiler"))},
			{URL: host + "/tramites/a-fichero", Canonical: host + "/tramites/a-fichero",
				Flags:    flags(canon.Unreachable),
				Evidence: stopped(hop(302, "file:///etc/passwd"))},
		},
	}
}

// chainSites are long chains and circles (seed 000 rule 7, limits).
func chainSites() []Site {
	chain := func(host string, n int) (hops []canon.Hop) {
		for i := range n {
			hops = append(hops, hop(302, "https://"+host+"/tramites/paso-numero-"+string(rune('1'+i))))
		}
		return hops
	}
	return []Site{
		{Host: "five-hops.gob.es", About: "5 redirects: the most that are followed",
			Pages: Chain("/tramites/paso-numero-", 5, ordinary),
			URLs: []Want{
				{URL: "https://five-hops.gob.es/tramites/paso-numero-0",
					Canonical: "https://five-hops.gob.es/tramites/paso-numero-5",
					Evidence:  seen(ordinary, chain("five-hops.gob.es", 5)...)},
			}},
		{Host: "six-hops.gob.es", About: "6 redirects: one too many",
			Pages: Chain("/tramites/paso-numero-", 6, ordinary),
			URLs: []Want{
				{URL: "https://six-hops.gob.es/tramites/paso-numero-0",
					Canonical: "https://six-hops.gob.es/tramites/paso-numero-0",
					Flags:     flags(canon.RedirectLimit), Evidence: stopped(chain("six-hops.gob.es", 6)...)},
			}},
		{Host: "circle.gob.es", About: "a redirect to a page that redirects back",
			Pages: map[string]http.Handler{
				"/tramites/ida-1000":    Redirect(302, "/tramites/vuelta-1000"),
				"/tramites/vuelta-1000": Redirect(302, "/tramites/ida-1000"),
			},
			URLs: []Want{
				{URL: "https://circle.gob.es/tramites/ida-1000", Canonical: "https://circle.gob.es/tramites/ida-1000",
					Flags: flags(canon.RedirectLimit),
					Evidence: stopped(hop(302, "https://circle.gob.es/tramites/vuelta-1000"),
						hop(302, "https://circle.gob.es/tramites/ida-1000"))},
			}},
		{Host: "self-redirect.gob.es", About: "a redirect to itself, for the cookie that it set is not sent",
			Rest: CookieGate(ordinary),
			URLs: []Want{
				{URL: "https://self-redirect.gob.es/tramites/ayuda-alquiler",
					Canonical: "https://self-redirect.gob.es/tramites/ayuda-alquiler",
					Flags:     flags(canon.RedirectLimit),
					Evidence:  stopped(hop(302, "https://self-redirect.gob.es/tramites/ayuda-alquiler"))},
			}},
		{Host: "sessions.gob.es", About: "adds ;jsessionid to every URL (rule 8)", Rest: Session(ordinary),
			URLs: []Want{
				{URL: "https://sessions.gob.es/tramites/vida-laboral",
					Canonical: "https://sessions.gob.es/tramites/vida-laboral",
					Evidence: seen(ordinary, hop(302,
						"https://sessions.gob.es/tramites/vida-laboral;jsessionid=0A1B2C.node3"))},
				{URL: "https://sessions.gob.es/tramites/informes?id=201829",
					Canonical: "https://sessions.gob.es/tramites/informes?id=201829",
					Evidence: seen(ordinary, hop(302,
						"https://sessions.gob.es/tramites/informes;jsessionid=0A1B2C.node3?id=201829"))},
			}},
	}
}
