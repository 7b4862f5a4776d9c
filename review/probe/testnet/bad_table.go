package testnet

import (
	"slices"
)

// BadWeb returns the table of the bad web: each behaviour in several clothes, and pages that only look bad. Each call
// makes new sites, because some of them have state. The hosts work together as one test internet.
func BadWeb() []Kind {
	return slices.Concat(badHosts(), badLanguages(), badPages(), badAnswers(), goodPages())
}

// badHosts are domains whose preferred host must be seen to answer.
func badHosts() []Kind {
	return []Kind{{
		Does: "http://bare redirects to https://www", Right: "the bare host moves to www", Good: true,
		Cases: []Case{
			{"https://juventud.gob.es/carnet/carnet-joven", moves("https://www.juventud.gob.es/carnet/carnet-joven"),
				bareRedirects("juventud.gob.es", 301)},
			{"https://deportes.bilbao.eus/cursos/curso-5512",
				moves("https://www.deportes.bilbao.eus/cursos/curso-5512"), bareRedirects("deportes.bilbao.eus", 302)},
			{"http://vivienda.malaga.eu/ayudas/ayuda-al-alquiler",
				moves("https://www.vivienda.malaga.eu/ayudas/ayuda-al-alquiler"),
				bareRedirects("vivienda.malaga.eu", 308)},
		},
	}, {
		Does:  "443 has another site's certificate; http answers the page",
		Right: "stays https, unreachable, with the names",
		Cases: []Case{
			{"https://feria.gob.es/expositores/alta-de-expositor", unreachable("servidor-compartido.example"),
				foreign("feria.gob.es", "servidor-compartido.example")},
			{"http://rutas.larioja.org/senderos/sendero-118",
				unreachable("hosting.larioja.org").at("https://rutas.larioja.org/senderos/sendero-118"),
				foreign("rutas.larioja.org", "hosting.larioja.org")},
			{"https://mercados.barcelona.cat/parades/parada-2077", unreachable("www.botiga.example"),
				foreign("mercados.barcelona.cat", "botiga.example", "www.botiga.example")},
		},
	}}
}

// badLanguages are pages with a Spanish version that is named and does not answer.
func badLanguages() []Kind {
	return []Kind{{
		Does:  "hreflang names a private address or a commercial site as Spanish",
		Right: "stays, no-spanish; nobody asks there",
		Cases: []Case{
			{"https://tramits.gva.es/va/ajudes/ajuda-menjador", noSpanish().unasked("http://127.0.0.1/es/ayudas"),
				translated("tramits.gva.es", "ca", "http://127.0.0.1/es/ayudas", nil)},
			{"https://izapideak.bilbao.eus/eu/baimenak/lur-jabetza", noSpanish().unasked(shop + "/es/ofertas"),
				translated("izapideak.bilbao.eus", "eu", shop+"/es/ofertas", nil)},
			{"https://web.parcs.gencat.cat/ca/reserves/reserva-2210", noSpanish().unasked("http://localhost/es"),
				translated("web.parcs.gencat.cat", "ca", "http://0x7f.1/es", nil)},
		},
	}}
}

// badPages are error pages, walls and notices in the place of a page.
func badPages() []Kind {
	return []Kind{{
		Does: "redirects to a login", Right: "canonical stays, unreachable",
		Cases: []Case{
			{"https://nominas.gob.es/empleados/nomina-electronica", unreachable("login"),
				leads("nominas.gob.es", 302, "/acceso/login?destino=1", signIn)},
			{"https://aula.gobiernodecanarias.org/cursos/curso-7781", unreachable("login"),
				leads("aula.gobiernodecanarias.org", 303, "/cas/login", signIn)},
			{"https://expedientes.melilla.es/consulta/expediente-2026", unreachable("login"),
				leads("expedientes.melilla.es", 307, "/iniciar-sesion", signIn)},
		},
	}}
}

// badChains are redirects that need a cookie, redirects in the page or in a header, and routes of scripts.
// badAnswers are servers that do not answer, or not now.
func badAnswers() []Kind {
	return []Kind{{
		Does: "one page of the host breaks the connection", Right: "that page alone is unreachable",
		Cases: []Case{
			{"https://sellado.gob.es/tramites/sellado-que-falla", unreachable(""),
				one("sellado.gob.es", "/tramites/sellado-que-falla", Reset())},
			{"https://sellado.gob.es/tramites/sellado-que-va", stays(), nil},
			{"https://legado.ceuta.es/fondos/fondo-que-falla", unreachable(""),
				one("legado.ceuta.es", "/fondos/fondo-que-falla", Empty())},
			{"https://legado.ceuta.es/fondos/fondo-que-va", stays(), nil},
			{"https://censos.melilla.es/datos/dato-que-falla", unreachable(""),
				one("censos.melilla.es", "/datos/dato-que-falla", Garbage())},
			{"https://censos.melilla.es/datos/dato-que-va", stays(), nil},
		},
	}}
}
