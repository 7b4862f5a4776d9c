package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"visto/canon"
)

// set is a list of URLs of one shape. Each run makes the same lists, long enough that no branch predictor learns them.
type set struct {
	name, title, about string
	urls               []string
}

const setSize = 1024

func named(list []set, name string) set {
	return list[slices.IndexFunc(list, func(s set) bool { return s.name == name })]
}

// meanLength returns the mean length in bytes.
func (s set) meanLength() int {
	total := 0
	for _, url := range s.urls {
		total += len(url)
	}
	return total / len(s.urls)
}

// sets returns the measured lists.
func sets(policy *canon.Policy) []set {
	short, gov := generate(1, shortURL), generate(2, govURL)
	return []set{
		{"short", "Short links", "plain links, most of them clean", short},
		{"gov", "Links to procedures",
			"links to procedures as people share them: portals, sessions, tracking, fragments, several languages", gov},
		{"hosts", "Many hosts",
			"both kinds of links: every second one on a new host, the others on hosts that recur by Zipf's law",
			manyHosts()},
		{"odd", "Odd URLs",
			"queries of three to eight pairs with mixed case, escapes and URLs as values, 60 % http, on 5,000 hosts",
			oddURLs()},
		{"canonical", "Canonical URLs", "the accepted URLs of both lists in canonical form: nothing changes",
			acceptedForms(policy, short, gov)},
		{"hostile", "Hostile input",
			"the URLs of attackers and broken pages: other notations of hosts, bad escapes, very long ones",
			generate(3, hostileURL)},
	}
}

func generate(seed uint64, next func(*rand.Rand) string) []string {
	r := rand.New(rand.NewPCG(seed, seed))
	urls := make([]string, setSize)
	for i := range urls {
		urls[i] = next(r)
	}
	return urls
}

// acceptedForms returns the canonical URLs, each once, of all URLs that the policy accepts without a flag.
func acceptedForms(policy *canon.Policy, lists ...[]string) (urls []string) {
	c, seen := canon.New(policy, nil), map[string]bool{}
	for _, list := range lists {
		for _, raw := range list {
			res := c.Canonicalize(raw, nil)
			if res.Verdict == canon.Accepted && !seen[res.Canonical] {
				seen[res.Canonical] = true
				urls = append(urls, res.Canonical)
			}
		}
	}
	return urls
}

// The words of the URLs.
var (
	hosts = strings.Fields(`www.boe.es www.sepe.es sepe.es www.seg-social.es www.dgt.es www.madrid.es www.gva.es
		www.jcyl.es
		www.navarra.es www.aragon.es euskadi.eus www.xunta.gal www.comunidad.madrid www.sanidad.gob.es www.policia.es`)
	offices = strings.Fields(`sede.seg-social.gob.es sede.administracion.gob.es sede.agenciatributaria.gob.es
		www.inclusion.gob.es
		sede.carm.es web.gencat.cat www.juntadeandalucia.es sede.mjusticia.gob.es sedeelectronica.vitoria-gasteiz.org
		www.exteriores.gob.es sede.gobiernodecanarias.org tramits.gencat.cat sede.asturias.es`)
	words = strings.Fields(`ayudas tramites paro becas cita-previa empadronamiento vivienda dni-pasaporte
		extranjeria familias
		Personas Ciudadanos empleo trafico impuestos pensiones salud registro`)
	slugs = strings.Fields(`solicitud-de-prestacion-por-desempleo ingreso-minimo-vital certificado-de-empadronamiento
		autorizacion-de-residencia-temporal ayudas-al-alquiler-de-vivienda renovacion-del-permiso-de-conducir
		prestacion-por-nacimiento-y-cuidado-del-menor reconocimiento-de-la-discapacidad declaracion-de-la-renta
		homologacion-de-titulos-extranjeros antecedentes-penales`)
	portals = strings.Fields(`wps/portal/wss/internet/Trabajadores/PrestacionesPensionesTrabajadores sta/CarpetaPublic
		procedimientos/portada/ciudadanos portal/site/SedeElectronica es/web/migraciones/w ca/tramits/tramits-temes
		HomeSepe/Personas/distributiva-prestaciones`)
	languages = strings.Fields("es ca eu gl en fr")
	campaigns = strings.Fields("utm_source=boletin utm_medium=email&utm_campaign=2026-03 fbclid=IwAR0aZ9xQ1 " +
		"gclid=Cj0KCQiA utm_source=twitter&utm_medium=social")
	anchors = strings.Fields("#requisitos #documentacion #top #como-se-solicita #plazos")
)

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

// in reports true in that percentage of calls.
func in(r *rand.Rand, percent int) bool { return r.IntN(100) < percent }

func scheme(r *rand.Rand) string {
	if in(r, 20) {
		return "http://"
	}
	return "https://"
}

// shortURL returns a URL of about 41 bytes.
func shortURL(r *rand.Rand) string {
	url := scheme(r) + pick(r, hosts) + "/" + pick(r, words)
	switch r.IntN(5) {
	case 0:
		url += fmt.Sprintf("/%d", 1000+r.IntN(90000))
	case 1:
		url += fmt.Sprintf("?id=%d", 1000+r.IntN(90000))
	case 2:
		url += "/" + pick(r, words) + ".html"
	default:
		url += fmt.Sprintf("/ficha-%d", r.IntN(900))
	}
	if in(r, 10) {
		url += "/"
	}
	return url
}

// govURL returns a URL of about 96 bytes.
func govURL(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(scheme(r))
	host := pick(r, append(offices, hosts...))
	if in(r, 5) {
		host = strings.ToUpper(host)
	}
	b.WriteString(host)
	if in(r, 15) {
		b.WriteString("/" + pick(r, languages))
	}
	switch r.IntN(6) {
	case 0:
		fmt.Fprintf(&b, "/%s/%08x-%04x-4000-8000-%012x", pick(r, portals), r.Uint32(), r.IntN(1<<16), r.Int64N(1<<48))
	case 1:
		fmt.Fprintf(&b, "/%s/doEvent?APP_CODE=STA&PAGE_CODE=PTS2_%s&id=%d", pick(r, portals),
			strings.ToUpper(pick(r, languages)), r.IntN(1e6))
	case 2:
		fmt.Fprintf(&b, "/documents/%d/%d/%s.pdf", r.IntN(1e5), r.IntN(1e7), pick(r, slugs))
	case 3:
		fmt.Fprintf(&b, "/buscar/act.php?id=BOE-A-%d-%d&tipo=%s", 1990+r.IntN(36), r.IntN(30000), pick(r, words))
	default:
		fmt.Fprintf(&b, "/%s/%s/%s-%d", pick(r, portals), pick(r, words), pick(r, slugs), r.IntN(1000))
	}
	govTail(r, &b)
	return b.String()
}

// govTail adds the parts that links collect when they are shared.
func govTail(r *rand.Rand, b *strings.Builder) {
	query := strings.Contains(b.String(), "?")
	add := func(pair string) {
		if query {
			b.WriteString("&" + pair)
		} else {
			b.WriteString("?" + pair)
		}
		query = true
	}
	if in(r, 5) && !query {
		fmt.Fprintf(b, ";jsessionid=%016X.nodo%d", r.Uint64(), r.IntN(4))
	}
	if in(r, 15) && !query {
		b.WriteString("/")
	}
	if in(r, 15) {
		add(pick(r, campaigns))
	}
	if in(r, 8) {
		add("lang=" + pick(r, languages))
	}
	if in(r, 5) {
		add(fmt.Sprintf("page=%d", 1+r.IntN(12)))
	}
	if in(r, 12) {
		b.WriteString(pick(r, anchors))
	}
}

// hostileURL damages a usual URL, or makes one up.
func hostileURL(r *rand.Rand) string {
	const notHosts = `0x7f.1 127.1 017700000001 2130706433 [::1] [::ffff:10.0.0.1] localhost 10.1.2.3 a..b -
		%31%32%37.0.0.1
		ｅｘａｍｐｌｅ．ｃｏｍ boe.es.evil.example xn--a xn--espaa-rta.gob.es españa.gob.es seрe.es user:secret@boe.es
		good.es\@evil.example`
	url := govURL(r)
	host, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(url, "http://"), "https://"), "/")
	switch r.IntN(8) {
	case 0:
		return "http://" + pick(r, strings.Fields(notHosts)) + "/" + rest
	case 1:
		return "javascript:alert(1)//" + url
	case 2:
		return url + strings.Repeat("/%2e%2E/./..//", 1+r.IntN(40))
	case 3:
		return url + "?" + strings.Repeat("&%75tm_x=%zz%&;=", 1+r.IntN(60))
	case 4:
		return " \t" + strings.ToUpper(url) + "\x00\x1f"
	case 5:
		return "https:\\\\" + host + "\\tr\xe1mite con espacios\\%E1%F3?a=\xf1o#" + rest
	case 6:
		return url + "?q=" + strings.Repeat("%2541é", r.IntN(250))
	}
	return "https://" + strings.Repeat("a.", r.IntN(60)) + host + "/\u202e" + rest + "%"
}
