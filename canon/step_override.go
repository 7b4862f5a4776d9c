package canon

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"
)

// overrideTriggers: an override for the host concerns the whole URL, so every step is due.
func overrideTriggers(r *registrar) {
	r.onHosts(everyStep, func(h *hostFacts) bool { return len(h.rules) > 0 })
}

// stepOverride applies the preferred host of the overrides, and then the first rewrite that matches the URL (seed 001
// section 3.1: "after base normalization"). A rewritten URL is cleaned and goes through the pipeline once more, so that
// no rewrite applies to the result.
func (r *run) stepOverride() {
	if rule := r.rules.pinned(); rule != nil && rule.CanonicalHost != string(r.u.ascii) {
		r.note("the override for %s prefers %s", rule.Match.Host, rule.CanonicalHost)
		r.moveTo(rule.CanonicalHost)
	}
	for _, rule := range r.rules {
		for i, text := range rule.rewrites.of(&r.u) {
			if r.rewrite(text, rule.RewriteRules[i], rule) {
				return
			}
		}
	}
}

// pinned returns the first rule with a preferred host, or nil.
func (l ruleList) pinned() *rule {
	for _, rule := range l {
		if rule.CanonicalHost != "" {
			return rule
		}
	}
	return nil
}

// rewrite replaces the URL by the text that a rewrite makes of it, and reports whether that is a URL.
func (r *run) rewrite(text []byte, w Rewrite, rule *rule) bool {
	if bad := r.adopt(text); bad != nil {
		r.note("the rewrite of the override for %s gives no URL: %s", rule.Match.Host, bad.detail)
		return false
	}
	from, to := w.Texts()
	r.note("the override for %s rewrites %s to %s", rule.Match.Host, from, to)
	r.record(&r.u, "override", 0)
	r.again = true
	r.clean()
	r.checkHost(false)
	return true
}

// rewritten returns the text of the URL with the prefix replaced, and whether it has the prefix.
func (a *address) rewritten(p Prefixes) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(a.appendTo(nil), []byte(p.From))
	return append([]byte(p.To), rest...), ok
}

// rewritable reports whether a rewrite applies after the later steps, which drop page numbers and sort the query.
func (l ruleList) rewritable(u *address) bool {
	for _, rule := range l {
		for _, text := range rule.rewrites.of(u) {
			if _, _, bad := parse(text); bad == nil {
				return true
			}
		}
	}
	return false
}

// rewriteTable finds the rewrites of an override by a text that the URL has, whatever their number.
type rewriteTable struct {
	prefixes  []Prefixes  // with origins in canonical form; by place in the list
	templates []*template // nil: a rewrite of prefixes
	byPrefix  map[string][]int
	lengths   lengthSet // of the prefixes
	byAnchor  map[anchor][]int
	paths     lengthSet // of the paths of the anchors
}

// lengthSet is a set of lengths, ascending.
type lengthSet []int

func (s *lengthSet) add(n int) {
	if i, found := slices.BinarySearch(*s, n); !found {
		*s = slices.Insert(*s, i, n)
	}
}

// newRewriteTable compiles valid rewrites.
func newRewriteTable(list []Rewrite) rewriteTable {
	t := rewriteTable{prefixes: make([]Prefixes, len(list)), templates: make([]*template, len(list)),
		byPrefix: map[string][]int{}, byAnchor: map[anchor][]int{}}
	for i, w := range list {
		if w.hasCaptures() {
			compiled, _ := newTemplate(w)
			t.templates[i] = compiled
			t.byAnchor[compiled.anchor] = append(t.byAnchor[compiled.anchor], i)
			t.paths.add(len(compiled.anchor.path))
			continue
		}
		from := normalOrigin(w.FromPrefix)
		t.prefixes[i] = Prefixes{from, w.ToPrefix}
		t.byPrefix[from] = append(t.byPrefix[from], i)
		t.lengths.add(len(from))
	}
	return t
}

// of returns the texts that the matching rewrites make of the URL, by their places in the list and in its order.
func (t *rewriteTable) of(u *address) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		if len(t.prefixes) == 0 {
			return
		}
		places := t.withPrefix(u)
		var s *subject
		if len(t.paths) > 0 {
			s = newSubject(u)
			places = append(places, t.withAnchor(s)...)
		}
		slices.Sort(places)
		for _, i := range slices.Compact(places) {
			made, ok := u.rewritten(t.prefixes[i])
			if t.templates[i] != nil {
				made, ok = s.fill(t.templates[i])
			}
			if ok && !yield(i, made) {
				return
			}
		}
	}
}

// withPrefix returns the places of the rewrites whose prefix the URL has.
func (t *rewriteTable) withPrefix(u *address) (places []int) {
	text := u.appendTo(nil)
	for _, n := range t.lengths {
		if n > len(text) {
			break
		}
		places = append(places, t.byPrefix[string(text[:n])]...)
	}
	return places
}

// withAnchor returns the places of the rewrites whose anchor the URL has.
func (t *rewriteTable) withAnchor(s *subject) (places []int) {
	for _, n := range t.paths {
		if n > len(s.path) {
			break
		}
		path := s.path[:n]
		places = append(places, t.byAnchor[anchor{string(path), ""}]...)
		for _, p := range s.pairs {
			places = append(places, t.byAnchor[anchor{string(path), string(p.text)}]...)
			if len(p.name) < len(p.text) {
				places = append(places, t.byAnchor[anchor{string(path), string(p.name)}]...)
			}
		}
	}
	return places
}

// subject is a URL to which templates are compared, in percent-encoding normal form.
type subject struct {
	u     *address
	path  []byte         // without slashes at its end; escapes are marked
	pairs []pair         // of the query
	raw   [][]byte       // the pairs as they came
	named map[string]int // the place of a parameter; -1: it stands more than once
}

func newSubject(u *address) *subject {
	path, _ := normalize(new([]byte), u.path, pathSet, normalForm)
	s := &subject{u: u, path: markEscapes(bytes.TrimRight(path, "/")), named: map[string]int{}}
	eachPair(u.query, func(p pair) {
		text, _ := normalize(new([]byte), p.text, querySet, normalForm)
		s.raw, s.pairs = append(s.raw, p.text), append(s.pairs, pairOf(text, 0))
	})
	for i, p := range s.pairs {
		if _, isThere := s.named[string(p.name)]; isThere {
			i = -1
		}
		s.named[string(p.name)] = i
	}
	return s
}

// fill returns the text that a template makes of the URL, and whether it matches and changes it.
func (s *subject) fill(t *template) (text []byte, ok bool) {
	values, taken := make([][]byte, len(t.names)), make([]bool, len(s.pairs))
	if t.origin != "" && t.origin != s.u.origin() || !s.matchPath(t, values) || !s.matchQuery(t, values, taken) {
		return nil, false
	}
	origin := cmp.Or(t.toOrigin, s.u.origin())
	path := t.toPath.fill(func(i int) []byte { return carry(values[i], t.inQuery[i], false) })
	query := t.toQuery.fill(func(i int) []byte { return carry(values[i], t.inQuery[i], true) })
	for i, pair := range s.raw {
		if !taken[i] {
			query = append(append(query, '&'), pair...)
		}
	}
	query = bytes.TrimPrefix(query, []byte{'&'})
	unchanged := bytes.Equal(s.text(s.u.origin(), s.u.path, s.u.query, true), s.text(origin, path, query, true))
	return s.text(origin, path, query, false), !unchanged && !hasDots(path)
}

// matchPath finds the captures of the path.
func (s *subject) matchPath(t *template, values [][]byte) bool {
	segment, rest, more := cut(s.path, '/')
	for i := range t.segments {
		if i > 0 {
			if !more {
				return false
			}
			segment, rest, more = cut(rest, '/')
		}
		if !t.segments[i].match(segment, values) {
			return false
		}
	}
	return !more
}

// matchQuery finds the captures of the query, and marks the pairs of From as taken.
func (s *subject) matchQuery(t *template, values [][]byte, taken []bool) bool {
	for _, w := range t.params {
		i, isThere := s.named[string(w.name)]
		if !isThere || i < 0 {
			return false
		}
		switch p := s.pairs[i]; {
		case w.capture < 0 && !bytes.Equal(p.text, w.text), w.capture >= 0 && len(p.value) == 0:
			return false
		case w.capture >= 0:
			values[w.capture] = p.value
		}
		taken[i] = true
	}
	return true
}

// text returns the URL with another origin, path and query, trimmed without slashes at the end of its path.
func (s *subject) text(origin string, path, query []byte, trimmed bool) []byte {
	if trimmed {
		path = bytes.TrimRight(path, "/")
	}
	text := append([]byte(origin), path...)
	if len(query) > 0 {
		text = append(append(text, '?'), query...)
	}
	if s.u.hasFragment {
		text = append(append(text, '#'), s.u.fragment...)
	}
	return text
}

// fill returns the text of the pattern with its captures replaced.
func (p *pattern) fill(value func(capture int) []byte) []byte {
	text := bytes.Clone(p.texts[0])
	for i, capture := range p.captures {
		text = append(append(text, value(capture)...), p.texts[i+1]...)
	}
	return text
}

// Characters that mean something else in the path than in a value of the query, and the other way round.
var (
	intoPath  = strings.NewReplacer("/", "%2F", "?", "%3F", ";", "%3B", "+", "%20")
	intoQuery = strings.NewReplacer("&", "%26", ";", "%3B", "+", "%2B")
)

// carry returns a captured text for its new place, in which it has the same meaning.
func carry(value []byte, wasInQuery, toQuery bool) []byte {
	switch {
	case wasInQuery == toQuery:
		return value
	case toQuery:
		return []byte(intoQuery.Replace(string(value)))
	}
	return []byte(intoPath.Replace(string(value)))
}

// hasDots reports whether a segment of the path is "." or "..".
func hasDots(path []byte) (found bool) {
	segments(path, func(segment []byte) {
		found = found || string(segment) == "." || string(segment) == ".."
	})
	return found
}

// acceptFlags removes the flags that the overrides accept.
func (j *judge) acceptFlags() {
	for _, rule := range j.rules {
		for _, c := range rule.accept.Codes() {
			if j.flags.Has(c) {
				j.unflag(c)
				j.note("%s is accepted by the override for %s", c, rule.Match.Host)
			}
		}
	}
}
