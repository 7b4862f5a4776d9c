package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// The sizes of the list of odd URLs.
const (
	oddSize  = 11_000
	oddHosts = 5_000
)

// oddURLs returns URLs with long queries, six of ten with "http". Each host has at least one of them.
func oddURLs() []string {
	r := rand.New(rand.NewPCG(6, 6))
	urls := make([]string, oddSize)
	for i := range urls {
		host := i
		if host >= oddHosts {
			host = r.IntN(oddHosts)
		}
		urls[i] = oddURL(r, hostNumber(host))
	}
	r.Shuffle(len(urls), func(i, j int) { urls[i], urls[j] = urls[j], urls[i] })
	return urls
}

// oddURL returns a URL with three to eight parameters.
func oddURL(r *rand.Rand, host string) string {
	var b strings.Builder
	b.WriteString("https://")
	if in(r, 60) {
		b.Reset()
		b.WriteString("http://")
	}
	b.WriteString(host)
	for range 1 + r.IntN(3) {
		b.WriteString("/" + pick(r, oddSegments))
	}
	separator := "?"
	for range 3 + r.IntN(6) {
		b.WriteString(separator + pick(r, oddNames) + "=" + oddValue(r))
		separator = "&"
	}
	return b.String()
}

func oddValue(r *rand.Rand) string {
	switch n := r.IntN(100); {
	case n < 25:
		return fmt.Sprint(r.IntN(100_000))
	case n < 50:
		return pick(r, oddWords)
	case n < 60:
		return fmt.Sprintf("%08X-%04x-%012X", r.Uint32(), r.IntN(1<<16), r.Int64N(1<<48))
	case n < 80:
		return pick(r, oddWords) + pick(r, oddEscapes) + pick(r, oddWords)
	case n < 90:
		return "https://" + pick(r, hosts) + "/" + pick(r, words) + "/" + pick(r, slugs)
	case n < 97:
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
