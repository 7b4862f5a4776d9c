package term

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// MaxMarks is the maximum number of combining marks on a character. Vietnamese needs two; more overlap their neighbours
// and are escaped.
const MaxMarks = 4

// Safe returns s with an escape for each character that a terminal would obey, hide or reorder. The result has no
// control, format, bidi, zero-width, tag, unassigned, private or surrogate character. Its width is the same by every way
// in which terminals count; only a syllable of an Indic script, such as Devanagari, takes fewer cells where they count by
// characters. Apply it once: a second call doubles the backslashes of the first.
func Safe(s string) string {
	if plain(s) {
		return s
	}
	return writeSafe(s, func(_, _ int) {})
}

// writeSafe returns s made safe. After each character or escape it calls wrote with the number of bytes of s read and
// the number of bytes written.
func writeSafe(s string, wrote func(raw, shown int)) string {
	var b strings.Builder
	b.Grow(len(s) + 16)
	for it := graphemes.FromString(s); it.Next(); {
		writeCluster(&b, it.Value(), it.Start(), wrote)
	}
	return b.String()
}

// plain reports whether s is printable ASCII without a backslash: nearly every URL is.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '\\' {
			return false
		}
	}
	return true
}

func writeCluster(b *strings.Builder, cluster string, at int, wrote func(raw, shown int)) {
	if plain(cluster) || sound(cluster) {
		b.WriteString(cluster)
		wrote(at+len(cluster), b.Len())
		return
	}
	for i := 0; i < len(cluster); {
		r, n := utf8.DecodeRuneInString(cluster[i:])
		writeRune(b, r, cluster[i:i+n])
		i += n
		wrote(at+i, b.Len())
	}
}

// sound reports whether a non-ASCII cluster is safe unchanged: its runes are visible, it does not join the text before
// it, and its width is the same counted by clusters and by runes, or by clusters less if it is a syllable.
func sound(cluster string) bool {
	marks := 0
	for i, r := range cluster {
		if r == '\\' || !Visible(r) || r == utf8.RuneError && !strings.HasPrefix(cluster[i:], "\uFFFD") {
			return false
		}
		if unicode.Is(unicode.M, r) {
			marks++
		}
	}
	width, byRunes := ansi.StringWidth(cluster), ansi.StringWidthWc(cluster)
	same := width == byRunes || width < byRunes && isSyllable(cluster)
	return marks <= MaxMarks && width > 0 && same && !joins(cluster)
}

// indic are the scripts whose syllables have vowels and joined consonants with cells of their own.
var indic = []*unicode.RangeTable{unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
	unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala}

// isSyllable reports whether a cluster has letters and marks of these scripts alone.
func isSyllable(cluster string) bool {
	return !strings.ContainsFunc(cluster, func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M) || !unicode.In(r, indic...)
	})
}

// joins reports whether the cluster would join ASCII text before it, such as an escape, into one cluster.
func joins(cluster string) bool {
	it := graphemes.FromString("a" + cluster)
	it.Next()
	return len(it.Value()) > 1
}

// Visible reports whether the rune is an assigned letter, mark, number, punctuation, symbol or space, and not one that
// Unicode excludes from display (Default_Ignorable_Code_Point, Variation_Selector) or that is blank.
func Visible(r rune) bool {
	return unicode.IsGraphic(r) && !slices.Contains(blank, r) &&
		!unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// blank are the letters, marks and symbols that are drawn as nothing: the empty Braille pattern, the filler of Khitan,
// the blanks of Egyptian, and the head of a note that is not there.
var blank = []rune{0x2800, 0x16FE4, 0x13441, 0x13442, 0x1D159}

func writeRune(b *strings.Builder, r rune, raw string) {
	const short, letters = "\\\t\n\r", `\tnr`
	switch i := strings.IndexRune(short, r); {
	case i >= 0:
		b.WriteString(`\` + letters[i:i+1])
	case r < ' ' || r == 0x7f || r == utf8.RuneError && len(raw) == 1:
		fmt.Fprintf(b, `\x%02x`, raw[0])
	case r <= '~':
		b.WriteByte(raw[0])
	default:
		fmt.Fprintf(b, `\u{%x}`, r)
	}
}

// Openable reports whether the URL may be handed to a browser: printable ASCII, http or https.
func Openable(url string) bool {
	return plain(url) && !strings.ContainsAny(url, " \"<>^`{|}") &&
		(strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://"))
}
