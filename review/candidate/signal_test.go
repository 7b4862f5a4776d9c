package candidate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/probe"
	"visto/review/probe/extract"
)

// readPage returns a page that was read.
func readPage(url, title, text string, headings ...string) *page {
	return &page{result: canon.Result{Canonical: url, LinkType: canon.Informative}, report: &probe.Report{
		Evidence: &canon.Evidence{Title: title},
		Content:  &extract.Document{Title: title, Text: text, Headings: headings},
	}}
}

// Each signal is raised by pages of its kind, and by no other page.
func TestSignals(t *testing.T) {
	const at = "https://villa.es/tramites/"
	catalan := readPage(at+"volant-x", "Volant", "")
	catalan.result.Language = "ca"
	elsewhere := readPage("https://otra.es/tramites/volante-x", "Volante", "")
	section := readPage(at+"grupo", "Grupo", "")
	section.result.LinkType = canon.Section
	links := readPage(at+"todos-los-tramites", "Todos", "corto")
	for range 9 {
		links.report.Content.Links = append(links.report.Content.Links, extract.Link{Text: "Trámite", Main: true})
	}
	elsewhereLinks := readPage(at+"menus", "Menús", "corto")
	few := readPage(at+"largo", "Largo", strings.Repeat("Texto. ", 100))
	for range 9 {
		elsewhereLinks.report.Content.Links = append(elsewhereLinks.report.Content.Links, extract.Link{Text: "Trámite"})
		few.report.Content.Links = append(few.report.Content.Links, extract.Link{Text: "Trámite", Main: true})
	}
	teasers := readPage(at+"vivienda-x", "Vivienda", "", "# Vivienda", "## Solicitud", "## Plazo", "## Tasas",
		"## Lugar")
	for _, text := range []string{"Solicitud", "Plazo", "Tasas"} {
		teasers.report.Content.Links = append(teasers.report.Content.Links, extract.Link{Text: text, Main: true})
	}
	typed := readPage(at+"descarga-x", "Volante", "")
	typed.report.Evidence.ContentType = "application/pdf"
	rejected := readPage(at+"ayuda-2027-x", "Ayuda", "")
	rejected.result.Verdict = canon.Rejected
	last, next := readPage(at+"becas-2026-x", "Becas", ""), readPage(at+"becas-2027-x", "Becas", "")
	for name, test := range map[string]struct {
		page *page
		want string // the beginning of the only reason; empty: none
	}{
		"plain":             {readPage(at+"volante-x", "Volante de convivencia", "Se pide en la oficina."), ""},
		"language":          {catalan, "in Catalan"},
		"last year":         {readPage(at+"ayuda-x", "Ayudas 2025", ""), "older: 2025"},
		"this year":         {readPage(at+"ayuda-x", "Ayudas 2026", ""), "of 2026"},
		"the record's year": {readPage(at+"plan-x", "Plan 2019", ""), "of 2019, as the record says"},
		"no year":           {readPage(at+"bono-x", "Bono 2080", ""), ""},
		"law":               {readPage(at+"queja-x", "Queja (Ley 39/2015)", ""), ""},
		"there is a newer":  {last, "older: 2026, and there is 2027"},
		"the newer":         {next, "of 2027"},
		"a newer rejected":  {readPage(at+"ayuda-2026-x", "Ayuda", ""), "of 2026"},
		"ended":             {readPage(at+"obra-x", "Obra", "Procedimiento suprimido."), "says that it has ended"},
		"ends later":        {readPage(at+"obra-x", "Obra", strings.Repeat("Aún. ", 200)+"Convocatoria cerrada."), ""},
		"procedure": {readPage(at+"volante-x", "Volante", "", "# Volante", "## Requisitos", "## Plazos"),
			"headings of a procedure"},
		"plaza":          {readPage(at+"plaza-x", "Plaza", "", "# Plaza", "## Plaza", "## Objetos perdidos"), ""},
		"news":           {readPage("https://villa.es/actualidad/volante-x", "Volante", ""), "news"},
		"news by date":   {readPage("https://villa.es/2080/01/20/volante-x", "Volante", ""), "news"},
		"news by title":  {readPage(at+"plazo-x", "Abierto el plazo del volante", ""), "news"},
		"news by line":   {readPage(at+"plazo-x", "Volante", "# Volante\n\n3 de enero de 2019: se pide."), "news"},
		"date of change": {readPage(at+"plazo-x", "Volante", "Actualizado el 3 de enero de 2019."), ""},
		"archive":        {readPage("https://villa.es/convocatorias-cerradas/x-y", "Ayuda", ""), "in an archive"},
		"archive of":     {readPage("https://villa.es/archivo-de-ayudas/x-y", "Ayuda", ""), "in an archive"},
		"old quarter":    {readPage(at+"casco-historico", "Ayuda en el casco histórico", ""), ""},
		"the archive":    {readPage("https://villa.es/archivo-municipal/consulta-x", "Consulta del archivo", ""), ""},
		"a closed hall":  {readPage(at+"recinto-cerrado", "Alquiler de recinto cerrado", ""), ""},
		"closed":         {readPage(at+"ayuda-x", "Ayuda", "Estado: cerrada."), "says that it has ended"},
		"was closed":     {readPage(at+"traspaso-x", "Traspaso", "Si el local ha estado cerrado."), ""},
		"term ended":     {readPage(at+"ayuda-x", "Ayuda", "El plazo terminó ayer."), "says that it has ended"},
		"headings lead":  {teasers, "its headings are links: 3"},
		"questions":      {readPage(at+"faq-x", "Dudas", ""), "questions and answers"},
		"by headings": {readPage(at+"dudas-x", "Obras", "", "# Obras", "## ¿Qué?", "## ¿No?"),
			"questions and answers"},
		"half of them": {readPage(at+"dudas-x", "Obras", "", "# Obras", "## Lugar", "## Coste", "## ¿Qué?", "## ¿No?"),
			""},
		"one of many": {readPage(at+"dudas-x", "Obras", "", "# Obras", "## Coste", "## Lugar", "## ¿Qué?"), ""},
		"PDF":         {readPage(at+"volante.pdf", "Volante", ""), "a PDF"},
		"PDF by type": {typed, "a PDF"},
		"file":        {readPage(at+"volante.odt", "Volante", ""), "a file"},
		"section":     {section, "a section page"},
		"links":       {links, "mostly links: 9"},
		"menus":       {elsewhereLinks, ""},
		"few links":   {few, ""},
		"elsewhere":   {elsewhere, "on another site"},
	} {
		j := judge{language: "es", now: time.Date(2026, 2, 18, 0, 0, 0, 0, time.UTC), site: "villa.es",
			years: []int{2019}}
		j.know([]*page{last, next, rejected})
		list := j.signals(test.page)
		var why string
		for _, s := range list {
			why += s.why
		}
		if (why == "") != (test.want == "") || !strings.HasPrefix(why, test.want) || len(list) > 1 {
			t.Errorf("%s: %+v", name, list)
		}
	}
}

// The name of the site is in every title, so it says nothing about a page. A site may have one title for all pages.
func TestTitles(t *testing.T) {
	const site = "Ayuntamiento de Villa"
	const at = "https://villa.es/"
	pages := []*page{
		readPage(at+"a", "Alta | "+site, ""), readPage(at+"b", "Obra | "+site, ""),
		readPage(at+"c", site+" - Tasa", "", "# Tasa de basura", "## Plazo"), readPage(at+"d", "Otra", ""),
	}
	for _, p := range pages {
		p.names = siteNames(pages)
	}
	for i, want := range []string{"Alta", "Obra", "Tasa\nTasa de basura", "Otra"} {
		if got := pages[i].title(); got != want {
			t.Errorf("%q", got)
		}
	}
	if got := pages[2].headings(); got != "## Plazo" {
		t.Errorf("headings %q", got)
	}
	if got := siteNames(pages[:2]); len(got) > 0 {
		t.Errorf("of two pages: %q", got)
	}
	for i := range 4 {
		pages = append(pages, readPage(at+"e", fmt.Sprintf("Licencia %d | Portal %d", i, i), ""))
	}
	if got := siteNames(pages); len(got) > 0 {
		t.Errorf("of less than half of the pages: %q", got)
	}
}

func TestEndNotices(t *testing.T) {
	for text, want := range map[string]bool{
		"Trámite suprimido.": true, "PROCEDIMIENTO DEROGADO": true, "Convocatoria cerrada": true,
		"La licencia ha quedado sin efecto.": true, "La ordenanza quedó derogada.": true,
		"Este servicio ya no se tramita aquí.": true, "Ya no es necesaria la cita.": true,
		"La norma ya no está en vigor.": true, "El plazo está cerrado.": true, "El plazo ha terminado.": true,
		"El plazo se cierra en mayo.": false, "Cuando quede cerrada la convocatoria, se avisa.": false,
	} {
		if got, is := hasEnded(readPage("https://villa.es/x", "X", text)); is != want {
			t.Errorf("%s: %t, %s", text, is, got.why)
		}
	}
}

// A site may have several names, and all are left out, whatever their order.
func TestSiteNames(t *testing.T) {
	var pages []*page
	for _, subject := range []string{"Alta", "Obra", "Tasa"} {
		pages = append(pages, readPage("https://villa.es/"+subject, subject+" | Sede | Ayuntamiento de Villa", ""))
	}
	for range 20 {
		if got := siteNames(pages); !slices.Equal(got, []string{"Ayuntamiento de Villa", "Sede"}) {
			t.Fatalf("%q", got)
		}
	}
}

func TestSharedParts(t *testing.T) {
	got := sharedParts("Tarjeta | Ayuntamiento de Villa", "Inicio - Ayuntamiento de Villa")
	if !slices.Equal(got, []string{"Ayuntamiento de Villa"}) || len(sharedParts("Tarjeta", "")) > 0 {
		t.Errorf("%q", got)
	}
}

// Spec 15: candidates are shown with why. The name of the site stands on all of its pages and is no reason.
func TestReasons(t *testing.T) {
	q := newQuery([]*review.Record{{Name: "Emprender: ayudas del Ayuntamiento de Villa"}})
	p := readPage("https://villa.es/ayuntamiento/emprender", "Emprender en Villa | Ayuntamiento de Villa",
		"El Ayuntamiento de Villa informa a quien quiere emprender.")
	got := strings.Join(reasons(p, q.without(stemsOf("Ayuntamiento de Villa")), nil), "; ")
	if want := "title has «Emprender»; address has «Emprender»; text has 1 of 2 words"; got != want {
		t.Errorf("%q", got)
	}
	if all := q.found("Ayuntamiento"); len(all) != 1 {
		t.Errorf("the query lost its words: %q", all)
	}
}
