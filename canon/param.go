package canon

// paramAction is the order of the overrides for a parameter.
type paramAction uint8

const (
	noAction paramAction = iota
	keepAction
	dropAction
)

func (r *run) overrideAction(name []byte) paramAction {
	for _, rule := range r.rules {
		switch {
		case rule.keep.has(name):
			return keepAction
		case rule.drop.has(name):
			return dropAction
		}
	}
	return noAction
}

// nameFacts holds the findings of the policy about one parameter name.
type nameFacts struct {
	spelled string
	name    string   // percent-decoded
	lower   []byte   // name in lower case, for comparison with all lists
	alone   []string // a list of just this name; never written to
	kind    paramKind
	due     stepSet // steps with work to do for every URL with this parameter
}

// named returns the facts about a parameter name as spelled.
func (r *run) named(spelled []byte) *nameFacts {
	facts := r.names.get(spelled)
	if facts == nil {
		facts = r.newNameFacts(spelled)
	}
	return facts
}

func (r *run) newNameFacts(spelled []byte) *nameFacts {
	facts := &nameFacts{spelled: string(spelled), lower: decode(nil, spelled)}
	facts.name = string(facts.lower)
	facts.alone = []string{facts.name}
	lowerASCII(facts.lower)
	facts.kind = r.policy.kind(facts.lower)
	facts.due = r.policy.triggers.ofParam(facts.kind)
	r.names.put(facts.spelled, facts)
	return facts
}

// isPage reports whether the parameter holds a page number here. The overrides decide, then the policy.
func (r *run) isPage(name *nameFacts) bool {
	for _, rule := range r.rules {
		switch {
		case rule.notPage.has(name.lower):
			return false
		case rule.page.has(name.lower):
			return true
		}
	}
	return name.kind&isPagination != 0
}
