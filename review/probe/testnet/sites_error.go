package testnet

import (
	"net/http"

	"visto/canon"
)

// errorPageSites show other pages in the place of the one that is asked, with status 200, and pages that only look so
// (spec section 7).
func errorPageSites() []Site {
	return []Site{errorPages(), likeErrorPages(), maintenance(), emptyAnswers()}
}

// errorPages shows them at the URL itself and behind redirects.
func errorPages() Site {
	const host = "https://errores.gob.es"
	site := Site{Host: "errores.gob.es", About: "error pages, cookie walls and logins with status 200",
		Pages: map[string]http.Handler{}}
	add := func(path string, page Page, h http.Handler, kind string, hops ...canon.Hop) {
		site.Pages[path] = h
		e := blocked(seen(page, hops...), kind)
		e.Language = ""
		if len(hops) > 0 {
			e.FinalURL = hops[len(hops)-1].URL
		}
		site.URLs = append(site.URLs,
			Want{URL: host + path, Canonical: host + path, Flags: flags(canon.Unreachable), Evidence: e})
	}
	for path, page := range map[string]struct {
		title string
		kind  string
	}{
		"/tramites/no-hay-1000":   {"Error 404 - Página no encontrada", "missing"},
		"/tramites/no-hay-2000":   {"No s'ha trobat la pàgina", "missing"},
		"/tramites/no-hay-3000":   {"Orria ez da aurkitu", "missing"},
		"/tramites/falla-1000":    {"Se ha producido un error", "error"},
		"/tramites/consiente-100": {"Aviso de cookies", "cookies"},
		"/tramites/entra-1000":    {"Inicio de sesión", "login"},
	} {
		add(path, procedure(page.title), procedure(page.title), page.kind)
	}
	plain := procedure("Sede electrónica")
	for path, to := range map[string]struct{ location, kind string }{
		"/tramites/va-a-error-404":  {"/error/404.html", "missing"},
		"/tramites/va-a-consentir":  {"/cookies-consent?return=%2Ftramites", "cookies"},
		"/tramites/va-a-fallo-1000": {"/paginas/error.jsp", "error"},
	} {
		add(path, plain, Redirect(302, to.location), to.kind, hop(302, host+to.location))
	}
	for _, path := range []string{"/error/404.html", "/cookies-consent", "/paginas/error.jsp"} {
		site.Pages[path] = plain
	}
	return site
}

// likeErrorPages only look like error pages.
func likeErrorPages() Site {
	const host = "https://parecidas.gob.es"
	site := Site{Host: "parecidas.gob.es", About: "pages that only look like error pages",
		Pages: map[string]http.Handler{}}
	for path, title := range map[string]string{
		"/empleo/plazas-2025":              "404 plazas de auxiliar administrativo",
		"/legal/politica-de-cookies":       "Política de cookies",
		"/legal/uso-de-cookies":            "Uso de cookies",
		"/servicios/mantenimiento-parques": "Mantenimiento de parques",
		"/servicios/mantenimiento-general": "Mantenimiento",
		"/ayuda/iniciar-sesion-con-clave":  "Iniciar sesión con Cl@ve",
		"/boletin/correccion-errores-2025": "Corrección de errores de la Orden 404/2025",
		"/tramites/objetos-no-encontrados": "Objetos no encontrados",
	} {
		site.Pages[path] = procedure(title)
		site.URLs = append(site.URLs, Want{URL: host + path, Canonical: host + path, Evidence: seen(procedure(title))})
	}
	const moved, plazas = "/empleo/convocatoria-7", "/empleo/404-plazas-de-auxiliar"
	site.Pages[moved], site.Pages[plazas] = Redirect(301, plazas), procedure("404 plazas de auxiliar")
	site.URLs = append(site.URLs, Want{URL: host + moved, Canonical: host + plazas,
		Evidence: seen(procedure("404 plazas de auxiliar"), hop(301, host+plazas))})
	return site
}

// maintenance says so with status 200, for a while or always.
func maintenance() Site {
	const host = "https://obras.gob.es"
	closed := procedure("Sede electrónica en mantenimiento")
	wall := blocked(seen(closed), "maintenance")
	wall.Language = ""
	return Site{Host: "obras.gob.es", About: "in maintenance with status 200: once, and always",
		Pages: map[string]http.Handler{
			"/tramites/abre-pronto":   Sequence(closed, ordinary),
			"/tramites/sigue-cerrada": closed,
		},
		URLs: []Want{
			{URL: host + "/tramites/abre-pronto", Canonical: host + "/tramites/abre-pronto", Evidence: seen(ordinary)},
			{URL: host + "/tramites/sigue-cerrada", Canonical: host + "/tramites/sigue-cerrada",
				Flags: flags(canon.Unreachable), Evidence: wall},
		}}
}

// emptyAnswers have no text, in every way.
func emptyAnswers() Site {
	const host = "https://vacias.gob.es"
	site := Site{Host: "vacias.gob.es", About: "answers without a text, and bodies that break off",
		Pages: map[string]http.Handler{}}
	const zipped = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff" // the header of gzip alone
	for path, answer := range map[string]struct {
		http.Handler
		status            int
		contentType, body string
		title             string
	}{
		"/tramites/sin-contenido": {Redirect(204, ""), 204, "", "", ""},
		"/tramites/sin-cuerpo":    {Data("text/html", nil), 200, "text/html", "", ""},
		"/tramites/sin-tipo":      {Data("", nil), 200, "", "", ""},
		"/tramites/sin-texto": {Data("text/html", []byte("<title>Ayuda</title><img src=a>")), 200, "text/html",
			"<title>Ayuda</title><img src=a>", "Ayuda"},
		"/tramites/pagina-cortada": {BrokenBody("", "<p>La ayuda se"), 200, "text/html", "<p>La ayuda se", ""},
		"/tramites/sin-nada":       {BrokenBody("", ""), 200, "text/html", "", ""},
		"/tramites/gzip-roto":      {BrokenBody("Content-Encoding: gzip\r\n", zipped), 200, "text/html", "", ""},
		"/tramites/no-es-gzip": {BrokenBody("Content-Encoding: gzip\r\n", "no es gzip, es texto"), 200, "text/html",
			"", ""},
	} {
		site.Pages[path] = answer
		e := file(answer.contentType, answer.title, []byte(answer.body))
		e.Status, e.NoContent = answer.status, true
		site.URLs = append(site.URLs,
			Want{URL: host + path, Canonical: host + path, Flags: flags(canon.NoContent), Evidence: e})
	}
	return site
}
