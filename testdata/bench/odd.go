package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// The sizes of the list of odd URLs.
const (
	oddSize         = 11_000
	oddHosts        = 5_000
	oddApplications = 200
	oddQueries      = 22 // percent
)

// oddURLs returns links of many sites, six of ten sites with "http". The links of one site stand together. Each site
// runs one application, and the applications follow Zipf's law. A link leads to the application, with a long query, or
// to a page without one.
//
// oddQueries is set so that the list is as hard as a real one of the kind. visto at commit 883c384d took 1.31 of the
// time of net/url for that one. For this list it takes 1.3, and it would take 2.9 if each link had a query.
func oddURLs() []string {
	r := rand.New(rand.NewPCG(6, 6))
	applications := make([]application, oddApplications)
	for i := range applications {
		applications[i] = newApplication(r)
	}
	const exponent, offset = 1.2, 8
	zipf := rand.NewZipf(r, exponent, offset, oddApplications-1)
	urls := make([]string, 0, oddSize)
	for host := range oddHosts {
		site := "https://" + hostNumber(host)
		if in(r, 60) {
			site = "http://" + hostNumber(host)
		}
		app := applications[zipf.Uint64()]
		for range oddSize*(host+1)/oddHosts - len(urls) { // two or three
			if in(r, oddQueries) {
				urls = append(urls, site+app.link(r))
			} else {
				urls = append(urls, site+app.page(r))
			}
		}
	}
	return urls
}

// application is a program that sites run. Its links have one path and the same parameters.
type application struct {
	path   string
	params []oddParam
}

// oddParam is a parameter with its kind of values.
type oddParam struct {
	name string
	kind int // from 0 to 99
}

// newApplication returns an application with three to eight parameters, more often few.
func newApplication(r *rand.Rand) (a application) {
	for range 1 + r.IntN(3) {
		a.path += "/" + pick(r, oddSegments)
	}
	for range 3 + min(r.IntN(6), r.IntN(6)) {
		a.params = append(a.params, oddParam{pick(r, oddNames), r.IntN(100)})
	}
	return a
}

// page returns a link without a query.
func (a application) page(r *rand.Rand) string {
	return a.path + "/" + pick(r, slugs) + "-" + fmt.Sprint(r.IntN(1000))
}

// link returns a link with a query.
func (a application) link(r *rand.Rand) string {
	pairs := make([]string, len(a.params))
	for i, p := range a.params {
		pairs[i] = p.name + "=" + p.value(r)
	}
	return a.path + "?" + strings.Join(pairs, "&")
}

// value returns a value: for most parameters a number or a word, for one of twelve a text with an escape, for one of
// fifty a URL. So one of ten links has a URL as a value.
func (p oddParam) value(r *rand.Rand) string {
	switch {
	case p.kind < 44:
		return fmt.Sprint(r.IntN(100_000))
	case p.kind < 81:
		return pick(r, oddWords)
	case p.kind < 88:
		return fmt.Sprintf("%08X-%04x", r.Uint32(), r.IntN(1<<16))
	case p.kind < 96:
		return pick(r, oddWords) + pick(r, oddEscapes) + pick(r, oddWords)
	case p.kind < 97:
		return "https://" + pick(r, hosts) + "/" + pick(r, words)
	case p.kind < 98:
		return "https%3A%2F%2F" + pick(r, hosts) + "%2F" + pick(r, words) + "%3fid%3d" + fmt.Sprint(r.IntN(1000))
	}
	return ""
}

// The parts of odd URLs.
var (
	oddSegments = strings.Fields(`Servicios ayudas TramitesWeb portal Portal.do buscador Ficha.aspx index.php wps
		Docs%20Publicos Informaci%C3%B3n detalle.jsp consulta_Expedientes c v2 api~rest`)
	oddNames = strings.Fields(`id ID idProc IdContenido p_p_id p_p_lifecycle p_p_state _56_articleId url URL returnUrl
		redirectURL Destino APP_CODE PAGE_CODE DETALLE_ID cat Categoria tipoDoc q texto Query sort orderBy filter%5Btipo%5D
		filter[estado] anyo fecha_Desde fechaHasta lang idioma pagina page cod Cod_Provincia nivel menuId channelId c cid
		pagename rendermode blobcol blobheader blobkey blobtable blobwhere ssbinary utm_source utm_Medium fbclid gclid
		op accion Accion View vista modo locale_x param1 token%5Fx v ref`)
	oddWords = strings.Fields(`Ayudas SubvencionesAEntidades empadronamiento ES MAD_28079 True false BOE-A-2024-1234
		DescargaPDF Ministerio tramite_Iniciado Page application%2Fpdf GobiernoAbierto A 2026-03-01 xHtml MungoBlobs
		Contenido_FA 1.2.840 cm~3 Buscar*Todos`)
	oddEscapes = strings.Fields("%20 %20 + %2F %2f %C3%B3 %c3%b1 %3A %2C %2c %7C %e1 : , ; @ ! /")
)
