package canon

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
)

// Override is a reviewer's rule for one host, a host pattern, or a path on any host (seed 001 section 3), or for a
// field of the files that cite URLs. Empty fields have no effect. Parameter names are compared percent-decoded and
// case-insensitively; a "*" at the end makes a name a prefix.
type Override struct {
	Match               Match     `json:"match"`
	DropQueryParams     []string  `json:"drop_query_params,omitempty"`
	KeepQueryParams     []string  `json:"keep_query_params,omitempty"`
	PaginationParams    []string  `json:"pagination_params,omitempty"`
	NotPaginationParams []string  `json:"not_pagination_params,omitempty"`
	Scheme              string    `json:"scheme,omitempty"`         // "http": the host has no HTTPS
	TrailingSlash       string    `json:"trailing_slash,omitempty"` // "keep": a trailing slash stays
	CanonicalHost       string    `json:"canonical_host,omitempty"`
	Spanish             *Prefixes `json:"spanish,omitempty"` // from the prefix of another language to the Spanish one
	RewriteRules        []Rewrite `json:"rewrite_rules,omitempty"`
	Accept              []string  `json:"accept,omitempty"` // codes of flags that are fine here
	Note                string    `json:"note,omitempty"`
}

// Match selects the URLs of an override. Host is an ASCII host name, a suffix pattern such as "*.gencat.cat" (which
// does not match gencat.cat itself), or, with a PathPrefix, "*". PathPrefix is compared with the normalized path at
// segment boundaries: "/sta" matches "/sta" and "/sta/x", but not "/star".
//
// Field is the name of a field in which files cite URLs, such as portal_url. An override with a Field can only Accept
// flags, and its Host may be empty: any. CompileOverrides refuses it, for a URL alone does not tell where it stands.
type Match struct {
	Host       string `json:"host,omitempty"`
	PathPrefix string `json:"path_prefix,omitempty"`
	Field      string `json:"field,omitempty"`
}

// Overrides is an immutable set of overrides, safe for concurrent use. It compiles those for a host when the first URL
// of that host comes.
//
// Of two overrides with the same Match, the first wins (seed 001 section 3.1). All overrides that match a URL apply,
// the more specific first: the exact host, then the longer suffix, then "*"; for one host the longer path. If two
// disagree about one parameter, one host or one scheme, the more specific one decides.
//
// A URL is looked up by the labels of its host and the segments of its path, whatever the number of overrides.
type Overrides struct {
	read     func(i int) Override // the one with that place in the list
	exact    map[string]*hostRules
	suffixes map[string]*hostRules // of "*.gencat.cat", by "gencat.cat"
	anywhere *hostRules            // of "*"; nil: none
	paths    bool                  // some rule has a path prefix
}

// hostRules holds the rules of one Match.Host.
type hostRules struct {
	places  []int            // in the list
	compile sync.Once        // sets the rest
	byPath  map[string]*rule // by path prefix without a trailing slash; "": every path
	longest int              // bytes of the longest prefix
}

// rule is a compiled override.
type rule struct {
	Override
	params   nameTable
	accept   CodeSet
	rewrites rewriteTable
}

// FieldRuleError reports an override for a field where only URLs are known.
type FieldRuleError struct{ Match Match }

func (e *FieldRuleError) Error() string {
	return fmt.Sprintf("the override for %s needs to know the fields in which files cite a URL", e.Match)
}

// CompileOverrides checks the overrides and returns their set. An error names the override by its match, and the key.
// An override for a field is a *FieldRuleError.
func CompileOverrides(list []Override) (*Overrides, error) {
	list = slices.Clone(list)
	for i := range list {
		if err := list[i].CheckWhole(); err != nil {
			return nil, err
		}
		if list[i].Match.Field != "" {
			return nil, &FieldRuleError{list[i].Match}
		}
	}
	matches := func(yield func(int, Match) bool) {
		for i := range list {
			if !yield(i, list[i].Match) {
				return
			}
		}
	}
	return IndexOverrides(matches, func(i int) Override { return list[i] }), nil
}

// IndexOverrides returns the set of overrides that are kept in another form than []Override. matches are their matches
// with their places in the list, which ascend. read returns the override with a place; it is called once for each
// override whose host a URL has, also concurrently. The overrides are valid, and none is for a field.
func IndexOverrides(matches iter.Seq2[int, Match], read func(i int) Override) *Overrides {
	set := &Overrides{read: read, exact: map[string]*hostRules{}, suffixes: map[string]*hostRules{}}
	for i, m := range matches {
		m = m.Normal()
		rules := set.at(m.Host)
		rules.places = append(rules.places, i)
		set.paths = set.paths || m.PathPrefix != ""
	}
	return set
}

// compiled compiles the rules the first time.
func (h *hostRules) compiled(read func(i int) Override) *hostRules {
	h.compile.Do(func() {
		h.byPath = map[string]*rule{}
		for _, i := range h.places {
			o := read(i)
			o.Match = o.Match.Normal()
			if path := o.Match.PathPrefix; h.byPath[path] == nil {
				h.byPath[path] = compile(o)
				h.longest = max(h.longest, len(path))
			}
		}
	})
	return h
}

// at returns the rules of a Match.Host, to be filled.
func (s *Overrides) at(host string) *hostRules {
	if host == "*" {
		if s.anywhere == nil {
			s.anywhere = &hostRules{}
		}
		return s.anywhere
	}
	hosts := s.exact
	if suffix, ok := strings.CutPrefix(host, "*."); ok {
		host, hosts = suffix, s.suffixes
	}
	if hosts[host] == nil {
		hosts[host] = &hostRules{}
	}
	return hosts[host]
}

func compile(o Override) *rule {
	if o.Spanish != nil {
		o.Spanish = &Prefixes{normalOrigin(o.Spanish.From), o.Spanish.To}
	}
	r := &rule{Override: o, rewrites: newRewriteTable(o.RewriteRules)}
	r.params.add(isDropped, o.DropQueryParams)
	r.params.add(isKept, o.KeepQueryParams)
	r.params.add(isPage, o.PaginationParams)
	r.params.add(isNoPage, o.NotPaginationParams)
	for _, name := range o.Accept {
		if c, ok := ParseCode(name); ok {
			r.accept = r.accept.With(c)
		}
	}
	return r
}

// of returns the rules for a host in wire form, whatever their path, the most specific first. A nil set has none.
func (s *Overrides) of(host []byte) (rules []*hostRules) {
	if s == nil {
		return nil
	}
	if exact := s.exact[string(host)]; exact != nil {
		rules = append(rules, exact.compiled(s.read))
	}
	for i, x := range host {
		if x == '.' && i > 0 {
			if below := s.suffixes[string(host[i+1:])]; below != nil {
				rules = append(rules, below.compiled(s.read))
			}
		}
	}
	if s.anywhere != nil {
		rules = append(rules, s.anywhere.compiled(s.read))
	}
	return rules
}

// none reports whether there are no rules for any host.
func (s *Overrides) none() bool {
	return s == nil || len(s.exact) == 0 && len(s.suffixes) == 0 && s.anywhere == nil
}

// ruleList holds rules, the most specific first.
type ruleList []*rule

// appendFitting appends the rules that match a normalized path to dst, the longer prefix first. It compares at segment
// boundaries; a matrix parameter ends the name of a segment.
func (h *hostRules) appendFitting(dst ruleList, path []byte) ruleList {
	for end := min(len(path), h.longest); end > 0; end-- {
		if end == len(path) || path[end] == '/' || path[end] == ';' {
			if r := h.byPath[string(path[:end])]; r != nil {
				dst = append(dst, r)
			}
		}
	}
	if r := h.byPath[""]; r != nil {
		dst = append(dst, r)
	}
	return dst
}

// String returns host and path, such as "*.gencat.cat/sta", behind the field, such as "field portal_url on boe.es".
func (m Match) String() string {
	switch place := m.Host + m.PathPrefix; {
	case m.Field == "":
		return place
	case place == "":
		return "field " + m.Field
	default:
		return "field " + m.Field + " on " + place
	}
}

func (m Match) isPattern() bool { return strings.HasPrefix(m.Host, "*") }

// MatchesHost reports whether the override is looked up for host, an ASCII name in lower case.
func (m Match) MatchesHost(host string) bool {
	if suffix, ok := strings.CutPrefix(m.Host, "*"); ok {
		return len(host) > len(suffix) && strings.HasSuffix(host, suffix)
	}
	return m.Host == host || m.Host == "" && m.Field != ""
}

// Normal returns the match in its normal form, under which overrides are stored and found: the host in wire form, the
// path as the path step leaves it. {"*.Gencat.cat", "/sta/"} becomes {"*.gencat.cat", "/sta"}. A match with a bad host,
// or with a prefix that is no path, is returned unchanged. With a field, "*" becomes the empty host.
func (m Match) Normal() Match {
	if m.Field != "" && m.Host == "*" {
		m.Host = ""
	}
	name := strings.TrimPrefix(strings.TrimPrefix(m.Host, "*"), ".")
	host := []byte(name)
	if name != "" {
		var bad *rejection
		if host, bad = asciiHost(host); bad != nil {
			return m
		}
	}
	if m.PathPrefix != "" && m.PathPrefix[0] != '/' || strings.ContainsAny(m.PathPrefix, `?#\`) {
		return m
	}
	path, _ := normalize(new([]byte), []byte(m.PathPrefix), pathSet, normalForm)
	if string(host) != name {
		m.Host = m.Host[:len(m.Host)-len(name)] + string(host)
	}
	m.PathPrefix = string(bytes.TrimRight(removeDots(path), "/"))
	return m
}

// CheckWhole returns the error of Check with the match and the key.
func (o *Override) CheckWhole() error {
	key, err := o.Check()
	if err != nil {
		err = fmt.Errorf("the override for %s: %s: %w", o.Match, key, err)
	}
	return err
}

// Check returns the first error in the override by itself, and its key: the JSON name of a field, with [n] behind it
// for one of its entries. A set of valid overrides can still loop: see CheckFixedPoint.
func (o *Override) Check() (key string, err error) {
	if err := o.Match.check(); err != nil {
		return "match", err
	}
	if key, err := o.checkAnywhere(); err != nil {
		return key, err
	}
	if key := o.beyondAccept(); o.Match.Field != "" && key != "" {
		return key, errors.New("an override for a field can only accept flags")
	}
	for _, list := range []struct {
		key   string
		names []string
	}{
		{"drop_query_params", o.DropQueryParams}, {"keep_query_params", o.KeepQueryParams},
		{"pagination_params", o.PaginationParams}, {"not_pagination_params", o.NotPaginationParams},
	} {
		if err := checkNames(list.names); err != nil {
			return list.key, err
		}
	}
	if both := common(o.DropQueryParams, o.KeepQueryParams); both != "" {
		return "keep_query_params", fmt.Errorf("%q is to be dropped and kept", both)
	}
	if both := common(o.PaginationParams, o.NotPaginationParams); both != "" {
		return "not_pagination_params", fmt.Errorf("%q is a page number and is none", both)
	}
	return o.checkValues()
}

func (o *Override) checkValues() (key string, err error) {
	if o.Scheme != "" && o.Scheme != "http" {
		return "scheme", fmt.Errorf("it can only be \"http\", not %q", o.Scheme)
	}
	if o.TrailingSlash != "" && o.TrailingSlash != "keep" {
		return "trailing_slash", fmt.Errorf("it can only be \"keep\", not %q", o.TrailingSlash)
	}
	if o.CanonicalHost != "" {
		ascii, bad := asciiHost([]byte(o.CanonicalHost))
		if bad != nil {
			return "canonical_host", fmt.Errorf("bad host %q: %s", o.CanonicalHost, bad.detail)
		}
		if string(ascii) != o.CanonicalHost {
			return "canonical_host", fmt.Errorf("write %q as %q", o.CanonicalHost, ascii)
		}
	}
	if o.Spanish != nil {
		if err := o.Spanish.check(true); err != nil {
			return "spanish", err
		}
	}
	for i := range o.RewriteRules {
		if err := o.RewriteRules[i].check(); err != nil {
			return fmt.Sprintf("rewrite_rules[%d]", i), err
		}
	}
	for _, name := range o.Accept {
		if c, ok := ParseCode(name); !ok || ofReview.Has(c) {
			return "accept", fmt.Errorf("there is no flag %q that can be accepted", name)
		}
	}
	return "", nil
}

func (m Match) check() error {
	host := m.Host
	switch {
	case m.Field != "" && host == "":
		return m.checkPath()
	case host == "":
		return errors.New("host is missing: a host name, " +
			`a suffix pattern such as "*.gencat.cat", or "*", with a path_prefix or for identifiers of advertising; or a field`)
	}
	if err := m.checkPath(); err != nil || host == "*" {
		return err
	}
	name := strings.TrimPrefix(host, "*.")
	if _, rest, ok := strings.Cut(name, "://"); ok {
		bare, _, _ := strings.Cut(rest, "/")
		return fmt.Errorf("bad host %q: a host name is wanted, without a scheme: %q", host,
			host[:len(host)-len(name)]+bare)
	}
	if strings.Contains(name, "/") {
		return fmt.Errorf("bad host %q: a host name is wanted; a path_prefix holds the path", host)
	}
	if name == "" || strings.Contains(name, "*") {
		return fmt.Errorf("bad host %q: a * may only stand alone or as \"*.\" at the beginning", host)
	}
	if _, bad := asciiHost([]byte(name)); bad != nil {
		return fmt.Errorf("bad host %q: %s", host, bad.detail)
	}
	return nil
}

func (m Match) checkPath() error {
	if m.PathPrefix != "" && m.PathPrefix[0] != '/' {
		return fmt.Errorf("path_prefix %q does not begin with a slash", m.PathPrefix)
	}
	return nil
}

func checkNames(list []string) error {
	for _, name := range list {
		if star := strings.IndexByte(name, '*'); name == "" || star == 0 || star > 0 && star < len(name)-1 {
			return fmt.Errorf("bad parameter name %q: a name is wanted; a * may stand at its end", name)
		}
	}
	return nil
}

// common returns a name that both lists hold, or "".
func common(a, b []string) string {
	var table nameTable
	table.add(isKept, a)
	for _, name := range b {
		if table.exact[strings.ToLower(name)] != 0 {
			return name
		}
	}
	return ""
}
