package testnet

import (
	"fmt"
	"net/http"
	"strings"

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
		refreshSite(),
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

// refreshSite sends browsers on by refreshes: hops, if they come at once or from pages without text of their own.
func refreshSite() Site {
	const host = "https://refresh.gob.es"
	refresh := func(content, text string) Page {
		return Page{Lang: "es", Title: "Página trasladada", Body: "<p>" + text + "</p>\n",
			Head: fmt.Sprintf("<meta http-equiv=\"refresh\" content=\"%s\">\n", content)}
	}
	const to = "url=/tramites/ayuda-alquiler"
	text := strings.Repeat("La ayuda se solicita en la sede electrónica. ", 10)
	slow, read := refresh("30; "+to, "Espere"), refresh("5; "+to, text)
	stays := func(p Page) Evidence {
		e := seen(p)
		e.MetaRefresh = host + "/tramites/ayuda-alquiler"
		return e
	}
	hidden, itself := ordinary, refresh("0; url=/tramites/se-recarga", text)
	hidden.Head = "<noscript><meta http-equiv=\"refresh\" content=\"0; url=/sin-javascript\"></noscript>\n"
	header := ordinary
	header.Header = map[string]string{"Refresh": "0; " + to}
	found := seen(ordinary, hop(200, host+"/tramites/ayuda-alquiler"))
	at := func(path string, e Evidence) Want { return Want{URL: host + path, Canonical: host + path, Evidence: e} }
	return Site{Host: "refresh.gob.es", About: "meta refresh and the Refresh header",
		Pages: map[string]http.Handler{
			"/tramites/ayuda-alquiler": ordinary,
			"/tramites/pagina-antigua": refresh("0; "+to, text),
			"/tramites/por-cabecera":   header,
			"/tramites/con-aviso":      refresh("5; "+to, "Esta página se ha trasladado."),
			"/tramites/con-texto":      read,
			"/tramites/pagina-lenta":   slow,
			"/tramites/sin-javascript": hidden,
			"/tramites/se-recarga":     itself,
			"/tramites/fuera":          refresh("0; url="+shop+"/ofertas", ""),
			"/tramites/ida-1000":       refresh("0; url=/tramites/vuelta-1000", ""),
			"/tramites/vuelta-1000":    refresh("0; url=/tramites/ida-1000", ""),
			"/tramites/a-la-ruta":      Redirect(301, "/app/#/tramite/55"),
			"/app/":                    ordinary,
		},
		URLs: []Want{
			{URL: host + "/tramites/pagina-antigua", Canonical: host + "/tramites/ayuda-alquiler", Evidence: found},
			{URL: host + "/tramites/por-cabecera", Canonical: host + "/tramites/ayuda-alquiler", Evidence: found},
			{URL: host + "/tramites/con-aviso", Canonical: host + "/tramites/ayuda-alquiler", Evidence: found},
			at("/tramites/con-texto", stays(read)),
			at("/tramites/pagina-lenta", stays(slow)),
			at("/tramites/sin-javascript", seen(hidden)),
			at("/tramites/se-recarga", seen(itself)),
			{URL: host + "/tramites/fuera", Reason: canon.LeftAllowlist,
				Evidence: stopped(hop(200, shop+"/ofertas"))},
			{URL: host + "/tramites/ida-1000", Canonical: host + "/tramites/ida-1000",
				Flags:    flags(canon.RedirectLimit),
				Evidence: stopped(hop(200, host+"/tramites/vuelta-1000"), hop(200, host+"/tramites/ida-1000"))},
			{URL: host + "/tramites/a-la-ruta", Canonical: host + "/app",
				Flags:    flags(canon.FragmentRoute),
				Evidence: seen(ordinary, hop(301, host+"/app/#/tramite/55"))},
		}}
}

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
		{Host: "self-redirect.gob.es", About: "a redirect to itself sets a cookie, and opens the page",
			Cookies: true, Rest: CookieGate(ordinary),
			URLs: []Want{
				{URL: "https://self-redirect.gob.es/tramites/ayuda-alquiler",
					Canonical: "https://self-redirect.gob.es/tramites/ayuda-alquiler", Evidence: seen(ordinary)},
			}},
		cookieSite(),
		{Host: "sessions.gob.es", About: "adds ;jsessionid to every URL (rule 8)", Cookies: true, Rest: Session(ordinary),
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

// cookieSite wants cookies: by a page of its own that leads back, a new one each time, and one that it forgets.
func cookieSite() Site {
	const host = "https://cookies.gob.es"
	check := CookieGate(Redirect(302, "/tramites/con-control"))
	back := seen(ordinary, hop(302, host+"/control"))
	back.FinalURL = host + "/tramites/con-control"
	return Site{Host: "cookies.gob.es", About: "sets cookies along redirects", Cookies: true,
		Pages: map[string]http.Handler{
			"/tramites/con-control":  CookieElse(Redirect(302, "/control"), ordinary),
			"/control":               check,
			"/tramites/sin-fin":      NewCookie("/tramites/sin-fin"),
			"/tramites/otro-dominio": ForeignCookie("/tramites/otro-dominio", "gob.es"),
		},
		URLs: []Want{
			{URL: host + "/tramites/con-control", Canonical: host + "/tramites/con-control", Evidence: back},
			{URL: host + "/tramites/sin-fin", Canonical: host + "/tramites/sin-fin", Flags: flags(canon.RedirectLimit),
				Evidence: stopped(hop(302, host+"/tramites/sin-fin"))},
			{URL: host + "/tramites/otro-dominio", Canonical: host + "/tramites/otro-dominio", Flags: flags(canon.RedirectLimit),
				Evidence: stopped(hop(302, host+"/tramites/otro-dominio"))},
		}}
}
