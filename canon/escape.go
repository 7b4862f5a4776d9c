package canon

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Percent-encoding normal form (RFC 3986 sections 2.1, 2.3 and 6.2.2): hexadecimal digits are in upper case, unreserved
// characters are decoded, and bytes that may not stand in a URL are encoded one by one. Nothing is decoded twice. A
// reserved character keeps its form, plain or encoded: "%2F" is not "/".

// set is a set of bytes that may stand in a component unencoded.
type set [256]bool

var (
	unreserved = setOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
	pathSet    = unreserved.with("!$&'()*+,;=" + ":@" + "/")  // RFC 3986 section 3.3, and the slash between segments
	querySet   = unreserved.with("!$&'()*+,;=" + ":@" + "/?") // RFC 3986 section 3.4

	fragmentSet = querySet // RFC 3986 section 3.5
)

func setOf(chars string) *set { return (&set{}).with(chars) }

// in returns a function that reports whether chars holds a byte.
func in(chars string) func(byte) bool {
	return func(x byte) bool { return strings.IndexByte(chars, x) >= 0 }
}

func (s *set) with(chars string) *set {
	sum := *s
	for _, x := range []byte(chars) {
		sum[x] = true
	}
	return &sum
}

// Modes of normalize.
const (
	normalForm = false
	asTheyCame = true
)

// normalize returns b in percent-encoding normal form. If b is in normal form, it returns b itself, otherwise a slice
// of the bytes that it appends to room. With asTheyCame it keeps the spelling of escapes and only encodes bytes that
// may not stand in a URL.
//
// broken reports a "%" without two hexadecimal digits, which becomes "%25", or bytes that are not UTF-8, which keep
// their value.
func normalize(room *[]byte, b []byte, allowed *set, asCame bool) (normal []byte, broken bool) {
	n := normalLen(b, allowed, asCame)
	if n == len(b) {
		return b, !isUTF8(b)
	}
	start := len(*room)
	*room, broken = appendNormal(append(*room, b[:n]...), b[n:], allowed, asCame)
	normal = (*room)[start:]
	return normal[:len(normal):len(normal)], broken || !isUTF8(normal)
}

// normalLen returns the length of the part at the beginning of b that is in normal form.
func normalLen(b []byte, allowed *set, asCame bool) int {
	for i := 0; i < len(b); i++ {
		if allowed[b[i]] {
			continue
		}
		x, n := decodeByte(b[i:])
		if n == 1 || !asCame && (unreserved[x] || b[i+1] > 'F' || b[i+2] > 'F') {
			return i
		}
		i += n - 1
	}
	return len(b)
}

// appendNormal appends b to dst in normal form.
func appendNormal(dst, b []byte, allowed *set, asCame bool) (normal []byte, broken bool) {
	for len(b) > 0 {
		end := normalLen(b, allowed, asCame)
		if dst, b = append(dst, b[:end]...), b[end:]; len(b) == 0 {
			break
		}
		x, n := decodeByte(b)
		switch {
		case n > 1 && unreserved[x]:
			dst = append(dst, x)
		case n > 1 || x != '%':
			dst = appendEscape(dst, x)
		default:
			dst, broken = append(dst, "%25"...), true
		}
		b = b[n:]
	}
	return dst, broken
}

func appendEscape(dst []byte, x byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(dst, '%', digits[x>>4], digits[x&15])
}

func isHex(x byte) bool { return isDigit(x) || 'a' <= x|0x20 && x|0x20 <= 'f' }

func unhex(x byte) byte {
	if isDigit(x) {
		return x - '0'
	}
	return x | 0x20 - 'a' + 10
}

// decode appends b to dst, percent-decoded.
func decode(dst, b []byte) []byte {
	for len(b) > 0 {
		x, n := decodeByte(b)
		dst, b = append(dst, x), b[n:]
	}
	return dst
}

// decodeByte returns the first byte of b, which is not empty, percent-decoded, and the length of its spelling. A "%"
// that begins no escape stands for itself.
func decodeByte[text string | []byte](b text) (x byte, n int) {
	if b[0] == '%' && len(b) > 2 && isHex(b[1]) && isHex(b[2]) {
		return unhex(b[1])<<4 | unhex(b[2]), 3
	}
	return b[0], 1
}

// decodeRune is decodeByte for a character. Of bytes that are not UTF-8 it returns the first, as utf8.RuneError.
func decodeRune(b []byte) (c rune, n int) {
	var char [utf8.UTFMax]byte
	var ends [utf8.UTFMax]int // in b, of each byte of char
	i, at := 0, 0
	for ; at < len(b) && !utf8.FullRune(char[:i]); i++ {
		char[i], n = decodeByte(b[at:])
		at += n
		ends[i] = at
	}
	c, size := utf8.DecodeRune(char[:i])
	return c, ends[size-1]
}

// cutDecoded cuts b at the first character of a set, plain or percent-encoded. separator is nil if there is none. The
// set has no digits and letters, and "%" for the escapes; no text is cut at a "%" itself.
func cutDecoded(b []byte, chars *set) (before, separator, after []byte) {
	for i, x := range b {
		if !chars[x] {
			continue
		}
		if x, n := decodeByte(b[i:]); x != '%' && chars[x] {
			return b[:i], b[i : i+n], b[i+n:]
		}
	}
	return b, nil, nil
}

// isUTF8 reports whether b, which is in normal form, decodes to UTF-8.
func isUTF8(b []byte) bool {
	for i := bytes.IndexByte(b, '%'); i >= 0; i = bytes.IndexByte(b, '%') {
		c, n := decodeRune(b[i:])
		if c == utf8.RuneError && n <= len("%00") {
			return false
		}
		b = b[i+n:]
	}
	return true
}
