package candidate

import (
	"net/url"
	"path"
	"strings"
	"unicode"

	"github.com/kljensen/snowball/spanish"
	"golang.org/x/text/runes"
	"golang.org/x/text/unicode/norm"
)

// word is a word of a text with its stem, by which words are compared. Stems have no accents and no case.
type word struct{ text, stem string }

// maxWords is the number of words of one text that are compared.
const maxWords = 5000

// wordsOf returns the words of a text in order, without Spanish stop words and single letters. Words of other scripts
// are their own stems.
func wordsOf(text string) (list []word) {
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isWordRune(r) }) {
		if len(list) == maxWords {
			break
		}
		lower := strings.ToLower(w)
		plain := plainText(lower)
		if len(plain) < 2 || spanish.IsStopWord(lower) || spanish.IsStopWord(plain) {
			continue
		}
		list = append(list, word{w, stemOf(plain)})
	}
	return list
}

// isWordRune reports whether the rune is part of a word. Combining marks are: texts may be decomposed.
func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

// vowelPairs are nouns that only their last vowel tells apart. The stemmer takes it away.
var vowelPairs = setOf("plaza plazo casa caso acta acto carga cargo banca banco bolsa bolso cuenta cuento puerta " +
	"puerto punta punto marca marco rama ramo moda modo fonda fondo libra libro")

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// stemOf returns the stem of a word without accents. The stemmer needs the accent of "inscripción" to know its ending,
// and a slug lacks it; every Spanish word that ends in "ion" has it.
func stemOf(plain string) string {
	if singular := strings.TrimSuffix(plain, "s"); vowelPairs[singular] {
		return singular
	}
	if stem, ok := strings.CutSuffix(plain, "ion"); ok {
		plain = stem + "ión"
	}
	stem := plainText(spanish.Stem(plain, true))
	if isShortPlural(stem) {
		return strings.TrimSuffix(stem, "s")
	}
	return stem
}

// isShortPlural reports whether the stemmer left a word in the plural, as it does with "altas" and "obras".
func isShortPlural(stem string) bool {
	return len(stem) >= 4 && (strings.HasSuffix(stem, "as") || strings.HasSuffix(stem, "os"))
}

// plainText returns a text in lower case without accents.
func plainText(text string) string {
	plain := runes.Remove(runes.In(unicode.Mn)).String(norm.NFD.String(text))
	return strings.ToLower(norm.NFC.String(plain))
}

// stemsOf returns the stems of a text's words.
func stemsOf(text string) map[string]bool {
	stems := map[string]bool{}
	for _, w := range wordsOf(text) {
		stems[w.stem] = true
	}
	return stems
}

// stemText returns the stems of a text's words, separated by spaces.
func stemText(text string) string {
	var b strings.Builder
	for _, w := range wordsOf(text) {
		b.WriteString(w.stem)
		b.WriteByte(' ')
	}
	return b.String()
}

// slugOf returns the path and the values of the query of a URL as a text: percent-decoded, without the extension.
func slugOf(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	text := strings.TrimSuffix(u.Path, path.Ext(u.Path))
	for _, pair := range strings.Split(u.RawQuery, "&") {
		_, value, _ := strings.Cut(pair, "=")
		if decoded, err := url.QueryUnescape(value); err == nil && value != "" {
			text += " " + decoded
		}
	}
	return text
}
