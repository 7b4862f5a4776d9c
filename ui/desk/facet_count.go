package desk

import (
	"context"
	"maps"
	"slices"

	"visto/canon"
	"visto/review"
	"visto/ui/dialog"
	"visto/ui/pane"
)

// slowGroups are the groups whose count takes a pass over the items.
var slowGroups = map[string]review.Dimension{
	"parameter": review.ByParam, "language": review.ByLanguage, "reviewer": review.ByReviewer,
}

// FacetCount is one reading of the store: it counts the values of some groups under one filter.
type FacetCount struct {
	Groups []string
	filter review.Filter
}

// FacetCounts returns the readings that count all groups. A group with choices is counted under the choices of the
// other groups, so that its other values have counts too. The quickest reading comes first.
func FacetCounts(f review.Filter) []FacetCount {
	var counts []FacetCount
	whole := FacetCount{filter: f}
	for _, g := range FacetGroups {
		wide, chosen := without(f, g)
		if slowGroups[g] != 0 || chosen {
			counts = append(counts, FacetCount{[]string{g}, wide})
		} else {
			whole.Groups = append(whole.Groups, g)
		}
	}
	if len(whole.Groups) > 0 {
		counts = slices.Insert(counts, 0, whole)
	}
	return counts
}

// Read returns the counted values by group.
func (c FacetCount) Read(ctx context.Context, d Queue) (map[string][]dialog.Facet, error) {
	if group := c.Groups[0]; slowGroups[group] != 0 {
		list, err := d.Facet(ctx, c.filter, slowGroups[group])
		return map[string][]dialog.Facet{group: bucketFacets(group, list)}, err
	}
	all, err := d.Facets(ctx, c.filter)
	if err != nil {
		return nil, err
	}
	counts := map[string][]dialog.Facet{
		"flag": flagFacets(all.Flags), "field": bucketFacets("field", all.Fields),
		"file": withTails(bucketFacets("file", all.Files)), "host": bucketFacets("host", all.Hosts),
	}
	maps.DeleteFunc(counts, func(group string, _ []dialog.Facet) bool { return !slices.Contains(c.Groups, group) })
	if slices.Contains(c.Groups, "status") {
		open := c.filter
		open.Open = true
		n, err := d.Count(ctx, open)
		counts["status"] = statusFacets(n, all.Statuses)
		return counts, err
	}
	return counts, nil
}

func statusFacets(open int, counts map[review.Status]int) []dialog.Facet {
	list := []dialog.Facet{waiting(open, 0)}
	for _, s := range pane.Statuses {
		list = append(list, dialog.Facet{Group: "status", Value: s.String(), N: counts[s]})
	}
	return list
}

func flagFacets(counts map[canon.Code]int) []dialog.Facet {
	var list []dialog.Facet
	for _, c := range canon.Codes() {
		if counts[c] > 0 {
			list = append(list, dialog.Facet{Group: "flag", Value: c.String(), N: counts[c]})
		}
	}
	return list
}

func bucketFacets(group string, buckets []review.Bucket) []dialog.Facet {
	var list []dialog.Facet
	for _, b := range buckets {
		if b.Value != "" {
			list = append(list, dialog.Facet{Group: group, Value: b.Value, N: b.N})
		}
	}
	return list
}
