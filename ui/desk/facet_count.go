package desk

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"visto/canon"
	"visto/review"
	"visto/review/read"
	"visto/ui/dialog"
	"visto/ui/pane"
)

// slowGroups are the groups whose count takes a pass over the items.
var slowGroups = map[string]review.Dimension{
	"parameter": review.ByParam, "language": review.ByLanguage, "reviewer": review.ByReviewer,
	assigneeGroup: review.ByAssignee,
}

// FacetCount is one reading of the store: it counts the values of some groups under one filter.
type FacetCount struct {
	Groups []string
	filter review.Filter
	hosts  []string // those chosen, where the hosts are counted
}

// FacetCounts returns the readings that count all groups, with the waiting URLs of [OwnWork]. A group with choices is
// counted under the choices of the other groups, so that its other values have counts too. The quickest reading comes
// first, the slowest last.
func FacetCounts(who Identity, f review.Filter) []FacetCount {
	f = own(who, f)
	var counts []FacetCount
	whole := FacetCount{filter: f}
	for _, g := range FacetGroups {
		if g == AttributeGroup {
			continue
		}
		wide, chosen := without(f, g)
		if g == "reviewer" { // those of a chosen one are all shown
			wide.For = ""
		}
		if slowGroups[g] != 0 || chosen {
			counts = append(counts, FacetCount{Groups: []string{g}, filter: wide})
		} else {
			whole.Groups = append(whole.Groups, g)
		}
	}
	if len(whole.Groups) > 0 {
		counts = slices.Insert(counts, 0, whole)
	}
	for i := range counts {
		if slices.Contains(counts[i].Groups, "host") {
			counts[i].hosts = slices.Concat(f.Hosts, f.Not.Hosts)
		}
	}
	return append(counts, FacetCount{Groups: []string{AttributeGroup}, filter: f})
}

// Read returns the counted values by group.
func (c FacetCount) Read(ctx context.Context, d Queue) (map[string][]dialog.Facet, error) {
	if c.Groups[0] == AttributeGroup {
		list, err := attributeFacets(ctx, d, c.filter)
		return map[string][]dialog.Facet{AttributeGroup: list}, err
	}
	if group := c.Groups[0]; slowGroups[group] != 0 {
		list, err := d.Facet(ctx, c.filter, slowGroups[group])
		if err == nil && group == assigneeGroup && len(list) > 0 {
			list, err = c.withMine(ctx, d, list)
		}
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
	if counts["host"], err = c.withChosen(ctx, d, counts["host"]); err != nil {
		return nil, err
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

// SharedFacets are the counts that were read last.
type SharedFacets struct {
	mu   sync.Mutex
	list []sharedFacets
}

type sharedFacets struct {
	count  FacetCount
	values *Shared[map[string][]dialog.Facet]
}

// maxSharedFacets is the number of counts that are kept: those of about ten filters.
const maxSharedFacets = 64

// countsOfOne is about the number of counts of one filter.
const countsOfOne = 6

// Of returns the values of a count, which are the same for all reviewers unless they depend on the one who asks.
func (s *SharedFacets) Of(c FacetCount) *Shared[map[string][]dialog.Facet] {
	asks := slices.Concat(c.Groups, c.filter.Assigned, c.filter.Not.Assigned)
	if !slices.Contains(asks, assigneeGroup) && !slices.Contains(asks, review.Mine) {
		c.filter.Me = ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, known := range s.list {
		if reflect.DeepEqual(known.count, c) {
			return known.values
		}
	}
	if len(s.list) == maxSharedFacets {
		s.list = slices.Delete(s.list, 0, 1)
	}
	s.list = append(s.list, sharedFacets{c, &Shared[map[string][]dialog.Facet]{among: countsOfOne}})
	return s.list[len(s.list)-1].values
}

// withMine adds the items of the reviewer who asks, and those of nobody.
func (c FacetCount) withMine(ctx context.Context, d Queue, list []review.Bucket) ([]review.Bucket, error) {
	mine, nobodys := review.Bucket{Value: review.Mine}, review.Bucket{Value: review.Nobody}
	n, err := d.Count(ctx, c.filter)
	nobodys.N = n
	for _, b := range list {
		nobodys.N -= b.N
		if b.Value == c.filter.Me {
			mine.N = b.N
		}
	}
	return slices.Concat([]review.Bucket{mine}, list, []review.Bucket{nobodys}), err
}

// withChosen adds the chosen hosts that are not among the most frequent ones, and patterns of hosts.
func (c FacetCount) withChosen(ctx context.Context, d Queue, list []dialog.Facet) ([]dialog.Facet, error) {
	for _, host := range c.hosts {
		if slices.ContainsFunc(list, func(x dialog.Facet) bool { return x.Value == host }) {
			continue
		}
		one := c.filter
		one.Hosts = []string{host}
		n, err := d.Count(ctx, one)
		if err != nil {
			return nil, err
		}
		list = append(list, dialog.Facet{Group: "host", Value: host, N: n})
	}
	return list, nil
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

// attributeFacets counts each attribute under the choices of the others.
func attributeFacets(ctx context.Context, d Queue, f review.Filter) (list []dialog.Facet, err error) {
	var chosen []string
	for _, a := range slices.Concat(f.Where, f.Not.Where) {
		chosen = append(chosen, a.Name)
	}
	slices.Sort(chosen)
	all, err := d.Attributes(ctx, f)
	isChosen := func(a review.AttributeFacet) bool { return slices.Contains(chosen, a.Name) }
	all = slices.DeleteFunc(all, isChosen)
	for _, name := range slices.Compact(chosen) {
		facet, errOne := countAttribute(ctx, d, f, name)
		all, err = append(all, facet), cmp.Or(err, errOne)
	}
	slices.SortFunc(all, func(a, b review.AttributeFacet) int { return strings.Compare(a.Name, b.Name) })
	for _, a := range all {
		for _, b := range a.Values {
			list = append(list, attributeFacet(a.Name, b.Value, b.N))
		}
	}
	return list, err
}

// countAttribute counts a chosen attribute. If it has too many values, or only one, those chosen are counted.
func countAttribute(ctx context.Context, d Queue, f review.Filter, name string) (review.AttributeFacet, error) {
	wide := withoutAttribute(f, name)
	counted, err := d.Attributes(ctx, wide)
	isIt := func(a review.AttributeFacet) bool { return a.Name == name }
	if i := slices.IndexFunc(counted, isIt); i >= 0 {
		return counted[i], err
	}
	facet := review.AttributeFacet{Name: name}
	for _, a := range slices.Concat(f.Where, f.Not.Where) {
		for _, value := range a.Values {
			if a.Name != name {
				continue
			}
			one := wide
			one.Where = append(slices.Clone(wide.Where), read.Attribute{Name: name, Values: []string{value}})
			n, errCount := d.Count(ctx, one)
			facet.Values, err = append(facet.Values, review.Bucket{Value: value, N: n}), cmp.Or(err, errCount)
		}
	}
	return facet, err
}

func withoutAttribute(f review.Filter, name string) review.Filter {
	isIt := func(a read.Attribute) bool { return a.Name == name }
	f.Where = slices.DeleteFunc(slices.Clone(f.Where), isIt)
	f.Not.Where = slices.DeleteFunc(slices.Clone(f.Not.Where), isIt)
	return f
}
