package pane

import (
	"fmt"
	"slices"
	"strings"

	"visto/canon"
)

// maxReaches is the number of rules whose later URLs are named.
const maxReaches = 3

// Later says which later URLs the rules settle besides those that are stored, such as "and every later URL of field
// portal_url, on any host". Without rules it is empty.
func Later(rules []canon.Override) string {
	var fields, reaches []string
	for _, rule := range rules {
		match := rule.Match.Normal()
		if match.Field != "" && match == (canon.Match{Field: match.Field}) {
			fields = append(fields, match.Field)
		} else if reach := match.Reach(); len(reaches) <= maxReaches && !slices.Contains(reaches, reach) {
			reaches = append(reaches, reach)
		}
	}
	if len(fields) > 0 {
		reaches = append(reaches, canon.Match{Field: strings.Join(fields, ", ")}.Reach())
	}
	switch {
	case len(reaches) == 0:
		return ""
	case len(reaches) > maxReaches:
		return fmt.Sprintf("and every later URL that one of the %d rules matches", len(rules))
	}
	return "and every later URL " + strings.Join(reaches, ", or ")
}
