package canon

import (
	"cmp"
	"fmt"
	"maps"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/net/publicsuffix"
)

// The keys of Clara's own documents that are no keys of a policy.

// claraOrder is her pipeline_order. Each name stands for a step of the pipeline, in the same order.
var claraOrder = []string{
	"parse", "normalize_protocol", "lowercase_domain", "strip_session_params", "strip_tracking_params",
	"strip_fragment", "remove_trailing_slash", "follow_redirects", "normalize_www", "detect_language_variant",
	"annotate_pagination", "classify_link_type",
}

// checkOrder refuses a pipeline_order that is not ours.
func checkOrder(_ *document, n *yaml.Node) error {
	list, err := textList(n)
	if err != nil {
		return err
	}
	if len(list) != len(claraOrder) {
		return at(n, "it has %d steps, the pipeline has %d", len(list), len(claraOrder))
	}
	for i, name := range list {
		if name != claraOrder[i] {
			return at(n.Content[i], "step %d is %q, the pipeline has %q there", i+1, name, claraOrder[i])
		}
	}
	return nil
}

// readRules makes the text behind the flags of a step from the description and exceptions of its rule.
func (d *document) readRules(n *yaml.Node) error {
	var rules []struct {
		ID                                          int
		Description, Exception, Fallback, Rationale string
	}
	if err := decodeNode(n, &rules); err != nil {
		return err
	}
	texts, guidelines := maps.Clone(d.RuleTexts), maps.Clone(d.Guidelines)
	if texts == nil {
		texts = map[string]string{}
	}
	for _, r := range rules {
		step := stepOfRule(r.ID)
		if step == "" {
			return at(n, "there is no rule %d", r.ID)
		}
		sentences := []string{fmt.Sprintf("Rule %d: %s.", r.ID, strings.TrimSuffix(r.Description, "."))}
		for _, more := range []string{r.Exception, r.Fallback, r.Rationale} {
			if more != "" {
				sentences = append(sentences, strings.TrimSuffix(more, ".")+".")
			}
		}
		texts[step] = strings.Join(sentences, " ")
		delete(guidelines, step) // they are the words of another version of the rule
	}
	d.RuleTexts, d.Guidelines = texts, guidelines
	return nil
}

// claraLists holds Clara's lists of hosts while one of her files is read.
type claraLists struct {
	allowed allowlistFile
	blocked blocklistFile
}

func checkAction(_ *document, n *yaml.Node) error {
	if n.Value != "reject" {
		return at(n, "a list of hosts rejects by default; %q is not known", n.Value)
	}
	return nil
}

// allowlistFile is Clara's allowlist.yaml: tiers of domains, and host patterns. A pattern with a condition only counts
// for the registrable domains of the second tier.
type allowlistFile struct {
	patterns, conditional []string
	domains, regional     []string
}

func (f *allowlistFile) readPatterns(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode {
		return at(n, "a list is wanted")
	}
	for _, e := range n.Content {
		var rule struct{ Pattern, Condition string }
		if err := decodeNode(e, &rule); err != nil {
			return err
		}
		pattern, err := hostPattern(e, rule.Pattern)
		if err != nil {
			return err
		}
		if rule.Condition == "" {
			f.patterns = append(f.patterns, pattern)
		} else {
			f.conditional = append(f.conditional, pattern)
		}
	}
	return nil
}

func (f *allowlistFile) readTier(n *yaml.Node, regional bool) error {
	var tier struct{ Domains []yaml.Node }
	if err := decodeNode(n, &tier); err != nil {
		return err
	}
	for _, e := range tier.Domains {
		var entry struct {
			Domain  string
			Aliases []string
		}
		if err := decodeNode(&e, &entry); err != nil {
			return err
		}
		for _, name := range append([]string{entry.Domain}, entry.Aliases...) {
			host, err := hostPattern(&e, name)
			if err != nil {
				return err
			}
			f.domains = append(f.domains, host)
			if regional {
				f.regional = append(f.regional, host)
			}
		}
	}
	return nil
}

// list returns the allowlist as patterns and domains, nil if the file has none. A conditional pattern such as "*.cat"
// becomes the registrable domains of the regional tier that it matches.
func (f *allowlistFile) list() []string {
	list := append(f.patterns, f.domains...)
	for _, host := range f.regional {
		root, err := publicsuffix.EffectiveTLDPlusOne(host)
		if err != nil {
			continue // a public suffix has no registrable domain
		}
		for _, pattern := range f.conditional {
			if strings.HasSuffix(root, pattern[1:]) {
				list = append(list, root)
			}
		}
	}
	return list
}

// blocklistFile is Clara's blocklist.yaml: categories of domains, each with its reason, and host patterns.
type blocklistFile struct {
	reasons map[string]string // by domain or pattern; nil: the file has no such key
	lines   map[string]int
}

func (f *blocklistFile) readCategories(n *yaml.Node) error {
	f.begin()
	if n.Kind != yaml.SequenceNode {
		return at(n, "a list is wanted")
	}
	for _, e := range n.Content {
		if err := f.readCategory(e); err != nil {
			return err
		}
	}
	return nil
}

// begin makes the file one that has a blocklist, even an empty one.
func (f *blocklistFile) begin() {
	if f.reasons == nil {
		f.reasons, f.lines = map[string]string{}, map[string]int{}
	}
}

func (f *blocklistFile) readCategory(n *yaml.Node) error {
	var name, reason string
	var domains *yaml.Node
	err := eachKey(n, strings.ToLower, func(key, value *yaml.Node) error {
		switch key.Value {
		case "category":
			name = value.Value
		case "reason":
			reason = value.Value
		case "domains":
			domains = value
		case "notes":
		default:
			return at(key, "unknown key %q: a category has category, reason, domains and notes", key.Value)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if domains == nil {
		return at(n, "the category has no list of domains")
	}
	return f.addAll(domains, cmp.Or(reason, name))
}

func (f *blocklistFile) readPatterns(n *yaml.Node) error {
	f.begin()
	return f.addAll(n, "")
}

// addAll adds a list of domains and patterns with one reason.
func (f *blocklistFile) addAll(n *yaml.Node, reason string) error {
	if _, err := textList(n); err != nil {
		return err
	}
	for _, e := range n.Content {
		if err := f.add(e, reason); err != nil {
			return err
		}
	}
	return nil
}

// add adds a domain or pattern. It refuses one that is there already.
func (f *blocklistFile) add(n *yaml.Node, reason string) error {
	pattern, err := hostPattern(n, n.Value)
	if err != nil {
		return err
	}
	if line, ok := f.lines[pattern]; ok {
		return at(n, "%q is there twice: line %d has it", n.Value, line)
	}
	f.reasons[pattern], f.lines[pattern] = reason, n.Line
	return nil
}
