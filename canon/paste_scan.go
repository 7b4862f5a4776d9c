package canon

import (
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mayPaste holds the bytes at which a part may begin, and those that begin a part of the URL.
var mayPaste = func() *set {
	s := setOf("?#&%$,;|<>()[]{}\"`\\\x7f")
	for x := range 256 {
		s[x] = s[x] || x <= ' ' || x >= utf8.RuneSelf
	}
	return s
}()

// pasteScan is a scan of a value for parts that no URL has.
type pasteScan struct {
	text                string
	at                  int    // where the scan stands
	pair                int    // where the present parameter begins
	inQuery, inFragment bool   // the part of the URL
	open                [4]int // unclosed (, [, { and <
	quotes              [3]int // unclosed “, ‘ and «
	found               pasted // the part, once there is one
	straight, grave     int    // the first of an odd number of " and of `, plus one; 0: none
}

// behindHost returns the index at which path, query or fragment of a value begin.
func behindHost(text string) int {
	begin := 0
	if i := strings.IndexByte(text, ':'); i > 0 && i <= len("https") &&
		(strings.EqualFold(text[:i], "https") || strings.EqualFold(text[:i], "http")) {
		begin = i + 1
	}
	for begin < len(text) && isSlash(text[begin]) {
		begin++
	}
	for begin < len(text) && !endsAuthority[text[begin]] {
		begin++
	}
	return begin
}

// find ends the scan with a part.
func (s *pasteScan) find(p pasted) bool {
	s.found = p
	return true
}

// read judges the byte at which the scan stands. Like the functions for single bytes, it reports whether a part begins
// there, and keeps that in found.
func (s *pasteScan) read() bool {
	rest := s.text[s.at:]
	switch x := rest[0]; x {
	case '?':
		return s.question()
	case '#':
		s.inFragment = true
	case '&':
		return s.ampersand()
	case '%':
		return s.escape()
	case '\\':
		return s.jsonEscape(len(`\`))
	case '(':
		s.open[0]++
	case '[':
		s.open[1]++
		return s.segment()
	case '{':
		s.open[2]++
		return s.opening()
	case '<':
		s.open[3]++
		return s.opening()
	case ')', ']', '}', '>':
		return s.closing(&s.open[strings.IndexByte(")]}>", x)], 1)
	case '"':
		s.straight = s.toggled(s.straight)
	case '`':
		s.grave = s.toggled(s.grave)
	case '$':
		return s.opening()
	case ',', ';', '|':
		return !s.inQuery && !s.inFragment && s.separator()
	default:
		return s.character()
	}
	return false
}

// toggled returns the place of the first of an odd number of quotes.
func (s *pasteScan) toggled(first int) int {
	if first > 0 {
		return 0
	}
	return s.at + 1
}

// toEnd is the part from the scan to the end.
func (s *pasteScan) toEnd(why string) bool {
	return s.find(pasted{begin: s.at, end: len(s.text), why: why})
}

// character judges white space, invisible characters and quotes.
func (s *pasteScan) character() bool {
	c, n := utf8.DecodeRuneInString(s.text[s.at:])
	at := s.at
	s.at += n - 1
	switch c {
	case '“', '‘', '«':
		s.quotes[quoteOf[c]]++
	case '’':
		if isBetweenLetters(s.text, at, n) {
			break
		}
		fallthrough
	case '”', '»':
		s.at = at
		found := s.closing(&s.quotes[quoteOf[c]], n)
		s.at = at + n - 1
		return found
	default:
		switch {
		case !isInvisible(c): // nearly every one
		case unicode.IsSpace(c):
			return s.find(pasted{begin: at, end: len(s.text), why: "white space, and what stands behind it"})
		default:
			return s.find(pasted{begin: at, end: at + n, why: "an invisible character"})
		}
	}
	return false
}

// quoteOf holds the index of a quote in pasteScan.quotes.
var quoteOf = map[rune]int{'“': 0, '”': 0, '‘': 1, '’': 1, '«': 2, '»': 2}

// isBetweenLetters tells the apostrophe of "l’estudi" from a quote.
func isBetweenLetters(text string, at, n int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at+n:])
	return unicode.IsLetter(before) && unicode.IsLetter(after)
}

// closing judges a closing bracket or quote.
func (s *pasteScan) closing(open *int, n int) bool {
	if *open > 0 {
		*open--
		return false
	}
	return s.toEnd("a closing bracket or quote without its opening one")
}

// opening judges an opening bracket or "$" that may begin a placeholder or markup.
func (s *pasteScan) opening() bool {
	rest := s.text[s.at:]
	if strings.HasPrefix(rest, "</") || strings.HasPrefix(strings.ToLower(rest[:min(3, len(rest))]), "<br") {
		return s.toEnd("markup")
	}
	if name := placeholder.FindString(rest); name != "" && !isGUID(name) {
		return s.find(pasted{begin: s.at, end: s.at + len(name), why: "a placeholder", isUnknown: true})
	}
	return false
}

// placeholder matches a name in braces or angle brackets, or the beginning of a template expression, plain or escaped.
var placeholder = regexp.MustCompile(`^(?:\{\{|\{%|<%|\$[{(]|(?i:(?:%7B|\$)%7B|%24%7B|%7B%25|%3C%25)` +
	`|\{[+#./;?&=@]?[A-Za-z0-9_][A-Za-z0-9_.,*$ -]*\}|<[A-Za-z_][^<>]*>)`)

// separator judges a separator in the path. A bar stands in no URL, but between a link and its text.
func (s *pasteScan) separator() bool {
	rest := s.text[s.at:]
	switch {
	case len(rest) > 5 && strings.EqualFold(rest[1:5], "www."):
		return s.toEnd("another URL")
	case rest[0] == '|' && len(rest) > 1:
		return s.toEnd("a vertical bar, and what stands behind it")
	}
	return false
}

// segment judges a square bracket, or an escaped brace, that may begin a placeholder which is a whole segment of the
// path or, in braces, a whole value: "/[nombre]/", "/%7Bid%7D", "?id=%7Bid%7D". Elsewhere it may be right.
func (s *pasteScan) segment() bool {
	before := byte('/')
	if s.inQuery {
		before = '='
	}
	if s.inFragment || s.text[s.at-1] != before {
		return false
	}
	name := segmentPlaceholder.FindStringSubmatch(s.text[s.at:])
	if name == nil || isGUID(name[inBraces]) || s.inQuery && name[inBraces] == "" {
		return false
	}
	end := s.at + len(name[0])
	if end < len(s.text) && strings.IndexByte("/?&#", s.text[end]) < 0 {
		return false
	}
	return s.find(pasted{begin: s.at, end: end, why: "a placeholder", isUnknown: true})
}

// segmentPlaceholder matches a name in escaped braces or in square brackets.
var segmentPlaceholder = regexp.MustCompile(`^(?i:%7B(` + placeholderName + `)%7D|(?:\[|%5B)` + placeholderName +
	`(?:\]|%5D))`)

const placeholderName = `[\p{L}_](?:[\p{L}\p{N}_ .-]|%[0-9A-F]{2})*?`

// inBraces is the group of segmentPlaceholder for a name in braces.
const inBraces = 1

// isGUID reports whether braces hold an identifier such as {3F2504E0-4F89-11D3-9A0C-0305E82C3301}.
func isGUID(braced string) bool {
	inner := strings.Trim(braced, "{}")
	return len(inner) >= 8 && strings.Trim(inner, "0123456789abcdefABCDEF-") == ""
}

// escape judges a percent-encoded byte: an escaped "?" before a parameter in the path, an escaped placeholder. An
// escaped opening bracket opens like a plain one.
func (s *pasteScan) escape() bool {
	rest := s.text[s.at:]
	switch x, n := decodeByte(rest); x {
	case '?':
		if !s.inQuery && !s.inFragment && beginsParam(rest[n:]) {
			return s.find(pasted{begin: s.at, end: s.at + n, why: `an escaped "?"`, instead: "?"})
		}
	case '(':
		s.open[0]++
	case '[':
		s.open[1]++
		return s.segment()
	case '{':
		s.open[2]++
		return s.opening() || s.segment()
	case '$', '<':
		return s.opening()
	case '\\':
		return s.jsonEscape(n)
	}
	return false
}

// jsonEscape judges a backslash of n bytes: it may begin an escape of JSON or JavaScript, as in "?a=1\u0026b=2". In the
// canonical form of a query the backslash is "%5C".
func (s *pasteScan) jsonEscape(n int) bool {
	rest := s.text[s.at+n:]
	if len(rest) < 5 || rest[0] != 'u' {
		return false
	}
	code, err := strconv.ParseUint(rest[1:5], 16, 16)
	if err != nil {
		return false
	}
	return s.find(pasted{begin: s.at, end: s.at + n + 5, why: "an escape of JSON", instead: string(rune(code))})
}

// question judges a "?": the second one does not begin a query, unless it stands in a value that is a URL.
func (s *pasteScan) question() bool {
	switch {
	case s.inFragment || s.inQuery && isURLValue(s.text[s.pair:s.at]):
	case !s.inQuery:
		s.inQuery, s.pair = true, s.at+1
	default:
		instead := ""
		if beginsParam(s.text[s.at+1:]) && s.at > s.pair {
			instead = "&"
		}
		return s.find(pasted{begin: s.at, end: s.at + 1, why: `a second "?"`, instead: instead})
	}
	return false
}

// isURLValue reports whether the value of a parameter, or a query without parameters, is a URL or a path.
func isURLValue(pair string) bool {
	value := pair
	if _, behind, isPair := strings.Cut(pair, "="); isPair && !strings.ContainsAny(pair[:len(pair)-len(behind)], ":/") {
		value = behind
	}
	for _, beginning := range [...]string{"/", "%2f", "http://", "https://", "http%3a", "https%3a"} {
		if len(value) >= len(beginning) && strings.EqualFold(value[:len(beginning)], beginning) {
			return true
		}
	}
	return false
}

// ampersand judges an "&": it may begin an HTML escape, or a parameter before any query.
func (s *pasteScan) ampersand() bool {
	rest := s.text[s.at:]
	if n, meant := htmlEscape(rest); n > 0 {
		return s.find(pasted{begin: s.at, end: s.at + n, why: "an HTML escape", instead: meant})
	}
	if s.inQuery {
		s.pair = s.at + 1
		return false
	}
	if !s.inFragment && beginsParam(rest[1:]) {
		return s.find(pasted{begin: s.at, end: s.at + 1, why: `a parameter before any "?"`, instead: "?"})
	}
	return false
}

// beginsParam reports whether a text begins with the name of a parameter and "=".
func beginsParam(text string) bool {
	for i := range len(text) {
		switch x := text[i]; {
		case x == '=':
			return i > 0
		case !isNameByte[x]:
			return false
		}
	}
	return false
}

// isNameByte holds the bytes of the names of parameters. Those that are not ASCII are escapes in the canonical form.
var isNameByte = func() *set {
	s := unreserved.with("[]%:")
	for x := utf8.RuneSelf; x < len(s); x++ {
		s[x] = true
	}
	return s
}()

// htmlEscape returns the length of the HTML escape at the beginning of a text, 0 if there is none, and its meaning.
// The "#" and the ";" may be percent-encoded: "&%23038;" is the canonical form of "&#038;".
func htmlEscape(text string) (n int, meant string) {
	end := len("&")
	if rest := text[end:]; strings.HasPrefix(rest, "#") {
		end += len("#")
	} else if strings.HasPrefix(rest, "%23") {
		end += len("%23")
	}
	for end < min(len(text), maxEscape) && unreserved[text[end]] {
		end++
	}
	if end == len(text) {
		return 0, ""
	}
	x, n := decodeByte(text[end:])
	if x != ';' || end == len("&") {
		return 0, ""
	}
	name := strings.Replace(text[:end], "&%23", "&#", 1) + ";"
	if meant = html.UnescapeString(name); meant == name || strings.HasSuffix(meant, ";") {
		return 0, ""
	}
	return end + n, meant
}

// maxEscape is the length of the longest escape, roughly: "&CounterClockwiseContourIntegral;".
const maxEscape = 35

// end judges the end of the value, and quotes that stay open.
func (s *pasteScan) end() bool {
	if first := max(s.straight, s.grave); first > 0 {
		return s.find(pasted{begin: first - 1, end: len(s.text), why: "a quote without its other half"})
	}
	host := behindHost(s.text)
	if at := strayScheme(s.text, host); at > 0 {
		return s.find(pasted{begin: at, end: len(s.text), why: "another URL"})
	}
	path := s.text[host:]
	if strings.HasSuffix(path, "/.") || strings.HasSuffix(path, "/..") { // dot segments
		return false
	}
	if s.inQuery && isSentence(s.text[s.pair:]) {
		return false
	}
	kept := strings.TrimRight(path, proseEnds)
	if double := strings.TrimRight(kept, "*"); len(kept)-len(double) > 1 {
		kept = double
	}
	if n := len(path) - len(kept); n > 0 {
		return s.find(pasted{begin: len(s.text) - n, end: len(s.text), why: "punctuation at the end"})
	}
	return false
}

// isSentence reports whether a parameter at the end is a text of several words, as links to share a page have:
// "text=Good%20idea." It ends in punctuation of its own.
func isSentence(pair string) bool {
	_, value, _ := strings.Cut(pair, "=")
	return strings.Contains(value, "+") || strings.Contains(value, "%20")
}

// strayScheme returns the index of an "http://" or "https://" behind the host that stands neither directly behind a "/"
// of the path nor in the value of a parameter, 0 if there is none. Behind a separator in a value another URL begins,
// unless the value is a URL itself.
func strayScheme(text string, host int) int {
	for next := host; ; {
		i := strings.Index(text[next:], "://")
		if i < 0 {
			return 0
		}
		next += i + len("://")
		start := schemeBefore(text, next-len("://"))
		if start <= host {
			continue
		}
		before, pair := text[start-1], strings.LastIndexAny(text[host:start], "?&#")
		if !strings.ContainsAny(text[host:start], "?#") { // in the path, where "&" begins no parameter
			if before != '/' {
				return start
			}
			continue
		}
		name := text[host+pair+1 : start]
		isValue := name == "" || strings.Contains(name, "=") || before == '/'
		isNext := strings.IndexByte(",;|", before) >= 0 && !isURLValue(text[host+pair+1:])
		if !isValue || isNext {
			return start
		}
	}
}

// proseEnds holds the characters that end a sentence, or a link in Markdown, and no URL.
const proseEnds = ".,;:!…—–»”’[({<|"

// endsProse holds the ASCII bytes with which a value may end that end finds.
var endsProse = setOf(".,;:!*[({<|")
