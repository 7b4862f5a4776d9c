// Package diff compares two URLs, or two versions of a text, for people.
//
// [URLs] compares part by part and character by character: scheme with scheme, host with host, path with path, each
// query parameter with the one of the same name, fragment with fragment. The URLs must have passed through term.Safe.
// No span ends inside an escape of term.Safe, or between a letter and its combining marks.
//
// [Lines] compares line by line.
package diff

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Kind is the side of a span: both URLs or texts, or one of them.
type Kind uint8

// The kinds.
const (
	Same Kind = iota
	Removed
	Added
)

// Span is a piece of one of the URLs, or a line of one of the texts.
type Span struct {
	Text string
	Kind Kind
}

// URLs returns the spans of both URLs. The concatenation of removed is before, that of added is after.
func URLs(before, after string) (removed, added []Span) {
	var d pair
	b, a := split(before), split(after)
	d.text(b.scheme, a.scheme)
	d.text(b.host, a.host)
	d.text(b.path, a.path)
	d.text(b.mark, a.mark)
	d.params(b.params, a.params)
	d.text(b.fragment, a.fragment)
	return d.before, d.after
}

// parts are the parts of a URL with their separators. Their concatenation is the URL.
type parts struct {
	scheme, host, path, mark string // mark: the question mark
	params                   []string
	fragment                 string
}

func split(url string) parts {
	var p parts
	rest := url
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		rest, p.fragment = rest[:i], rest[i:]
	}
	if i := strings.IndexByte(rest, '?'); i >= 0 {
		p.mark, p.params = "?", strings.SplitAfter(rest[i+1:], "&")
		rest = rest[:i]
	}
	if i := strings.Index(rest, "//"); i >= 0 && !strings.Contains(rest[:i], "/") {
		p.scheme, rest = rest[:i+2], rest[i+2:]
	}
	p.host = rest
	if i := strings.IndexAny(rest, `/\`); i >= 0 {
		p.host, p.path = rest[:i], rest[i:]
	}
	return p
}

type pair struct{ before, after []Span }

func (d *pair) same(s string)    { d.before, d.after = add(d.before, s, Same), add(d.after, s, Same) }
func (d *pair) removed(s string) { d.before = add(d.before, s, Removed) }
func (d *pair) added(s string)   { d.after = add(d.after, s, Added) }

// add appends a span, or lengthens the last one if it is of the same kind.
func add(list []Span, s string, k Kind) []Span {
	if s == "" {
		return list
	}
	if n := len(list); n > 0 && list[n-1].Kind == k {
		list[n-1].Text += s
		return list
	}
	return append(list, Span{s, k})
}

// text compares character by character. Texts with less than half of the shorter one in common count as replaced, since
// single letters that happen to match would only confuse.
func (d *pair) text(before, after string) {
	b, a := characters(before), characters(after)
	diffs := lcs.DiffLines(b, a)
	common := len(b)
	for _, e := range diffs {
		common -= e.End - e.Start
	}
	if common*2 < min(len(b), len(a)) {
		d.removed(before)
		d.added(after)
		return
	}
	at := 0
	for _, e := range diffs {
		d.same(join(b[at:e.Start]))
		d.removed(join(b[e.Start:e.End]))
		d.added(join(a[e.ReplStart:e.ReplEnd]))
		at = e.End
	}
	d.same(join(b[at:]))
}

func join(list []string) string { return strings.Join(list, "") }

// characters splits a text into the units of a change: characters with their combining marks, and escapes of term.Safe.
func characters(s string) []string {
	var list []string
	for s != "" {
		n := escape(s)
		if n == 0 {
			it := graphemes.FromString(s)
			it.Next()
			n = len(it.Value())
		}
		list = append(list, s[:n])
		s = s[n:]
	}
	return list
}

// escape returns the length of the escape at the start of the text, such as \\ \n \x1b \u{202e}; 0: none.
func escape(s string) int {
	if s[0] != '\\' || len(s) < 2 {
		return 0
	}
	switch s[1] {
	case 'x':
		return min(len(s), 4)
	case 'u':
		return strings.IndexByte(s, '}') + 1
	}
	return 2
}

// params aligns equal parameters first, and between those the parameters of the same name.
func (d *pair) params(before, after []string) {
	b, a := bare(before), bare(after)
	atB, atA := 0, 0
	end := lcs.Diff{Start: len(b), End: len(b), ReplStart: len(a), ReplEnd: len(a)}
	for _, e := range append(lcs.DiffLines(b, a), end) {
		for ; atB < e.Start; atB, atA = atB+1, atA+1 {
			d.text(before[atB], after[atA])
		}
		d.changed(before[e.Start:e.End], after[e.ReplStart:e.ReplEnd])
		atB, atA = e.End, e.ReplEnd
	}
}

func (d *pair) changed(before, after []string) {
	for _, p := range before {
		i := slices.IndexFunc(after, func(q string) bool { return strings.EqualFold(name(p), name(q)) })
		if i < 0 {
			d.removed(p)
			continue
		}
		d.added(join(after[:i]))
		d.text(p, after[i])
		after = after[i+1:]
	}
	d.added(join(after))
}

// bare removes the separators: a=1 and a=1& are the same parameter.
func bare(params []string) []string {
	list := make([]string, len(params))
	for i, p := range params {
		list[i] = strings.TrimSuffix(p, "&")
	}
	return list
}

func name(param string) string {
	n, _, _ := strings.Cut(strings.TrimSuffix(param, "&"), "=")
	return n
}
