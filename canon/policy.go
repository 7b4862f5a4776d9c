package canon

import (
	"cmp"
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Policy is a set of canonicalization rules as data, ready to run. It is immutable and safe for concurrent use.
type Policy struct {
	doc      document
	triggers *stepTriggers
	id       string
	yaml     []byte
	digest   string

	base      address           // public_base_url
	defaults  map[string]string // default_values, by name in lower case
	keepOnly  nameSet           // allowed_query_params
	params    map[string]paramKind
	prefixes  []namePrefix
	session   *sessionPattern
	languages map[string]string // code in lower case to the language, such as "es"
	codeSizes wordSizes         // of languages
	leading   map[string]bool   // codes that count in a path only as its first segment
	domains   map[string]string // www_mappings, each followed to its end
	shortener map[string]bool
	indexPage wordSet
	extension wordSet
	terms     map[string]bool // procedure terms, folded
	allowed   *allowlist      // nil: every host is allowed
}

// paramKind is what the policy's lists say of a parameter name, as bits.
type paramKind uint8

const (
	isTracking paramKind = 1 << iota
	isSession
	isPreserved
	isIdentifier
	isPagination
	isLanguage
)

type namePrefix struct {
	text string
	kind paramKind
}

//go:embed policies/*.yaml
var builtins embed.FS

// DefaultPolicy is the name of the policy used where none is named.
const DefaultPolicy = "clara"

// Builtin returns the embedded policy of that name ("clara").
func Builtin(name string) (*Policy, error) {
	doc, err := builtinDocument(name)
	if err != nil {
		return nil, err
	}
	return newPolicy(doc)
}

func builtinDocument(name string) (document, error) {
	data, err := builtins.ReadFile("policies/" + name + ".yaml")
	if err != nil {
		return document{}, fmt.Errorf("no built-in policy %q: there is %s", name, strings.Join(BuiltinNames(), ", "))
	}
	var own document
	file := PolicyFile{Name: name + ".yaml", Data: data}
	if err := own.overlay(file); err != nil {
		return document{}, err
	}
	doc := plainDocument()
	if own.Extends != nothing {
		if doc, err = builtinDocument(own.Extends); err != nil {
			return document{}, err
		}
	}
	err = doc.overlay(file)
	return doc, err
}

// BuiltinNames lists the embedded policies.
func BuiltinNames() []string {
	entries, err := builtins.ReadDir("policies")
	if err != nil {
		panic(err) // the embedded folder is there or the program does not build
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// PolicyFile is the name and content of a policy file.
type PolicyFile struct {
	Name string
	Data []byte
}

// ParsePolicy reads a policy from files. Later files lie over earlier ones: a list replaces the list of that name.
// What they do not say comes from the policy that the first file extends, "clara" unless it says otherwise.
// A file may be one of Clara's own, a canonical_rules.yaml or an allowlist.yaml: see document. An unknown key, a bad
// pattern or a value of the wrong kind is an error that names file, line and key.
func ParsePolicy(files ...PolicyFile) (*Policy, error) {
	base, err := extended(files)
	if err != nil {
		return nil, err
	}
	doc := base
	doc.Name, doc.Version = "", ""
	var names []string
	for _, f := range files {
		if err := doc.overlay(f); err != nil {
			return nil, err
		}
		names = append(names, strings.TrimSuffix(path.Base(f.Name), path.Ext(f.Name)))
	}
	if doc.Name == "" {
		doc.Name = strings.Join(names, "+")
	}
	if doc.Version == "" {
		doc.Version = base.Version
	}
	return newPolicy(doc)
}

// extended returns the document that the files lie over.
func extended(files []PolicyFile) (document, error) {
	name := DefaultPolicy
	for _, f := range files {
		var doc document
		if err := doc.overlay(f); err != nil {
			return document{}, err
		}
		if doc.Extends == nothing {
			return plainDocument(), nil
		}
		if doc.Extends != "" {
			name = doc.Extends
			break
		}
	}
	return builtinDocument(name)
}

// nothing is what a policy extends that says everything itself.
const nothing = "nothing"

// plainDocument is the policy that does nothing but parse, and write what may not stand in a URL in escapes.
func plainDocument() document {
	return document{
		Version: "1", Scheme: "keep", MaxLength: maxURL, MaxHops: 5, Redirects: "ignore", WWW: "keep", Encoding: "keep",
		TrailingSlash: "preserve", Fragment: "keep", EmptyQuery: "keep", Sort: "none",
	}
}

// kind returns what the lists say of a parameter, its name decoded and in lower case.
func (p *Policy) kind(name []byte) paramKind {
	k := p.params[string(name)]
	for _, prefix := range p.prefixes {
		if len(name) >= len(prefix.text) && string(name[:len(prefix.text)]) == prefix.text {
			k |= prefix.kind
		}
	}
	if k&(isPreserved|isSession) == 0 && p.session.match(name) {
		k |= isSession
	}
	return k
}

// Missing says what a policy still needs before it can be used, or nothing: a policy for one site has to be told which.
func (p *Policy) Missing() string {
	if p.doc.NeedsHost && p.doc.CanonicalHost == "" {
		return fmt.Sprintf("policy %s needs canonical_host: write a policy file with \"extends: %s\" and \"canonical_host: …\"", p.Name(), p.Name())
	}
	return ""
}

// MaxHops is how many redirects of a URL are followed (seed 000 rule 7).
func (p *Policy) MaxHops() int { return p.doc.MaxHops }

// Allows reports whether the allowlist has the host, an ASCII name in lower case. Without an allowlist every host is allowed.
func (p *Policy) Allows(host string) bool { return p.allowed.has([]byte(host)) }

// Shortens reports whether the host, an ASCII name in lower case, is that of a URL shortener.
func (p *Policy) Shortens(host string) bool { return p.shortener[host] }

// PreferredLanguage is the language in which pages are wanted, "es", or empty where the policy knows no languages (seed 000 rule 10).
func (p *Policy) PreferredLanguage() string {
	if len(p.doc.Languages[spanish]) == 0 {
		return ""
	}
	return spanish
}

// Name returns the policy's name, such as "clara".
func (p *Policy) Name() string { return p.doc.Name }

// ID returns name@version, as results name it.
func (p *Policy) ID() string { return p.id }

// Description returns what the policy says of itself.
func (p *Policy) Description() string { return p.doc.Description }

// Digest returns the lower-case hex SHA-256 of YAML: policies that decide alike have the same.
func (p *Policy) Digest() string { return p.digest }

// YAML returns the whole policy as a file that ParsePolicy reads back to the same digest.
func (p *Policy) YAML() []byte { return slices.Clone(p.yaml) }

// Rule returns the policy's own text for the rule behind a flag, for people.
func (p *Policy) Rule(c Code) string { return p.doc.RuleTexts[c.Step()] }

// Guideline returns the rule of a step whole, in the words of the policy's guidelines, for people: several lines, without a
// line break at the end. Where the policy has no more than its sentence about the step, that; "" where it has none.
func (p *Policy) Guideline(step string) string {
	return cmp.Or(p.doc.Guidelines[step], p.doc.RuleTexts[step])
}
