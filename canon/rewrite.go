package canon

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Prefixes maps one prefix to another. In rewrite_rules both are prefixes of whole URLs. In spanish they are prefixes
// of whole URLs, or, with a leading "/", of paths on the same host.
type Prefixes struct {
	From string `json:"from_prefix"`
	To   string `json:"to_prefix"`
}

// Rewrite is one of the rewrite_rules. It has one of two forms: it replaces a prefix of whole URLs (seed 001 section
// 3), in which braces are literal, or it has captures and replaces a whole URL:
//
//	{"from": "https://h.es/story?id={x}", "to": "https://h.es/story_{x}"}
//
// A capture {x} in the path of From is a part of one segment. In the query it is the whole value of one parameter. It
// is never empty. Two captures in a segment have text between them, and each ends where that text first occurs:
// {a}-{b} takes 1 and 2-3 from 1-2-3. From has each name once, To at most once.
//
// From matches the URL that the steps before left, in percent-encoding normal form and case-sensitively: origin and
// whole path, whatever slashes end either, and each parameter of From, in any order. A parameter that stands twice in
// the URL has no one value, so From does not match then. The other parameters stay behind those of To, and so does the
// fragment.
//
// A captured text keeps its escapes ("%2F"). One that goes from the query to the path, or back, keeps its meaning and
// stays one part: "/" becomes "%2F", "?" "%3F", ";" "%3B", "+" "%20" in the path; "&" "%26", ";" "%3B", "+" "%2B" in
// the query. From does not match where a segment of the new path would be "." or "..", or where nothing would change.
//
// From and To are two whole URLs, or, with a leading "/", two paths with queries on the same host.
type Rewrite struct {
	FromPrefix string `json:"from_prefix,omitempty"`
	ToPrefix   string `json:"to_prefix,omitempty"`
	From       string `json:"from,omitempty"`
	To         string `json:"to,omitempty"`
}

// NewRewrite returns the rewrite that a person means by two texts: one with captures if there is a brace, which stands
// in no URL, otherwise one of prefixes.
func NewRewrite(from, to string) Rewrite {
	if strings.ContainsAny(from+to, "{}") {
		return Rewrite{From: from, To: to}
	}
	return Rewrite{FromPrefix: from, ToPrefix: to}
}

// Texts returns the text that the rewrite replaces and its replacement, of either form.
func (w Rewrite) Texts() (from, to string) {
	return cmp.Or(w.From, w.FromPrefix), cmp.Or(w.To, w.ToPrefix)
}

func (w Rewrite) hasCaptures() bool { return w.From+w.To != "" }

func (w Rewrite) check() error {
	if !w.hasCaptures() {
		return (&Prefixes{w.FromPrefix, w.ToPrefix}).check(false)
	}
	if w.FromPrefix+w.ToPrefix != "" {
		return errors.New("it has either from_prefix and to_prefix or from and to")
	}
	_, err := newTemplate(w)
	return err
}

// check accepts whole http or https URLs and, with paths, two paths. It refuses a prefix that changes nothing, because
// that hides a mistake.
func (p *Prefixes) check(paths bool) error {
	for _, prefix := range []string{p.From, p.To} {
		isURL := isWhole(prefix)
		if !isURL && !(paths && strings.HasPrefix(prefix, "/")) {
			return fmt.Errorf("bad prefix %q: it has to begin with https:// or http://%s", prefix,
				map[bool]string{true: ", or be a path"}[paths])
		}
		if isURL {
			if _, _, bad := parse([]byte(prefix)); bad != nil {
				return fmt.Errorf("bad prefix %q: %s", prefix, bad.detail)
			}
		}
	}
	return checkPair(p.From, p.To)
}

// checkPair refuses two texts of different kinds, and equal ones.
func checkPair(from, to string) error {
	if strings.HasPrefix(from, "/") != strings.HasPrefix(to, "/") {
		return fmt.Errorf("%q and %q: either both are paths or both are whole URLs", from, to)
	}
	if from == to {
		return fmt.Errorf("%q would be rewritten to itself", from)
	}
	return nil
}

func isWhole(text string) bool {
	return strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://")
}

// normalOrigin returns a prefix with scheme, host and port in canonical form, so that a prefix with a host in capitals
// matches. Paths keep their spelling.
func normalOrigin(prefix string) string {
	a, credentials, bad := parse([]byte(prefix))
	if strings.HasPrefix(prefix, "/") || bad != nil || credentials {
		return prefix
	}
	a.setOrigin()
	return a.String()
}

// setOrigin puts scheme, host and port into canonical form.
func (a *address) setOrigin() {
	a.host = a.ascii
	a.fromScheme(lowerASCII(a.scheme))
}

// origin returns scheme, host and port.
func (a *address) origin() string {
	o := address{scheme: a.scheme, host: a.host, port: a.port, hasPort: a.hasPort}
	return o.String()
}

// template is a compiled rewrite with captures. Its text is in percent-encoding normal form.
type template struct {
	origin   string    // of From; empty: any
	segments []pattern // of the path of From without slashes at its end; escapes are marked
	params   []wanted
	anchor   anchor
	names    []string // of the captures
	inQuery  []bool   // whether From has the capture in its query

	toOrigin        string // empty: that of the URL
	toPath, toQuery pattern
}

// wanted is a parameter of From: a whole pair, or a name whose value is captured.
type wanted struct {
	name, text []byte
	capture    int // -1: none
}

// key returns the text by which the parameter is looked up.
func (w *wanted) key() string {
	if w.capture < 0 {
		return string(w.text)
	}
	return string(w.name)
}

// anchor is a text without captures that each URL of a template has: the beginning of its path, and a parameter or the
// name of one. Templates are found by it.
type anchor struct{ path, param string }

// pattern is a text with captures, by their numbers: texts[0], the first capture, texts[1] and so on.
type pattern struct {
	texts    [][]byte
	captures []int
}

// newTemplate compiles a rewrite with captures, or returns its first error.
func newTemplate(w Rewrite) (*template, error) {
	t := &template{}
	if err := t.setFrom(w.From); err != nil {
		return nil, fmt.Errorf("from %.200q: %w", w.From, err)
	}
	if err := t.setTo(w.To); err != nil {
		return nil, fmt.Errorf("to %.200q: %w", w.To, err)
	}
	return t, checkPair(w.From, w.To)
}

// side is From or To, taken apart. Path and query are in normal form, but for the braces.
type side struct {
	origin string // empty: it is a path
	path   []byte
	pairs  [][]byte // of the query
}

func parseSide(text string) (s side, err error) {
	whole := text
	if strings.HasPrefix(text, "/") {
		whole = "https://h" + text
	}
	switch {
	case !isWhole(whole):
		return s, errors.New("it has to begin with https:// or http://, or be a path")
	case len(text) >= maxURL:
		return s, fmt.Errorf("it has %d bytes; a URL has fewer than %d", len(text), maxURL)
	}
	a, credentials, bad := parse([]byte(whole))
	switch {
	case bytes.ContainsAny(a.host, "{}"):
		return s, errors.New("a capture stands in the path or in the query, not in the host")
	case bad != nil:
		return s, errors.New(bad.detail)
	case credentials:
		return s, errors.New("it has a user or a password")
	case a.hasFragment:
		return s, errors.New("it has a fragment")
	}
	if whole == text {
		a.setOrigin()
		s.origin = a.origin()
	}
	path, _ := normalize(new([]byte), a.path, pathSet.with("{}"), normalForm)
	query, _ := normalize(new([]byte), a.query, querySet.with("{}"), normalForm)
	s.path = removeDots(path)
	eachPair(query, func(p pair) { s.pairs = append(s.pairs, p.text) })
	return s, nil
}

// setFrom compiles From.
func (t *template) setFrom(text string) error {
	from, err := parseSide(text)
	if err != nil {
		return err
	}
	t.origin = from.origin
	path := bytes.TrimRight(from.path, "/")
	for _, segment := range bytes.Split(path, []byte{'/'}) {
		p, err := parsePattern(markEscapes(segment), t.define(false))
		if err != nil {
			return err
		}
		if slices.ContainsFunc(p.texts[1:max(1, len(p.captures))], func(text []byte) bool { return len(text) == 0 }) {
			return errors.New("two captures need a text between them")
		}
		t.segments = append(t.segments, p)
	}
	for _, text := range from.pairs {
		if err := t.want(text); err != nil {
			return err
		}
	}
	if len(t.names) == 0 {
		return errors.New("it has no capture such as {x}; from_prefix and to_prefix replace a text without one")
	}
	before, _, _ := cut(path, '{')
	t.setAnchor(before)
	return nil
}

// want adds a parameter of From.
func (t *template) want(text []byte) error {
	p, err := parsePattern(text, t.define(true))
	if err != nil {
		return err
	}
	of := pairOf(text, 0)
	w := wanted{name: of.name, text: of.text, capture: -1}
	if len(p.captures) > 0 {
		w.capture = p.captures[0]
		if len(p.captures) > 1 || len(p.texts[0]) != len(of.name)+1 || len(p.texts[1]) > 0 {
			return errors.New("in the query a capture is the whole value of a parameter")
		}
	}
	if slices.ContainsFunc(t.params, func(other wanted) bool { return bytes.Equal(other.name, w.name) }) {
		return fmt.Errorf("the parameter %q stands there twice", w.name)
	}
	t.params = append(t.params, w)
	return nil
}

// setAnchor sets the anchor. A parameter with its value tells more than the name of one.
func (t *template) setAnchor(path []byte) {
	t.anchor.path = string(markEscapes(path))
	for _, w := range t.params {
		if t.anchor.param == "" || w.capture < 0 {
			t.anchor.param = w.key()
		}
	}
}

// setTo compiles To.
func (t *template) setTo(text string) error {
	to, err := parseSide(text)
	if err != nil {
		return err
	}
	for _, pair := range to.pairs {
		if bytes.IndexByte(pairOf(pair, 0).name, '{') >= 0 {
			return errors.New("a capture cannot stand in the name of a parameter")
		}
	}
	t.toOrigin = to.origin
	use := t.use()
	if t.toPath, err = parsePattern(to.path, use); err == nil {
		t.toQuery, err = parsePattern(bytes.Join(to.pairs, []byte{'&'}), use)
	}
	return err
}

// define returns a function that numbers the captures of From.
func (t *template) define(inQuery bool) func(name string) (int, error) {
	return func(name string) (int, error) {
		if slices.Contains(t.names, name) {
			return 0, fmt.Errorf("{%s} stands there twice", name)
		}
		t.names, t.inQuery = append(t.names, name), append(t.inQuery, inQuery)
		return len(t.names) - 1, nil
	}
}

// use returns a function that finds the captures of To. One that stood there twice could double a URL in each pass.
func (t *template) use() func(name string) (int, error) {
	left := slices.Clone(t.names)
	return func(name string) (int, error) {
		i := slices.Index(t.names, name)
		if i < 0 {
			return 0, fmt.Errorf("from has no {%s}", name)
		}
		if left[i] == "" {
			return 0, fmt.Errorf("{%s} stands there twice", name)
		}
		left[i] = ""
		return i, nil
	}
}

// parsePattern splits a text at its captures. number gives each name its number.
func parsePattern(text []byte, number func(name string) (int, error)) (p pattern, err error) {
	for more := true; more; {
		before, rest, found := cut(text, '{')
		if bytes.IndexByte(before, '}') >= 0 {
			return p, errors.New("a } stands alone; a brace itself is %7D")
		}
		p.texts = append(p.texts, before)
		if more = found; !more {
			break
		}
		name, rest, closed := cut(rest, '}')
		if !closed || len(name) == 0 || len(bytes.Trim(name, captureName)) > 0 {
			return p, errors.New("a capture is a name of letters, digits and _ in braces; a brace itself is %7B")
		}
		n, err := number(string(name))
		if err != nil {
			return p, err
		}
		p.captures, text = append(p.captures, n), rest
	}
	return p, nil
}

const captureName = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

// markEscapes returns a text in normal form with the digits of its escapes marked by their high bit, which no other
// byte has. So a text found in it never begins or ends inside of an escape.
func markEscapes(text []byte) []byte {
	marked := bytes.Clone(text)
	for i := bytes.IndexByte(marked, '%'); i >= 0 && i+2 < len(marked); {
		marked[i+1] |= 0x80
		marked[i+2] |= 0x80
		next := bytes.IndexByte(marked[i+3:], '%')
		if next < 0 {
			break
		}
		i += 3 + next
	}
	return marked
}

// match finds the captures of the pattern in a marked text, without their marks.
func (p *pattern) match(text []byte, values [][]byte) bool {
	last := len(p.captures)
	if last == 0 {
		return bytes.Equal(text, p.texts[0])
	}
	rest, begins := bytes.CutPrefix(text, p.texts[0])
	rest, ends := bytes.CutSuffix(rest, p.texts[last])
	for i := 0; begins && ends && len(rest) > 0; i++ {
		if i == last-1 {
			values[p.captures[i]] = withoutMarks(rest)
			return true
		}
		at := bytes.Index(rest[1:], p.texts[i+1]) + 1
		if at == 0 {
			break
		}
		values[p.captures[i]] = withoutMarks(rest[:at])
		rest = rest[at+len(p.texts[i+1]):]
	}
	return false
}

// withoutMarks returns a marked text without its marks.
func withoutMarks(marked []byte) []byte {
	text := bytes.Clone(marked)
	for i := range text {
		text[i] &^= 0x80
	}
	return text
}
