package canon

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// keys holds the reader of each top-level key of a policy file.
var keys = map[string]func(*document, *yaml.Node) error{
	"name":             text(func(d *document) *string { return &d.Name }),
	"version":          text(func(d *document) *string { return &d.Version }),
	"description":      text(func(d *document) *string { return &d.Description }),
	"extends":          (*document).readExtends,
	"scheme":           choice(func(d *document) *string { return &d.Scheme }, schemes...),
	"max_length":       number(func(d *document) *int { return &d.MaxLength }),
	"max_hops":         number(func(d *document) *int { return &d.MaxHops }),
	"redirects":        choice(func(d *document) *string { return &d.Redirects }, "follow", "ignore"),
	"canonical_host":   (*document).readHost,
	"public_base_url":  (*document).readBase,
	"www":              choice(func(d *document) *string { return &d.WWW }, "map", "strip", "add", "keep"),
	"percent_encoding": choice(func(d *document) *string { return &d.Encoding }, "normal", "keep"),
	"trailing_slash":   choice(func(d *document) *string { return &d.TrailingSlash }, slashes...),
	"fragment":         choice(func(d *document) *string { return &d.Fragment }, "drop", "keep"),
	"empty_query":      choice(func(d *document) *string { return &d.EmptyQuery }, "drop", "keep"),
	"sort_query":       choice(func(d *document) *string { return &d.Sort }, "none", "key", "key-value"),

	"resolve_dot_segments":       truth(func(d *document) *bool { return &d.DotSegments }),
	"collapse_duplicate_slashes": truth(func(d *document) *bool { return &d.Collapse }),
	"lowercase_paths":            truth(func(d *document) *bool { return &d.LowerPaths }),
	"remove_index_pages":         truth(func(d *document) *bool { return &d.RemoveIndex }),
	"escape_query_values":        truth(func(d *document) *bool { return &d.EscapeValues }),
	"needs_canonical_host":       truth(func(d *document) *bool { return &d.NeedsHost }),
	"ip_to_name":                 truth(func(d *document) *bool { return &d.IPNames }),
	"flag_unknown_params":        truth(func(d *document) *bool { return &d.FlagUnknown }),
	"classify":                   truth(func(d *document) *bool { return &d.Classify }),
	"session_segments":           truth(func(d *document) *bool { return &d.SessionSegments }),

	"allowed_query_params":    names(func(d *document) *[]string { return &d.Allowed }),
	"default_values":          (*document).readDefaults,
	"tracking_params_strip":   names(func(d *document) *[]string { return &d.Tracking }),
	"content_params_preserve": names(func(d *document) *[]string { return &d.Preserve }),
	"session_params_strip":    names(func(d *document) *[]string { return &d.Session }),
	"session_params_regex":    (*document).readRegex,
	"identifier_params":       names(func(d *document) *[]string { return &d.Identifier }),
	"pagination_params":       names(func(d *document) *[]string { return &d.Pagination }),
	"language_params":         names(func(d *document) *[]string { return &d.LanguageParams }),
	"languages":               (*document).readLanguages,
	"leading_languages":       names(func(d *document) *[]string { return &d.Leading }),
	"www_mappings":            (*document).readDomains,
	"shorteners":              hosts(func(d *document) *[]string { return &d.Shorteners }),
	"index_pages":             names(func(d *document) *[]string { return &d.IndexPages }),
	"document_extensions":     names(func(d *document) *[]string { return &d.Extensions }),
	"procedure_terms":         names(func(d *document) *[]string { return &d.Terms }),
	"allowlist":               hosts(func(d *document) *[]string { return &d.Allowlist }),
	"rule_texts":              stepTexts(func(d *document) *map[string]string { return &d.RuleTexts }),
	"guidelines":              stepTexts(func(d *document) *map[string]string { return &d.Guidelines }),

	// Keys of Clara's own documents.
	"pipeline_order":           checkOrder,
	"rules":                    (*document).readRules,
	"generated_at":             passOver,
	"link_type_classification": passOver,
	"edge_cases":               passOver,
	"default_action":           checkAction,
	"domain_review_process":    passOver,
}

func text(field func(*document) *string) func(*document, *yaml.Node) error {
	return func(d *document, n *yaml.Node) error {
		if n.Kind != yaml.ScalarNode || n.Value == "" {
			return at(n, "a text is wanted")
		}
		*field(d) = n.Value
		return nil
	}
}

func number(field func(*document) *int) func(*document, *yaml.Node) error {
	return func(d *document, n *yaml.Node) error {
		var v int
		if err := n.Decode(&v); err != nil || v < 1 {
			return at(n, "a number above 0 is wanted, not %q", n.Value)
		}
		*field(d) = v
		return nil
	}
}

// names reads a list of texts. A "*" may only stand at the end of one.
func names(field func(*document) *[]string) func(*document, *yaml.Node) error {
	return func(d *document, n *yaml.Node) error {
		list, err := textList(n)
		if err != nil {
			return err
		}
		for i, name := range list {
			if star := strings.IndexByte(name, '*'); star == 0 || star > 0 && star != len(name)-1 {
				return at(n.Content[i], "bad pattern %q: a * may stand at the end of a name only", name)
			}
		}
		*field(d) = list
		return nil
	}
}

// hosts reads a list of host names. One may begin with "*.".
func hosts(field func(*document) *[]string) func(*document, *yaml.Node) error {
	return func(d *document, n *yaml.Node) error {
		list, err := textList(n)
		if err != nil {
			return err
		}
		for i, pattern := range list {
			if list[i], err = hostPattern(n.Content[i], pattern); err != nil {
				return err
			}
		}
		*field(d) = list
		return nil
	}
}

func hostPattern(n *yaml.Node, pattern string) (string, error) {
	name, isSuffix := strings.CutPrefix(pattern, "*.")
	if name == "" || strings.ContainsAny(name, "*/:") {
		return "", at(n, "bad pattern %q: a host name is wanted, or *. and one", pattern)
	}
	ascii, bad := asciiHost([]byte(name))
	if bad != nil {
		return "", at(n, "bad pattern %q: %s", pattern, bad.detail)
	}
	if isSuffix {
		return "*." + string(ascii), nil
	}
	return string(ascii), nil
}

func textList(n *yaml.Node) ([]string, error) {
	if n.Kind != yaml.SequenceNode {
		return nil, at(n, "a list is wanted")
	}
	list := make([]string, 0, len(n.Content))
	for _, e := range n.Content {
		if e.Kind != yaml.ScalarNode || e.Value == "" {
			return nil, at(e, "a list of texts is wanted")
		}
		list = append(list, e.Value)
	}
	return list, nil
}

// choice reads one of the given words.
func choice(field func(*document) *string, words ...string) func(*document, *yaml.Node) error {
	return func(d *document, n *yaml.Node) error {
		if n.Kind != yaml.ScalarNode || !slices.Contains(words, n.Value) {
			return at(n, "it is one of %s, not %q", strings.Join(words, ", "), n.Value)
		}
		*field(d) = n.Value
		return nil
	}
}

func truth(field func(*document) *bool) func(*document, *yaml.Node) error {
	return func(d *document, n *yaml.Node) error {
		if n.Tag != "!!bool" || n.Decode(field(d)) != nil {
			return at(n, "it is true or false, not %q", n.Value)
		}
		return nil
	}
}

func (d *document) readExtends(n *yaml.Node) error {
	if names := BuiltinNames(); n.Value != nothing && !slices.Contains(names, n.Value) {
		return at(n, "no built-in policy %q: there is %s; or %q", n.Value, strings.Join(names, ", "), nothing)
	}
	d.Extends = n.Value
	return nil
}

func (d *document) readHost(n *yaml.Node) error {
	host, err := hostPattern(n, n.Value)
	if err == nil && strings.HasPrefix(host, "*") {
		err = at(n, "a host name is wanted, not the pattern %q", host)
	}
	d.CanonicalHost = host
	return err
}

// readBase reads public_base_url, which has no query, fragment or credentials.
func (d *document) readBase(n *yaml.Node) error {
	a, credentials, bad := parse([]byte(trim(n.Value)))
	switch {
	case bad != nil:
		return at(n, "bad URL %q: %s", n.Value, bad.detail)
	case credentials || a.hasQuery || a.hasFragment:
		return at(n, "bad URL %q: scheme, host and path are all it may have", n.Value)
	}
	d.PublicBaseURL = n.Value
	return nil
}

func (d *document) readDefaults(n *yaml.Node) error {
	d.Defaults = map[string]string{}
	return eachKey(n, func(key, value *yaml.Node) error {
		if value.Kind != yaml.ScalarNode {
			return at(value, "a text is wanted")
		}
		d.Defaults[key.Value] = value.Value
		return nil
	})
}

func (d *document) readRegex(n *yaml.Node) error {
	if _, err := newSessionPattern(n.Value); n.Kind != yaml.ScalarNode || err != nil {
		return at(n, "bad pattern %q: %v", n.Value, err)
	}
	d.SessionRegex = n.Value
	return nil
}

func (d *document) readLanguages(n *yaml.Node) error {
	d.Languages = map[string][]string{}
	return eachKey(n, func(key, value *yaml.Node) (err error) {
		d.Languages[key.Value], err = textList(value)
		return err
	})
}

func (d *document) readDomains(n *yaml.Node) error {
	domains := map[string]string{}
	err := eachKey(n, func(key, value *yaml.Node) error {
		from, err := hostPattern(key, key.Value)
		if err != nil {
			return err
		}
		domains[from], err = hostPattern(value, value.Value)
		return err
	})
	if err != nil {
		return err
	}
	d.Domains = domains
	if _, err := closeMap(domains); err != nil {
		return at(n, "%v", err)
	}
	return nil
}

// stepTexts reads a mapping of step ids to texts.
func stepTexts(field func(*document) *map[string]string) func(*document, *yaml.Node) error {
	return func(d *document, n *yaml.Node) error {
		texts := map[string]string{}
		*field(d) = texts
		return eachKey(n, func(key, value *yaml.Node) error {
			if setOfStep(pipeline, key.Value) == 0 {
				return at(key, "there is no step %q", key.Value)
			}
			texts[key.Value] = value.Value
			return nil
		})
	}
}

func eachKey(n *yaml.Node, fn func(key, value *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return at(n, "a mapping is wanted")
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if err := fn(n.Content[i], n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func passOver(*document, *yaml.Node) error { return nil }
