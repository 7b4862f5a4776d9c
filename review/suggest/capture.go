package suggest

import (
	"cmp"
	"slices"
	"strings"

	"visto/review/lazyregexp"
)

// capture stands in a path or a query for a text that both URLs have.
const capture = "{x}"

// captured matches the texts that a capture of ours takes: those that mean the same in a path and in a query.
var captured = lazyregexp.New(`^[A-Za-z0-9_~-]+$`)

// indexPage matches file names of index pages.
var indexPage = lazyregexp.New(`(?i)^(?:index|default|home|inicio)\.[a-z]{2,5}$`)

// extension matches the file extension of a segment.
var extension = lazyregexp.New(`^(.+?)(\.[A-Za-z][A-Za-z0-9]{0,4})?$`)

// lastTemplates returns the templates of two URLs of one host whose last segments differ.
func lastTemplates(a, b address) []Template {
	if a.origin != b.origin || a.host != b.host || len(a.segments) == 0 {
		return nil
	}
	var list []Template
	last, dir := a.segments[len(a.segments)-1], a.segments[:len(a.segments)-1]
	if len(dir) > 0 && slices.Equal(dir, b.segments) && indexPage().MatchString(last) {
		list = append(list, Template{Kind: IndexPage, From: last})
	}
	if len(a.segments) == len(b.segments) && slices.Equal(dir, b.segments[:len(dir)]) {
		x, y := extension().FindStringSubmatch(last), extension().FindStringSubmatch(b.segments[len(dir)])
		if x != nil && y != nil && x[1] == y[1] && x[2] != "" {
			list = append(list, Template{Kind: Extension, From: x[2], To: y[2]})
		}
	}
	if t, ok := captureTemplate(a, b); ok && len(list) == 0 {
		list = append(list, t)
	}
	for i := range list {
		list[i].Host = a.host
	}
	return list
}

// captureTemplate returns the template of two URLs that have a text in different places: in a parameter that only one
// of them has, or at the end of their last segments.
func captureTemplate(a, b address) (t Template, ok bool) {
	t.Kind = Capture
	switch left, right := onlyIn(a, b), onlyIn(b, a); {
	case len(left) == 1 && len(right) == 0:
		name, value, _ := strings.Cut(left[0], "=")
		t.From = queriedPath(a) + "?" + name + "=" + capture
		t.To, ok = withCapture(b.path(), value)
	case len(left) == 0 && len(right) == 1:
		name, value, _ := strings.Cut(right[0], "=")
		t.To = queriedPath(b) + "?" + name + "=" + capture
		t.From, ok = withCapture(a.path(), value)
	case len(left)+len(right) == 0 && len(b.segments) > 0:
		value := sharedEnd(a.segments[len(a.segments)-1], b.segments[len(b.segments)-1])
		var okTo bool
		t.From, ok = withCapture(a.path(), value)
		t.To, okTo = withCapture(b.path(), value)
		before, _, _ := strings.Cut(t.From, capture)
		ok = ok && okTo && !strings.HasPrefix(t.To, before+capture)
	}
	return t, ok && t.From != t.To
}

// queriedPath returns the path as it stands before a query, where a root has its slash.
func queriedPath(a address) string { return cmp.Or(a.path(), "/") }

// onlyIn returns the texts of the parameters of a that b lacks.
func onlyIn(a, b address) (list []string) {
	for _, p := range a.params {
		if !slices.Contains(b.params, p) {
			list = append(list, p.text)
		}
	}
	return list
}

// withCapture puts the capture in the place of a whole word at the end of a path, before its extension.
func withCapture(path, value string) (string, bool) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 || !captured().MatchString(value) {
		return "", false
	}
	parts := extension().FindStringSubmatch(path[i+1:])
	if parts == nil {
		return "", false
	}
	before, ok := strings.CutSuffix(parts[1], value)
	if !ok || before != "" && captured().MatchString(before[len(before)-1:]) && !isMark(before[len(before)-1]) {
		return "", false
	}
	return path[:i+1] + before + capture + parts[2], path[:i+1]+before != "/"
}

// sharedEnd returns the longest text of whole words at the end of two different segments, without their extension.
func sharedEnd(a, b string) string {
	x, y := extension().FindStringSubmatch(a), extension().FindStringSubmatch(b)
	if a == b || x == nil || y == nil {
		return ""
	}
	n := 0
	for n < min(len(x[1]), len(y[1])) && x[1][len(x[1])-1-n] == y[1][len(y[1])-1-n] {
		n++
	}
	inside := func(s string) bool { return n > 0 && n < len(s) && !isMark(s[len(s)-n-1]) && !isMark(s[len(s)-n]) }
	for inside(x[1]) || inside(y[1]) {
		n--
	}
	return strings.TrimLeft(x[1][len(x[1])-n:], "-_~")
}

// isMark reports whether a character stands between words.
func isMark(c byte) bool {
	return !captured().MatchString(string(c)) || c == '-' || c == '_' || c == '~'
}

// maxCaptured is the largest number of segments before the last one: rewrites has the letters before x for them.
const maxCaptured = 'x' - 'a'

// applyLast applies the kinds that lastTemplates returns.
func (t Template) applyLast(a address) (address, bool) {
	if t.Kind == Capture {
		return t.applyCapture(a)
	}
	n := len(a.segments) - 1
	if n < 0 || n > maxCaptured || !a.isUnder(t.Path) {
		return a, false
	}
	last := a.segments[n]
	if t.Kind == IndexPage {
		a.segments = a.segments[:n]
		return a, n > 0 && last == t.From
	}
	stem, ok := strings.CutSuffix(last, t.From)
	a.segments = append(slices.Clone(a.segments[:n]), stem+t.To)
	return a, ok && stem != "" && !strings.Contains(stem, t.From)
}

func (t Template) applyCapture(a address) (address, bool) {
	path, query, inQuery := strings.Cut(t.From, "?")
	rest, value := a.params, ""
	if inQuery {
		name := strings.TrimSuffix(query, capture)
		i := slices.IndexFunc(a.params, func(p param) bool { return strings.HasPrefix(p.text, name) })
		if i < 0 || queriedPath(a) != path || a.isTwice(a.params[i].name) {
			return a, false
		}
		value = a.params[i].text[len(name):]
		rest = slices.Delete(slices.Clone(a.params), i, i+1)
	} else {
		before, after, _ := strings.Cut(path, capture)
		text, ok := strings.CutPrefix(a.path(), before)
		if value, ok = cutSuffix(text, after, ok); !ok {
			return a, false
		}
	}
	if !captured().MatchString(value) {
		return a, false
	}
	path, query, inQuery = strings.Cut(strings.Replace(t.To, capture, value, 1), "?")
	if inQuery {
		rest = append([]param{{paramName(query), query}}, rest...)
	}
	a.segments, a.params, a.rest = slices.Collect(splitPath(path)), rest, len(rest) > 0
	return a, true
}

func cutSuffix(text, suffix string, ok bool) (string, bool) {
	before, found := strings.CutSuffix(text, suffix)
	return before, ok && found
}

// isTwice reports whether several parameters have the name.
func (a address) isTwice(name string) bool {
	n := 0
	for _, p := range a.params {
		if p.name == name {
			n++
		}
	}
	return n > 1
}

// rewrites returns the two sides of each rewrite that the template is, for URLs with these numbers of segments.
func (t Template) rewrites(depths []int) (pairs [][2]string) {
	if t.Kind == Capture {
		return [][2]string{{t.From, t.To}}
	}
	scope := slices.Collect(splitPath(t.Path))
	for _, depth := range depths {
		if t.Kind == DropSegments {
			from, to := t.segmentRewrite(depth)
			pairs = append(pairs, [2]string{from, to})
			continue
		}
		dir := t.Path
		for i := range depth - 1 - len(scope) {
			dir += "/" + captureName(i)
		}
		if t.Kind == IndexPage {
			pairs = append(pairs, [2]string{dir + "/" + t.From, dir})
		} else {
			pairs = append(pairs, [2]string{dir + "/" + capture + t.From, dir + "/" + capture + t.To})
		}
	}
	return pairs
}
