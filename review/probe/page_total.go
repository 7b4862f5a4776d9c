package probe

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"visto/review/lazyregexp"
)

// pageTotal finds the number of pages of a list in the lines of a page (seed 000 rule 9).
//
// A number counts only if its line is a pager and nothing else: "Página 3 de 17" between "Anterior" and "Siguiente",
// not "consulte la página 3 de 17 del anexo". So every other word of the line must be a pager's, and two
// contradicting statements cancel each other.
type pageTotal struct {
	stated  int // from "page 3 of 17"
	counted int // from "1-20 of 340 results"
	unclear bool
}

const (
	maxPagerLine = 300     // bytes; longer lines are prose
	maxListPages = 1 << 20 // larger numbers count no pages
)

// total returns the number of pages, 0 if it is not known. A stated number comes before a computed one.
func (t *pageTotal) total() int {
	switch {
	case t.unclear:
		return 0
	case t.stated > 0:
		return t.stated
	}
	return t.counted
}

const number = `(\d{1,3}(?:[.,]\d{3})+|\d{1,7})`

// pagerForms are the forms of a pager in Spanish, Catalan, Galician, Basque and English, in lower case and without
// accents. page, total, from and to are the numbers of their groups.
var pagerForms = []struct {
	form                  func() *regexp.Regexp
	page, total, from, to int
}{
	{form: lazyregexp.New(`\b(?:pagina|paxina|page|pag\.?) ?:? ?` + number +
		` ?(?:de|of|/) ?(?:un total (?:de|d') ?)?` + number + `\b`), page: 1, total: 2},
	{form: lazyregexp.New(`\borri(?:alde)?a? ?:? ?` + number + ` ?/ ?` + number + `\b`), page: 1, total: 2},
	{form: lazyregexp.New(`\b` + number + `\.? ?orri(?:alde)?a? ?[/,] ?(?:guztira ?)?` + number +
		`(?:tik|etik)?\b`), page: 1, total: 2},
	{form: lazyregexp.New(`\b` + number + ` ?orri(?:alde)?(?:eta)?tik ` + number + `\.?(?:a|garrena)?\b`),
		page: 2, total: 1},
	{form: lazyregexp.New(`\b` + number + ` ?(?:-|al?|to|hasta|fins a) ?` + number +
		` ?(?:de|of|/|d') ?(?:un total (?:de|d') ?)?` + number + `\b`), from: 1, to: 2, total: 3},
	{form: lazyregexp.New(`\b` + number + ` (?:emaitz|erregistro)\p{L}*tik ` + number + ` ?- ?` + number + `\b`),
		from: 2, to: 3, total: 1},
}

// listed are words for listed things. A range of numbers belongs to a list only if one of them is on its line.
var listed = wordSet(`resultado resultados resultat resultats result results emaitza emaitzak emaitzetatik emaitzatik
	registro registros registre registres rexistro rexistros record records erregistro erregistroak elemento elementos
	element elements elementu item items entrada entradas entrades entry entries documento documentos document documents
	tramite tramites tramits procedimiento procedimientos procediments procedementos noticia noticias noticies anuncio
	anuncios anuncis convocatoria convocatorias convocatories ficha fichas fila filas rows coincidencias disposiciones
	mostrando mostrant amosando mostrados mostrats showing displaying viendo visualizando erakusten`)

// pagerWords are the other words of pagers.
var pagerWords = wordSet(`pagina paginas pagines paxina paxinas page pages pag orria orrialdea orriak ir a anar go to
	primera primero primer first lehena lehenengoa anterior anteriores prev previous aurrekoa previa siguiente
	siguientes seguent seguents seguinte seguintes next hurrengoa ultima ultimo darrera darrer last azkena inicio inici
	inicio fin fi del al de la el els les los las en en total totals guztira por per x encontrados trobats
	atopados found`)

// plainer removes accents and unifies dashes and spaces.
var plainer = strings.NewReplacer(
	"á", "a", "à", "a", "é", "e", "è", "e", "í", "i", "ó", "o", "ò", "o", "ú", "u", "ü", "u", "–", "-", "—", "-",
	"−", "-", "’", "'", "\u00A0", " ", "\u202F", " ",
)

// line reads one line of the page.
func (t *pageTotal) line(line string) {
	if len(line) > maxPagerLine || !strings.ContainsAny(line, "0123456789") {
		return
	}
	line = strings.Join(strings.Fields(plainer.Replace(strings.ToLower(line))), " ")
	for _, f := range pagerForms {
		at := f.form().FindStringSubmatchIndex(line)
		if at == nil {
			continue
		}
		group := func(i int) int { return wholeNumber(line[at[2*i]:at[2*i+1]]) }
		rest := line[:at[0]] + " " + line[at[1]:]
		if f.page > 0 && isPager(rest) {
			t.state(group(f.page), group(f.total))
		}
		if f.from > 0 && isPager(rest) && hasWord(line, listed) {
			t.count(group(f.from), group(f.to), group(f.total))
		}
		return
	}
}

// state takes "page 3 of 17".
func (t *pageTotal) state(page, total int) {
	if page < 1 || page > total || total > maxListPages {
		return
	}
	t.unclear = t.unclear || t.stated > 0 && t.stated != total
	t.stated = total
}

// count takes "21-40 of 340". Only a full page gives the size of pages: the last may be shorter.
func (t *pageTotal) count(from, to, total int) {
	size := to - from + 1
	if from < 1 || size < 1 || to > total || (from-1)%size != 0 || to == total && from > 1 {
		return
	}
	pages := (total + size - 1) / size
	if pages > maxListPages {
		return
	}
	t.unclear = t.unclear || t.counted > 0 && t.counted != pages
	t.counted = pages
}

// wholeNumber parses a number with or without thousands separators.
func wholeNumber(text string) int {
	n, err := strconv.Atoi(strings.NewReplacer(".", "", ",", "").Replace(text))
	if err != nil {
		return 0
	}
	return n
}

// isPager reports whether all words of a text are pager words. Numbers and signs count as pages and arrows.
func isPager(text string) bool {
	return !slices.ContainsFunc(words(text), func(w string) bool {
		r, _ := utf8.DecodeRuneInString(w)
		return !unicode.IsDigit(r) && !pagerWords[w] && !listed[w]
	})
}

func hasWord(text string, set map[string]bool) bool {
	return slices.ContainsFunc(words(text), func(w string) bool { return set[w] })
}

// words returns the runs of letters, and of digits, of a text.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// lastPage returns the number of pages by the link to the last page: the value of the one parameter that differs
// between the links of the list and the page itself. A list that begins with page 0 has one page more.
func (p *pageReader) lastPage() int {
	last := parseURL(p.last)
	if last == nil || p.RelNext == "" && p.RelPrev == "" {
		return 0
	}
	total := 0
	for name, values := range last.Query() {
		n, others := wholeNumber(values[0]), pageNumbers(name, p.from.URL, p.RelNext, p.RelPrev, p.first)
		if len(others) == 0 || slices.Max(others) > n || slices.Min(others) == n {
			continue
		}
		if total > 0 || n > maxListPages {
			return 0
		}
		total = n
		if slices.Contains(others, 0) {
			total++
		}
	}
	return total
}

// pageNumbers returns the numeric values of a parameter in the URLs.
func pageNumbers(param string, urls ...string) (numbers []int) {
	for _, text := range urls {
		u := parseURL(text)
		if u == nil {
			continue
		}
		if n, err := strconv.Atoi(u.Query().Get(param)); err == nil && n >= 0 {
			numbers = append(numbers, n)
		}
	}
	return numbers
}
