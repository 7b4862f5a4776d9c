package review

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"visto/canon"
)

// Amend returns the change that merges the rule into the stored override with the same Match, or adds the rule. Lists
// are united. A parameter that the rule drops is no longer kept, and vice versa. Single values of the rule replace
// stored ones.
func (d *Desk) Amend(ctx context.Context, rule canon.Override) (OverrideChange, error) {
	changes, err := d.AmendAll(ctx, rule)
	if err != nil {
		return OverrideChange{}, err
	}
	return changes[0], nil
}

// AmendAll amends several rules one after the other. Rules with the same Match become one change.
func (d *Desk) AmendAll(ctx context.Context, rules ...canon.Override) ([]OverrideChange, error) {
	stored, err := d.store.Overrides(ctx)
	if err != nil {
		return nil, err
	}
	var changes []OverrideChange
	for _, rule := range rules {
		rule.Match = rule.Match.Normal()
		i := slices.IndexFunc(changes, func(c OverrideChange) bool { return c.After.Match == rule.Match })
		if i < 0 {
			i = len(changes)
			changes = append(changes, OverrideChange{Before: storedRule(stored, rule.Match)})
		}
		if from := cmp.Or(changes[i].After, changes[i].Before); from != nil {
			rule = amend(*from, rule)
		}
		changes[i].After = &rule
	}
	return changes, nil
}

// storedRule returns a copy of the stored override with the Match, or nil.
func storedRule(stored []StoredOverride, m canon.Match) *canon.Override {
	for _, o := range stored {
		if o.Override.Match == m {
			return &o.Override
		}
	}
	return nil
}

// amend merges the rule into o. It does not change the lists of o in place.
func amend(o, rule canon.Override) canon.Override {
	o.DropQueryParams = unite(without(o.DropQueryParams, rule.KeepQueryParams), rule.DropQueryParams)
	o.KeepQueryParams = unite(without(o.KeepQueryParams, rule.DropQueryParams), rule.KeepQueryParams)
	o.PaginationParams = unite(without(o.PaginationParams, rule.NotPaginationParams), rule.PaginationParams)
	o.NotPaginationParams = unite(without(o.NotPaginationParams, rule.PaginationParams), rule.NotPaginationParams)
	o.Accept = unite(o.Accept, rule.Accept)
	o.RewriteRules = rewrites(o.RewriteRules, rule.RewriteRules)
	for _, value := range []struct{ old, new *string }{
		{&o.Scheme, &rule.Scheme}, {&o.TrailingSlash, &rule.TrailingSlash}, {&o.CanonicalHost, &rule.CanonicalHost},
	} {
		if *value.new != "" {
			*value.old = *value.new
		}
	}
	if rule.Spanish != nil {
		o.Spanish = rule.Spanish
	}
	if rule.Note != "" && !strings.Contains(o.Note, rule.Note) {
		o.Note = strings.TrimPrefix(o.Note+"; "+rule.Note, "; ")
	}
	return o
}

// unite appends to a copy of list the names of more that it lacks, compared without case.
func unite(list, more []string) []string {
	list = slices.Clone(list)
	for _, name := range more {
		if !slices.ContainsFunc(list, func(s string) bool { return strings.EqualFold(s, name) }) {
			list = append(list, name)
		}
	}
	return list
}

func without(list, names []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(s, name) })
	})
}

// rewrites replaces the rewrite rules with the same From and appends the others.
func rewrites(list, more []canon.Prefixes) []canon.Prefixes {
	list = slices.Clone(list)
	for _, r := range more {
		i := slices.IndexFunc(list, func(p canon.Prefixes) bool { return p.From == r.From })
		if i < 0 {
			list = append(list, r)
		} else {
			list[i] = r
		}
	}
	return list
}
