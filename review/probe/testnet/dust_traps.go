package testnet

import (
	"fmt"
	"net/http"
	"net/url"
	"sync/atomic"
)

// dustTraps returns sites on which no rule is planted, and one that a rule below a path is planted on.
func dustTraps() []DustSite {
	return []DustSite{
		sharedErrors(), softErrors(), contentParams(), trackingAndContent(), sessions(), languageParam(), nearPages(),
		numberedPages(), entryWall(), crossListed(),
		softwarePortal("portal.sanroque.gob.es", "San Roque", 0),
		softwarePortal("portal.sanblas.gob.es", "San Blas", 1),
	}
}

// sharedErrors shows one error page on all its paths, under a name that is no error's, with a canonical link.
func sharedErrors() DustSite {
	b := newDust("consultas.rocamora.gob.es", "one error page on all paths", repeats)
	for n := range dustTopics[:16] {
		path := "/consulta/" + dustTopics[n].slug
		h := Page{Lang: "es", Title: "Sede electrónica",
			Head: fmt.Sprintf("<link rel=\"canonical\" href=%q>\n", b.origin()+path),
			Body: "<main><p>No ha sido posible atender su petición. Vuelva a intentarlo pasados unos minutos o " +
				"llame al teléfono de atención a la ciudadanía.</p></main>\n"}
		for _, url := range append(with(path, "?v=1", "?v=2"), path) {
			b.add(url, "", "", h)
		}
	}
	return b.DustSite
}

// softErrors says with status 200 that there is no such document, for half of the numbers and for old paths.
func softErrors() DustSite {
	b := newDust("archivo.pedregal.gob.es", "says with status 200 that a document is not there", repeats)
	missing := Page{Lang: "es", Title: "Archivo municipal", Body: "<main><p>El documento que busca ha sido retirado " +
		"o cambió de signatura. Pregunte en la sala de consulta, abierta de lunes a viernes.</p></main>\n"}
	for n := range dustTopics {
		path := fmt.Sprint("/documento?signatura=", 300+n)
		if n%2 == 0 {
			b.page(path, b.procedure(n))
			continue
		}
		b.add(path, "", "", missing)
		b.add(path+"&folio=1", "", "", missing)
		b.add("/fondo/"+dustTopics[n].slug+".html", "", "", missing)
		b.add("/fondo/"+dustTopics[n].slug, "", "", missing)
	}
	return b.DustSite
}

// contentParams has parameters with the names of tracking that select the content. For values that it does not know it
// shows one page. The policy drops ref and source.
func contentParams() DustSite {
	b := newDust("datos.marisma.gob.es", "ref, source, fuente and canal select the content", repeats)
	for n, topic := range dustTopics {
		name := []string{"ref", "source", "fuente", "canal"}[n%4]
		path := fmt.Sprintf("/datos/%s?%s=%s", name, name, topic.slug)
		b.page(path, b.procedure(n))
	}
	for n, name := range []string{"fuente", "canal"} {
		page := fmt.Sprintf("/datos/%s?%[1]s=todos", name)
		b.page(page, b.procedure(n))
		for _, value := range []string{"todas", "all", "otros", "nuevo"} {
			b.duplicate(fmt.Sprintf("/datos/%s?%[1]s=%s", name, value), page, "")
		}
	}
	return b.DustSite
}

// trackingAndContent has one parameter that tells the way to the page below two paths, and selects the content of a
// third.
func trackingAndContent() DustSite {
	b := newDust("cultura.olmeda.gob.es", "one parameter is tracking below two paths and content of a third", redirects)
	for n, topic := range dustTopics {
		if n%3 == 0 {
			b.page("/agenda?sala="+topic.slug, b.procedure(n))
		}
		for _, page := range []string{"/cursos/" + topic.slug, "/premios/" + topic.slug} {
			b.page(page, b.procedure(n))
			b.duplicate(page+"?sala=menu", page, "drop-param")
		}
	}
	return b.DustSite
}

// sessions redirects every page to itself with a new token, and shows it for any token.
func sessions() DustSite {
	b := newDust("cita.barranco.gob.es", "adds a new token to each URL by a redirect", repeats)
	var tokens atomic.Int64
	for n, topic := range dustTopics[:16] {
		path := "/cita/" + topic.slug
		b.page(path+"?turno=a1", b.procedure(n))
		b.duplicate(path+"?turno=b2", path+"?turno=a1", "")
		b.add(path, path+"?turno=a1", "", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.RawQuery != "" {
				b.procedure(n).ServeHTTP(w, r)
				return
			}
			Redirect(http.StatusFound, fmt.Sprintf("%s?turno=s%d", path, tokens.Add(1))).ServeHTTP(w, r)
		}))
	}
	return b.DustSite
}

// languageParam has each page in three languages by a parameter. Some are not translated.
func languageParam() DustSite {
	b := newDust("guia.pirineo.gob.es", "a parameter is the language of the text, and some texts are not translated",
		repeats)
	for n, topic := range dustTopics[:16] {
		path := "/guia/" + topic.slug
		spanish := b.procedure(n)
		b.page(path, spanish)
		for _, code := range []string{"ca", "oc"} {
			url := path + "?hl=" + code
			if n%6 == 0 {
				b.duplicate(url, path, "")
				continue
			}
			b.page(url, Page{Lang: code, Title: dustWords[code][0] + topic.slug, Body: fmt.Sprintf(
				"<main><p>%s %s.</p><p>%s</p></main>\n", dustWords[code][1], topic.slug, dustWords[code][2])})
		}
	}
	return b.DustSite
}

// dustWords are the words of pages in other languages: before the title, before the topic, and at the end.
var dustWords = map[string][3]string{
	"ca": {"Tràmit ", "L'Ajuntament informa sobre el tràmit", "La sol·licitud es presenta al registre general amb el " +
		"document d'identitat, i la resolució arriba abans de tres mesos."},
	"oc": {"Tramit ", "L'Ajuntament informe sus eth tramit", "Era sollicitud se presente en registre generau damb " +
		"eth document d'identitat, e era resolucion arribe abans de tres mesi."},
}

// nearPages are pages of different procedures that differ by a word, an amount, a year or the number of a form.
func nearPages() DustSite {
	b := newDust("ayudas.collado.gob.es", "pages that differ by a word, an amount, a year or a form", repeats)
	trades := []string{"panadería", "zapatería", "librería"}
	for n, topic := range dustTopics[:8] {
		text := func(path, first string) {
			p := b.procedure(n)
			p.Body = "<p>" + first + "</p>\n" + p.Body
			b.page(path, p)
		}
		for k := range 3 {
			text(fmt.Sprintf("/ayuda/%s?gremio=%d", topic.slug, k), "Ayuda para negocios de "+trades[k]+".")
			text(fmt.Sprintf("/cuantia/%s?tramo=%d", topic.slug, k),
				fmt.Sprintf("La cuantía es de %d euros.", 250+50*k))
			text(fmt.Sprintf("/bases/%s?anualidad=%d", topic.slug, 2021+k),
				fmt.Sprintf("Bases de la convocatoria de %d.", 2021+k))
			text(fmt.Sprintf("/impreso/%s?modelo=EX-%d", topic.slug, 10+k),
				fmt.Sprintf("Impreso normalizado EX-%d.", 10+k))
		}
	}
	return b.DustSite
}

// numberedPages are pages of services that differ by the number of an office and by counters.
func numberedPages() DustSite {
	b := newDust("turnos.esquina.gob.es", "pages that differ by the number of an office and by counters", repeats)
	for n, topic := range dustTopics[:8] {
		for k := range 3 {
			b.page(fmt.Sprintf("/turnos/%s?oficina=%d", topic.slug, k+1), Page{Lang: "es", Title: topic.title,
				Body: fmt.Sprintf("<main><p>Oficina %d: %s.</p><p>Último turno llamado: A%d.</p><p>Personas en "+
					"espera: %d</p></main>\n", k+1, topic.about, 30+k*3+n, n%7+k)})
		}
	}
	return b.DustSite
}

// entryWall leads to a login from all pages, and shows it in their place.
func entryWall() DustSite {
	b := newDust("expedientes.umbral.gob.es", "a login in the place of each page", redirects)
	form := Page{Lang: "es", Title: "Acceso de usuarios", Body: "<main><form method=\"post\"><label>DNI " +
		"<input name=\"dni\"></label><label>Contraseña <input type=\"password\" name=\"clave\"></label></form>" +
		"</main>\n"}
	b.Pages["/entrada"] = form
	for n, topic := range dustTopics[:16] {
		path := "/expediente/" + topic.slug
		for _, to := range with(path, "", "?vista=1", "?vista=2") {
			h := Redirect(http.StatusFound, "/entrada?destino="+url.QueryEscape(to))
			if n%2 == 0 {
				h = form
			}
			b.add(to, "", "", h)
		}
	}
	return b.DustSite
}

// crossListed has two sections. Some of their pages stand in both, most in one.
func crossListed() DustSite {
	b := newDust("guia.mirador.gob.es", "two sections that share some pages", repeats)
	for n, topic := range dustTopics {
		section := []string{"/ciudadania/", "/empresas/"}[n%2]
		page := section + dustArea(n) + "/" + topic.slug
		b.page(page, b.procedure(n))
		if n < 12 {
			other := []string{"/empresas/", "/ciudadania/"}[n%2]
			b.duplicate(other+dustArea(n)+"/"+topic.slug, page, "")
		}
	}
	return b.DustSite
}

// softwarePortal is one of two portals of one software: they share their help, have procedures of their own under the
// same paths, and share a page that only the first one has.
func softwarePortal(host, town string, at int) DustSite {
	b := newDust(host, "one of two portals of one software", redirects)
	for n, topic := range dustTopics {
		switch {
		case n < 10:
			b.page("/ayuda/"+topic.slug, dustProcedure("en línea", n))
		case n == 10:
			const shared = "/comun/perfil-del-contratante"
			b.page(shared, dustProcedure("en línea", n))
			if at == 1 {
				to := "https://portal.sanroque.gob.es" + shared
				b.Pages[shared] = Redirect(http.StatusFound, to)
				b.Links[len(b.Links)-1].Page = to
			}
		default:
			b.page("/tramites/"+topic.slug, dustProcedure("de "+town, n-at))
		}
	}
	return b.DustSite
}
