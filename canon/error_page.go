package canon

import (
	"fmt"
	"maps"
	"net/url"
	"path"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
	"golang.org/x/text/unicode/norm"
)

// ErrorPage is a kind of page that a server shows, with a status of success, in the place of the page that was asked.
// It is a value of Evidence.Blocked. Empty: the page itself.
type ErrorPage string

// The kinds of error pages, the keys of error_pages.
const (
	MaintenancePage ErrorPage = "maintenance" // as good as status 503
	CookiePage      ErrorPage = "cookies"     // a wall that wants consent
	LoginPage       ErrorPage = "login"
	MissingPage     ErrorPage = "missing" // as good as status 404
	FaultPage       ErrorPage = "error"
)

// errorPages are the kinds in the order in which they are looked for: the more special ones first.
var errorPages = []ErrorPage{MaintenancePage, CookiePage, LoginPage, MissingPage, FaultPage}

// remarks is a key of error_pages. Its titles are not names of pages, but sentences behind such names.
const remarks ErrorPage = "remarks"

// PageFacts are the parts of an HTML page that show whether it is an error page.
type PageFacts struct {
	Asked   string // the URL that was asked first
	URL     string // the URL that showed the page, behind redirects
	Title   string
	Heading string // the first <h1>
	Short   bool   // it has no more text than a wall or an error page
}

// ErrorPage returns the kind of error page that an HTML page is, and the words of its title or heading that say so, ""
// if its address does. A page behind a redirect is one if a segment of its address or a part of its title or heading
// matches; a page at its own URL only by the title or heading of a short page. A URL whose own path or query has a word
// of the kind asks for just that page.
func (p *Policy) ErrorPage(f PageFacts) (kind ErrorPage, seen string) {
	askedHost, asked := wordsOfAddress(f.Asked)
	host, at := wordsOfAddress(f.URL)
	isElsewhere := !slices.Equal(asked, at) || !slices.Equal(askedHost, host)
	for _, kind := range errorPages {
		form, ok := p.errorPages[kind]
		if !ok || slices.ContainsFunc(asked, form.words().MatchString) && (!isElsewhere || kind.isNamed(asked, at)) {
			continue
		}
		for _, name := range []string{f.Title, f.Heading} {
			if isElsewhere && p.partNames(form, name) || f.Short && p.wholeNames(form, name) {
				return kind, name
			}
		}
		if !isElsewhere {
			continue
		}
		if !slices.Equal(askedHost, host) && slices.ContainsFunc(host, form.addresses().MatchString) ||
			slices.ContainsFunc(at, form.addresses().MatchString) {
			return kind, ""
		}
	}
	return "", ""
}

// MayName reports whether a sentence of a title or heading is that of a kind of error page, whatever stands beside it:
// "Page not found in the register: how to appeal". That gives reason to doubt a page; ErrorPage gives the verdict.
func (p *Policy) MayName(kind ErrorPage, name string) bool {
	form, ok := p.errorPages[kind]
	return ok && slices.ContainsFunc(partsOf(name), func(sentences []string) bool {
		return slices.ContainsFunc(sentences, form.titles().MatchString)
	})
}

// partNames reports whether a part of a title or heading names a kind of error page. The others may name the site.
func (p *Policy) partNames(form errorPagePatterns, name string) bool {
	return slices.ContainsFunc(partsOf(name), func(part []string) bool { return p.names(form, part) })
}

// wholeNames is partNames for a page at its own URL. There the title goes on where several words follow with a small
// letter, as in "Access denied – how to appeal": that is no name of a site.
func (p *Policy) wholeNames(form errorPagePatterns, name string) bool {
	parts, goOn := partsOf(name), goesOn(name)
	for i, part := range parts {
		if goOn[i] && !p.isOfError(part) {
			return false
		}
	}
	return p.partNames(form, name)
}

// isOfError reports whether all sentences of a part are titles of error pages or remarks.
func (p *Policy) isOfError(sentences []string) bool {
	return !slices.ContainsFunc(sentences, func(words string) bool { return !p.isTitle(words) })
}

// isTitle reports whether a sentence is the title of an error page of any kind, or a remark.
func (p *Policy) isTitle(words string) bool {
	matches := func(form errorPagePatterns) bool { return form.titles().MatchString(words) }
	return slices.ContainsFunc(slices.Collect(maps.Values(p.errorPages)), matches)
}

// names reports whether a part of a title names a kind of error page: one of its sentences matches, and all sentences
// behind it are titles of error pages or remarks, such as "try again later". Of "Access denied: how to appeal" the end
// is neither.
func (p *Policy) names(form errorPagePatterns, sentences []string) bool {
	for _, words := range slices.Backward(sentences) {
		if form.titles().MatchString(words) {
			return true
		}
		if !p.isTitle(words) {
			return false
		}
	}
	return false
}

// isNamed reports whether a URL with a word of the kind asked for the page behind its redirect: about cookies there are
// other pages, but one about errors has to keep its name.
func (kind ErrorPage) isNamed(asked, at []string) bool {
	if kind != MissingPage && kind != FaultPage {
		return true
	}
	return len(asked) > 0 && len(at) > 0 && asked[len(asked)-1] == at[len(at)-1]
}

// showsError reports whether the server showed an error page of a kind that has patterns. A login is none: the page may
// well be there, for those who log in.
func (ev *Evidence) showsError() bool {
	return ev.Blocked != string(LoginPage) && slices.Contains(errorPages, ErrorPage(ev.Blocked))
}

// errorPage describes the error page that the server showed.
func (ev *Evidence) errorPage() string {
	text := map[ErrorPage]string{
		MaintenancePage: "the server says that it is in maintenance",
		CookiePage:      "the server shows a page about cookies in the place of this one",
		MissingPage:     "the server says that there is no such page",
		FaultPage:       "the server shows an error",
	}[ErrorPage(ev.Blocked)]
	if ev.Title != "" {
		text += fmt.Sprintf(" (%q)", ev.Title)
	}
	if ev.redirected() {
		text += " at " + ev.final()
	}
	return text
}

// errorPageForm are the patterns of one kind, as in the policy. They see lower-case words without accents, with one
// space between them: "Página no encontrada (404)" is "pagina no encontrada" and "404".
type errorPageForm struct {
	Words     []string `yaml:"words"`     // a URL that has one of these words asks for such a page
	Addresses []string `yaml:"addresses"` // the whole of a segment of a path, a label of a host, a name or value
	Titles    []string `yaml:"titles"`    // the whole of a title or heading, of a part, or for a doubt of a sentence
}

// errorPagePatterns is an errorPageForm, compiled.
type errorPagePatterns struct{ words, addresses, titles func() *regexp.Regexp }

// newLazyRegexp returns a regular expression that is compiled on first use: most commands look at no page, and these are
// long. It returns the error that the compilation would find.
func newLazyRegexp(text string) (func() *regexp.Regexp, error) {
	_, err := syntax.Parse(text, syntax.Perl)
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) }), err
}

// compileErrorPages compiles the patterns by kind.
func compileErrorPages(forms map[string]errorPageForm) (map[ErrorPage]errorPagePatterns, error) {
	compiled := map[ErrorPage]errorPagePatterns{}
	for kind, form := range forms {
		var patterns errorPagePatterns
		for _, list := range []struct {
			name  string
			texts []string
			frame string
			into  *func() *regexp.Regexp
		}{
			{"words", form.Words, `\b(?:%s)\b`, &patterns.words},
			{"addresses", form.Addresses, `^(?:%s)$`, &patterns.addresses},
			{"titles", form.Titles, `^(?:%s)$`, &patterns.titles},
		} {
			text := strings.Join(list.texts, "|")
			if text == "" {
				text = `[^\s\S]` // nothing
			}
			re, err := newLazyRegexp(fmt.Sprintf(list.frame, text))
			if err != nil {
				return nil, fmt.Errorf("%s of %s: %w", list.name, kind, err)
			}
			*list.into = re
		}
		compiled[ErrorPage(kind)] = patterns
	}
	return compiled, nil
}

// usualErrorPages are the patterns of the default policy. They serve a policy that has none, such as one that was
// stored before there were any.
var usualErrorPages = sync.OnceValues(func() (map[ErrorPage]errorPagePatterns, error) {
	doc, err := builtinDocument(DefaultPolicy)
	if err != nil {
		return nil, err
	}
	return compileErrorPages(doc.ErrorPages)
})

// readErrorPages reads the patterns by kind.
func (d *document) readErrorPages(n *yaml.Node) error {
	forms := map[string]errorPageForm{}
	err := eachKey(n, strings.ToLower, func(key, value *yaml.Node) error {
		if kinds := append(slices.Clone(errorPages), remarks); !slices.Contains(kinds, ErrorPage(key.Value)) {
			return at(key, "there is no kind of error page %q: the kinds are %q", key.Value, kinds)
		}
		form, err := readErrorPage(value)
		forms[key.Value] = form
		return err
	})
	if err == nil && len(forms) == 0 {
		return at(n, "name at least one kind: one that is not named is not recognized")
	}
	d.ErrorPages = forms
	return err
}

func readErrorPage(n *yaml.Node) (form errorPageForm, err error) {
	lists := map[string]*[]string{"words": &form.Words, "addresses": &form.Addresses, "titles": &form.Titles}
	err = eachKey(n, strings.ToLower, func(key, value *yaml.Node) error {
		list := lists[key.Value]
		if list == nil {
			return at(key, "unknown key %q: a kind has words, addresses and titles", key.Value)
		}
		patterns, err := textList(value)
		for i, pattern := range patterns {
			if _, err := syntax.Parse(pattern, syntax.Perl); err != nil {
				return at(value.Content[i], "bad pattern %q: %v", pattern, err)
			}
		}
		*list = patterns
		return err
	})
	return form, err
}

// wordsOfAddress returns the words of each label of the host, and of each segment of the path, and name and value of
// the query. Scheme, "www.", the extension of a file and numbers in a query do not count.
func wordsOfAddress(text string) (host, list []string) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, nil
	}
	for label := range strings.SplitSeq(strings.TrimPrefix(u.Hostname(), "www."), ".") {
		host = append(host, wordsOf(label))
	}
	add := func(part string) {
		if words := wordsOf(part); words != "" {
			list = append(list, words)
		}
	}
	for segment := range strings.SplitSeq(u.Path, "/") {
		if ext := path.Ext(segment); len(ext) <= len(".xhtml") {
			segment = strings.TrimSuffix(segment, ext)
		}
		add(segment)
	}
	for part := range strings.FieldsFuncSeq(u.RawQuery, func(x rune) bool { return x == '&' || x == '=' }) {
		if plain, err := url.QueryUnescape(part); err == nil && strings.IndexFunc(plain, unicode.IsLetter) >= 0 {
			add(plain)
		}
	}
	return host, list
}

// partsOf returns the parts of a title or heading between the signs that set the name of a site apart, each as the
// words of its sentences.
func partsOf(name string) (parts [][]string) {
	for part := range strings.SplitSeq(titleSigns.Replace(name), "|") {
		var sentences []string
		for sentence := range strings.SplitSeq(sentenceSigns.Replace(part), "|") {
			if words := wordsOf(sentence); words != "" {
				sentences = append(sentences, words)
			}
		}
		parts = append(parts, sentences)
	}
	return parts
}

// goesOn reports for each part of a title whether the text before goes on in it: it is not the first one, and has
// several words, of which the first begins with a small letter.
func goesOn(name string) (goOn []bool) {
	for part := range strings.SplitSeq(titleSigns.Replace(name), "|") {
		first, _ := utf8.DecodeRuneInString(strings.TrimSpace(part))
		goOn = append(goOn, len(goOn) > 0 && unicode.IsLower(first) && len(strings.Fields(part)) > 1)
	}
	return goOn
}

// titleSigns writes the signs between the parts of a title as "|", sentenceSigns those between the sentences of a part.
var (
	titleSigns = strings.NewReplacer(" - ", "|", " – ", "|", " — ", "|", " · ", "|", " • ", "|", " / ", "|",
		"»", "|", "«", "|", " > ", "|")
	sentenceSigns = strings.NewReplacer(": ", "|", "::", "|", ". ", "|", "! ", "|", "? ", "|", "¡", "|", "¿", "|",
		"; ", "|", "(", "|", ")", "|", "[", "|", "]", "|")
)

// maxNamed is the number of bytes of a title or segment that are looked at.
const maxNamed = 300

// wordsOf returns the words of a text in lower case and without accents, with a space between them. A word also ends
// where digits begin or end, and where a capital follows a small letter.
func wordsOf(text string) string {
	var b strings.Builder
	var before rune
	for _, x := range norm.NFD.String(text[:min(len(text), maxNamed)]) {
		isWord := unicode.IsLetter(x) || unicode.IsDigit(x)
		ends := unicode.IsDigit(x) != unicode.IsDigit(before) || unicode.IsUpper(x) && unicode.IsLower(before)
		switch {
		case unicode.Is(unicode.Mn, x):
			continue
		case isWord && b.Len() > 0 && (before == ' ' || ends):
			b.WriteByte(' ')
			fallthrough
		case isWord:
			b.WriteRune(unicode.ToLower(x))
			before = x
		default:
			before = ' '
		}
	}
	return b.String()
}
