package probe

import (
	"bytes"
	"strconv"
	"unicode/utf16"
)

// The objects of a PDF (ISO 32000-2 section 7.3), as far as they are needed, besides bool and int, whatever is no whole number being 0. Of a
// dictionary only pdfKeys are kept, of an array pdfArrayKept elements.
type (
	pdfName   string
	pdfString []byte
	pdfRef    int // the object's number; generations are not told apart
	pdfArray  []any
	pdfDict   map[pdfName]any
)

// pdfKeys are the dictionary keys that anybody asks for. The others are read and forgotten, so that a file of many large
// dictionaries costs no memory.
var pdfKeys = map[pdfName]bool{
	"Type": true, "Pages": true, "Count": true, "Parent": true, "Lang": true, "Metadata": true, "Title": true, "Root": true,
	"Info": true, "Encrypt": true, "ID": true, "V": true, "R": true, "O": true, "U": true, "UE": true, "P": true, "CF": true,
	"StdCF": true, "CFM": true, "StmF": true, "StrF": true, "EncryptMetadata": true, "Filter": true, "Length": true, "N": true, "First": true,
	"Linearized": true, "DecodeParms": true,
}

const (
	pdfArrayKept = 4  // elements of an array that are kept: filters come in ones and twos
	pdfDepth     = 64 // arrays and dictionaries within each other
)

// pdfLexer reads objects from text, at pos. It reads no more than budget bytes in all: without that, a file of strings that
// never end, each read to the end of the file, would cost the square of its size.
type pdfLexer struct {
	text   []byte
	pos    int
	budget *int
}

// more reports whether there is a byte to read, and pays for it.
func (l *pdfLexer) more() bool {
	if l.pos >= len(l.text) || *l.budget <= 0 {
		return false
	}
	*l.budget--
	return true
}

func isPDFSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isPDFDelimiter(c byte) bool { return bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0 }

// space skips white space and comments.
func (l *pdfLexer) space() {
	for comment := false; l.more(); l.pos++ {
		c := l.text[l.pos]
		switch {
		case c == '%':
			comment = true
		case c == '\n' || c == '\r':
			comment = false
		case !comment && !isPDFSpace(c):
			return
		}
	}
}

// word reads regular characters: a number, a keyword, the rest of a name.
func (l *pdfLexer) word() []byte {
	begin := l.pos
	for l.more() && !isPDFSpace(l.text[l.pos]) && !isPDFDelimiter(l.text[l.pos]) {
		l.pos++
	}
	return l.text[begin:l.pos]
}

// take skips the text if it comes next.
func (l *pdfLexer) take(text string) bool {
	if !bytes.HasPrefix(l.text[l.pos:], []byte(text)) {
		return false
	}
	l.pos += len(text)
	return true
}

// value reads one object. It reports false at the end of the text, where the form is broken, and beyond pdfDepth.
func (l *pdfLexer) value(depth int) (any, bool) {
	l.space()
	switch {
	case l.pos >= len(l.text) || depth > pdfDepth:
		return nil, false
	case l.take("<<"):
		return l.dict(depth)
	case l.take("<"):
		return l.hexString()
	case l.take("("):
		return l.literal()
	case l.take("["):
		return l.array(depth)
	case l.take("/"):
		return l.name(), true
	}
	return l.number()
}

func (l *pdfLexer) dict(depth int) (any, bool) {
	dict := pdfDict{}
	for {
		if l.space(); l.take(">>") {
			return dict, true
		}
		if !l.take("/") {
			return dict, false
		}
		key := l.name()
		value, ok := l.value(depth + 1)
		if !ok {
			return dict, false
		}
		if pdfKeys[key] {
			dict[key] = value
		}
	}
}

func (l *pdfLexer) array(depth int) (any, bool) {
	var array pdfArray
	for {
		if l.space(); l.take("]") {
			return array, true
		}
		value, ok := l.value(depth + 1)
		if !ok {
			return array, false
		}
		if len(array) < pdfArrayKept {
			array = append(array, value)
		}
	}
}

// name reads a name after its slash, "#20" being a space.
func (l *pdfLexer) name() pdfName {
	word := l.word()
	if bytes.IndexByte(word, '#') < 0 {
		return pdfName(word)
	}
	var name []byte
	for i := 0; i < len(word); i++ {
		if word[i] == '#' && i+2 < len(word) {
			if c, err := strconv.ParseUint(string(word[i+1:i+3]), 16, 8); err == nil {
				name, i = append(name, byte(c)), i+2
				continue
			}
		}
		name = append(name, word[i])
	}
	return pdfName(name)
}

// number reads a number, a reference such as "12 0 R", or a keyword.
func (l *pdfLexer) number() (any, bool) {
	word := l.word()
	if len(word) == 0 {
		return nil, false
	}
	n, err := strconv.Atoi(string(word))
	if err != nil {
		return keyword(word), true
	}
	after := l.pos
	l.space()
	if generation := l.word(); len(generation) > 0 && len(generation) <= 5 && isDigits(generation) {
		l.space()
		if l.take("R") {
			return pdfRef(max(n, 0)), true
		}
	}
	l.pos = after
	return n, true
}

// keyword returns a boolean, or 0 for whatever is no whole number.
func keyword(word []byte) any {
	switch string(word) {
	case "true", "false":
		return string(word) == "true"
	}
	return 0
}

func isDigits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

func (l *pdfLexer) hexString() (any, bool) {
	var digits []byte
	for ; l.more(); l.pos++ {
		c := l.text[l.pos]
		if c == '>' {
			l.pos++
			return unhex(digits), true
		}
		if !isPDFSpace(c) {
			digits = append(digits, c)
		}
	}
	return nil, false
}

// unhex decodes pairs of hex digits; a missing last one is a 0.
func unhex(digits []byte) pdfString {
	if len(digits)%2 == 1 {
		digits = append(digits, '0')
	}
	s := make(pdfString, 0, len(digits)/2)
	for i := 0; i < len(digits); i += 2 {
		c, _ := strconv.ParseUint(string(digits[i:i+2]), 16, 8)
		s = append(s, byte(c))
	}
	return s
}

// pdfEscapes is what a backslash and a letter stand for within a literal string.
var pdfEscapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f'}

// literal reads a string in parentheses, after the first.
func (l *pdfLexer) literal() (any, bool) {
	s := pdfString{}
	for open := 1; l.more(); {
		c := l.text[l.pos]
		l.pos++
		switch c {
		case '\\':
			s = l.escape(s)
			continue
		case '(':
			open++
		case ')':
			open--
		}
		if open == 0 {
			return s, true
		}
		s = append(s, c)
	}
	return s, false
}

// escape reads what follows a backslash: an octal code, a line end that does not count, or a character.
func (l *pdfLexer) escape(s pdfString) pdfString {
	if !l.more() {
		return s
	}
	end := l.pos
	for end < len(l.text) && end < l.pos+3 && l.text[end] >= '0' && l.text[end] <= '7' {
		end++
	}
	if end > l.pos {
		code, _ := strconv.ParseUint(string(l.text[l.pos:end]), 8, 16)
		l.pos = end
		return append(s, byte(code))
	}
	c := l.text[l.pos]
	l.pos++
	if c == '\r' && l.pos < len(l.text) && l.text[l.pos] == '\n' {
		l.pos++
	}
	if c == '\r' || c == '\n' {
		return s
	}
	if escaped, ok := pdfEscapes[c]; ok {
		c = escaped
	}
	return append(s, c)
}

// text decodes a text string (ISO 32000-2 section 7.9.2.2): UTF-16 or UTF-8 with a byte order mark, or PDFDocEncoding. The
// little-endian mark is not in the standard, but in files.
func (s pdfString) text() string {
	switch {
	case bytes.HasPrefix(s, []byte{0xFE, 0xFF}):
		return utf16Text(s[2:], 0)
	case bytes.HasPrefix(s, []byte{0xFF, 0xFE}):
		return utf16Text(s[2:], 1)
	case bytes.HasPrefix(s, []byte{0xEF, 0xBB, 0xBF}):
		return string(s[3:])
	}
	runes := make([]rune, 0, len(s))
	for _, c := range s {
		runes = append(runes, pdfRune(c))
	}
	return string(runes)
}

// utf16Text decodes UTF-16, high being the place of the higher byte of a pair.
func utf16Text(b []byte, high int) string {
	units := make([]uint16, 0, len(b)/2)
	for i := 0; i+1 < len(b); i += 2 {
		units = append(units, uint16(b[i+high])<<8|uint16(b[i+1-high]))
	}
	return string(utf16.Decode(units))
}

// pdfHigh are the characters of PDFDocEncoding from 0x80 to 0xA0, where it is not Latin-1 (ISO 32000-2 annex D.3).
var pdfHigh = []rune("•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\uFFFD€")

func pdfRune(c byte) rune {
	if c >= 0x80 && c <= 0xA0 {
		return pdfHigh[c-0x80]
	}
	return rune(c)
}
