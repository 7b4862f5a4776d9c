package extract

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// isNamed recognizes parts by the words in their names.
func (c *cleaner) isNamed(n *html.Node) bool {
	if n.Data == "body" || n.Data == "main" || n.Data == "article" {
		return false
	}
	found := false
	for name := range names(n) {
		found = found || siteNames[name]
	}
	for word := range nameWords(n) {
		found = found || siteWords[word]
	}
	return found && !c.isMain(n) && !c.isMost(n)
}

// siteWords are words in the names (class, id) of parts of a site that are no content, siteNames whole names: their words
// are also those of contents, as in "seguridad-social".
var (
	siteWords = wordSet(`cookie cookies cookiebar gdpr rgpd onetrust cookiebot klaro didomi breadcrumb breadcrumbs migas
		ariadna nav navbar navigation navegacion navegacio subnav menu submenu megamenu menubar pager pagination
		paginacion paginador sidebar footer masthead topbar cabecera share sharing compartir comparteix rrss addthis
		addtoany sharethis related relacionados relacionadas relacionats recommended recomendados advert advertisement
		publicidad publicitat banner banners sponsored newsletter popup modal overlay lightbox tooltip toast comments
		comentarios comentaris disqus feedback valoracion valoracio rating survey print imprimir toolbar buscador cercador
		searchbox searchform skiplink backtotop totop scrolltop chatbot tagcloud`)
	siteNames = wordSet(`header site-header main-header global-header page-footer site-footer pie pie-pagina peu lateral
		columna-lateral social social-links social-media social-share social-icons social-buttons social-networks
		redes-sociales xarxes-socials ad ads tools herramientas utilidades skip-link skip-to-content skip volver-arriba
		back-to-top to-top scroll-top idiomas idiomes idioma languages language-switcher lang-switcher
		language-selector selector-idioma search busqueda login tags etiquetas sr-only visually-hidden
		visuallyhidden screen-reader-text element-invisible`)
)

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
