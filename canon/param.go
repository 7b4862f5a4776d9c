package canon

// paramAction is the order of the overrides for a parameter.
type paramAction uint8

const (
	noAction paramAction = iota
	keepAction
	dropAction
)

// action returns the order for a parameter name in lower case.
func (l ruleList) action(name []byte) paramAction {
	for _, rule := range l {
		switch {
		case rule.keep.has(name):
			return keepAction
		case rule.drop.has(name):
			return dropAction
		}
	}
	return noAction
}

// isPage reports whether the parameter holds a page number here. The overrides decide, then the policy.
func (l ruleList) isPage(name *nameFacts) bool {
	for _, rule := range l {
		switch {
		case rule.notPage.has(name.lower):
			return false
		case rule.page.has(name.lower):
			return true
		}
	}
	return name.kind&isPagination != 0
}
