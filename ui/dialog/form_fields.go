package dialog

import (
	"slices"
	"strings"

	"visto/canon"
)

// add adds a field for a JSON key. build writes its value into the rule.
func (f *Form) add(key string, fd *field, build func(o *canon.Override, f *field)) {
	fd.key = key
	f.fields = append(f.fields, fd)
	f.build = append(f.build, build)
}

// params adds a choice for each unknown parameter: keep or drop. The default is undecided.
func (f *Form) params(names []string, rule canon.Override) {
	for _, name := range names {
		chosen := 0
		switch {
		case slices.Contains(rule.KeepQueryParams, name):
			chosen = 1
		case slices.Contains(rule.DropQueryParams, name):
			chosen = 2
		}
		fd := choiceField("parameter "+name, "keep: the page is another one without it; drop: it is not", chosen,
			option{"undecided", ""}, option{"keep", "keep"}, option{"drop", "drop"})
		f.add("", fd, func(o *canon.Override, fd *field) {
			switch fd.value() {
			case "keep":
				o.KeepQueryParams = append(o.KeepQueryParams, name)
			case "drop":
				o.DropQueryParams = append(o.DropQueryParams, name)
			}
		})
	}
}

// flagFields adds the fields that settle the flags of the URL.
func (f *Form) flagFields(s Suggestion, rule canon.Override) {
	for _, c := range s.Flags {
		switch c {
		case canon.UnknownParam:
			continue
		case canon.HTTPOnly:
			f.schemeField(rule)
		case canon.NoSpanish:
			f.spanishFields(s, rule)
		case canon.TrailingSlash:
			f.slashField(rule)
		}
		f.acceptField(c, slices.Contains(rule.Accept, c.String()))
	}
}

func (f *Form) acceptField(c canon.Code, on bool) {
	fd := choiceField(c.String(), "accept: the flag is fine on this host and is raised no more", index(on),
		option{"leave", ""}, option{"accept", c.String()})
	f.add("", fd, func(o *canon.Override, fd *field) {
		if v := fd.value(); v != "" {
			o.Accept = append(o.Accept, v)
		}
	})
}

func index(second bool) int {
	if second {
		return 1
	}
	return 0
}

func (f *Form) schemeField(rule canon.Override) {
	fd := choiceField("scheme", "http: the host has no HTTPS", index(rule.Scheme == "http"),
		option{"https", ""}, option{"http", "http"})
	f.add("scheme", fd, func(o *canon.Override, fd *field) { o.Scheme = fd.value() })
}

func (f *Form) slashField(rule canon.Override) {
	fd := choiceField("trailing slash", "keep: a slash that came stays", index(rule.TrailingSlash == "keep"),
		option{"remove", ""}, option{"keep", "keep"})
	f.add("trailing_slash", fd, func(o *canon.Override, fd *field) { o.TrailingSlash = fd.value() })
}

// spanishFields adds a path prefix in another language and the Spanish one that replaces it. They start with the
// prefixes of the rule, else with the guess.
func (f *Form) spanishFields(s Suggestion, rule canon.Override) {
	pair := s.Spanish
	if rule.Spanish != nil {
		pair = *rule.Spanish
	}
	hint := "such as /ca/ and /es/: what a path begins with in the other language, and in Spanish"
	f.pairFields("spanish", "other language", "Spanish", hint, pair,
		func(o *canon.Override, p canon.Prefixes) { o.Spanish = &p })
}

// pairFields adds two fields for the prefixes of a JSON key. set stores the pair, unless both are empty.
func (f *Form) pairFields(
	key, from, to, hint string, pair canon.Prefixes, set func(o *canon.Override, p canon.Prefixes),
) {
	first := textField(from, pair.From, hint)
	f.add(key, first, func(*canon.Override, *field) {})
	f.add(key, textField(to, pair.To, hint), func(o *canon.Override, fd *field) {
		if p := (canon.Prefixes{From: first.value(), To: fd.value()}); p != (canon.Prefixes{}) {
			set(o, p)
		}
	})
}

// matchFields adds the host and the path prefix that the rule matches.
func (f *Form) matchFields(rule canon.Override) {
	hint := "this host alone, or *.gencat.cat for all below one, or * with a path prefix"
	f.add("match", textField("host", rule.Match.Host, hint),
		func(o *canon.Override, fd *field) { o.Match.Host = fd.value() })
	hint = "empty: the whole host; /sta: only /sta and what is below it"
	f.add("match.path_prefix", textField("path prefix", rule.Match.PathPrefix, hint),
		func(o *canon.Override, fd *field) { o.Match.PathPrefix = fd.value() })
}

// rest adds the fields for the other parts of an override.
func (f *Form) rest(s Suggestion, rule canon.Override) {
	has := func(c canon.Code) bool { return slices.Contains(s.Flags, c) }
	const names = "names with commas; * at the end for all that begin so"
	f.listField("drop_query_params", "drop parameters", without(rule.DropQueryParams, s.Params), names,
		func(o *canon.Override) *[]string { return &o.DropQueryParams })
	f.listField("keep_query_params", "keep parameters", without(rule.KeepQueryParams, s.Params), names,
		func(o *canon.Override) *[]string { return &o.KeepQueryParams })
	f.listField("pagination_params", "page parameters", rule.PaginationParams,
		"names with commas: parameters that number the pages of a list",
		func(o *canon.Override) *[]string { return &o.PaginationParams })
	f.listField("not_pagination_params", "no page parameters", rule.NotPaginationParams,
		"names with commas: parameters that look so but do not",
		func(o *canon.Override) *[]string { return &o.NotPaginationParams })
	f.listField("accept", "accept flags", without(rule.Accept, flagNames(s.Flags)),
		"codes with commas, such as home-page, section-page",
		func(o *canon.Override) *[]string { return &o.Accept })
	if !has(canon.HTTPOnly) {
		f.schemeField(rule)
	}
	if !has(canon.TrailingSlash) {
		f.slashField(rule)
	}
	f.add("canonical_host", textField("canonical host", rule.CanonicalHost, "the host that stands for this one"),
		func(o *canon.Override, fd *field) { o.CanonicalHost = fd.value() })
	if !has(canon.NoSpanish) {
		f.spanishFields(s, rule)
	}
	f.rewriteFields(rule)
	f.add("note", textField("note", rule.Note, "why, for those who come after"),
		func(o *canon.Override, fd *field) { o.Note = fd.value() })
}

func flagNames(codes []canon.Code) []string {
	var list []string
	for _, c := range codes {
		list = append(list, c.String())
	}
	return list
}

// without returns the list without the values that have a field of their own.
func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(others, s) })
}

// listField adds a field for the list of names that in selects.
func (f *Form) listField(key, label string, value []string, hint string, in func(*canon.Override) *[]string) {
	f.add(key, textField(label, strings.Join(value, ", "), hint), func(o *canon.Override, fd *field) {
		*in(o) = append(*in(o), fd.list()...)
	})
}

func (f *Form) rewriteFields(rule canon.Override) {
	var pair canon.Prefixes
	if len(rule.RewriteRules) > 0 {
		pair = rule.RewriteRules[0]
	}
	hint := "whole URLs that begin with the first begin with the second instead"
	f.pairFields("rewrite_rules", "rewrite from", "rewrite to", hint, pair,
		func(o *canon.Override, p canon.Prefixes) { o.RewriteRules = []canon.Prefixes{p} })
}
