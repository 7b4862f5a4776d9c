package extract

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"visto/review/lazyregexp"
)

// metaNames are the names of <meta> elements for each statement, the strongest first: Open Graph, Dublin Core and their
// like, in lower case with dots for colons.
var metaNames = struct{ title, description, author, published, modified, language []string }{
	title:       strings.Fields("og.title dcterms.title dc.title twitter.title"),
	description: strings.Fields("description og.description dcterms.description dc.description twitter.description"),
	author:      strings.Fields("author dcterms.creator dc.creator article.author citation_author"),
	published: strings.Fields("article.published_time og.published_time datepublished dcterms.issued dc.date.issued " +
		"dcterms.available dcterms.created dc.date.created dcterms.date dc.date citation_publication_date pubdate " +
		"publishdate publish-date date"),
	modified: strings.Fields("article.modified_time og.updated_time og.modified_time datemodified dcterms.modified " +
		"dc.date.modified last-modified revised"),
	language: strings.Fields("content-language og.locale dcterms.language dc.language"),
}

const maxMetas = 200 // <meta> elements that are read

// readMeta takes the statements of a page about itself: from its elements, then from linked data, then from its text.
func (p *page) readMeta() {
	metas := p.metas()
	first := func(names []string) string {
		for _, name := range names {
			if metas[name] != "" {
				return metas[name]
			}
		}
		return ""
	}
	firstDate := func(names []string) string {
		for _, name := range names {
			if date := readDate(metas[name]); date != "" {
				return date
			}
		}
		return ""
	}
	p.doc.Title = cmp.Or(p.title(), oneLine(first(metaNames.title), maxLine), p.elementText("h1"))
	p.doc.Language = oneLine(cmp.Or(p.rootLanguage(), first(metaNames.language)), maxLine)
	p.doc.Description = oneLine(first(metaNames.description), maxLine)
	p.doc.Author = oneLine(first(metaNames.author), maxLine)
	if strings.Contains(p.doc.Author, "://") { // a profile
		p.doc.Author = ""
	}
	p.doc.Published, p.doc.Modified = firstDate(metaNames.published), firstDate(metaNames.modified)
	p.readLinkedData()
	p.readTimes()
	if p.doc.Published == "" || p.doc.Modified == "" {
		p.readDateLines()
	}
}

// metas returns the contents of the <meta> elements, and of elements with the property of a date, by name. The first
// of each name counts.
func (p *page) metas() map[string]string {
	metas := map[string]string{}
	for n := range p.tree.Descendants() {
		if n.Data != "meta" {
			continue
		}
		name := cmp.Or(attr(n, "property"), attr(n, "name"), attr(n, "itemprop"), attr(n, "http-equiv"))
		name = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), ":", ".")
		if content := strings.TrimSpace(attr(n, "content")); metas[name] == "" && content != "" {
			metas[name] = content
		}
		if len(metas) == maxMetas {
			break
		}
	}
	return metas
}

// title returns the text of <title>. That of a drawing is none.
func (p *page) title() string {
	for n := range p.tree.Descendants() {
		if n.Data == "title" && n.Namespace == "" {
			return oneLine(textOf(n, 4*maxLine), maxLine)
		}
	}
	return ""
}

func (p *page) elementText(name string) string {
	if n := element(p.tree, name); n != nil {
		return oneLine(textOf(n, 4*maxLine), maxLine)
	}
	return ""
}

func (p *page) rootLanguage() string {
	root := element(p.tree, "html")
	if root == nil {
		return ""
	}
	return cmp.Or(attr(root, "lang"), attr(root, "xml:lang"))
}

const (
	maxLinkedData = 256 << 10 // bytes of a script with linked data
	maxLinkedObjs = 200       // objects in it that are looked at
)

// readLinkedData takes the missing statements from linked data (schema.org in JSON-LD).
func (p *page) readLinkedData() {
	for n := range p.tree.Descendants() {
		if n.Data != "script" || n.FirstChild == nil || len(n.FirstChild.Data) > maxLinkedData ||
			!strings.EqualFold(strings.TrimSpace(attr(n, "type")), "application/ld+json") {
			continue
		}
		var data any
		if json.Unmarshal([]byte(n.FirstChild.Data), &data) != nil {
			continue
		}
		rest := []any{data}
		for seen := 0; seen < len(rest) && seen < maxLinkedObjs; seen++ {
			switch value := rest[seen].(type) {
			case []any:
				rest = append(rest, value...)
			case map[string]any:
				p.readLinkedObject(value)
				rest = append(rest, value["@graph"], value["mainEntity"], value["mainEntityOfPage"])
			}
		}
	}
}

func (p *page) readLinkedObject(object map[string]any) {
	text := func(name string) string {
		s, _ := object[name].(string)
		return s
	}
	p.doc.Published = cmp.Or(p.doc.Published, readDate(text("datePublished")))
	p.doc.Modified = cmp.Or(p.doc.Modified, readDate(text("dateModified")))
	if text("datePublished") == "" && text("dateModified") == "" && text("headline") == "" {
		return // a site, an organization, a trail of links
	}
	p.doc.Description = cmp.Or(p.doc.Description, oneLine(text("description"), maxLine))
	author := object["author"]
	if list, ok := author.([]any); ok && len(list) > 0 {
		author = list[0]
	}
	name, ok := author.(string)
	if person, isObject := author.(map[string]any); isObject && !ok {
		name, _ = person["name"].(string)
	}
	p.doc.Author = cmp.Or(p.doc.Author, oneLine(name, maxLine))
}

// readTimes takes the missing dates from elements that are marked as such (schema.org in microdata, <time pubdate>).
func (p *page) readTimes() {
	for n := range p.tree.Descendants() {
		if n.Type != html.ElementNode || n.Data == "meta" {
			continue
		}
		date := func() string {
			return cmp.Or(readDate(attr(n, "datetime")), readDate(attr(n, "content")), readDate(textOf(n, 100)))
		}
		switch property := attr(n, "itemprop"); {
		case property == "datePublished" && p.doc.Published == "",
			n.Data == "time" && hasAttr(n, "pubdate") && p.doc.Published == "":
			p.doc.Published = date()
		case property == "dateModified" && p.doc.Modified == "":
			p.doc.Modified = date()
		}
	}
}

func hasAttr(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

// Lines that state a date, in Spanish, Catalan, Galician and English. Many pages of administrations have their date in
// such a line and nowhere else.
const (
	dateInText = `\s*(?:el d[ií]a |el |en |a |on |o )?(\d{1,2}[/.-]\d{1,2}[/.-]\d{4}|\d{4}-\d{2}-\d{2}|` +
		`\d{1,2} (?:de |d['’])?\pL{3,10} (?:del? )?\d{4})`
	afterLabel = `(?: (?:de )?(?:esta |la |aquesta )?(?:p[áà]gina|paxina|p[áà]xina|informaci[óo]n?|contenido|page))?` +
		`\s*:?`
)

var (
	publishedLine = lazyregexp.New(`(?i)(?:^|\PL)(?:(?:fecha|data) de publicaci[óo]n?|publi(?:cad[oa]|cat|cada)|` +
		`published)` + afterLabel + dateInText)
	modifiedLine = lazyregexp.New(`(?i)(?:^|\PL)(?:(?:[úu]ltima |darrera |fecha de (?:la )?(?:[úu]ltima )?|` +
		`data de (?:la )?(?:darrera |[úu]ltima )?|last )?(?:actualizaci[óo]n|modificaci[óo]n?|actualitzaci[óo]|` +
		`revisi[óo]n?|update)|actualizad[oa]|modificad[oa]|actualitza(?:t|da)|modificat|(?:last )?` +
		`(?:updated|modified|reviewed))` + afterLabel + dateInText)
)

const maxDateText = 256 << 10 // bytes of the text in which lines with a date are looked for

// readDateLines takes the missing dates from the text.
func (p *page) readDateLines() {
	text := strings.Join(strings.Fields(textOf(p.tree, maxDateText)), " ")
	if p.doc.Published == "" {
		p.doc.Published = dateOf(publishedLine(), text)
	}
	if p.doc.Modified == "" {
		p.doc.Modified = dateOf(modifiedLine(), text)
	}
}

const (
	beforeYear = 120 // bytes of a line before the year of its date
	afterYear  = 10  // and from there on
)

// dateOf returns the date of the first such line. It looks only around the years in the text: a search in all of it
// would take most of the time that a page takes.
func dateOf(line *regexp.Regexp, text string) string {
	digits := 0
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			digits = 0
			continue
		}
		if digits++; digits != len("2006") {
			continue
		}
		m := line.FindStringSubmatch(text[max(0, i-beforeYear):min(len(text), i+afterYear)])
		if m == nil {
			continue
		}
		if date := readDate(m[1]); date != "" {
			return date
		}
	}
	return ""
}
