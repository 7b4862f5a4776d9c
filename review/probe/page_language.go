package probe

import (
	"net/http"
	"regexp"
	"strings"
)

// tagForm is that of a language tag (RFC 5646 section 2.1), with the underscore that Java and Open Graph put.
var tagForm = regexp.MustCompile(`^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,8}$`)

// languageTag returns a tag in its usual spelling, "ca", "es-ES", "zh-Hant" (RFC 5646 section 2.1.1), or nothing if it is none.
func languageTag(text string) string {
	text = strings.TrimSpace(text)
	if !tagForm.MatchString(text) {
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

// language returns the language of a page by the strongest sign of it: the root element, what <meta> and then the header say in its
// place (HTML standard, section 3.2.6.2), and what the page tells social networks. A list of languages is that of the readers it is
// for, and says nothing about the page.
func (f *htmlFacts) language(h http.Header) string {
	for _, sign := range []string{f.lang, f.metaLang, strings.Join(h.Values("Content-Language"), ","), f.ogLocale} {
		if tag := languageTag(sign); tag != "" {
			return tag
		}
	}
	return ""
}

// hreflang returns the tag of an alternate version in a language, "x-default" among them, or nothing if the link is none. A feed in a language
// is no version of the page.
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
