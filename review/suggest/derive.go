package suggest

import (
	"slices"
	"strings"
)

// derive returns the templates that make b of a, each the smallest difference of its kind. There is none for URLs with
// two differences, such as another host and another path.
func derive(a, b address) []Template {
	list := slices.Concat(paramTemplates(a, b), otherTemplates(a, b), lastTemplates(a, b))
	return made(list, a, b)
}

// made returns the templates that make b of a.
func made(list []Template, a, b address) []Template {
	return slices.DeleteFunc(list, func(t Template) bool {
		to, ok := t.apply(a)
		return !ok || to.String() != b.String()
	})
}

// deriveBoth returns the templates that make one URL of two of the same page. Neither of them is known to be the better
// one, so templates lead both ways; none adds a segment.
func deriveBoth(a, b address) []Template {
	list := paramTemplates(a, b)
	list = slices.DeleteFunc(list, func(t Template) bool {
		x, _ := t.apply(a)
		y, _ := t.apply(b)
		return x.String() != y.String()
	})
	list = append(list, made(lastTemplates(a, b), a, b)...)
	list = append(list, made(lastTemplates(b, a), b, a)...)
	for _, t := range append(otherTemplates(a, b), otherTemplates(b, a)...) {
		if len(t.To) <= len(t.From) || t.Kind != AddSegment && t.Kind != LanguagePrefix {
			list = append(list, t)
		}
	}
	return list
}

// paramTemplates returns the template of two URLs that differ in parameters only.
func paramTemplates(a, b address) []Template {
	if a.origin != b.origin || a.host != b.host || !slices.Equal(a.segments, b.segments) {
		return nil
	}
	texts := func(u address, name string) (list []string) {
		for _, p := range u.params {
			if p.name == name {
				list = append(list, p.text)
			}
		}
		return list
	}
	var same, differ []string
	names := append(a.names(), b.names()...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		switch {
		case !nameable(name):
			return nil
		case slices.Equal(texts(a, name), texts(b, name)):
			same = append(same, name)
		default:
			differ = append(differ, name)
		}
	}
	switch len(differ) {
	case 0:
		return nil
	case 1:
		return []Template{{Kind: DropParam, Host: a.host, Params: differ[0]}}
	}
	return []Template{{Kind: KeepParams, Host: a.host, Params: strings.Join(same, "&")}}
}

// nameable reports whether an override can name a parameter.
func nameable(name string) bool { return name != "" && !strings.ContainsAny(name, "*&") }

// otherTemplates returns the template of two URLs that differ in the host only, or in a part of the path before its
// last segment.
func otherTemplates(a, b address) []Template {
	if a.origin != b.origin || !slices.Equal(a.params, b.params) {
		return nil
	}
	if a.host != b.host {
		if !slices.Equal(a.segments, b.segments) {
			return nil
		}
		return []Template{{Kind: HostAlias, Host: a.host, To: b.host}}
	}
	if a.origin != https {
		return nil
	}
	t, ok := prefixTemplate(a.segments, b.segments)
	if !ok {
		return nil
	}
	t.Host = a.host
	return []Template{t}
}

// prefixTemplate returns the template of two paths. before and after are the numbers of segments that both have.
func prefixTemplate(a, b []string) (t Template, ok bool) {
	before, after := 0, 0
	for before < min(len(a), len(b)) && a[before] == b[before] {
		before++
	}
	for after < min(len(a), len(b))-before && a[len(a)-1-after] == b[len(b)-1-after] {
		after++
	}
	from, to := a[before:len(a)-after], b[before:len(b)-after]
	if after == 0 {
		return t, false
	}
	end := before
	switch {
	case len(from) == 1 && len(to) == 0:
		t.Kind = DropSegment
	case len(from) == 0 && len(to) == 1 && after > 1:
		t.Kind, end = AddSegment, before+1 // with the next segment, or the rewrite would apply again and again
	case len(from) == 1 && len(to) == 1:
		t.Kind = ReplaceSegment
	case len(from) != len(to):
		return t, false
	}
	if len(from) == len(to) && slices.EqualFunc(from, to, strings.EqualFold) {
		t.Kind = PathCase
	}
	if len(from) <= 1 && !slices.ContainsFunc(slices.Concat(from, to), func(s string) bool { return !isLanguage(s) }) {
		t.Kind = LanguagePrefix
	}
	t.From, t.To = joined(a[:end+len(from)]), joined(b[:end+len(to)])
	return t, t.Kind != 0 && t.From != t.To
}
