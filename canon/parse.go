package canon

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Trim removes Unicode white space, controls and invisible format characters (byte order mark, zero-width and
// bidirectional ones) from both ends, and a pair of quotes or angle brackets around the rest (RFC 3986 appendix C).
// Neither can begin or end a URL. An original is known by its trimmed form. Trim(Trim(s)) is Trim(s).
func Trim(raw string) string {
	if isTrimmed(raw) {
		return raw
	}
	for before := -1; before != len(raw); {
		before = len(raw)
		raw = withoutPair(strings.TrimFunc(raw, isInvisible))
	}
	return raw
}

// isTrimmed reports whether raw begins with an ASCII character that opens no pair, and ends with a visible one. Nearly
// every URL does.
func isTrimmed(raw string) bool {
	if raw == "" {
		return true
	}
	first, last := raw[0], raw[len(raw)-1]
	return '0' <= first && first <= 'z' && first != '<' && first != '`' && ' ' < last && last < 0x7f
}

func isInvisible(c rune) bool {
	if ' ' < c && c < 0x7f || 0xa1 <= c && c != 0xad && c < 0x600 { // the scripts of Europe, without a look-up
		return false
	}
	return unicode.IsSpace(c) || unicode.IsControl(c) || unicode.Is(unicode.Cf, c)
}

// pairs holds the quotes and brackets that people and programs put around a URL.
var pairs = []struct{ opening, closing string }{
	{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"<", ">"}, {"“", "”"}, {"‘", "’"}, {"«", "»"}, {"‹", "›"}, {"„", "“"},
	{"‚", "‘"},
}

// withoutPair removes one surrounding pair.
func withoutPair(s string) string {
	for _, pair := range pairs {
		if rest, opens := strings.CutPrefix(s, pair.opening); opens {
			if inner, closes := strings.CutSuffix(rest, pair.closing); closes {
				return inner
			}
		}
	}
	return s
}

// rejection is the reason why a URL is rejected.
type rejection struct {
	reason Reason
	detail string
}

func invalid(format string, args ...any) *rejection {
	return &rejection{InvalidURL, fmt.Sprintf(format, args...)}
}

// parse splits text as a browser does (WHATWG URL standard, basic URL parser, special schemes). If text has no scheme,
// for which a browser needs a base URL, it supplies https (seed 003, "Scheme present"); the ports of http and https are
// default ports then, because the text stated neither.
//
// text is trimmed, and may be edited. credentials reports that parse removed a user name or password.
func parse(text []byte) (a address, credentials bool, bad *rejection) {
	text = escapeNumeric(dropNewlines(text))
	scheme, rest, bad := splitScheme(text)
	if bad != nil {
		return a, false, bad
	}
	authority, rest, bad := splitAuthority(rest)
	if bad != nil {
		return a, false, bad
	}
	if at := bytes.LastIndexByte(authority, '@'); at >= 0 {
		credentials = at > 0
		authority = authority[at+1:]
	}
	if bad = a.setHostPort(authority); bad != nil {
		return a, credentials, bad
	}
	if a.scheme = scheme; scheme == nil {
		a.fromScheme(schemeHTTP)
		a.scheme = schemeHTTPS
	}
	a.setRest(rest)
	if a.ascii, bad = asciiHost(a.host); bad == nil && a.repeatsScheme(authority) {
		bad = secondScheme
	}
	return a, credentials, bad
}

// dropNewlines removes tab, CR and LF, which browsers ignore anywhere in a URL.
func dropNewlines(text []byte) []byte {
	if !bytes.ContainsAny(text, "\t\r\n") {
		return text
	}
	return slices.DeleteFunc(text, func(x byte) bool { return x == '\t' || x == '\n' || x == '\r' })
}

// escapeNumeric percent-encodes the "#" of numeric HTML escapes, "&#038;" and "&#x26;", before the fragment. They begin
// none.
func escapeNumeric(text []byte) []byte {
	for next := 0; ; {
		i := bytes.IndexByte(text[next:], '#')
		if i < 0 || !isNumericEscape(text, next+i) {
			return text
		}
		text = slices.Concat(text[:next+i], []byte("%23"), text[next+i+1:])
		next += i + len("%23")
	}
}

// isNumericEscape reports whether the "#" at that index stands in a numeric HTML escape.
func isNumericEscape(text []byte, at int) bool {
	if at == 0 || text[at-1] != '&' {
		return false
	}
	digits, _, ends := cut(text[at+1:], ';')
	isNumber := isDigits(digits)
	if len(digits) > 1 && digits[0]|0x20 == 'x' {
		digits = digits[1:]
		isNumber = !slices.ContainsFunc(digits, func(x byte) bool { return !isHex(x) })
	}
	return ends && len(digits) > 0 && isNumber
}

// splitScheme returns the scheme as spelled, nil if there is none, and the text behind the colon.
func splitScheme(text []byte) (scheme, rest []byte, bad *rejection) {
	if n := len(schemeHTTPS); len(text) > n && text[n] == ':' && string(text[:n]) == "https" {
		return schemeHTTPS, text[n+1:], nil // nearly every URL
	}
	colon := schemeEnd(text)
	if colon < 0 {
		return nil, text, checkHostFirst(text)
	}
	scheme, rest = text[:colon], text[colon+1:]
	if !bytes.EqualFold(scheme, []byte("https")) && !bytes.EqualFold(scheme, []byte("http")) {
		return nil, nil, &rejection{UnsupportedScheme,
			fmt.Sprintf("the scheme %q is neither http nor https", scheme)}
	}
	return scheme, rest, nil
}

// schemeEnd returns the index of the colon behind a scheme, or -1.
func schemeEnd(text []byte) int {
	colon := bytes.IndexAny(text, `:/\?#`)
	if colon <= 0 || text[colon] != ':' || !isScheme(text[:colon]) || isHostPort(text, colon) {
		return -1
	}
	return colon
}

// onSite returns a bare path as a URL of the policy's one site (seed 004: a route of the site is a path). It returns
// text itself if the policy has no site, or text has a scheme or begins with the host of the site.
func (p *Policy) onSite(text []byte) (url []byte, isBare bool) {
	if len(p.site.host) == 0 {
		return text, false
	}
	text = dropNewlines(text)
	if len(text) == 0 || schemeEnd(text) >= 0 {
		return text, false
	}
	if a, _, bad := parse(bytes.Clone(text)); bad == nil && bytes.Equal(a.ascii, p.site.host) {
		return text, false
	}
	url = p.site.appendTo(nil)
	if !endsAuthority[text[0]] {
		url = append(url, '/')
	}
	return append(url, text...), true
}

// checkHostFirst refuses a relative reference, which has no host.
func checkHostFirst(text []byte) *rejection {
	switch {
	case len(text) == 0:
		return invalid("there is nothing in it")
	case text[0] == '?' || text[0] == '#':
		return invalid("there is no host in it")
	case isSlash(text[0]) && (len(text) == 1 || !isSlash(text[1])):
		return invalid("it is a path without a host")
	}
	return nil
}

// isScheme reports whether s has the form of a scheme (RFC 3986 section 3.1).
func isScheme(s []byte) bool {
	for i, x := range s {
		letter := 'a' <= x|0x20 && x|0x20 <= 'z'
		if !letter && (i == 0 || !isDigit(x) && x != '+' && x != '-' && x != '.') {
			return false
		}
	}
	return true
}

// secondScheme is the rejection of "https://https://www.boe.es". A browser would go to the host "https".
var secondScheme = invalid("a second scheme stands in the place of the host")

// repeatsScheme reports whether the host is a scheme, or ends in one: a name without a dot before "://", or two URLs
// without anything between them ("https://www.boe.eshttps://www.boe.es").
func (a *address) repeatsScheme(authority []byte) bool {
	if authority[len(authority)-1] != ':' || !bytes.HasPrefix(a.path, []byte("//")) {
		return false
	}
	return isScheme(a.ascii) && bytes.IndexByte(a.ascii, '.') < 0 ||
		bytes.HasSuffix(a.ascii, []byte("https")) || bytes.HasSuffix(a.ascii, []byte("http"))
}

// isHostPort tells "sepe.es:443/x", "sepe.es:/x" and "localhost:80" from "tel:060" and "ht.tps://sepe.es". There is a
// host before the colon, and behind it are digits, or nothing, up to the end of the authority. "://" follows a scheme.
func isHostPort(text []byte, colon int) bool {
	if name := text[:colon]; bytes.IndexByte(name, '.') < 0 && !bytes.EqualFold(name, []byte("localhost")) {
		return false
	}
	port := text[colon+1:]
	if len(port) > 1 && isSlash(port[0]) && isSlash(port[1]) {
		return false
	}
	return isDigits(port[:authorityEnd(port)])
}

// splitAuthority skips the slashes before the authority, up to two of either kind. A browser takes any number;
// "https:///a" has no host.
func splitAuthority(text []byte) (authority, rest []byte, bad *rejection) {
	slashes := 0
	for slashes < len(text) && isSlash(text[slashes]) {
		slashes++
	}
	if slashes > 2 {
		return nil, nil, invalid("there is no host in it")
	}
	text = text[slashes:]
	end := authorityEnd(text)
	return text[:end], text[end:], nil
}

func authorityEnd(text []byte) int {
	for i, x := range text {
		if endsAuthority[x] {
			return i
		}
	}
	return len(text)
}

var endsAuthority = setOf(`/\?#`)

func isSlash(x byte) bool   { return x == '/' || x == '\\' }
func isDigit(x byte) bool   { return '0' <= x && x <= '9' }
func isCapital(x byte) bool { return 'A' <= x && x <= 'Z' }

// isDigits reports whether b has nothing but decimal digits.
func isDigits(b []byte) bool {
	for _, x := range b {
		if !isDigit(x) {
			return false
		}
	}
	return true
}

// setHostPort splits the authority, without credentials, at the colon before the port.
func (a *address) setHostPort(authority []byte) *rejection {
	a.host = authority
	colon := bytes.LastIndexByte(authority, ':')
	if colon > bytes.LastIndexByte(authority, ']') {
		a.host, a.port = authority[:colon], authority[colon+1:]
	}
	if len(a.host) == 0 {
		return invalid("there is no host in it")
	}
	if len(a.port) == 0 {
		return nil
	}
	a.hasPort = true
	return checkPort(a.port)
}

// checkPort accepts the ports of browsers: digits, up to 65535.
func checkPort(port []byte) *rejection {
	n := 0
	for _, x := range port {
		if !isDigit(x) {
			return invalid(`the port "%s" is not a number`, port)
		}
		if n = n*10 + int(x-'0'); n > 65535 {
			return invalid(`the port "%s" is above 65535`, port)
		}
	}
	return nil
}

// setRest splits path, query and fragment. Before the query, "\" counts as "/".
func (a *address) setRest(rest []byte) {
	if i := bytes.IndexByte(rest, '#'); i >= 0 {
		rest, a.fragment, a.hasFragment = rest[:i:i], rest[i+1:], true
	}
	if i := bytes.IndexByte(rest, '?'); i >= 0 {
		rest, a.query, a.hasQuery = rest[:i:i], rest[i+1:], true
	}
	for i := bytes.IndexByte(rest, '\\'); i >= 0; i = bytes.IndexByte(rest, '\\') {
		rest[i] = '/'
	}
	a.path = rest
}

// address is the URL in its present form. Its parts are slices of the run's scratch memory and are edited in place. Its
// text is scheme "://" host [":" port] path ["?" query] ["#" fragment].
//
// Invariants after parse: scheme is http or https in any case; host is not empty; path is empty or begins with "/"; an
// absent part is empty and its has… is false.
type address struct {
	scheme, host, port    []byte
	path, query, fragment []byte
	hasPort               bool
	hasQuery, hasFragment bool
	ascii                 []byte // the wire form of host
}

// appendTo appends the text of the URL to dst.
func (a *address) appendTo(dst []byte) []byte {
	dst = append(append(append(dst, a.scheme...), "://"...), a.host...)
	if a.hasPort {
		dst = append(append(dst, ':'), a.port...)
	}
	dst = append(dst, a.path...)
	if a.hasQuery {
		dst = append(append(dst, '?'), a.query...)
	}
	if a.hasFragment {
		dst = append(append(dst, '#'), a.fragment...)
	}
	return dst
}

func (a *address) String() string { return string(a.appendTo(nil)) }

// secure reports whether the scheme is https.
func (a *address) secure() bool { return len(a.scheme) == 5 }

// dropEmptyQuery drops the "?" of a query without parameters.
func (a *address) dropEmptyQuery() {
	if a.hasQuery && (len(a.query) == 0 || a.query[0] == '&' && len(bytes.TrimLeft(a.query, "&")) == 0) {
		a.query, a.hasQuery = nil, false
	}
}

// bareRoot sets the slash of the root: "https://boe.es" has none, "https://boe.es/?id=1" has one (seed 000 rule 2).
func (a *address) bareRoot() {
	switch {
	case len(a.path) == 0 && a.hasQuery:
		a.path = root
	case len(a.path) == 1 && !a.hasQuery:
		a.path = nil
	}
}

// root is the path of a root. It is never written to.
var root = []byte{'/'}

// segments calls fn with each segment of a path, in order: "/a/b" has "a" and "b", "/a/" has "a" and "".
func segments(path []byte, fn func(segment []byte)) {
	for len(path) > 0 {
		path = path[1:]
		end := bytes.IndexByte(path, '/')
		if end < 0 {
			end = len(path)
		}
		fn(path[:end])
		path = path[end:]
	}
}

// lowerASCII lowers the ASCII letters of b in place.
func lowerASCII(b []byte) []byte {
	for i, x := range b {
		if isCapital(x) {
			b[i] = x | 0x20
		}
	}
	return b
}
