package canon

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// document is a policy as a file says it. The names of the keys are Clara's own where she has one, so that her
// canonical_rules.yaml loads as it is; what that file says for people (rules, link_type_classification, edge_cases) is
// taken as text or passed over, and its pipeline_order must be ours. Her allowlist.yaml (default_action,
// auto_allow_rules, tier_…) gives the allowlist.
type document struct {
	Name        string `yaml:"name"`
	Version     string `yaml:"version"`
	Description string `yaml:"description,omitempty"`
	Extends     string `yaml:"extends,omitempty"` // a built-in policy, or "nothing"

	Scheme    string `yaml:"scheme"`     // see schemes
	MaxLength int    `yaml:"max_length"` // bytes; a URL this long or longer is rejected
	MaxHops   int    `yaml:"max_hops"`   // redirects; more than that is flagged
	Redirects string `yaml:"redirects"`  // "follow" the recorded ones, or "ignore" them

	CanonicalHost string `yaml:"canonical_host,omitempty"`  // the one host that every URL gets
	PublicBaseURL string `yaml:"public_base_url,omitempty"` // its scheme, where scheme is "base", and the path that routes must have
	WWW           string `yaml:"www"`                       // "map": www_mappings and evidence; "strip", "add", "keep"

	Encoding      string `yaml:"percent_encoding"` // "normal" form; "keep": only what may not stand in a URL is encoded
	DotSegments   bool   `yaml:"resolve_dot_segments"`
	Collapse      bool   `yaml:"collapse_duplicate_slashes"`
	LowerPaths    bool   `yaml:"lowercase_paths"`
	RemoveIndex   bool   `yaml:"remove_index_pages"` // a last segment that is one of index_pages
	TrailingSlash string `yaml:"trailing_slash"`     // see slashes
	Fragment      string `yaml:"fragment"`           // "drop" and note, or "keep"

	Allowed      []string          `yaml:"allowed_query_params"` // only these stay; empty: all
	Defaults     map[string]string `yaml:"default_values"`       // parameters that say nothing when they have this value
	EmptyQuery   string            `yaml:"empty_query"`          // "drop" or "keep"
	Sort         string            `yaml:"sort_query"`           // "none", "key", "key-value"
	EscapeValues bool              `yaml:"escape_query_values"`  // reserved characters in values are encoded

	NeedsHost   bool `yaml:"needs_canonical_host"`
	IPNames     bool `yaml:"ip_to_name"` // an address gets the name that the evidence knows for it
	FlagUnknown bool `yaml:"flag_unknown_params"`
	Classify    bool `yaml:"classify"` // tell informative pages from section and home pages

	Tracking        []string `yaml:"tracking_params_strip"`
	Preserve        []string `yaml:"content_params_preserve"`
	Session         []string `yaml:"session_params_strip"`
	SessionRegex    string   `yaml:"session_params_regex"` // without regard to case
	SessionSegments bool     `yaml:"session_segments"`     // strip ASP.NET's "(S(…))" segments
	Identifier      []string `yaml:"identifier_params"`
	Pagination      []string `yaml:"pagination_params"`
	LanguageParams  []string `yaml:"language_params"`

	Languages map[string][]string `yaml:"languages"`
	Leading   []string            `yaml:"leading_languages"`
	Domains   map[string]string   `yaml:"www_mappings"`

	Shorteners []string          `yaml:"shorteners"`
	IndexPages []string          `yaml:"index_pages"`
	Extensions []string          `yaml:"document_extensions"`
	Terms      []string          `yaml:"procedure_terms"`
	Allowlist  []string          `yaml:"allowlist"`            // empty: every host
	RuleTexts  map[string]string `yaml:"rule_texts"`           // by step, in a sentence or two
	Guidelines map[string]string `yaml:"guidelines,omitempty"` // by step, the rule whole
}

// schemes are what a policy can do about the scheme: force https; force http (seed 002, "Limiting protocols"); https where
// the evidence says that the host has it (seed 003, step 7); the scheme of public_base_url (seed 004, step 1); or nothing.
var schemes = []string{"https", "http", "known-https", "base", "keep"}

// slashes are what a policy can do about the slash at the end of a path: none, not even of a bare root; none but the
// root's; always one; as it came. All but the first give the root its slash (RFC 3986 section 6.2.3).
var slashes = []string{"never", "never-but-root", "always", "preserve"}

// keys is the table of what may stand at the top of a policy file.
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

	// Clara's own documents.
	"pipeline_order":           checkOrder,
	"rules":                    (*document).readRules,
	"generated_at":             passOver,
	"link_type_classification": passOver,
	"edge_cases":               passOver,
	"default_action":           checkAction,
	"domain_review_process":    passOver,
}

// overlay puts what the file says over d.
func (d *document) overlay(f PolicyFile) error {
	var root, second yaml.Node
	in := yaml.NewDecoder(bytes.NewReader(f.Data))
	if err := in.Decode(&root); err == io.EOF {
		return fmt.Errorf("%s: the policy file is empty", f.Name)
	} else if err != nil {
		return syntaxError(f.Name, err)
	}
	if err := in.Decode(&second); err == nil {
		return fmt.Errorf("%s:%d: a second document begins here; a policy file has one", f.Name, second.Line)
	} else if err != io.EOF {
		return syntaxError(f.Name, err)
	}
	top := root.Content[0]
	if top.Kind != yaml.MappingNode {
		return fmt.Errorf("%s:%d: a policy file is a mapping of keys to values", f.Name, top.Line)
	}
	var seen []string
	var tiers allowlistFile
	for i := 0; i+1 < len(top.Content); i += 2 {
		key, value := top.Content[i], top.Content[i+1]
		if slices.Contains(seen, key.Value) {
			return keyError(f.Name, key, key.Value, errors.New("it is there twice"))
		}
		seen = append(seen, key.Value)
		if err := d.read(key.Value, value, &tiers); err != nil {
			return keyError(f.Name, value, key.Value, err)
		}
	}
	if list := tiers.list(); list != nil {
		d.Allowlist = list
	}
	return nil
}

func (d *document) read(key string, value *yaml.Node, tiers *allowlistFile) error {
	if read, ok := keys[key]; ok {
		return read(d, value)
	}
	if key == "auto_allow_rules" || strings.HasPrefix(key, "tier_") {
		return tiers.read(key, value)
	}
	return errors.New("unknown key")
}

// keyError names file, line and key; a lineError names its own line.
func keyError(file string, at *yaml.Node, key string, err error) error {
	line := at.Line
	var inner *lineError
	if errors.As(err, &inner) {
		line = inner.line
	}
	return fmt.Errorf("%s:%d: %s: %w", file, line, key, err)
}

// lineError is an error at a line of its own within the value of a key.
type lineError struct {
	line int
	text string
}

func (e *lineError) Error() string { return e.text }

func at(n *yaml.Node, format string, args ...any) error {
	return &lineError{n.Line, fmt.Sprintf(format, args...)}
}

// syntaxPlace is where the library says the line of a syntax error. It leaves out the first.
var syntaxPlace = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

func syntaxError(file string, err error) error {
	said := syntaxPlace.FindStringSubmatch(err.Error())
	if said == nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return fmt.Errorf("%s:%s: %s", file, cmp.Or(said[1], "1"), err.Error()[len(said[0]):])
}

// decodeNode decodes a node and says in plain words what is wrong with it.
func decodeNode(n *yaml.Node, v any) error {
	if err := n.Decode(v); err != nil {
		return at(n, "the value is not of the right kind")
	}
	return nil
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

// names reads a list of texts; a "*" may stand at the end of one only.
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

// hosts reads a list of host names; "*." may stand before one.
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

// choice reads one of a few words.
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

// readBase reads public_base_url, which may have a path, and nothing behind it.
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

// stepTexts reads a text for each of some steps.
func stepTexts(field func(*document) *map[string]string) func(*document, *yaml.Node) error {
	return func(d *document, n *yaml.Node) error {
		texts := map[string]string{}
		*field(d) = texts
		return eachKey(n, func(key, value *yaml.Node) error {
			if stepNamed(key.Value) == nil {
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

// marshal writes the document with every key in its place, so that equal documents have equal bytes.
func (d *document) marshal() []byte {
	out, err := yaml.Marshal(d)
	if err != nil {
		panic(err) // a struct of texts, numbers, lists and maps
	}
	return out
}
