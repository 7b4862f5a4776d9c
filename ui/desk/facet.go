package desk

import (
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/review/read"
	"visto/ui/dialog"
)

// FacetGroups are the groups of the facets in the order of the dialog.
var FacetGroups = []string{"status", "flag", "parameter", "language", "field", "file", AttributeGroup, "reviewer",
	assigneeGroup, "host"}

// AttributeGroup is the group of the attributes of records. Its values are texts NAME=VALUE, as of --where. Each
// attribute is like a group of its own: values of one are alternatives.
const AttributeGroup = "attribute"

// assigneeGroup is the group of the reviewers who have items, with review.Mine and review.Nobody.
const assigneeGroup = "assignee"

func attributeFacet(name, value string, n int) dialog.Facet {
	return dialog.Facet{Group: AttributeGroup, Value: name + "=" + value, N: n}
}

// stringGroups are the groups whose values are texts, with their place among the values of a filter.
var stringGroups = map[string]func(*review.Values) *[]string{
	"parameter": func(v *review.Values) *[]string { return &v.Params },
	"language":  func(v *review.Values) *[]string { return &v.Languages },
	"field":     func(v *review.Values) *[]string { return &v.Fields },
	"file":      func(v *review.Values) *[]string { return &v.Files },
	"reviewer":  func(v *review.Values) *[]string { return &v.Reviewers },
	"host":      func(v *review.Values) *[]string { return &v.Hosts },

	assigneeGroup: func(v *review.Values) *[]string { return &v.Assigned },
}

// waiting is the facet of the items that wait for a person.
func waiting(n int, choice dialog.FacetChoice) dialog.Facet {
	return dialog.Facet{Group: "status", Value: review.Waiting, Label: "waiting for a person", N: n, WantOnly: true,
		Choice: choice}
}

// TypedHost offers a host that is not among the most frequent, or a pattern of hosts.
func TypedHost(text string) (dialog.Facet, bool) {
	host, err := review.ParseHost(strings.TrimSpace(text))
	if err != nil || !strings.Contains(host, ".") {
		return dialog.Facet{}, false
	}
	return dialog.Facet{Group: "host", Value: host, N: -1}, true
}

// Chosen returns the choices that a filter makes.
func Chosen(f review.Filter) []dialog.Facet {
	var list []dialog.Facet
	if f.Open {
		list = append(list, waiting(-1, dialog.FacetWith))
	}
	for choice, v := range [...]review.Values{dialog.FacetWith: f.Values(), dialog.FacetWithout: f.Not} {
		add := func(group, value string) {
			list = append(list, dialog.Facet{Group: group, Value: value, N: -1, Choice: dialog.FacetChoice(choice)})
		}
		for _, s := range v.Statuses {
			add("status", s.String())
		}
		for _, c := range v.Flags.Codes() {
			add("flag", c.String())
		}
		for _, group := range FacetGroups {
			if place := stringGroups[group]; place != nil {
				for _, value := range *place(&v) {
					add(group, value)
				}
			}
		}
		for _, a := range v.Where {
			for _, value := range a.Values {
				add(AttributeGroup, attributeFacet(a.Name, value, -1).Value)
			}
		}
	}
	return list
}

// Narrowed returns the filter with these choices in place of its own. The search stays.
func Narrowed(f review.Filter, chosen []dialog.Facet) review.Filter {
	var want, not review.Values
	f.Open = false
	for _, c := range chosen {
		v := &want
		if c.Choice == dialog.FacetWithout {
			v = &not
		}
		if c.Group == "status" && c.Value == review.Waiting {
			f.Open = true
		} else {
			choose(v, c)
		}
	}
	if len(want.Statuses) > 0 {
		f.Open = false // the statuses are narrower
	}
	return f.WithValues(want, not)
}

// choose adds a value of a group.
func choose(v *review.Values, c dialog.Facet) {
	switch c.Group {
	case "status":
		if s, ok := review.ParseStatus(c.Value); ok {
			v.Statuses = append(v.Statuses, s)
		}
	case "flag":
		if code, ok := canon.ParseCode(c.Value); ok {
			v.Flags = v.Flags.With(code)
		}
	case AttributeGroup:
		if name, value, ok := strings.Cut(c.Value, "="); ok {
			chooseAttribute(v, name, value)
		}
	default:
		place := stringGroups[c.Group](v)
		*place = append(*place, c.Value)
	}
}

func chooseAttribute(v *review.Values, name, value string) {
	i := slices.IndexFunc(v.Where, func(a read.Attribute) bool { return a.Name == name })
	if i < 0 {
		i, v.Where = len(v.Where), append(v.Where, read.Attribute{Name: name})
	}
	v.Where[i].Values = append(v.Where[i].Values, value)
}

// without returns the filter without its choices of a group, and whether it had any.
func without(f review.Filter, group string) (review.Filter, bool) {
	chosen := Chosen(f)
	rest := slices.DeleteFunc(slices.Clone(chosen), func(x dialog.Facet) bool { return x.Group == group })
	return Narrowed(f, rest), len(rest) < len(chosen)
}
