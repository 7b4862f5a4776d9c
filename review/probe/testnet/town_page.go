package testnet

import (
	"bytes"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"time"
)

// townTemplate is the HTML of every page of the town: the main content, and the boilerplate of such sites.
var townTemplate = template.Must(template.ParseFS(townFiles, "town/page.html"))

// townView is a page of the town with all that surrounds it.
type townView struct {
	*townPage
	town *town
}

type (
	townLink struct{ URL, Text string }
	townList struct {
		Title string
		Links []townLink
	}
)

func (t *town) handler(p *townPage) http.Handler {
	if p.Kind == "impreso" {
		return Data("application/pdf", PDFText(p.Title, string(p.Body)))
	}
	var b bytes.Buffer
	if err := townTemplate.Execute(&b, townView{p, t}); err != nil {
		panic(err)
	}
	return Data("text/html; charset=utf-8", b.Bytes())
}

// T returns the text in the language of the page.
func (v townView) T(spanish, catalan string) string {
	if v.Lang == "ca" {
		return catalan
	}
	return spanish
}

// Canonical is the canonical URL that the page states: only pages with several URLs do.
func (v townView) Canonical() string {
	if v.Kind != "tramite" {
		return ""
	}
	return TownHome + v.Path
}

// Versions are the language versions of the page, none if it has only one.
func (v townView) Versions() []townLink { return v.town.versions(v.townPage) }

func (t *town) versions(p *townPage) []townLink {
	spanish, catalan := p.Path, p.Path
	if p.Spanish != "" {
		spanish = p.Spanish
	} else if twin := t.twins[p.Path]; twin != nil {
		catalan = twin.Path
	} else {
		return nil
	}
	return []townLink{{TownHome + spanish, "es"}, {TownHome + catalan, "ca"}}
}

// Schema is the structured data of the page (schema.org).
func (v townView) Schema() map[string]string {
	types := map[string]string{"noticia": "NewsArticle", "preguntas": "FAQPage"}
	if types[v.Kind] == "" {
		return nil
	}
	return map[string]string{"@context": "https://schema.org", "@type": types[v.Kind], "headline": v.Title,
		"datePublished": v.Date}
}

// Day is the date as people write it.
func (v townView) Day() string {
	day, err := time.Parse(time.DateOnly, v.Date)
	if err != nil {
		return v.Date
	}
	return day.Format("02/01/2006")
}

// Office is the address of the procedure in the electronic office.
func (v townView) Office() string { return "https://" + officeHost + "/#" + v.Path }

// Menu are the sections of the town.
func (v townView) Menu() []townLink {
	links := v.town.links(func(p *townPage) bool { return p.Kind == "seccion" && p.Lang == v.Lang })
	return append(links, townLink{"/tramites", v.T("Trámites de la A a la Z", "Tràmits de la A a la Z")},
		townLink{"/actualidad", v.T("Actualidad", "Actualitat")})
}

// Crumbs lead from the home page to the page.
func (v townView) Crumbs() []townLink {
	crumbs := []townLink{{v.T("/", "/ca"), v.T("Inicio", "Inici")}}
	for _, p := range v.town.pages {
		if p.Kind == "seccion" && p.Lang == v.Lang && p.Section == v.Section && p.Path != v.Path {
			crumbs = append(crumbs, p.link())
		}
	}
	return crumbs
}

// Related are the next procedures of the section.
func (v townView) Related() []townLink {
	if v.Kind != "tramite" {
		return nil
	}
	all := v.town.linked("tramite", v.Lang, v.Section)
	links := v.town.links(func(p *townPage) bool { return slices.Contains(all, p) && p != v.townPage })
	return links[:min(3, len(links))]
}

// Lists are the lists of links of a home page, a section, and an index.
func (v townView) Lists() []townList {
	var lists []townList
	add := func(title string, links []townLink) {
		if len(links) > 0 {
			lists = append(lists, townList{title, links})
		}
	}
	switch v.Kind {
	case "inicio":
		add(v.T("Trámites destacados", "Tràmits destacats"),
			v.town.links(func(p *townPage) bool { return p.Home && p.Lang == v.Lang }))
		add(v.T("Últimas noticias", "Darreres notícies"), v.town.news()[:4])
	case "seccion":
		for _, list := range [][2]string{{"tramite", v.T("Trámites", "Tràmits")}, {"preguntas", "Ayuda"},
			{"noticia", "Noticias"}, {"impreso", "Impresos"}, {"archivo", "Convocatorias e información anterior"}} {
			var links []townLink
			for _, p := range v.town.linked(list[0], v.Lang, v.Section) {
				links = append(links, p.link())
			}
			add(list[1], links)
		}
	case "indice":
		links := v.town.links(func(p *townPage) bool { return p.Kind == "tramite" && p.Lang == v.Lang && p.Only == "" })
		slices.SortFunc(links, func(a, b townLink) int { return strings.Compare(a.Text, b.Text) })
		add("De la A a la Z", links)
	case "noticias":
		add("Todas las noticias", v.town.news())
	}
	return lists
}

// linked returns the pages of a section that it links.
func (t *town) linked(kind, lang, section string) []*townPage {
	var found []*townPage
	for _, p := range t.pages {
		if p.Kind == kind && p.Lang == lang && p.Section == section && p.Only != "sitemap" {
			found = append(found, p)
		}
	}
	return found
}

func (t *town) links(of func(*townPage) bool) []townLink {
	var links []townLink
	for _, p := range t.pages {
		if of(p) {
			links = append(links, p.link())
		}
	}
	return links
}

// news returns links to all news, the newest first.
func (t *town) news() []townLink {
	var news []*townPage
	for _, p := range t.pages {
		if p.Kind == "noticia" {
			news = append(news, p)
		}
	}
	slices.SortStableFunc(news, func(a, b *townPage) int { return strings.Compare(b.Date, a.Date) })
	var links []townLink
	for _, p := range news {
		links = append(links, p.link())
	}
	return links
}

// link returns a link to the page, by its first alias if it has one.
func (p *townPage) link() townLink {
	link := townLink{p.Path, p.Link}
	if link.Text == "" {
		link.Text = p.Title
	}
	if len(p.Alias) > 0 {
		link.URL = p.Alias[0]
	}
	return link
}
