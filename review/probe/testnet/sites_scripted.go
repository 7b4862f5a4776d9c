package testnet

import (
	"fmt"
	"net/http"
)

// scriptedSite is a site whose every page is empty until its script has fetched the text from the same host.
func scriptedSite(host, about string) Site {
	return Site{Host: host, About: about, Rest: shell("/app.js"), Pages: map[string]http.Handler{
		"/":                shell("/app.js"),
		"/app.js":          script(`fetch("/api/textos.json").then(r => r.json())`, "0"),
		"/api/textos.json": Data("application/json", []byte(scriptedText)),
		"/favicon.ico":     Gone(http.StatusNotFound),
	}}
}

// scriptedText is the text that the script of scriptedSite shows.
const scriptedText = `{"titulo": "Solicitud de cita previa", "parrafos": [
"Elija la oficina, el trámite y el día. La confirmación llega por correo electrónico en unos minutos.",
"Para anular una cita hace falta el localizador que figura en el mensaje de confirmación.",
"Los lunes a las nueve se abren las citas de la semana siguiente."]}
`

// shell is a page without text, which a script is to fill.
func shell(script string) http.Handler {
	return Data("text/html; charset=utf-8", fmt.Appendf(nil, `<!DOCTYPE html>
<html lang="es">
<head><meta charset="utf-8"><title>Sede electrónica</title><link rel="stylesheet" href="/app.css"></head>
<body><div id="root"></div><noscript>Active JavaScript.</noscript><script src=%q></script></body>
</html>
`, script))
}

// script shows the text that a promise gives, after a pause.
func script(promise, pause string) http.Handler {
	return Data("text/javascript; charset=utf-8", fmt.Appendf(nil, `"use strict";
%s.then(text => setTimeout(() => {
	const root = document.getElementById("root"), main = document.createElement("main");
	const add = (name, words) => main.appendChild(document.createElement(name)).textContent = words;
	document.title = text.titulo;
	add("h1", text.titulo);
	text.parrafos.forEach(words => add("p", words));
	root.replaceChildren(main);
}, %s)).catch(() => {});
`, promise, pause))
}
