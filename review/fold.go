package review

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold returns the form in which a search compares texts: without case (Unicode's full case folding: ß is ss), without
// accents, and the same for composed and decomposed letters. A text is found in another one if its fold is a part of
// the other's fold. Fold(Fold(s)) is Fold(s). Bytes that are not UTF-8 stay as they are. Between two of them U+FFFD
// stands for accents, or the two could become a letter.
//
// Accents are the nonspacing marks that several scripts share. The marks of one script alone stay, because many are
// vowels, as in Devanagari.
func Fold(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return strings.ToLower(text)
	}
	f := folder{out: make([]byte, 0, len(text)), caser: cases.Fold()}
	f.fold(text, func(int) {})
	return string(f.out)
}

// foldWithOrigin is Fold, and returns the origin too: byte i comes from the letter, with all of its marks, that begins
// at origin[i] of the text. The last element of origin is the length of the text.
func foldWithOrigin(text string) (folded string, origin []int) {
	f := folder{caser: cases.Fold()}
	f.fold(text, func(at int) {
		for len(origin) < len(f.out) {
			origin = append(origin, at)
		}
	})
	return string(f.out), append(origin, len(text))
}

// folder appends folded letters to out.
type folder struct {
	out, parts []byte
	caser      cases.Caser
	broken     bool // the last byte was not UTF-8
	gap        bool // accents are left out behind it
}

// fold appends a text, and calls done after each letter with the place where that begins.
func (f *folder) fold(text string, done func(at int)) {
	for at, size := 0, 0; at < len(text); at += size {
		if size = 1; isAlone(text[at:]) {
			f.add(lowerASCII(text[at]))
		} else {
			size = norm.NFD.NextBoundaryInString(text[at:], true)
			f.letter(text[at : at+size])
		}
		done(at)
	}
}

// isAlone reports whether a text begins with an ASCII character that has no marks.
func isAlone(text string) bool {
	return text[0] < utf8.RuneSelf && (len(text) == 1 || text[1] < utf8.RuneSelf)
}

func lowerASCII(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// add appends the bytes of a character.
func (f *folder) add(bytes ...byte) { f.out, f.broken, f.gap = append(f.out, bytes...), false, false }

// letter appends a letter that may have marks.
func (f *folder) letter(text string) {
	f.parts = norm.NFD.AppendString(f.parts[:0], text)
	for rest := f.parts; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		switch {
		case r < utf8.RuneSelf:
			f.add(lowerASCII(rest[0]))
		case r == utf8.RuneError && size == 1:
			if f.gap {
				f.out = append(f.out, "\ufffd"...)
			}
			f.add(rest[0])
			f.broken = true
		case !isAccent(r): // in lower case first: the caser maps both cases of Cherokee to the other one
			f.add([]byte(f.caser.String(string(unicode.ToLower(r))))...)
		default:
			f.gap = f.broken
		}
		rest = rest[size:]
	}
}

// isAccent reports whether a mark is an accent. The two marks that voice a kana make another letter of it.
func isAccent(r rune) bool {
	return unicode.Is(unicode.Mn, r) && unicode.Is(unicode.Inherited, r) && r != '\u3099' && r != '\u309a'
}
