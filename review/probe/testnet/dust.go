package testnet

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
)

// DustSite is a site whose pages stand under several URLs (DUST, seed 002), or only seem to.
type DustSite struct {
	Site
	Links []DustLink
}

// DustLink is a URL with the page that it shows.
type DustLink struct {
	URL  string
	Page string // the best URL of the page; "": it shows none, but an error or a login
	Rule string // the kind of the rule that makes Page of URL, in the words of package suggest; "": none is planted
}

// Dust returns sites with rules by which several URLs show one page, and sites without any, which are traps.
func Dust() []DustSite {
	var sites []DustSite
	for i := range dustRules {
		sites = append(sites, dustRules[i].sites()...)
	}
	sites = append(sites, oldHost()...)
	return append(sites, dustTraps()...)
}

// dustWay is the way in which a site treats duplicates.
type dustWay uint8

const (
	redirects dustWay = iota // to the best URL
	links                    // each page links its best URL as canonical
	repeats                  // the same page again, with a clock, a counter and a token that tick
)

// dustRule is a rule, planted on one site or on several.
type dustRule struct {
	hosts []string
	kind  string
	way   dustWay
	pages int
	urls  dustURLs
}

// dustURLs returns the URLs of the n-th topic, as paths: the best one and others.
type dustURLs func(slug string, n int) (page string, others []string)

// dustAreas are parts of a site.
var dustAreas = []string{"familia", "vivienda", "empleo", "movilidad"}

func dustArea(n int) string { return dustAreas[n%len(dustAreas)] }

// with returns a URL with each of the queries.
func with(url string, queries ...string) (list []string) {
	for _, q := range queries {
		list = append(list, url+q)
	}
	return list
}

// dustRules has a rule of each kind of template, and of each way.
var dustRules = []dustRule{
	{[]string{"sede.altozano.gob.es"}, "drop-param", redirects, 16, func(slug string, n int) (string, []string) {
		page := "/tramites/" + dustArea(n) + "/" + slug
		return page, with(page, "?origen=portada", "?origen=buscador")
	}},
	{[]string{"tramites.valdehondo.gob.es"}, "drop-param", repeats, 20, func(slug string, n int) (string, []string) {
		page := "/ficha/" + slug
		return page, with(page, "?vista=1", "?vista=2", "?vista=3", "?vista=4")
	}},
	{[]string{"oficina.riofrio.gob.es"}, "drop-param", links, 16, func(slug string, n int) (string, []string) {
		page := "/oficina/" + dustArea(n) + "?tramite=" + slug
		return page, with(page, fmt.Sprintf("&idsesion=A%dF", 1000+n*7), fmt.Sprintf("&idsesion=B%dC", 2000+n*3))
	}},
	{[]string{"portal.cerrogordo.gob.es"}, "keep-params", links, 16, func(slug string, n int) (string, []string) {
		page := fmt.Sprint("/catalogo/ficha?expte=", 1001+n)
		return page, with(page, "&volver=listado&orden=fecha", "&volver=mapa&zona=norte", "&orden=nombre&zona=sur")
	}},
	{[]string{"ciudad.fuentelarga.gob.es"}, "drop-segment", redirects, 24, func(slug string, n int) (string, []string) {
		page := "/" + dustArea(n) + "/" + slug
		return page, []string{"/web" + page}
	}},
	{[]string{"sede.montearido.gob.es"}, "add-segment", redirects, 24, func(slug string, n int) (string, []string) {
		page := "/tramites/" + dustArea(n) + "/" + slug
		return "/sede" + page, []string{page}
	}},
	{[]string{"web.valleoscuro.gob.es"}, "replace-segment", links, 24, func(slug string, n int) (string, []string) {
		page := "/" + dustArea(n) + "/" + slug
		return "/ayuntamiento" + page, []string{"/ayto" + page}
	}},
	{[]string{"web.islaverde.gob.es"}, "language-prefix", redirects, 24, func(slug string, n int) (string, []string) {
		return "/es/" + slug, []string{"/ca/" + slug}
	}},
	{[]string{"empleo.sotoalto.gob.es"}, "path-case", redirects, 24, func(slug string, n int) (string, []string) {
		return "/empleo/publico/" + slug, []string{"/Empleo/Publico/" + slug}
	}},
	{[]string{"museos.aguasblancas.gob.es"}, "index-page", links, 24, func(slug string, n int) (string, []string) {
		page := "/museos/" + slug
		return page, []string{page + "/index.jsp"}
	}},
	{[]string{"normas.torrebaja.gob.es"}, "extension", redirects, 24, func(slug string, n int) (string, []string) {
		page := "/normas/" + dustArea(n) + "/" + slug
		return page, []string{page + ".html"}
	}},
	{[]string{"carpeta.villaumbria.gob.es"}, "capture", redirects, 24, func(slug string, n int) (string, []string) {
		return "/tramite/" + slug, []string{"/tramite?clave=" + slug}
	}},
	{[]string{"sta.lomas.gob.es", "sta.prados.gob.es", "sta.cumbres.gob.es"}, "drop-param", redirects, 24,
		func(slug string, n int) (string, []string) {
			page := "/sta/ficha/" + slug
			return page, with(page, "?mcont=2", "?mcont=3")
		}},
}

// sites returns the sites of a rule. Those of several share their topics.
func (r *dustRule) sites() (list []DustSite) {
	for at, host := range r.hosts {
		b := newDust(host, r.kind, r.way)
		for n := range r.pages {
			if n%len(r.hosts) != at {
				continue
			}
			page, duplicates := r.urls(dustTopics[n].slug, n)
			b.page(page, b.procedure(n))
			for _, url := range duplicates {
				b.duplicate(url, page, r.kind)
			}
		}
		list = append(list, b.DustSite)
	}
	return list
}

// oldHost is a site with its former host, which redirects.
func oldHost() []DustSite {
	b := newDust("tramites.penalta.gob.es", "has a former host", redirects)
	old := newDust("registro.penalta.gob.es", "the former host", redirects)
	old.Rest = MovedTo(b.origin())
	for n, topic := range dustTopics {
		page := "/" + dustArea(n) + "/" + topic.slug
		b.page(page, b.procedure(n))
		old.Links = append(old.Links, DustLink{old.origin() + page, b.origin() + page, "host-alias"})
	}
	return []DustSite{b.DustSite, old.DustSite}
}

// dustBuilder makes a site.
type dustBuilder struct {
	DustSite
	way dustWay
}

func newDust(host, about string, way dustWay) *dustBuilder {
	return &dustBuilder{DustSite{Site: Site{Host: host, About: about, Pages: map[string]http.Handler{}}}, way}
}

func (b *dustBuilder) origin() string { return "https://" + b.Host }

// page adds a page at its best URL.
func (b *dustBuilder) page(path string, p Page) {
	if b.way == links {
		p.Head = fmt.Sprintf("<link rel=\"canonical\" href=%q>\n", b.origin()+path)
	}
	var h http.Handler = p
	if b.way == repeats {
		h = ticking(p)
	}
	b.add(path, path, "", h)
}

// duplicate adds another URL of a page.
func (b *dustBuilder) duplicate(path, page, rule string) {
	h := b.Pages[page]
	if b.way == redirects {
		h = Redirect(http.StatusMovedPermanently, page)
	}
	b.add(path, page, rule, h)
}

// add adds a URL that shows a page, "" for none.
func (b *dustBuilder) add(path, page, rule string, h http.Handler) {
	if page != "" {
		page = b.origin() + page
	}
	b.Pages[path] = h
	b.Links = append(b.Links, DustLink{b.origin() + path, page, rule})
}

// ticking is a page with a clock, a counter and a token that are others at each request.
func ticking(p Page) http.Handler {
	var visits atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := visits.Add(1)
		ticked := p
		ticked.Body += fmt.Sprintf("<p>Hora: %02d:%02d</p>\n<p>Visitas: %d</p>\n<form><input type=\"hidden\" "+
			"name=\"csrf\" value=\"%x\"></form>\n", 8+n/60%12, n%60, 1200+n, n*2654435761)
		ticked.ServeHTTP(w, r)
	})
}

// procedure is the page about the n-th topic in the site's town.
func (b *dustBuilder) procedure(n int) Page {
	_, town, _ := strings.Cut(b.Host, ".")
	town, _, _ = strings.Cut(town, ".")
	return dustProcedure("de "+town, n)
}

// dustProcedure is the page about the n-th topic at an office.
func dustProcedure(office string, n int) Page {
	topic := dustTopics[n]
	var body strings.Builder
	fmt.Fprintf(&body, "<main><h2>%s</h2>\n<p>El Ayuntamiento %s informa: %s.</p>\n", topic.title, office, topic.about)
	for k := range 4 {
		fmt.Fprintf(&body, "<p>%s</p>\n", dustSentences[(n*5+k*7+n*n*k)%len(dustSentences)])
	}
	body.WriteString("</main>\n")
	return Page{Lang: "es", Title: topic.title, Body: body.String()}
}

// dustTopics are procedures, each with a sentence of its own.
var dustTopics = []struct{ slug, title, about string }{
	{"beca-comedor", "Beca de comedor escolar", "las familias con dos hijos pagan la mitad del menú"},
	{"padron-alta", "Alta en el padrón municipal", "quien llega al municipio acude con su contrato de vivienda"},
	{"licencia-obra", "Licencia de obra menor", "los andamios en la acera necesitan un permiso aparte"},
	{"vado-permanente", "Vado permanente", "la placa se recoge en el almacén de la policía local"},
	{"bono-taxi", "Bono taxi", "las personas con movilidad reducida viajan con una tarjeta"},
	{"ayuda-domicilio", "Ayuda a domicilio", "una trabajadora social visita la casa antes de la concesión"},
	{"escuela-infantil", "Plaza en la escuela infantil", "los hermanos de alumnos tienen preferencia"},
	{"huerto-urbano", "Cesión de un huerto urbano", "el sorteo de parcelas es público y se graba"},
	{"matrimonio-civil", "Matrimonio civil", "los testigos firman el acta en el salón de plenos"},
	{"tarjeta-residente", "Tarjeta de residente", "el vehículo tributa en el mismo distrito"},
	{"mercado-puesto", "Puesto en el mercado", "los productores de la comarca venden los sábados"},
	{"quema-rastrojos", "Autorización de quema", "el viento y la cercanía del monte deciden el día"},
	{"piscina-abono", "Abono de la piscina", "el curso de natación se paga con el mismo recibo"},
	{"basura-exencion", "Exención de la tasa de basura", "los jubilados con una pensión mínima no la pagan"},
	{"perro-censo", "Censo de animales", "el veterinario implanta el chip y firma la cartilla"},
	{"terraza-bar", "Terraza de un bar", "las mesas dejan libre el paso de los peatones"},
	{"biblioteca-carne", "Carné de la biblioteca", "los menores lo piden con la firma de su madre o padre"},
	{"fosa-cementerio", "Concesión de una sepultura", "la familia conserva el derecho durante décadas"},
	{"grua-recurso", "Recurso por retirada del coche", "el agente describe la señal que estaba tapada"},
	{"asociacion-registro", "Registro de asociaciones", "los estatutos nombran a la junta directiva"},
	{"arbol-tala", "Permiso de tala de un árbol", "por cada ejemplar se plantan dos en el parque"},
	{"fiestas-caseta", "Caseta de las fiestas", "la electricidad la instala una empresa autorizada"},
	{"autonomo-subvencion", "Subvención para autónomos", "el negocio abre al público antes del verano"},
	{"agua-contador", "Cambio del contador de agua", "el fontanero deja la llave de paso precintada"},
}

// dustSentences are sentences of procedures.
var dustSentences = []string{
	"La solicitud se presenta en el registro general o en la sede electrónica.",
	"Quien la firma acredita su identidad con un documento en vigor.",
	"El plazo de presentación es de quince días hábiles.",
	"La resolución se notifica en un máximo de tres meses.",
	"Contra la resolución cabe recurso de reposición ante la alcaldía.",
	"La tasa asciende a 18 euros y se paga con tarjeta.",
	"No se admiten copias sin compulsar de los títulos.",
	"El servicio de atención a la ciudadanía revisa la documentación.",
	"La falta de un documento se corrige en diez días.",
	"El silencio administrativo tiene efecto favorable.",
	"Las personas empadronadas antes del verano tienen prioridad.",
	"La renta de la unidad familiar no supera los 24.000 euros.",
	"Se aporta el último recibo de los suministros de la vivienda.",
	"Un técnico visita el lugar antes de emitir el informe.",
	"La renovación se pide un mes antes de su vencimiento.",
	"El impreso está disponible también en lectura fácil.",
	"Los menores acuden acompañados de su representante legal.",
	"La concesión se publica en el tablón de edictos.",
	"Se puede autorizar a otra persona con un poder notarial.",
	"La bonificación alcanza el 50 % para familias numerosas.",
	"El expediente se consulta con certificado o con clave.",
	"La inspección comprueba el cumplimiento de las condiciones.",
	"Las obras empiezan después de pagar el impuesto.",
}
