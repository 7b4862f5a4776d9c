package canon

import "strings"

// paramKind holds the lists that name a parameter, as bits.
type paramKind uint8

// The lists of a policy.
const (
	isTracking paramKind = 1 << iota
	isSession
	isPreserved
	isIdentifier
	isPagination
	isLanguage
)

// The lists of an override.
const (
	isKept paramKind = 1 << iota
	isDropped
	isPage
	isNoPage
)

// nameTable holds the kinds of parameter names, and of prefixes of names.
type nameTable struct {
	exact    map[string]paramKind
	prefixes []namePrefix
}

type namePrefix struct {
	text string
	kind paramKind
}

// add adds a kind to each name in lower case. A "*" at the end makes a name a prefix.
func (t *nameTable) add(kind paramKind, names []string) {
	for _, name := range names {
		t.addExact(kind, strings.ToLower(name))
	}
}

// addExact adds a kind to each name as it is spelled. A "*" at the end makes a name a prefix.
func (t *nameTable) addExact(kind paramKind, names ...string) {
	if t.exact == nil && len(names) > 0 {
		t.exact = map[string]paramKind{}
	}
	for _, name := range names {
		if prefix, ok := strings.CutSuffix(name, "*"); ok {
			t.prefixes = append(t.prefixes, namePrefix{prefix, kind})
		} else {
			t.exact[name] |= kind
		}
	}
}

// kind returns the kinds of a name, which is in lower case if the names of the table are.
func (t *nameTable) kind(name []byte) paramKind {
	kind := t.exact[string(name)]
	for _, prefix := range t.prefixes {
		if len(name) >= len(prefix.text) && string(name[:len(prefix.text)]) == prefix.text {
			kind |= prefix.kind
		}
	}
	return kind
}

// action returns isKept or isDropped if an override orders that for a parameter name in lower case, otherwise 0.
func (l ruleList) action(name []byte) paramKind {
	for _, rule := range l {
		switch kind := rule.params.kind(name); {
		case kind&isKept != 0:
			return isKept
		case kind&isDropped != 0:
			return isDropped
		}
	}
	return 0
}

// isPage reports whether the parameter holds a page number here. The overrides decide, then the policy.
func (l ruleList) isPage(name *nameFacts) bool {
	for _, rule := range l {
		if kind := rule.params.kind(name.lower) & (isPage | isNoPage); kind != 0 {
			return kind&isNoPage == 0
		}
	}
	return name.kind&isPagination != 0
}
