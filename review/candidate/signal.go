package candidate

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"visto/canon"
	"visto/review/lazyregexp"
)

// signal is a property of a page that speaks for or against citing it, whatever the record.
type signal struct {
	factor float64 // of the score
	why    string
}

// judge is the part of a search that signals depend on.
type judge struct {
	language string // to cite; empty: any
	now      time.Time
	years    []int          // that the record names
	newest   map[string]int // the last year of the pages that differ in nothing but their years, by series
	site     string         // registrable domain of the cited page
}

// signals returns all signals of a page. Their factors multiply.
func (j *judge) signals(p *page) []signal {
	var list []signal
	for _, of := range []func(*page) (signal, bool){
		j.inLanguage, j.ofYear, hasEnded, isArchived, isProcedure, isNews, isQuestions, isFile, isSection, j.elsewhere,
	} {
		if s, ok := of(p); ok {
			list = append(list, s)
		}
	}
	return list
}

// inLanguage prefers the language of the policy. The page may state it, or its URL.
func (j *judge) inLanguage(p *page) (signal, bool) {
	language, _, _ := strings.Cut(p.result.Language, "-")
	switch {
	case j.language == "" || language == "":
		return signal{}, false
	case language == j.language:
		return signal{1, "in " + languageName(language)}, true
	}
	return signal{0.35, "in " + languageName(language)}, true
}

// languageName returns the English name of a language of Spain, or else its code.
func languageName(code string) string {
	names := map[string]string{"es": "Spanish", "ca": "Catalan", "gl": "Galician", "eu": "Basque", "en": "English",
		"fr": "French", "oc": "Aranese", "de": "German"}
	if name := names[code]; name != "" {
		return name
	}
	return "the language " + code
}

// aNumber finds a number in a text, with a slash before it.
var aNumber = lazyregexp.New(`/?\d+`)

// yearsIn returns the years of this century in a text. The number of a law, 39/2015, names none.
func yearsIn(text string) (years []int) {
	for _, number := range aNumber().FindAllString(text, -1) {
		if year, err := strconv.Atoi(number); err == nil && len(number) == len("2026") && year/100 == 20 {
			years = append(years, year)
		}
	}
	return years
}

// yearOf returns the last year that title, first heading, link or path of a page name; 0: none.
func yearOf(p *page) int {
	texts := []string{p.title(), strings.ReplaceAll(slugOf(p.url()), "/", " ")}
	last := 0
	for _, year := range yearsIn(strings.Join(append(texts, p.texts...), "\n")) {
		last = max(last, year)
	}
	return last
}

// ofYear prefers this year's page over last year's, unless the record names the year.
func (j *judge) ofYear(p *page) (signal, bool) {
	year, now, newest := yearOf(p), j.now.Year(), j.newest[seriesOf(p)]
	switch {
	case year == 0:
		return signal{}, false
	case slices.Contains(j.years, year):
		return signal{1.2, fmt.Sprintf("of %d, as the record says", year)}, true
	case year < newest && newest <= now+1:
		return signal{0.4, fmt.Sprintf("older: %d, and there is %d", year, newest)}, true
	case year >= now && year <= now+1:
		return signal{1.1, fmt.Sprintf("of %d", year)}, true
	case year > now:
		return signal{}, false // no year of a page, but another number
	}
	return signal{max(0.3, 1-0.3*float64(now-year)), fmt.Sprintf("older: %d", year)}, true
}

// seriesOf returns the address of a page without its numbers: that of last year's page is the same.
func seriesOf(p *page) string { return aNumber().ReplaceAllString(pathOf(p.url()), "") }

// know takes note of the years of pages.
func (j *judge) know(pages []*page) {
	j.newest = map[string]int{}
	for _, p := range pages {
		if series := seriesOf(p); p.mayCite() {
			j.newest[series] = max(j.newest[series], yearOf(p))
		}
	}
}

// procedureWords are stems of words in the headings of pages about a procedure, whoever publishes them.
var procedureWords = stemsOf("requisitos documentación documentos plazo tramitar tramitación solicitar solicitud " +
	"presentar presentación tasa coste importe cuantía destinatarios interesados normativa objeto resolución " +
	"silencio recursos formulario impreso")

// isProcedure prefers a page whose headings are those of a procedure.
func isProcedure(p *page) (signal, bool) {
	if leadsOn(p) > 0 {
		return signal{}, false
	}
	seen := map[string]bool{}
	var words []string
	for _, w := range wordsOf(p.headings()) {
		if procedureWords[w.stem] && !seen[w.stem] {
			seen[w.stem] = true
			words = append(words, w.text)
		}
	}
	if len(words) < 2 {
		return signal{}, false
	}
	return signal{1.3, "headings of a procedure: " + quoted(words[:min(3, len(words))])}, true
}

var (
	newsPath = lazyregexp.New(`(?i)(^|[/_-])(noticias?|noticies|actualidad|actualitat|news|prensa|premsa|blog|` +
		`agenda|eventos?|comunicados?|hemeroteca|novedades|novetats)([/_.-]|$)|/20\d\d/(0?[1-9]|1[0-2])/`)
	// A title that tells what happened, and a date in the place of the first sentence.
	newsTitle = lazyregexp.New(`(?i)^(se abre|abiert[oa]s?|ampliado|convocad[oa]s?|aprobad[oa]s?|publicad[oa]s?|` +
		`ya se puede|ya est[aá] abiert[oa]|el ayuntamiento|la diputaci[oó]n)\s`)
	dateline = lazyregexp.New(`(?i)^(\pL+, )?\d{1,2}( de \pL+ de |[/.-]\d{1,2}[/.-])20\d\d`)
	// Of an archive the segment that says so: "casco-historico" and "archivo-municipal" are the subjects of pages.
	archivePath = lazyregexp.New(`(?i)[/_-](finalizad[oa]s?|resuelt[oa]s|anteriores|caducad[oa]s)([/_.-]|$)|` +
		`/(historico|archivo)[_-](de[_-])?(convocatorias|ayudas|subvenciones|becas)([/_.-]|$)|` +
		`(/|convocatorias?[_-]|ayudas[_-]|plazos?[_-])cerrad[oa]s?(/|$)`)
	questionText = lazyregexp.New(`(?i)preguntas[\s_-]+(m[aá]s[\s_-]+)?frecuentes|preguntes[\s_-]+freq|` +
		`\bfaqs?\b|dudas[\s_-]+frecuentes`)
	endNotice = lazyregexp.New(`(?i)(tr[aá]mite|procedimiento|servicio|licencia|ayuda|convocatoria|ordenanza)` +
		` (suprimid|derogad|sustituid|extinguid|cerrad|finalizad)[oa]|` +
		`(ha quedado|qued[aó]) (suprimid[oa]|derogad[oa]|sin efecto)|` +
		`ya no (se tramita|es necesari[oa]|est[aá] en vigor)|` +
		`(plazo|convocatoria) (est[aá] |ha )?(cerrad[oa]|finalizad[oa]|terminad[oa])|` +
		`(estado|situaci[oó]n|plazo)[*\s]{0,3}[:|][*\s]{0,3}(cerrad|finalizad|vencid|resuelt)[oa]|` +
		`plazo (de \pL+ )?(termin|finaliz|acab|conclu[yi]|venci)[oó]|fuera de plazo`)
)

// isNews puts news behind: they repeat the name of the procedure, and tell that there is one.
func isNews(p *page) (signal, bool) {
	main, _ := p.outline()
	isNews := newsPath().MatchString(pathOf(p.url())) || newsTitle().MatchString(main) ||
		newsTitle().MatchString(p.ownTitle()) || dateline().MatchString(p.firstLine())
	return signal{0.45, "news"}, isNews
}

// isArchived puts pages in an archive of closed calls behind: they look as those of open ones.
func isArchived(p *page) (signal, bool) {
	return signal{0.4, "in an archive of closed calls"}, archivePath().MatchString(pathOf(p.url()))
}

// isQuestions puts pages of questions and answers behind: they have a paragraph for each of many procedures. They say
// so, or most of their headings are questions.
func isQuestions(p *page) (signal, bool) {
	text := pathOf(p.url()) + "\n" + p.title() + "\n" + p.links()
	questions, others := 0, 0
	_, headings := p.outline()
	for _, heading := range headings {
		if strings.HasSuffix(heading, "?") {
			questions++
		} else {
			others++
		}
	}
	isQuestions := questionText().MatchString(text) || questions >= 2 && questions > others
	return signal{0.5, "questions and answers"}, isQuestions
}

// hasEnded finds the notice on a page that its procedure or call is no more, near its beginning.
func hasEnded(p *page) (signal, bool) {
	d := p.document()
	if d == nil {
		return signal{}, false
	}
	notice := endNotice().FindString(d.Text[:min(len(d.Text), maxNotice)])
	return signal{0.4, "says that it has ended: " + quoted([]string{notice})}, notice != ""
}

// maxNotice is the number of bytes at the beginning of a page in which a notice that it has ended is looked for.
const maxNotice = 600

// isFile puts files behind pages: a page tells where to apply, and the file is linked there.
func isFile(p *page) (signal, bool) {
	ext := strings.ToLower(path.Ext(pathOf(p.url())))
	isPDF := ext == ".pdf" || p.report != nil && p.report.Evidence.ContentType == "application/pdf"
	switch ext {
	case ".doc", ".docx", ".odt", ".rtf", ".xls", ".xlsx", ".ods", ".zip":
		return signal{0.4, "a file: " + ext}, true
	}
	return signal{0.5, "a PDF"}, isPDF
}

// isSection puts pages behind that lead to others. One that was read is known by its links.
func isSection(p *page) (signal, bool) {
	if n := leadsOn(p); n > 0 {
		return signal{0.45, fmt.Sprintf("its headings are links: %d", n)}, true
	}
	if p.result.LinkType == canon.Section {
		return signal{0.6, "a section page"}, true
	}
	d := p.document()
	if d == nil {
		return signal{}, false
	}
	linked, links := 0, 0
	for _, l := range d.Links {
		if l.Main {
			links++
			linked += len(l.Text)
		}
	}
	return signal{0.6, fmt.Sprintf("mostly links: %d", links)}, links >= 8 && 3*linked > len(d.Text)
}

// leadsOn returns the number of headings that are links to other pages, if they are most of the headings of a page and
// at least three.
func leadsOn(p *page) (n int) {
	d := p.document()
	if d == nil {
		return 0
	}
	linked := map[string]bool{}
	for _, l := range d.Links {
		linked[l.Text] = l.Main
	}
	_, headings := p.outline()
	for _, heading := range headings {
		if linked[strings.TrimLeft(heading, "# ")] {
			n++
		}
	}
	if n < 3 || 2*n <= len(headings) {
		return 0
	}
	return n
}

func (j *judge) elsewhere(p *page) (signal, bool) {
	return signal{0.7, "on another site"}, siteOf(p.url()) != j.site
}

// pathOf returns the path of a URL, percent-encoded.
func pathOf(link string) string {
	_, rest, _ := strings.Cut(link, "://")
	_, rest, _ = strings.Cut(rest, "/")
	rest, _, _ = strings.Cut(rest, "?")
	return "/" + rest
}

// quoted returns words in quotation marks.
func quoted(words []string) string {
	return "«" + strings.Join(words, "», «") + "»"
}
