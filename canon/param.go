package canon

// paramAction is what the overrides say of a parameter: the most specific one that names it is followed.
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

// nameFacts is what the policy says of a parameter name.
type nameFacts struct {
	spelled string
	name    string   // percent-decoded
	lower   []byte   // and in lower case, as all lists compare it
	alone   []string // the list of this name; never written to
	kind    paramKind
	due     stepSet // rows that have something to do for a URL with such a parameter
}

// named returns what is known of a parameter name as it is spelled.
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

// isPage reports whether the parameter is a page number here: the overrides say so, or else the policy does.
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
