package canon

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// newPolicy compiles a whole document.
func newPolicy(doc document) (*Policy, error) {
	doc.Extends = nothing // doc holds the whole policy, so it extends nothing any more
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
		p.terms[casefold(term)] = true
	}
	if len(doc.Allowlist) > 0 {
		p.allowed = newAllowlist(doc.Allowlist)
	}
	if err := p.addSite(); err != nil {
		return nil, fmt.Errorf("policy %s: %w", doc.Name, err)
	}
	var err error
	p.triggers = newTriggers(p)
	if p.session, err = newSessionPattern(doc.SessionRegex); err != nil {
		return nil, fmt.Errorf("policy %s: session_params_regex: %w", doc.Name, err)
	}
	p.domains, err = closeMap(doc.Domains)
	if err != nil {
		return nil, fmt.Errorf("policy %s: www_mappings: %w", doc.Name, err)
	}
	return p, nil
}

// addSite compiles the keys of a policy for one site.
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
		path = lowerPath(path)
	}
	return bytes.TrimRight(path, "/")
}

// addNames adds a kind to each name. A "*" at the end makes a name a prefix.
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

// wwwTarget looks up a host, then the host without "www." (seed 000 rule 5).
func wwwTarget[T string | []byte](domains map[string]string, host T) (string, bool) {
	to, ok := domains[string(host)]
	if www := "www."; !ok && len(host) > len(www) && string(host[:len(www)]) == www {
		to, ok = domains[string(host[len(www):])]
	}
	return to, ok
}
