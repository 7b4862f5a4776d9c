package extract

import (
	"slices"
	"strings"
	"testing"
)

// TestReadPageCleaned leaves out the parts of the site, and shows the parts that a click would show (spec section 15:
// "navigation, banners, ads and footers left out").
func TestReadPageCleaned(t *testing.T) {
	const text = "<p>La ayuda se dirige a quienes alquilan una casa, y se pide en la sede electrónica.</p>"
	const want = "La ayuda se dirige a quienes alquilan una casa, y se pide en la sede electrónica."
	tests := []struct{ name, body, want string }{
		{"menus", `<nav>Menú</nav><div role="navigation">Menú</div><div class="mainMenu">Menú</div>` + text, want},
		{"a page inside a menu's name", `<div class="has-menu with-sidebar">` + text + "</div>", want},
		{"head and foot", `<header>Sede</header><div id="header">Sede</div>` + text +
			`<footer>Aviso</footer><div id="pie">Aviso</div>`, want},
		{"the heading in the head", "<header>Sede <h1>Ayuda</h1></header>" + text, "Sede\n\n# Ayuda\n\n" + want},
		{"the logo as a heading", `<div id="cabecera"><h1><a href="/">Sede</a></h1></div>` + text, want},
		{"a banner by its name", `<div id="cookie-banner">Usamos cookies.</div>` + text, want},
		{"a banner by its buttons", "<div><p>Usamos cookies propias y de terceros para analizar el uso que hace " +
			"de la " +
			"página. Puede aceptarlas o configurarlas.</p><button>Aceptar</button></div>" + text, want},
		{"a page about cookies", "<main><h1>Cookies</h1><p>Usamos cookies propias.</p><a href=/c>Configurar</a></main>",
			"# Cookies\n\nUsamos cookies propias.\n\n[Configurar](https://www.sede.gob.es/c)"},
		{"trails", "<ul class=breadcrumb><li>Inicio</ul><p><a href=/>Inicio</a> &gt; Ayudas</p>" +
			"<div>Está en: Ayudas</div>" +
			text, want},
		{"tools", text + `<ul><li><a href="https://www.facebook.com/sharer/sharer.php?u=x">Facebook</a></li>
			<li><a href="javascript:window.print()">Imprimir</a></li></ul><p>Compartir en:</p>
			<a href="#top">Volver arriba</a>
			<div><p>¿Le ha sido útil esta página?</p><button>Sí</button></div>`, want},
		{"links past the menus", `<a href="#main">Saltar al contenido principal</a>` + text, want},
		{"a social matter", `<div class="ayudas-seguridad-social">` + text + "</div>", want},
		{"hidden parts", text + `<div hidden>Borrador</div><div style="display: none">Borrador</div>
			<span aria-hidden="true">icono</span>`, want},
		{"fields", "<form>" + text + `<label for="n">Nombre</label><input id="n"><select><option>Uno</select>
			<button>Buscar</button></form>`, want},
		{"comments and scripts", "<!-- nota --><script>nota()</script><style>nota</style>" +
			"<template>nota</template>" + text +
			"<noscript>Active JavaScript</noscript><iframe>nota</iframe><svg><text>nota</text></svg>", want},

		{"an accordion", text + `<h3><button aria-controls="a" aria-expanded="false">Plazo</button></h3>
			<div id="a" hidden><p>Un mes.</p></div>`, want + "\n\n### Plazo\n\nUn mes."},
		{"an accordion without headings", text + `<button onclick="toggle('a')">Plazo</button>
			<div id="a" style="display:none">Un mes.</div>`, want + "\n\n### Plazo\n\nUn mes."},
		{"an accordion by links", text + `<p><a href="#a">Plazo</a></p><div id="a" aria-hidden="true">Un mes.</div>`,
			want + "\n\nPlazo\n\nUn mes."},
		{"details", text + "<details><summary>Plazo</summary><p>Un mes.</p></details>",
			want + "\n\n### Plazo\n\nUn mes."},
		{"tabs", text + `<ul role="tablist"><li><a role="tab" href="#a">Plazo</a></li>
			<li><a role="tab" href="#b">Pago</a></li></ul>
			<div id="a">Un mes.</div><div id="b" hidden><h4>Pago</h4><p>Al mes.</p></div>`,
			want + "\n\n### Plazo\n\nUn mes.\n\n#### Pago\n\nAl mes."},

		{"a list of terms", text + "<dl><dt>Plazo</dt><dd>Un mes.</dd></dl>", want + "\n\n**Plazo**\n\nUn mes."},
		{"a table with lists", text + "<table><tr><th>Quién<th>Qué<tr><td>Ana<br>Luis<td>" +
			"<ul><li>DNI<li>Padrón</ul></table>",
			want + "\n\n| Quién | Qué |\n|---|---|\n| Ana Luis | DNI; Padrón |"},
		{"a table that places parts", "<table><tr><td><h2>Ayuda</h2>" + text + "</table>", "## Ayuda\n\n" + want},
		{"images", text + `<p><img src="a.png" alt="Foto"></p><a href="/m"><img alt="Modelo 1"></a>`,
			want + "\n\n[Modelo 1](https://www.sede.gob.es/m)"},
		{"links that lead to no page",
			text + `<p><a href="javascript:x()">Ver</a> <a href="mailto:a@b.es">a@b.es</a></p>`,
			want + "\n\nVer a@b.es"},
	}
	for _, tt := range tests {
		for _, frame := range []string{"%", "<div id=contenido>%</div>"} {
			if got := readPage(strings.Replace(frame, "%", tt.body, 1)).Text; got != tt.want {
				t.Errorf("%s, %s:\ngot  %q\nwant %q", tt.name, frame, got, tt.want)
			}
		}
	}
}

func TestSplitWords(t *testing.T) {
	for name, want := range map[string][]string{
		"mainMenu-top_2x": {"main", "menu", "top", "x"}, "MENU": {"menu"}, "": nil, "--": nil,
		"añoNuevo": {"año", "nuevo"},
		"\xff":     nil,
	} {
		if got := splitWords(name); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
