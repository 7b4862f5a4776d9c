package canon

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // for machines without a database of time zones

	"go.yaml.in/yaml/v3"
)

// choices holds the words that a key takes.
var choices = map[string][]string{
	// Force https; force http (seed 002, "Limiting protocols"); https if the evidence says that the host has it (seed
	// 003, step 7); the scheme of public_base_url (seed 004, step 1); no change.
	"scheme": {"https", "http", "known-https", "base", "keep"},

	// No trailing slash, not even for a bare root; none but that of the root; always one; no change. All but the first
	// give the root its slash (RFC 3986 section 6.2.3).
	"trailing_slash": {"never", "never-but-root", "always", "preserve"},

	"redirects":        {"follow", "ignore"},
	"www":              {"map", "strip", "add", "keep"},
	"percent_encoding": {"normal", "keep"},
	"fragment":         {"drop", "keep"},
	"empty_query":      {"drop", "keep"},
	"sort_query":       {"none", "key", "key-value"},
}

// readers holds the readers of the keys that need more than the type of their field.
var readers = map[string]func(*document, *yaml.Node) error{
	"extends":              (*document).readExtends,
	"canonical_host":       (*document).readHost,
	"public_base_url":      (*document).readBase,
	"default_values":       (*document).readDefaults,
	"session_params_regex": (*document).readRegex,
	"languages":            (*document).readLanguages,
	"www_mappings":         (*document).readDomains,
	"shorteners":           func(d *document, n *yaml.Node) error { return readHosts(n, &d.Shorteners) },
	"allowlist":            func(d *document, n *yaml.Node) error { return readHosts(n, &d.Allowlist) },
	"blocklist":            (*document).readBlocklist,
	"error_pages":          (*document).readErrorPages,
	"check_days":           (*document).readCheckDays,
	"drift_similarity":     (*document).readSimilarity,
	"time_zone":            (*document).readZone,
	"second_look":          (*document).readSecondLook,

	// Options of seoslug (seed 004) that have other names here.
	"enforce_https":         (*document).readEnforceHTTPS,
	"strip_tracking_params": (*document).readStripTracking,

	// Keys of Clara's own documents.
	"pipeline_order":           checkOrder,
	"rules":                    (*document).readRules,
	"generated_at":             passOver,
	"link_type_classification": passOver,
	"edge_cases":               passOver,
	"default_action":           checkAction,
	"domain_review_process":    passOver,
}

// read reads the value of a top-level key: by the reader of the key, by the type of its field, or as a part of Clara's
// lists.
func (d *document) read(key string, n *yaml.Node, lists *claraLists) error {
	if read, ok := readers[key]; ok {
		return read(d, n)
	}
	switch field := d.field(key).(type) {
	case *string:
		return readText(n, field, choices[key])
	case *int:
		return readNumber(n, field)
	case *bool:
		return readTruth(n, field)
	case *[]string:
		return readNames(n, field)
	case *map[string]string:
		return readStepTexts(n, field)
	}
	switch {
	case key == "auto_allow_rules":
		return lists.allowed.readPatterns(n)
	case strings.HasPrefix(key, "tier_"):
		return lists.allowed.readTier(n, strings.HasPrefix(key, "tier_2"))
	case key == "categories":
		return lists.blocked.readCategories(n)
	case key == "patterns":
		return lists.blocked.readPatterns(n)
	}
	return errors.New("unknown key")
}

// readOrAdd is read for a key whose value may be a list of names that all begin with "+". Those add to the list of the
// policy that the file extends; a list without "+" replaces it.
func (d *document) readOrAdd(key string, n *yaml.Node, lists *claraLists, extends bool) error {
	isAdded := func(e *yaml.Node) bool { return strings.HasPrefix(e.Value, "+") }
	names, isList := d.field(key).(*[]string)
	if n.Kind != yaml.SequenceNode || !isList || !slices.ContainsFunc(n.Content, isAdded) {
		return d.read(key, n, lists)
	}
	added := *n
	added.Content = nil
	for _, e := range n.Content {
		name := *e
		switch name.Value = strings.TrimPrefix(e.Value, "+"); {
		case !isAdded(e):
			return at(e, `%q does not begin with "+", as others do: those add to the list, these replace it`, e.Value)
		case !extends:
			return at(e, `%q adds to a list: the file has to name the policy that it extends`, e.Value)
		}
		added.Content = append(added.Content, &name)
	}
	before := *names
	if err := d.read(key, &added, lists); err != nil {
		return err
	}
	isKnown := func(name string) bool { return slices.Contains(before, name) }
	*names = slices.Concat(before, slices.DeleteFunc(*names, isKnown))
	return nil
}

// field returns a pointer to the field of a key, or nil.
func (d *document) field(key string) any {
	if i, ok := fields[key]; ok {
		return reflect.ValueOf(d).Elem().Field(i).Addr().Interface()
	}
	return nil
}

// fields holds the index of the field of each key.
var fields = func() map[string]int {
	index, doc := map[string]int{}, reflect.TypeFor[document]()
	for i := range doc.NumField() {
		key, _, _ := strings.Cut(doc.Field(i).Tag.Get("yaml"), ",")
		index[key] = i
	}
	return index
}()

// The least and the most days between two checks of a link. With less than some minutes a server would be asked without
// a pause.
const minDays, maxDays = 0.01, 3650

// readCheckDays reads days by priority.
func (d *document) readCheckDays(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return at(n, `days by priority are wanted, such as "P0: 1"`)
	}
	d.CheckDays = map[string]float64{}
	return eachKey(n, func(name string) string { return name }, func(key, value *yaml.Node) error {
		var days float64
		if value.Decode(&days) != nil || !(days >= minDays && days <= maxDays) {
			return at(value, "%s: %v to %v days are wanted, not %q", key.Value, minDays, maxDays, value.Value)
		}
		d.CheckDays[key.Value] = days
		return nil
	})
}

func (d *document) readSimilarity(n *yaml.Node) error {
	var v float64
	if err := n.Decode(&v); err != nil || !(v > 0 && v <= 1) {
		return at(n, "a number above 0 and up to 1 is wanted, not %q", n.Value)
	}
	d.Similarity = v
	return nil
}

func (d *document) readZone(n *yaml.Node) error {
	if _, err := time.LoadLocation(n.Value); err != nil || n.Value == "" || n.Value == "Local" {
		return at(n, "a time zone is wanted, such as Europe/Madrid, not %q", n.Value)
	}
	d.TimeZone = n.Value
	return nil
}

// readSecondLook reads names of flags of results.
func (d *document) readSecondLook(n *yaml.Node) error {
	list, err := textList(n)
	if err != nil {
		return err
	}
	for i, name := range list {
		switch code, ok := ParseCode(name); {
		case !ok:
			return at(n.Content[i], "there is no flag %q", name)
		case ofReview.Has(code):
			return at(n.Content[i], "%s is no flag of the rules: it follows from an approval", name)
		}
	}
	d.SecondLook = list
	return nil
}

func (d *document) readExtends(n *yaml.Node) error {
	if n.Value != nothing && !slices.Contains(BuiltinNames(), n.Value) {
		return at(n, "%w; or %q", &UnknownPolicyError{n.Value}, nothing)
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
	a, credentials, bad := parse([]byte(Trim(n.Value)))
	switch {
	case bad != nil:
		return at(n, "bad URL %q: %s", n.Value, bad.detail)
	case credentials || a.hasQuery || a.hasFragment:
		return at(n, "bad URL %q: scheme, host and path are all it may have", n.Value)
	}
	d.PublicBaseURL = n.Value
	return nil
}

// readEnforceHTTPS reads "enforce_https" of seed 004, step 1: https, or else the scheme of public_base_url.
func (d *document) readEnforceHTTPS(n *yaml.Node) error {
	var enforce bool
	err := readTruth(n, &enforce)
	if d.Scheme = "base"; enforce {
		d.Scheme = "https"
	}
	return err
}

// readStripTracking reads "strip_tracking_params" of seed 004, step 5: the list of the policy so far, or none.
func (d *document) readStripTracking(n *yaml.Node) error {
	var strip bool
	if err := readTruth(n, &strip); err != nil {
		return err
	}
	if !strip {
		d.Tracking = nil
	}
	return nil
}

func (d *document) readDefaults(n *yaml.Node) error {
	d.Defaults = map[string]string{}
	return eachKey(n, strings.ToLower, func(key, value *yaml.Node) error {
		if value.Kind != yaml.ScalarNode {
			return at(value, "a text is wanted")
		}
		d.Defaults[key.Value] = value.Value
		return nil
	})
}

func (d *document) readRegex(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		return at(n, `it is one pattern, not a list: join several with "|", as in "^(sid|session_id)$"; `+
			"names without a pattern belong to session_params_strip")
	}
	if _, err := newSessionPattern(n.Value); err != nil {
		return at(n, "bad pattern %q: %v", n.Value, err)
	}
	d.SessionRegex = n.Value
	return nil
}

// readLanguages reads the codes of each language. A code of two languages would be that of either.
func (d *document) readLanguages(n *yaml.Node) error {
	d.Languages = map[string][]string{}
	languageOf := map[string]string{} // by code in lower case
	return eachKey(n, strings.ToLower, func(key, value *yaml.Node) error {
		codes, err := textList(value)
		for i, code := range codes {
			code = strings.ToLower(code)
			if other, ok := languageOf[code]; ok && other != key.Value {
				return at(value.Content[i], "%q is a code of %q and of %q", codes[i], other, key.Value)
			}
			languageOf[code] = key.Value
		}
		d.Languages[key.Value] = codes
		return err
	})
}

func (d *document) readDomains(n *yaml.Node) error {
	domains := map[string]string{}
	err := eachKey(n, wireForm, func(key, value *yaml.Node) error {
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

// readBlocklist reads a reason, which may be empty, for each host. A host may begin with "*.".
func (d *document) readBlocklist(n *yaml.Node) error {
	var blocked blocklistFile
	blocked.begin()
	err := eachKey(n, strings.ToLower, func(key, value *yaml.Node) error {
		if value.Kind != yaml.ScalarNode {
			return at(value, "a reason is wanted")
		}
		return blocked.add(key, value.Value)
	})
	d.Blocklist = blocked.reasons
	return err
}

func passOver(*document, *yaml.Node) error { return nil }
