package testnet

import (
	_ "embed"
	"fmt"
	"net/http"

	"visto/canon"
)

// browserSites have pages that scripts draw (seed 003, JS-rendered SPA). Their rows are those of a probe without a
// browser: each page is flagged for its lack of text (spec section 15).
func browserSites() []Site {
	const path = "/tramites/cita-previa"
	empty := func(host string, script string) []Want {
		e := file("text/html", "Cita previa", undrawn(script))
		e.Language, e.NoContent = "es", true
		return []Want{{URL: "https://" + host + path, Canonical: "https://" + host + path,
			Flags: flags(canon.NoContent), Evidence: e}}
	}
	site := func(host, about, js string) Site {
		return Site{Host: host, About: about, URLs: empty(host, appScript),
			Pages: map[string]http.Handler{path: Undrawn(appScript), "/app.js": JavaScript(js)}}
	}
	drawn := site("app.gob.es", "an application that a browser draws from its data", appJS)
	drawn.Pages["/api/cita.json"] = Data("application/json", []byte(appData))
	return []Site{
		drawn,
		site("app-sends-on.gob.es", "an application that only sends the browser elsewhere",
			"location.replace('/portal/inicio-tramites')"),
		Doors("doors.gob.es", "http://127.0.0.1:8080", "http://169.254.169.254", "http://localhost"),
	}
}

// appScript loads the script of an application.
const appScript = `<script src="/app.js"></script>`

// appJS draws a page from data that it requests.
const appJS = `fetch('/api/cita.json').then(r => r.json()).then(d => {
	document.title = d.titulo;
	document.documentElement.lang = 'es-ES';
	document.getElementById('root').innerHTML = '<h1>' + d.titulo + '</h1><p>' + d.texto + '</p>' +
		'<img src="/logo.png"><a href="/tramites/requisitos">Requisitos</a>';
});
`

// DrawnTitle and DrawnText are the contents of app.gob.es in a browser.
const (
	DrawnTitle = "Cita previa para el DNI"
	DrawnText  = "Pida cita en la oficina más próxima a su domicilio. Traiga el documento anterior, una fotografía " +
		"reciente en color y el justificante del pago de la tasa."
)

const appData = `{"titulo":"` + DrawnTitle + `","texto":"` + DrawnText + `"}`

// Undrawn is a page without text, with scripts in its head.
func Undrawn(scripts string) http.Handler { return Data("text/html; charset=utf-8", undrawn(scripts)) }

func undrawn(scripts string) []byte {
	return fmt.Appendf(nil, "<!DOCTYPE html><html lang=\"es\"><head><title>Cita previa</title></head>"+
		"<body><div id=\"root\"></div>%s</body></html>\n", scripts)
}

// JavaScript is a script.
func JavaScript(text string) http.Handler {
	return Data("text/javascript; charset=utf-8", []byte(text))
}

//go:embed doors.js
var doorsJS string

// Doors is a site that tries to lead a browser to addresses, given as origins such as "http://127.0.0.1:8080", by
// every feature that makes requests. Its page number n is for origin n. A page on http may ask an origin on http.
func Doors(host string, origins ...string) Site {
	s := Site{Host: host, About: "leads browsers to addresses that are not public, through every door",
		Insecure: SamePages, Pages: map[string]http.Handler{
			"/doors.js": JavaScript(doorsJS),
			"/sw.js":    JavaScript("fetch(location.search.slice(1), {mode: 'no-cors'}).catch(() => {})"),
			"/to": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				Redirect(http.StatusFound, r.URL.RawQuery).ServeHTTP(w, r)
			}),
		}}
	for i, origin := range origins {
		path := fmt.Sprintf("/tramites/puerta-numero-%d", i)
		body := undrawn(fmt.Sprintf(`<script src="/doors.js" data-to=%q></script>`, origin))
		s.Pages[path] = Data("text/html; charset=utf-8", body)
		e := file("text/html", "Cita previa", body)
		e.Language, e.NoContent = "es", true
		s.URLs = append(s.URLs, Want{URL: "https://" + host + path, Canonical: "https://" + host + path,
			Flags: flags(canon.NoContent), Evidence: e})
	}
	return s
}
