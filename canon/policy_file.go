package canon

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v3"
)

// document is a policy in the form of its file. Keys that Clara's documents have carry her names, so that her
// canonical_rules.yaml loads unchanged. Its text for people (rules, link_type_classification, edge_cases) is stored as
// text or skipped, and its pipeline_order must be ours. Her allowlist.yaml (default_action, auto_allow_rules, tier_…)
// sets the allowlist, and her blocklist.yaml (categories, patterns) the blocklist.
//
// The text of a policy in force is stored, and its digest with each result. So a key that is newer than such texts is
// left out where it is not set (omitempty): the text and the digest of an older policy stay the same.
type document struct {
	Name        string `yaml:"name"`
	Version     string `yaml:"version"`
	Description string `yaml:"description,omitempty"`
	Extends     string `yaml:"extends,omitempty"` // a built-in policy, or "nothing"

	Scheme    string `yaml:"scheme"`     // see choices
	MaxLength int    `yaml:"max_length"` // bytes; a URL this long or longer is rejected
	MaxHops   int    `yaml:"max_hops"`   // redirects; a longer chain is flagged
	Redirects string `yaml:"redirects"`  // "follow" the recorded ones, or "ignore" them

	// CanonicalHost is the one host of every URL. With it or PublicBaseURL, text without a scheme is a path of the
	// site, unless it begins with the host of the site.
	CanonicalHost string `yaml:"canonical_host,omitempty"`
	PublicBaseURL string `yaml:"public_base_url,omitempty"` // path of all routes; with scheme "base" also their scheme
	WWW           string `yaml:"www"`                       // "map": www_mappings and evidence; "strip", "add", "keep"

	Encoding      string `yaml:"percent_encoding"` // "normal" form, or "keep" the spelling of escapes
	DotSegments   bool   `yaml:"resolve_dot_segments"`
	Collapse      bool   `yaml:"collapse_duplicate_slashes"`
	LowerPaths    bool   `yaml:"lowercase_paths"`
	RemoveIndex   bool   `yaml:"remove_index_pages"` // remove a last segment that is in index_pages
	TrailingSlash string `yaml:"trailing_slash"`     // see choices
	Fragment      string `yaml:"fragment"`           // "drop" and note, or "keep"

	Allowed      []string          `yaml:"allowed_query_params"`    // only these stay, in this case; empty: all
	Defaults     map[string]string `yaml:"default_values"`          // parameters that have no effect with this value
	EmptyQuery   string            `yaml:"empty_query"`             // "drop" or "keep"
	Sort         string            `yaml:"sort_query"`              // "none", "key", "key-value"
	PlusIsSpace  bool              `yaml:"plus_is_space,omitempty"` // write a "+" of a query as "%20"
	EscapeValues bool              `yaml:"escape_query_values"`     // encode reserved characters in values

	NeedsHost   bool `yaml:"needs_canonical_host"`
	IPNames     bool `yaml:"ip_to_name"` // replace an address by the name that the evidence has for it
	FlagUnknown bool `yaml:"flag_unknown_params"`
	FlagPasted  bool `yaml:"flag_pasted_text,omitempty"` // text copied along with the link, and damaged links
	Classify    bool `yaml:"classify"`                   // tell informative pages from section and home pages

	Tracking        []string `yaml:"tracking_params_strip"`
	Preserve        []string `yaml:"content_params_preserve"`
	Session         []string `yaml:"session_params_strip"`
	SessionRegex    string   `yaml:"session_params_regex"` // matched case-insensitively
	SessionSegments bool     `yaml:"session_segments"`     // strip ASP.NET's "(S(…))" segments
	Identifier      []string `yaml:"identifier_params"`
	Pagination      []string `yaml:"pagination_params"`
	LanguageParams  []string `yaml:"language_params"`

	// Secret names more parameters whose values are masked in words about a URL; the URL itself stays whole.
	Secret []string `yaml:"secret_params,omitempty"`

	Languages map[string][]string `yaml:"languages"`
	Leading   []string            `yaml:"leading_languages"`    // codes that count only as the first segment of a path
	PathWords []string            `yaml:"path_words,omitempty"` // segments of a path that are no language
	Domains   map[string]string   `yaml:"www_mappings"`

	Shorteners []string          `yaml:"shorteners"`
	IndexPages []string          `yaml:"index_pages"`
	Extensions []string          `yaml:"document_extensions"`
	Terms      []string          `yaml:"procedure_terms"`
	Allowlist  []string          `yaml:"allowlist"`           // empty: every host
	Blocklist  map[string]string `yaml:"blocklist,omitempty"` // the reason by host; stronger than the allowlist

	// ErrorPages are the patterns of error pages by kind; nil: those of the default policy.
	ErrorPages map[string]errorPageForm `yaml:"error_pages,omitempty"`

	// For the checks of links (package health).
	CheckDays  map[string]float64 `yaml:"check_days,omitempty"`       // days between checks, by priority of a record
	Similarity float64            `yaml:"drift_similarity,omitempty"` // of texts; below it a page has changed
	TimeZone   string             `yaml:"time_zone,omitempty"`        // of hours, such as Europe/Madrid

	// SecondLook names the flags with which a URL needs the approvals of two persons.
	SecondLook []string `yaml:"second_look,omitempty"`

	RuleTexts  map[string]string `yaml:"rule_texts"`           // by step, in a sentence or two
	Guidelines map[string]string `yaml:"guidelines,omitempty"` // by step, the whole rule
}

// overlay replaces the keys of d that the file has.
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
	var lists claraLists
	for i := 0; i+1 < len(top.Content); i += 2 {
		key, value := top.Content[i], top.Content[i+1]
		if slices.Contains(seen, key.Value) {
			return keyError(f.Name, key, key.Value, errors.New("it is there twice"))
		}
		seen = append(seen, key.Value)
		if err := d.readOrAdd(key.Value, value, &lists, hasKey(top, "extends")); err != nil {
			return keyError(f.Name, value, key.Value, err)
		}
	}
	if list := lists.allowed.list(); list != nil {
		d.Allowlist = list
	}
	if lists.blocked.reasons != nil {
		d.Blocklist = lists.blocked.reasons
	}
	return nil
}

// hasKey reports whether a mapping has a key.
func hasKey(mapping *yaml.Node, key string) bool {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return true
		}
	}
	return false
}

// keyError adds file, line and key to an error. A lineError has its own line.
func keyError(file string, at *yaml.Node, key string, err error) error {
	line := at.Line
	if inner, ok := errors.AsType[*lineError](err); ok {
		line = inner.line
	}
	return fmt.Errorf("%s:%d: %s: %w", file, line, key, err)
}

// lineError is an error at its own line inside the value of a key.
type lineError struct {
	line int
	error
}

func (e *lineError) Unwrap() error { return e.error }

func at(n *yaml.Node, format string, args ...any) error {
	return &lineError{n.Line, fmt.Errorf(format, args...)}
}

// syntaxPlace matches the line number in a syntax error of the YAML library, which omits the first line's.
var syntaxPlace = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

func syntaxError(file string, err error) error {
	match := syntaxPlace.FindStringSubmatch(err.Error())
	if match == nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return fmt.Errorf("%s:%s: %s", file, cmp.Or(match[1], "1"), err.Error()[len(match[0]):])
}

// decodeNode decodes a node, with an error in plain words.
func decodeNode(n *yaml.Node, v any) error {
	if err := n.Decode(v); err != nil {
		return at(n, "the value is not of the right kind")
	}
	return nil
}

// marshal writes every key of the document in a fixed order, so that equal documents have equal bytes.
func (d *document) marshal() []byte {
	out, err := yaml.Marshal(d)
	if err != nil {
		panic(err) // a struct of texts, numbers, lists and maps
	}
	return out
}
