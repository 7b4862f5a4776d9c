package testnet

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Documents returns sites with documents that are hard to read as a person would, or hostile to readers.
func Documents() []Site {
	return slices.Concat(readableSites(), scriptedSites(), hostileDocumentSites())
}

// readableSites have documents with much that is not their text, or that is more than paragraphs.
func readableSites() []Site {
	const html = "text/html; charset=utf-8"
	site := func(host, about, path string, h http.Handler) Site {
		return Site{Host: host, About: about, Pages: pages(path, h)}
	}
	return []Site{
		site("consent.gob.es", "a cookie banner before the text and longer than it, and text in closed accordions",
			"/tramites/ayuda-alquiler", Data(html, []byte(consentPage))),
		site("tables.gob.es", "tables, nested lists, definitions, code", "/tasas/precios-publicos-2026",
			Data(html, []byte(tablePage))),
		{Host: "soft-404.gob.es", About: "says with status 200 that there is no such page",
			Rest: Page{Lang: "es", Title: "Página no encontrada",
				Body: "<p>Lo sentimos, la página que busca no existe.</p>\n"}},
		site("changes.gob.es", "another text and a new link at the second visit", "/avisos/cortes-de-agua", Sequence(
			changing("El corte de agua será el martes 17 de 9 a 14 horas.", ""),
			changing("El corte de agua se aplaza al jueves 19 de 9 a 12 horas.",
				"<p><a href=\"/avisos/calles-afectadas\">Calles afectadas</a>.</p>\n"))),
		site("open-data.gob.es", "a JSON document that is longer than the limit of texts",
			"/api/subvenciones-concedidas", Data("application/json", []byte(grants(2000)))),
		site("forms.gob.es", "a PDF of three pages with text", "/impresos/solicitud-ayuda-alquiler.pdf",
			Data("application/pdf", PDFText("Solicitud de ayuda al alquiler",
				"Solicitud de ayuda al alquiler\nDatos de la persona solicitante\nNombre y apellidos",
				"Datos de la vivienda\nReferencia catastral\nRenta mensual en euros",
				"Declaración responsable\nLugar, fecha y firma"))),
	}
}

const consentPage = `<!DOCTYPE html>
<html lang="es"><head><title>Ayuda al alquiler | Vivienda</title>
<meta name="description" content="Requisitos y plazos de la ayuda."><meta name="author" content="Vivienda">
<meta property="article:published_time" content="2026-01-15T08:00:00+01:00">
<style>.cerrado{display:none}</style></head><body>
<div id="onetrust-consent-sdk" class="cookie-consent" role="dialog"><h2>Su privacidad</h2>
<p>Este sitio utiliza cookies propias y de 214 socios para medir la audiencia, personalizar anuncios y recordar su
visita.
Al pulsar en aceptar consiente el tratamiento. Puede retirar el consentimiento en cualquier momento.</p>
<p>Almacenar la información en un dispositivo. Publicidad y contenido medidos. Desarrollo y mejora de servicios.</p>
<button>Aceptar todas</button><button>Rechazar todas</button><a href="/cookies">Política de cookies</a></div>
<nav><a href="/">Inicio</a> <a href="/noticias">Noticias</a> <a href="/sede">Sede</a></nav>
<main><h1>Ayuda al alquiler</h1>
<p>Ayuda de hasta 250 euros al mes para quien vive de alquiler y tiene menos de 35 años.</p>
<h2>Requisitos</h2><ul><li>Contrato de arrendamiento.</li><li>Ingresos de hasta tres veces el IPREM.</li></ul>
<div class="acordeon"><h2>Documentación</h2><div class="cerrado" style="display:none">
<p>Copia del contrato y de los tres
últimos recibos. <a href="/impresos/modelo-7.pdf">Modelo 7</a></p></div></div>
<h2>Plazo</h2><p>Del 1 de febrero al 31 de marzo de 2026.</p></main>
<aside class="publicidad">Pruebe nuestra aplicación móvil.</aside>
<footer>Aviso legal. Accesibilidad.</footer></body></html>
`

const tablePage = `<!DOCTYPE html>
<html lang="es"><head><title>Precios públicos 2026</title></head><body><main><h1>Precios públicos 2026</h1>
<p>Precios de los servicios municipales desde el 1 de enero.</p>
<table><caption>Instalaciones</caption><thead><tr><th rowspan="2">Servicio</th><th colspan="2">Precio en euros</th></tr>
<tr><th>Día</th><th>Mes</th></tr></thead><tbody><tr><td>Piscina</td><td>3,50</td><td>29</td></tr>
<tr><td>Pista de tenis | con luz</td><td>6</td><td>no hay</td></tr></tbody></table>
<ol start="3"><li>Reducciones<ul><li>Familia numerosa: 50 %<li>Carné joven: 20 %</ul></li><li>Exenciones</li></ol>
<dl><dt>Día</dt><dd>De apertura a cierre.</dd><dt>Mes</dt><dd>Treinta días seguidos.</dd></dl>
<pre><code>IBAN: ES00 0000 0000 0000 0000 0000</code></pre>
<blockquote><p>Acuerdo del pleno de 22 de diciembre.</p></blockquote></main></body></html>
`

// changing is a notice with a text of the day.
func changing(text, more string) Page {
	return Page{Lang: "es", Title: "Cortes de agua", Body: "<p>" + text + "</p>\n" + more}
}

// grants is a JSON document with so many entries.
func grants(n int) string {
	entries := make([]string, n)
	for i := range entries {
		entries[i] = fmt.Sprintf(`{"expediente": "2026/%05d", "concepto": "Ayuda al alquiler", "euros": %d}`,
			i, 100+i%400)
	}
	return `{"convocatoria": "Ayuda al alquiler 2026", "concesiones": [` + strings.Join(entries, ",\n") + "]}\n"
}

// scriptedSites have pages without text of their own.
func scriptedSites() []Site {
	late := scriptedSite("late.gob.es", "a script that shows its text after a second")
	late.Pages["/app.js"] = script(`fetch("/api/textos.json").then(r => r.json())`, "1000")
	never := scriptedSite("stays-empty.gob.es", "a script whose request for the text fails")
	never.Pages["/api/textos.json"] = Gone(http.StatusInternalServerError)
	busy := scriptedSite("busy-script.gob.es", "a script that never ends")
	busy.Pages["/app.js"] = Data("text/javascript", []byte("for (;;) {}\n"))
	greedy := scriptedSite("greedy-script.gob.es", "a script that sends 500 requests before it shows its text")
	greedy.Pages["/app.js"] = script(`Promise.allSettled(Array.from({length: 500}, (_, i) => fetch("/parte-" + i)))`+
		`.then(() => fetch("/api/textos.json")).then(r => r.json())`, "0")
	return []Site{scriptedSite("scripted.gob.es", "a script that shows its text"), late, never, busy, greedy}
}
