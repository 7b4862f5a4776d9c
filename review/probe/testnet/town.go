package testnet

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/txtar"
)

const (
	townHost   = "www.vallserena.gob.es"
	officeHost = "sede.vallserena.gob.es"

	// TownHome is the home page of the town. Every record of TownRecords cites it.
	TownHome = "https://" + townHost
)

// TownRecord is a record that cites the town's home page in the place of the page about its procedure.
type TownRecord struct {
	ID          string
	Name        string
	Keywords    []string // in several languages and scripts, of lay people and of officials
	Scope       string   // department of the procedure
	Tier        int      // 1 to 3
	Description string   // a sentence for lay people
	Cites       string   `yaml:"-"`
	Truth       string   // URL of the one page to cite
}

// File returns the record as a procedure file, in the shape of Clara's.
func (r TownRecord) File() []byte {
	data, _ := json.MarshalIndent(map[string]any{
		"tramite": r.ID, "nombre": r.Name, "keywords": r.Keywords, "organismo": "Ayuntamiento de Vallserena",
		"ambito": r.Scope, "tier": r.Tier, "descripcion": r.Description, "fuente_url": r.Cites, "verificado": false,
	}, "", "  ")
	return append(data, '\n')
}

// townPage is a page of the town, as the archives town/*.txtar have it: a header in YAML, an empty line, and the HTML
// of the main content. The text of a PDF stands in the place of the HTML.
type townPage struct {
	Path    string `yaml:"-"`
	Kind    string // empty: tramite, a procedure
	Title   string
	Link    string // text of links to the page; empty: the title
	Lang    string // empty: es, or ca below /ca
	Spanish string `yaml:"es"` // path of the Spanish version of a page in Catalan
	Section string // last segment of its section's path; empty: second segment of its own path
	Date    string // of the last change or the publication
	Home    bool   // linked from the home page
	// Only is empty for a page that stands in the sitemap and is linked from its section. It is "sitemap" or "links"
	// for a page with only one of both.
	Only  string
	Alias []string // other URLs of the page, by path and query. Links use the first. They name Path as canonical.
	Old   []string // former URLs, which redirect

	Body template.HTML `yaml:"-"`
}

//go:embed town
var townFiles embed.FS

// Town returns the sites of a town with two official languages: www.vallserena.gob.es with sections, procedures, news,
// questions and answers, forms, former calls, and a sitemap; the name without www; and an electronic office that
// scripts draw.
func Town() []Site {
	t := loadTown()
	site := Site{Host: townHost, About: "a town: 40 procedures and their rivals", Facts: Facts{Prefers: townHost},
		Robots: Robots("User-agent: *", "Disallow: /imprimir/", "Disallow: /buscador", "Disallow: /intranet/", "",
			"Sitemap: "+TownHome+"/sitemap.xml"),
		Pages: map[string]http.Handler{}}
	for _, p := range t.pages {
		site.Pages[p.Path] = t.handler(p)
		for _, alias := range append(p.Alias, "/imprimir"+p.Path) {
			site.Pages[alias] = site.Pages[p.Path]
		}
		for _, old := range p.Old {
			site.Pages[old] = Redirect(http.StatusMovedPermanently, p.Path)
		}
	}
	maps.Copy(site.Pages, t.sitemaps())
	return []Site{site,
		{Host: strings.TrimPrefix(townHost, "www."), About: "redirects to the town", Facts: site.Facts,
			Pages: pages("/", MovedTo(TownHome)), Rest: MovedTo(TownHome)},
		scriptedSite(officeHost, "the town's electronic office, which needs scripts"),
	}
}

// TownRecords returns the records, whose truth stands for pages of Town.
func TownRecords() []TownRecord {
	data, err := townFiles.ReadFile("town/records.yaml")
	if err != nil {
		panic(err) // the folder is embedded, or the program does not build
	}
	var records []TownRecord
	if err := yaml.Unmarshal(data, &records); err != nil {
		panic(fmt.Errorf("reading town/records.yaml: %w", err))
	}
	for i := range records {
		records[i].Cites = TownHome
		records[i].Truth = TownHome + records[i].Truth
	}
	return records
}

// town is all pages of the town.
type town struct {
	pages  []*townPage
	byPath map[string]*townPage
	twins  map[string]*townPage // the page in Catalan, by the path of the Spanish one
}

func loadTown() *town {
	t := &town{byPath: map[string]*townPage{}, twins: map[string]*townPage{}}
	names, _ := townFiles.ReadDir("town")
	for _, name := range names {
		if !strings.HasSuffix(name.Name(), ".txtar") {
			continue
		}
		data, err := townFiles.ReadFile("town/" + name.Name())
		if err != nil {
			panic(err)
		}
		for _, f := range txtar.Parse(data).Files {
			t.add(parseTownPage(f))
		}
	}
	for _, p := range t.pages {
		if p.Section == "" {
			p.Section = t.section(p)
		}
	}
	return t
}

func (t *town) add(p *townPage) {
	if t.byPath[p.Path] != nil {
		panic("two pages of the town are at " + p.Path)
	}
	t.pages = append(t.pages, p)
	t.byPath[p.Path] = p
	if p.Spanish != "" {
		t.twins[p.Spanish] = p
	}
}

func parseTownPage(f txtar.File) *townPage {
	p := &townPage{Path: f.Name, Kind: "tramite", Lang: "es"}
	if p.Path == "/ca" || strings.HasPrefix(p.Path, "/ca/") {
		p.Lang = "ca"
	}
	head, body, _ := bytes.Cut(f.Data, []byte("\n\n"))
	decoder := yaml.NewDecoder(bytes.NewReader(head))
	decoder.KnownFields(true)
	if err := decoder.Decode(p); err != nil {
		panic(fmt.Errorf("reading the header of %s: %w", f.Name, err))
	}
	p.Body = template.HTML(bytes.TrimSpace(body))
	return p
}

// section returns the last segment of the Spanish section of a page.
func (t *town) section(p *townPage) string {
	if spanish := t.byPath[p.Spanish]; spanish != nil {
		return t.section(spanish)
	}
	if p.Section != "" {
		return p.Section
	}
	if parts := strings.Split(p.Path, "/"); len(parts) > 2 {
		return parts[2]
	}
	return ""
}

// sitemaps are a sitemap index (sitemaps.org) and its two sitemaps: lasting pages, and those of the day.
func (t *town) sitemaps() map[string]http.Handler {
	lasting, dated := "", ""
	for _, p := range t.sorted() {
		switch {
		case p.Only == "links":
		case p.Kind == "noticia" || p.Kind == "archivo":
			dated += t.sitemapEntry(p)
		default:
			lasting += t.sitemapEntry(p)
		}
	}
	const open = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	const namespace = ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`
	set := func(entries string) http.Handler {
		return Data("application/xml", []byte(open+"<urlset"+namespace+
			` xmlns:xhtml="http://www.w3.org/1999/xhtml">`+"\n"+entries+"</urlset>\n"))
	}
	index := open + "<sitemapindex" + namespace + ">\n"
	for _, name := range []string{"paginas", "actualidad"} {
		index += "<sitemap><loc>" + TownHome + "/sitemap-" + name + ".xml</loc></sitemap>\n"
	}
	return map[string]http.Handler{
		"/sitemap.xml":            Data("application/xml", []byte(index+"</sitemapindex>\n")),
		"/sitemap-paginas.xml":    set(lasting),
		"/sitemap-actualidad.xml": set(dated),
	}
}

func (t *town) sorted() []*townPage {
	byPath := func(a, b *townPage) int { return strings.Compare(a.Path, b.Path) }
	return slices.SortedFunc(slices.Values(t.pages), byPath)
}

func (t *town) sitemapEntry(p *townPage) string {
	entry := "<url><loc>" + TownHome + p.Path + "</loc>"
	for _, v := range t.versions(p) {
		entry += fmt.Sprintf(`<xhtml:link rel="alternate" hreflang=%q href=%q/>`, v.Text, v.URL)
	}
	if p.Date != "" {
		entry += "<lastmod>" + p.Date + "</lastmod>"
	}
	return entry + "</url>\n"
}
