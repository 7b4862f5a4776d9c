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
	"slices"
	"strings"
	"sync"
)

// Policy is a set of canonicalization rules as data, ready to run. It is immutable and safe for concurrent use.
type Policy struct {
	doc      document
	triggers *stepTriggers
	id       string
	yaml     []byte
	digest   string

	base      address           // public_base_url
	site      address           // scheme, host and port of a policy for one site; no host: for every site
	defaults  map[string]string // default_values, by parameter name in lower case
	keepOnly  nameTable         // allowed_query_params
	params    nameTable         // the lists of parameter names
	secret    nameTable         // secret_params
	session   *sessionPattern
	languages languageTable
	domains   map[string]string // www_mappings, each followed to its end
	mapped    wordSizes         // of the hosts in domains
	shortener wordSet
	indexPage wordSet
	extension wordSet
	terms     map[string]bool // procedure terms, casefolded
	allowed   *allowlist      // nil: every host is allowed
	blocked   *blocklist      // nil: no host is blocked
	listed    labelSet        // of allowed, blocked, domains and shortener
	twice     CodeSet         // second_look

	errorPages map[ErrorPage]errorPagePatterns
}

//go:embed policies/*.yaml
var builtins embed.FS

// DefaultPolicy is the policy used if none is named.
const DefaultPolicy = "clara"

// compiled has the embedded policies that Builtin has returned, by name.
var compiled sync.Map

// Builtin returns the embedded policy of that name, such as "clara". It is compiled once in a process.
func Builtin(name string) (*Policy, error) {
	if p, ok := compiled.Load(name); ok {
		return p.(*Policy), nil
	}
	doc, err := builtinDocument(name)
	if err != nil {
		return nil, err
	}
	p, err := newPolicy(doc)
	if err != nil {
		return nil, err
	}
	compiled.Store(name, p)
	return p, nil
}

// UnknownPolicyError is the name of a policy that is not built in.
type UnknownPolicyError struct{ Name string }

func (e *UnknownPolicyError) Error() string {
	return fmt.Sprintf("no built-in policy %q: there is %s", e.Name, strings.Join(BuiltinNames(), ", "))
}

func builtinDocument(name string) (document, error) {
	data, err := builtins.ReadFile("policies/" + name + ".yaml")
	if err != nil {
		return document{}, &UnknownPolicyError{name}
	}
	file := PolicyFile{Name: name + ".yaml", Data: data}
	doc, err := extended([]PolicyFile{file})
	if err != nil {
		return document{}, err
	}
	return doc, doc.overlay(file)
}

// BuiltinNames lists the embedded policies.
func BuiltinNames() []string {
	entries, err := builtins.ReadDir("policies")
	if err != nil {
		panic(err) // the folder is embedded, or the program does not build
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

// ParsePolicy reads a policy from files. A later file overlays the earlier ones; a list replaces the list of that key.
// One whose items all begin with "+", in a file that extends a policy, adds to it.
// Keys in no file come from the policy that the first file extends, by default "clara". A file may also be one of
// Clara's own, a canonical_rules.yaml, an allowlist.yaml or a blocklist.yaml: see document.
//
// An unknown key, a bad pattern or a value of the wrong kind is an error that names file, line and key. So is a
// contradiction: a key that is there twice, in any spelling, or a code of two languages.
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
	doc.Name = cmp.Or(doc.Name, strings.Join(names, "+"))
	doc.Version = cmp.Or(doc.Version, base.Version)
	return newPolicy(doc)
}

// ReplacedList is a list of names that policy files replace.
type ReplacedList struct {
	Key     string
	Dropped int // names of the policy that they extend which are not on the new list
}

// ReplacedLists returns the lists of the extended policy that lose names to the files, in the order of their keys.
func ReplacedLists(files ...PolicyFile) (list []ReplacedList, err error) {
	base, err := extended(files)
	if err != nil {
		return nil, err
	}
	doc := base
	for _, f := range files {
		if err := doc.overlay(f); err != nil {
			return nil, err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		before, isList := base.field(key).(*[]string)
		if !isList {
			continue
		}
		now := *doc.field(key).(*[]string)
		lost := slices.DeleteFunc(slices.Clone(*before), func(name string) bool { return slices.Contains(now, name) })
		if len(lost) > 0 {
			list = append(list, ReplacedList{key, len(lost)})
		}
	}
	return list, nil
}

// extended returns the document that the files overlay.
func extended(files []PolicyFile) (document, error) {
	for _, f := range files {
		var doc document
		if err := doc.overlay(f); err != nil {
			return document{}, err
		}
		switch doc.Extends {
		case "":
		case nothing:
			return plainDocument(), nil
		default:
			return builtinDocument(doc.Extends)
		}
	}
	return builtinDocument(DefaultPolicy)
}

// nothing is the value of extends for a policy without a base.
const nothing = "nothing"

// plainDocument returns the policy that only parses, and encodes bytes that may not stand in a URL.
func plainDocument() document {
	return document{
		Version: "1", Scheme: "keep", MaxLength: maxURL, MaxHops: 5, Redirects: "ignore", WWW: "keep", Encoding: "keep",
		TrailingSlash: "preserve", Fragment: "keep", EmptyQuery: "keep", Sort: "none",
	}
}

// kind returns the lists that name a parameter. name is decoded and in lower case.
func (p *Policy) kind(name []byte) paramKind {
	k := p.params.kind(name)
	if k&(isPreserved|isSession) == 0 && p.session.match(name) {
		k |= isSession
	}
	return k
}

// Missing returns an instruction if the policy cannot be used yet, or "". A policy for one site needs its host.
func (p *Policy) Missing() string {
	switch {
	case !p.doc.NeedsHost || p.doc.CanonicalHost != "":
		return ""
	case slices.Contains(BuiltinNames(), p.Name()):
		return fmt.Sprintf("policy %s needs canonical_host: "+
			`write a policy file with "extends: %[1]s" and "canonical_host: …"`, p.Name())
	}
	return fmt.Sprintf(`policy %s needs canonical_host: add "canonical_host: …" to its file`, p.Name())
}

// MaxHops returns the number of redirects that are followed (seed 000 rule 7).
func (p *Policy) MaxHops() int { return p.doc.MaxHops }

// CheckDays returns the days between two checks of a link by the priority of the record that cites it, nil for the
// usual ones (package health).
func (p *Policy) CheckDays() map[string]float64 { return p.doc.CheckDays }

// DriftSimilarity returns the similarity of two texts below which a page has changed, 0 for the usual one.
func (p *Policy) DriftSimilarity() float64 { return p.doc.Similarity }

// TimeZone returns the name of the time zone of the hours in which links are checked, "" for the usual one.
func (p *Policy) TimeZone() string { return p.doc.TimeZone }

// SecondLook returns the flags with which a URL needs the approvals of two persons.
func (p *Policy) SecondLook() CodeSet { return p.twice }

// Allows reports whether the allowlist has the host, an ASCII name in lower case, and the blocklist has it not. Without
// an allowlist every host is allowed.
func (p *Policy) Allows(host string) bool { return p.mayCite([]byte(host)) }

// Shortens reports whether the host, an ASCII name in lower case, belongs to a URL shortener.
func (p *Policy) Shortens(host string) bool { return p.shortener.words[host] }

// PreferredLanguage returns the language that is cited, "es", or "" if the policy knows no languages (seed 000 rule
// 10).
func (p *Policy) PreferredLanguage() string {
	if len(p.doc.Languages[spanish]) == 0 {
		return ""
	}
	return spanish
}

// Name returns the policy's name, such as "clara".
func (p *Policy) Name() string { return p.doc.Name }

// ID returns name@version, the form in results.
func (p *Policy) ID() string { return p.id }

// Description returns the policy's own description.
func (p *Policy) Description() string { return p.doc.Description }

// Digest returns the lower-case hex SHA-256 of YAML. Policies with the same decisions have the same digest.
func (p *Policy) Digest() string { return p.digest }

// YAML returns the whole policy as a file that ParsePolicy reads back to the same digest.
func (p *Policy) YAML() []byte { return slices.Clone(p.yaml) }

// Rule returns the policy's own text on the rule behind a flag, for people.
func (p *Policy) Rule(c Code) string { return p.doc.RuleTexts[c.Step()] }

// Guideline returns the whole rule of a step in the words of the policy's guidelines, for people: several lines,
// without a final line break. It falls back to the policy's sentence on the step, then to "".
func (p *Policy) Guideline(step string) string {
	return cmp.Or(p.doc.Guidelines[step], p.doc.RuleTexts[step])
}

// newPolicy compiles a whole document.
func newPolicy(doc document) (*Policy, error) {
	doc.Extends = nothing // doc holds the whole policy, so it extends nothing any more
	p := &Policy{doc: doc, id: doc.Name + "@" + doc.Version}
	p.yaml = doc.marshal()
	sum := sha256.Sum256(p.yaml)
	p.digest = hex.EncodeToString(sum[:])
	p.params.add(isTracking, doc.Tracking)
	p.params.add(isSession, doc.Session)
	p.params.add(isPreserved, doc.Preserve)
	p.params.add(isIdentifier, doc.Identifier)
	p.params.add(isPagination, doc.Pagination)
	p.params.add(isLanguage, doc.LanguageParams)
	p.languages = newLanguageTable(&doc)
	p.keepOnly.addExact(isKept, doc.Allowed...)
	p.secret.add(isKept, doc.Secret)
	p.defaults = map[string]string{}
	for name, value := range doc.Defaults {
		p.defaults[strings.ToLower(name)] = value
	}
	p.shortener = newWordSet(doc.Shorteners)
	p.indexPage = newWordSet(doc.IndexPages)
	p.extension = newWordSet(doc.Extensions)
	p.terms = map[string]bool{}
	for _, term := range doc.Terms {
		p.terms[casefold(term)] = true
	}
	if len(doc.Allowlist) > 0 {
		p.allowed = newAllowlist(doc.Allowlist)
	}
	p.blocked = newBlocklist(doc.Blocklist)
	for _, name := range doc.SecondLook {
		code, _ := ParseCode(name)
		p.twice = p.twice.With(code)
	}
	if err := p.addChecked(); err != nil {
		return nil, fmt.Errorf("policy %s: %w", doc.Name, err)
	}
	p.listed = newLabelSet(p.listedLabels())
	p.triggers = newTriggers(p)
	return p, nil
}

// addChecked compiles the keys whose values may be wrong.
func (p *Policy) addChecked() (err error) {
	if p.doc.PublicBaseURL != "" {
		base, _, bad := parse([]byte(Trim(p.doc.PublicBaseURL)))
		if bad != nil {
			return fmt.Errorf("public_base_url: %s", bad.detail)
		}
		base.scheme = lowerASCII(base.scheme)
		base.path = p.basePath(base.path)
		p.base = base
		p.site = address{scheme: base.scheme, host: base.ascii, port: base.port, hasPort: base.hasPort}
	} else if p.doc.Scheme == "base" {
		return errors.New("scheme is \"base\", so public_base_url has to say which")
	}
	if p.doc.CanonicalHost != "" {
		p.site.scheme, p.site.host = []byte(cmp.Or(string(p.base.scheme), "https")), []byte(p.doc.CanonicalHost)
	}
	if p.session, err = newSessionPattern(p.doc.SessionRegex); err != nil {
		return fmt.Errorf("session_params_regex: %w", err)
	}
	if p.domains, err = closeMap(p.doc.Domains); err != nil {
		return fmt.Errorf("www_mappings: %w", err)
	}
	for host := range p.domains {
		p.mapped.add(host)
	}
	if p.doc.ErrorPages == nil {
		p.errorPages, err = usualErrorPages()
	} else {
		p.errorPages, err = compileErrorPages(p.doc.ErrorPages)
	}
	return err
}

// basePath returns the path of public_base_url in the form in which the policy leaves paths, so that a route that has
// it is recognized.
func (p *Policy) basePath(path []byte) []byte {
	path, _ = normalize(new([]byte), path, pathSet, p.keepsEscapes())
	if p.doc.DotSegments {
		path = removeDots(path)
	}
	if p.doc.Collapse {
		path = collapseSlashes(path)
	}
	if p.doc.LowerPaths {
		path = lowerPath(new([]byte), path)
	}
	return bytes.TrimRight(path, "/")
}

// closeMap follows each mapping to its end, so that mapping twice is mapping once.
func closeMap(direct map[string]string) (map[string]string, error) {
	closed := map[string]string{}
	for _, from := range slices.Sorted(maps.Keys(direct)) {
		to := direct[from]
		for range len(direct) {
			to = cmp.Or(wwwTarget(direct, to), to)
		}
		if next := wwwTarget(direct, to); next != "" && next != to {
			return nil, fmt.Errorf("%s and %s map to each other", to, next)
		}
		closed[from] = to
	}
	return closed, nil
}

// wwwTarget looks up a host, then the host without "www.", and returns "" for neither (seed 000 rule 5).
func wwwTarget[T string | []byte](domains map[string]string, host T) string {
	to, ok := domains[string(host)]
	if www := "www."; !ok && len(host) > len(www) && string(host[:len(www)]) == www {
		to = domains[string(host[len(www):])]
	}
	return to
}
