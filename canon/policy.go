package canon

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Policy is a set of canonicalization rules as data, ready to run. It is immutable and safe for concurrent use.
type Policy struct {
	doc    document
	demand *demand
	id     string
	yaml   []byte
	digest string

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

// newPolicy compiles a whole document.
func newPolicy(doc document) (*Policy, error) {
	doc.Extends = nothing // whatever it was has been applied: the whole policy stands in doc
	p := &Policy{doc: doc, id: doc.Name + "@" + doc.Version, params: map[string]paramKind{}}
	p.yaml = doc.marshal()
	sum := sha256.Sum256(p.yaml)
	p.digest = hex.EncodeToString(sum[:])
	p.addNames(doc.Tracking, isTracking)
	p.addNames(doc.Session, isSession)
	p.addNames(doc.Preserve, isPreserved)
	p.addNames(doc.Identifier, isIdentifier)
	p.addNames(doc.Pagination, isPagination)
	p.addNames(doc.LanguageParams, isLanguage)
	p.addLanguages()
	p.shortener = lowerSet(doc.Shorteners)
	p.indexPage = newWordSet(doc.IndexPages)
	p.extension = newWordSet(doc.Extensions)
	p.terms = map[string]bool{}
	for _, term := range doc.Terms {
		p.terms[fold(term)] = true
	}
	if len(doc.Allowlist) > 0 {
		p.allowed = newAllowlist(doc.Allowlist)
	}
	if err := p.addSite(); err != nil {
		return nil, fmt.Errorf("policy %s: %w", doc.Name, err)
	}
	var err error
	p.demand = newDemand(p)
	if p.session, err = newSessionPattern(doc.SessionRegex); err != nil {
		return nil, fmt.Errorf("policy %s: session_params_regex: %w", doc.Name, err)
	}
	p.domains, err = closeMap(doc.Domains)
	if err != nil {
		return nil, fmt.Errorf("policy %s: www_mappings: %w", doc.Name, err)
	}
	return p, nil
}

// addSite takes what the policy says of the one site it is for, and of that site's parameters.
func (p *Policy) addSite() error {
	if p.doc.PublicBaseURL != "" {
		base, _, bad := parse([]byte(trim(p.doc.PublicBaseURL)))
		if bad != nil {
			return fmt.Errorf("public_base_url: %s", bad.detail)
		}
		base.scheme = lowerASCII(base.scheme)
		base.path = p.basePath(base.path)
		p.base = base
	} else if p.doc.Scheme == "base" {
		return errors.New("scheme is \"base\", so public_base_url has to say which")
	}
	p.keepOnly = newNameSet(p.doc.Allowed)
	p.defaults = map[string]string{}
	for name, value := range p.doc.Defaults {
		p.defaults[strings.ToLower(name)] = value
	}
	return nil
}

// basePath returns the path of public_base_url as the policy leaves paths, so that a route that has it is known again.
func (p *Policy) basePath(path []byte) []byte {
	path, _ = normalize(new([]byte), path, pathSet, p.keepsEscapes())
	if p.doc.DotSegments {
		path = removeDots(path)
	}
	if p.doc.Collapse {
		path = collapseSlashes(path)
	}
	if p.doc.LowerPaths {
		path = lowerPath(path)
	}
	return bytes.TrimRight(path, "/")
}

// plainDocument is the policy that does nothing but parse, and write what may not stand in a URL in escapes.
func plainDocument() document {
	return document{
		Version: "1", Scheme: "keep", MaxLength: maxURL, MaxHops: 5, Redirects: "ignore", WWW: "keep", Encoding: "keep",
		TrailingSlash: "preserve", Fragment: "keep", EmptyQuery: "keep", Sort: "none",
	}
}

// addNames notes the kind of each name; a "*" at the end makes it a prefix.
func (p *Policy) addNames(names []string, kind paramKind) {
	for _, name := range names {
		name = strings.ToLower(name)
		if prefix, ok := strings.CutSuffix(name, "*"); ok {
			p.prefixes = append(p.prefixes, namePrefix{prefix, kind})
		} else {
			p.params[name] |= kind
		}
	}
}

func (p *Policy) addLanguages() {
	p.languages = map[string]string{}
	for name, codes := range p.doc.Languages {
		for _, code := range codes {
			code = strings.ToLower(code)
			p.languages[code] = name
			p.codeSizes.add(code)
		}
	}
	p.leading = lowerSet(p.doc.Leading)
}

func lowerSet(list []string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, s := range list {
		set[strings.ToLower(s)] = true
	}
	return set
}

// wordSizes holds the lengths of the words that begin with a byte, one bit each: what is no word is mostly known by its length
// and its first letter. Words of 16 bytes and more all count as 15.
type wordSizes [256]uint16

// add notes a word in lower case.
func (s *wordSizes) add(word string) {
	if word != "" {
		size := uint16(1) << min(len(word), 15)
		s[word[0]] |= size
		if x := word[0]; 'a' <= x && x <= 'z' {
			s[x&^0x20] |= size
		}
	}
}

// of returns the lengths of the words that begin as this one does, which is not empty, in whatever case.
func (s *wordSizes) of(word []byte) uint16 { return s[word[0]] }

// wordSet is a set of words in lower case.
type wordSet struct {
	words map[string]bool
	sizes wordSizes
}

func newWordSet(list []string) (s wordSet) {
	s.words = lowerSet(list)
	for word := range s.words {
		s.sizes.add(word)
	}
	return s
}

// has reports whether the word is in the set, in whatever case. It needs room to lower it.
func (s *wordSet) has(word []byte, room *[]byte) bool {
	if len(word) == 0 || s.sizes.of(word)>>min(len(word), 15)&1 == 0 {
		return false
	}
	*room = lowerASCII(append((*room)[:0], word...))
	return s.words[string(*room)]
}

// closeMap follows each mapping to its end, so that mapping twice is mapping once.
func closeMap(direct map[string]string) (map[string]string, error) {
	closed := map[string]string{}
	for _, from := range slices.Sorted(maps.Keys(direct)) {
		to := direct[from]
		for range len(direct) {
			if next, ok := wwwTarget(direct, to); ok && next != to {
				to = next
			}
		}
		if next, ok := wwwTarget(direct, to); ok && next != to {
			return nil, fmt.Errorf("%s and %s map to each other", to, next)
		}
		closed[from] = to
	}
	return closed, nil
}

// wwwTarget looks a host up, then the host without "www." (seed 000 rule 5).
func wwwTarget[T string | []byte](domains map[string]string, host T) (string, bool) {
	to, ok := domains[string(host)]
	if www := "www."; !ok && len(host) > len(www) && string(host[:len(www)]) == www {
		to, ok = domains[string(host[len(www):])]
	}
	return to, ok
}

// sessionPattern matches names of session parameters. literal is a text that every match holds, in lower case, so
// that most names need no regular expression.
type sessionPattern struct {
	re      *regexp.Regexp
	literal []byte
}

func newSessionPattern(expr string) (*sessionPattern, error) {
	if expr == "" {
		return nil, nil
	}
	re, err := regexp.Compile("(?i)" + expr)
	if err != nil {
		return nil, err
	}
	return &sessionPattern{re, longestLiteral(expr)}, nil
}

// longestLiteral returns the longest run of letters that stands outside classes, groups and alternatives of the
// expression, or nothing if it cannot be sure.
func longestLiteral(expr string) []byte {
	if strings.ContainsAny(expr, `|()?{\`) {
		return nil
	}
	classes := regexp.MustCompile(`\[[^\]]*\]|.\*`)
	var longest string
	for _, run := range regexp.MustCompile(`[A-Za-z]+`).FindAllString(classes.ReplaceAllString(expr, " "), -1) {
		if len(run) > len(longest) {
			longest = run
		}
	}
	return []byte(strings.ToLower(longest))
}

// match takes a name in lower case.
func (s *sessionPattern) match(name []byte) bool {
	return s != nil && bytes.Contains(name, s.literal) && s.re.Match(name)
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
