package extract

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// isNamed recognizes parts by the words in their names. Contents bear some of them too; a part of the site with such a
// name has links and fields more than text.
func (c *cleaner) isNamed(n *html.Node) bool {
	if n.Data == "body" || n.Data == "main" || n.Data == "article" || n.Data == "table" {
		return false
	}
	isSite, mayBeSite := false, false
	for name := range names(n) {
		isSite, mayBeSite = isSite || siteNames[name], mayBeSite || weakNames[name]
	}
	for word := range nameWords(n) {
		isSite, mayBeSite = isSite || siteWords[word], mayBeSite || weakWords[word]
	}
	return (isSite || mayBeSite && c.isLinks(n)) && !c.isMain(n) && !c.isMost(n)
}

const minLabel = 40 // bytes of a text; a shorter one is a label

// isLinks reports whether a part of a page has fields, or links that are a third of its text, or hardly any text.
func (c *cleaner) isLinks(n *html.Node) bool {
	e := c.extent[n]
	return e.hasFields || 3*(e.text-e.prose) > e.text || e.text < minLabel
}

// siteWords are words in the names (class, id) of parts of a site that are no content, siteNames whole names: their
// words are also those of contents, as in "seguridad-social". weakWords and weakNames are those of contents too.
var (
	siteWords = wordSet(`breadcrumb breadcrumbs migas ariadna newsletter comments comentarios comentaris respond
		advertisement publicidad publicitat relatedposts ` + widgetWords + ` ` + wikiWords)
	siteNames = wordSet(`article-info entry-meta post-meta story-meta ad-slot sr-only visually-hidden visuallyhidden
		screen-reader-text element-invisible hide-accessible skip-link skip-to-content toc oculto`)
	weakWords = wordSet(`cookie cookies gdpr rgpd nav navbar navigation navegacion navegacio subnav menu submenu
		megamenu menubar pager pagination paginacion paginador sidebar footer masthead topbar cabecera share sharing
		compartir comparteix rrss related relacionados relacionadas relacionats recommended recomendados advert banner
		banners sponsored popup modal overlay lightbox tooltip toast feedback valoracion valoracio rating survey print
		imprimir toolbar buscador cercador searchbox searchform skiplink backtotop totop scrolltop chatbot tagcloud
		boletin ` + consentTools)
	weakNames = wordSet(`header site-header main-header global-header page-footer site-footer pie pie-pagina peu lateral
		columna-lateral social social-links social-media social-share social-icons social-buttons social-networks
		redes-sociales xarxes-socials ad ads tools herramientas utilidades skip volver-arriba back-to-top to-top
		scroll-top idiomas idiomes idioma languages language-switcher lang-switcher language-selector selector-idioma
		search busqueda login tags etiquetas icons post-tags entry-tags tags-links ` + wikiNames)
)

// The names of widespread systems, which are words of no language.
const (
	widgetWords  = "disqus sharedaddy addthis addtoany sharethis outbrain taboola" // comments, buttons, advertisements
	consentTools = "cookiebar onetrust cookiebot klaro didomi"
	wikiWords    = "editsection" // MediaWiki
	wikiNames    = "printfooter catlinks contentsub"
)

// isContents recognizes a table of contents by its links, which all lead to places of the page.
func (c *cleaner) isContents(n *html.Node) bool {
	if n.Data != "ul" && n.Data != "ol" {
		return false
	}
	links := 0
	for inner := range n.Descendants() {
		if inner.Data == "a" {
			href := strings.TrimSpace(attr(inner, "href"))
			if _, place, _ := strings.Cut(href, "#"); href != "#" && (place == "" || href[0] != '#' && href[0] != '?') {
				return false
			}
			links++
		}
	}
	return links > 1 && proseLen(n) < minLabel
}

// names yields the names of an element: its ID and its classes, in lower case with hyphens for underscores.
func names(n *html.Node) iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range strings.FieldsSeq(attr(n, "class") + " " + attr(n, "id")) {
			if !yield(strings.ReplaceAll(strings.ToLower(name), "_", "-")) {
				return
			}
		}
	}
}

// nameWords yields the words of the names of an element: those of "mainMenu-top" are main, menu and top. A name such as
// "has-sidebar" is about something else.
func nameWords(n *html.Node) iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range strings.FieldsSeq(attr(n, "class") + " " + attr(n, "id")) {
			for i, word := range splitWords(name) {
				if i == 0 && otherName[word] {
					break
				}
				if !yield(word) {
					return
				}
			}
		}
	}
}

var otherName = wordSet("has with no not without js is hide show")

// splitWords returns the words of a name in lower case. They end before a capital that follows a small letter.
func splitWords(name string) (words []string) {
	begin, last := 0, rune(' ')
	add := func(end int) {
		if end > begin {
			words = append(words, strings.ToLower(name[begin:end]))
		}
		begin = end
	}
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r):
			add(i)
			begin = i + utf8.RuneLen(r)
		case unicode.IsUpper(r) && unicode.IsLower(last):
			add(i)
		}
		last = r
	}
	add(len(name))
	return words
}
