package dialog

import (
	"cmp"
	"slices"
	"strings"

	"visto/canon"
	"visto/ui/widget"
)

// textField adds a field for the text of a JSON key.
func (f *Form) textField(key, label, hint, value string, set setter) *field {
	fd := &field{key: key, label: label, hint: hint, set: set, in: widget.NewInput(value)}
	f.fields = append(f.fields, fd)
	return fd
}

// choiceField adds a field for one of several values of a JSON key, the first of which stands for none.
func (f *Form) choiceField(key, label, hint, value string, set setter, options ...string) {
	chosen := max(0, slices.Index(options, value))
	f.fields = append(f.fields, &field{key: key, label: label, hint: hint, set: set, options: options, chosen: chosen})
}

// listField adds a field for the names of a JSON key, without those that have a field of their own.
func (f *Form) listField(key, label, hint string, rule canon.Override, own []string, in nameList) {
	names := slices.DeleteFunc(slices.Clone(*in(&rule)), func(s string) bool { return slices.Contains(own, s) })
	f.textField(key, label, hint, strings.Join(names, ", "), func(o *canon.Override, value string) {
		list := strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
		*in(o) = append(*in(o), list...)
	})
}

// nameList selects a list of names of a rule.
type nameList func(o *canon.Override) *[]string

// pairFields adds two fields for the prefixes of a JSON key. set stores the pair, unless both are empty.
func (f *Form) pairFields(key, from, to, hint string, pair canon.Prefixes, set func(*canon.Override, canon.Prefixes)) {
	first := f.textField(key, from, hint, pair.From, func(*canon.Override, string) {})
	f.textField(key, to, hint, pair.To, func(o *canon.Override, value string) {
		if p := (canon.Prefixes{From: first.value(), To: value}); p != (canon.Prefixes{}) {
			set(o, p)
		}
	})
}

// params adds a choice for each unknown parameter: keep or drop. The default is undecided.
func (f *Form) params(names []string, rule canon.Override) {
	for _, name := range names {
		value := ""
		switch {
		case slices.Contains(rule.KeepQueryParams, name):
			value = "keep"
		case slices.Contains(rule.DropQueryParams, name):
			value = "drop"
		}
		f.choiceField("", paramLabel(name), "keep: the page is another one without it; drop: it is not", value,
			func(o *canon.Override, value string) {
				switch value {
				case "keep":
					o.KeepQueryParams = append(o.KeepQueryParams, name)
				case "drop":
					o.DropQueryParams = append(o.DropQueryParams, name)
				}
			}, "undecided", "keep", "drop")
	}
}

// ownFields adds the fields that only this URL has: its unknown parameters, and its flags to accept.
func (f *Form) ownFields(s Suggestion, rule canon.Override) {
	f.params(s.Params, rule)
	for _, c := range s.Flags {
		if c != canon.UnknownParam {
			f.acceptField(c.String(), rule)
		}
	}
}

// settling returns the field that settles the first flag of the URL; without a flag its first parameter or the host.
func (f *Form) settling() int {
	flag := canon.UnknownParam
	if len(f.from.Flags) > 0 {
		flag = f.from.Flags[0]
	}
	label := flag.String()
	switch {
	case flag == canon.UnknownParam && len(f.from.Params) > 0:
		label = paramLabel(f.from.Params[0])
	case flag == canon.HTTPOnly:
		label = schemeLabel
	case flag == canon.TrailingSlash:
		label = slashLabel
	case flag == canon.NoSpanish:
		label = languageLabel
	}
	return max(0, slices.IndexFunc(f.fields, func(fd *field) bool { return fd.label == label }))
}

// The labels of fields that settle a flag.
const (
	schemeLabel   = "scheme"
	slashLabel    = "trailing slash"
	languageLabel = "other language"
)

func paramLabel(name string) string { return "parameter " + name }

func (f *Form) acceptField(code string, rule canon.Override) {
	value := ""
	if slices.Contains(rule.Accept, code) {
		value = "accept"
	}
	f.choiceField("", code, "accept: the flag is fine here and is raised no more", value,
		func(o *canon.Override, value string) {
			if value != "" {
				o.Accept = append(o.Accept, code)
			}
		}, "leave", "accept")
}

func (f *Form) schemeField(rule canon.Override) {
	f.choiceField("scheme", schemeLabel, "http: the host has no HTTPS", rule.Scheme,
		func(o *canon.Override, value string) { o.Scheme = value }, "https", "http")
}

func (f *Form) slashField(rule canon.Override) {
	f.choiceField("trailing_slash", slashLabel, "keep: a slash that came stays", rule.TrailingSlash,
		func(o *canon.Override, value string) { o.TrailingSlash = value }, "remove", "keep")
}

// spanishFields adds a path prefix in another language and the Spanish one that replaces it. They start with the
// prefixes of the rule, else with the guess.
func (f *Form) spanishFields(s Suggestion, rule canon.Override) {
	pair := *cmp.Or(rule.Spanish, &s.Spanish)
	hint := "such as /ca/ and /es/: the beginning of a path in the other language, and in Spanish"
	f.pairFields("spanish", languageLabel, "Spanish", hint, pair,
		func(o *canon.Override, p canon.Prefixes) { o.Spanish = &p })
}

// matchFields adds the host, the path prefix and the field of files that the rule matches.
func (f *Form) matchFields(rule canon.Override) {
	f.textField("match", "host", "this host alone, or *.gencat.cat for all below one, or * with a path prefix",
		rule.Match.Host, func(o *canon.Override, value string) { o.Match.Host = value })
	f.textField("match.path_prefix", "path prefix", "empty: the whole host; /sta: only /sta and paths below it",
		rule.Match.PathPrefix, func(o *canon.Override, value string) { o.Match.PathPrefix = value })
	f.textField("match.field", "cited in field",
		"such as portal_url: URLs that files cite in it alone; the rule can only accept flags",
		rule.Match.Field, func(o *canon.Override, value string) { o.Match.Field = value })
}

// rest adds the fields that every rule has.
func (f *Form) rest(s Suggestion, rule canon.Override) {
	f.schemeField(rule)
	f.slashField(rule)
	f.spanishFields(s, rule)
	f.textField("canonical_host", "canonical host", "the host that stands for this one", rule.CanonicalHost,
		func(o *canon.Override, value string) { o.CanonicalHost = value })
	const names = "names with commas; * at the end for all that begin so"
	f.listField("drop_query_params", "drop parameters", names, rule, s.Params,
		func(o *canon.Override) *[]string { return &o.DropQueryParams })
	f.listField("keep_query_params", "keep parameters", names, rule, s.Params,
		func(o *canon.Override) *[]string { return &o.KeepQueryParams })
	f.listField("pagination_params", "page parameters", "names with commas: parameters that number the pages of a list",
		rule, nil, func(o *canon.Override) *[]string { return &o.PaginationParams })
	f.listField("not_pagination_params", "no page parameters", "names with commas: parameters that look so but do not",
		rule, nil, func(o *canon.Override) *[]string { return &o.NotPaginationParams })
	f.listField("accept", "accept flags", "codes with commas, such as home-page, section-page", rule,
		flagNames(s.Flags), func(o *canon.Override) *[]string { return &o.Accept })
	f.rewriteFields(rule)
	f.textField("note", "note", "why, for those who come after", rule.Note,
		func(o *canon.Override, value string) { o.Note = value })
}

func flagNames(codes []canon.Code) []string {
	var list []string
	for _, c := range codes {
		list = append(list, c.String())
	}
	return list
}

func (f *Form) rewriteFields(rule canon.Override) {
	var before canon.Rewrite
	if len(rule.RewriteRules) > 0 {
		before = rule.RewriteRules[0]
	}
	var pair canon.Prefixes
	pair.From, pair.To = before.Texts()
	hint := "URLs that begin so, or with captures whole ones: /story?id={x}"
	f.pairFields("rewrite_rules", "rewrite from", "rewrite to", hint, pair,
		func(o *canon.Override, p canon.Prefixes) {
			after := canon.NewRewrite(p.From, p.To)
			if p == pair { // it keeps its form: braces are literal in prefixes
				after = before
			}
			o.RewriteRules = []canon.Rewrite{after}
		})
}
