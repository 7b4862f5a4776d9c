package probe

import (
	"net/http"
	"strings"

	"visto/review/lazyregexp"
)

// tagForm is the form of a language tag (RFC 5646 section 2.1), with the underscore of Java and Open Graph.
var tagForm = lazyregexp.New(`^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,8}$`)

// languageTag returns a tag in its usual spelling, "ca", "es-ES", "zh-Hant" (RFC 5646 section 2.1.1), or nothing if
// the text is none.
func languageTag(text string) string {
	text = strings.TrimSpace(text)
	if !tagForm().MatchString(text) {
		return ""
	}
	parts := strings.Split(strings.ToLower(strings.ReplaceAll(text, "_", "-")), "-")
	for i := 1; i < len(parts) && len(parts[i-1]) > 1; i++ {
		switch part := parts[i]; len(part) {
		case 2:
			parts[i] = strings.ToUpper(part)
		case 4:
			parts[i] = strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return strings.Join(parts, "-")
}

// language returns the language of a page by its strongest sign: the root element, then <meta> and header (HTML
// standard, section 3.2.6.2), then the tags for social networks. A list of languages names readers, not the language
// of the page.
func (f *htmlFacts) language(h http.Header) string {
	for _, sign := range []string{f.lang, f.metaLang, strings.Join(h.Values("Content-Language"), ","), f.ogLocale} {
		if tag := languageTag(sign); tag != "" {
			return tag
		}
	}
	return ""
}

// hreflang returns the language tag of an alternate version, or "x-default"; nothing if the link is no version. A
// feed in a language is no version of the page.
func (l link) hreflang() string {
	if !l.has("alternate") {
		return ""
	}
	switch strings.ToLower(strings.TrimSpace(l.params["type"])) {
	case "", "text/html", "application/xhtml+xml":
	default:
		return ""
	}
	if tag := strings.ToLower(strings.TrimSpace(l.params["hreflang"])); tag == "x-default" {
		return tag
	}
	return languageTag(l.params["hreflang"])
}
