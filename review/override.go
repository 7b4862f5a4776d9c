package review

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"visto/canon"
)

// PastRule is a change of an override in the history of a host.
type PastRule struct {
	OverrideChange
	Reviewer string
	At       time.Time
	Batch    int64
	Undone   bool
}

// StoredOverride is an override in force, with its author.
type StoredOverride struct {
	ID       int64
	Override canon.Override
	Reviewer string
	At       time.Time
	Batch    int64 // the batch that last changed it; an undo restores the earlier one, with its reviewer and time
}

// Effect computes the effect of changes to the overrides on all stored URLs in their reach. An invalid override is an
// error, and so are a set without a fixed point (*canon.LoopError) and a new rule that trusts hosts which nobody named
// (*canon.DoorError). Effect calls progress, if not nil, from time to time with the effect so far. It writes nothing.
func (d ruleDesk) Effect(ctx context.Context, changes []OverrideChange, progress func(Effect)) (*Effect, error) {
	if changes = split(changes); len(changes) == 0 {
		return &Effect{}, nil
	}
	if err := refuseDoors(changes); err != nil {
		return nil, err
	}
	return d.effectOf(ctx, planOverrides(changes), progress)
}

// RecanonEffect computes the effect of another policy on all stored URLs. It writes nothing. The current policy may
// have an effect too, if a newer program canonicalizes differently.
func (d ruleDesk) RecanonEffect(ctx context.Context, p *canon.Policy, progress func(Effect)) (*Effect, error) {
	effect, err := d.effectOf(ctx, planPolicy(p), progress)
	return effect, underPolicy(p, err)
}

func (d ruleDesk) effectOf(ctx context.Context, planOf planner, progress func(Effect)) (*Effect, error) {
	t, err := d.try(ctx, planOf, false, progress)
	if err != nil {
		return nil, err
	}
	return &t.effect, nil
}

// SaveOverrides writes the changes with their effect, as one batch. It writes nothing if nothing changes. Changes that
// take two persons are proposed first: Receipt.Waiting is their number, and the effect is that of the confirmation.
func (d ruleDesk) SaveOverrides(
	ctx context.Context, changes []OverrideChange, summary string,
) (Receipt, *Effect, error) {
	for _, c := range changes {
		if c.After != nil {
			if err := checkNote(c.After.Note); err != nil {
				return Receipt{}, nil, fmt.Errorf("storing a rule: %w", err)
			}
		}
	}
	if changes = split(changes); len(changes) == 0 {
		return Receipt{}, &Effect{}, nil
	}
	if err := refuseDoors(changes); err != nil {
		return Receipt{}, nil, err
	}
	summary = cleanText(cmp.Or(summary, describe(changes)))
	r, err := d.rules(ctx)
	if err != nil {
		return Receipt{}, nil, err
	}
	forTwo := r.acceptForTwo(changes)
	confirms, err := d.proposed(ctx, changes, forTwo)
	if err != nil {
		return Receipt{}, nil, err
	}
	if forTwo && confirms == 0 {
		return d.propose(ctx, changes, summary)
	}
	return d.commitRules(ctx, planOverrides(changes), func(r Results) Change {
		return ChangeRules{Reviewer: d.reviewer, Summary: summary, Overrides: changes, Confirms: confirms, Results: r}
	})
}

// Recanon makes p the policy of the store and writes its effect, as one batch. If p is the policy already and has no
// effect, Recanon writes nothing.
func (d ruleDesk) Recanon(ctx context.Context, p *canon.Policy) (Receipt, *Effect, error) {
	receipt, effect, err := d.commitRules(ctx, planPolicy(p), func(r Results) Change {
		if p.Digest() == d.Policy().Digest() && len(r.Recomputed) == 0 {
			return nil
		}
		return Recanon{Reviewer: d.reviewer, Summary: "policy " + p.ID(), Policy: p, Results: r}
	})
	if err == nil {
		_, err = d.rules(ctx) // makes Policy return the new one
	}
	return receipt, effect, underPolicy(p, err)
}

// underPolicy names the policy in the error of overrides without a fixed point.
func underPolicy(p *canon.Policy, err error) error {
	if loop, ok := errors.AsType[*canon.LoopError](err); ok {
		return fmt.Errorf("the overrides under policy %s: %w", p.ID(), loop)
	}
	return err
}

// commitRules computes the effect of a change of the rules and writes both. change returns the change with its results,
// nil if there is nothing to write.
func (d ruleDesk) commitRules(
	ctx context.Context, planOf planner, change func(Results) Change,
) (receipt Receipt, effect *Effect, err error) {
	err = whileStale(func() error {
		t, err := d.try(ctx, planOf, true, nil)
		if err != nil {
			return err
		}
		effect = &t.effect
		if c := change(t.results(t.recomputed, t.recomputeLate(t.lastID))); c != nil {
			receipt, err = d.store.Commit(ctx, c)
		}
		return err
	})
	return receipt, effect, err
}

// planner returns the plan of a change under the current rules.
type planner func(*rules) (plan, error)

// planPolicy plans a change of the policy.
func planPolicy(p *canon.Policy) planner {
	return func(r *rules) (plan, error) {
		return plan{r.with(p, r.list), everything}, nil
	}
}

// planOverrides plans changes to the overrides.
func planOverrides(changes []OverrideChange) planner {
	return func(r *rules) (plan, error) {
		list, err := r.after(changes)
		if err != nil {
			return plan{}, err
		}
		return plan{r.with(r.policy, list), reachOf(changes)}, nil
	}
}

// after returns the overrides after the changes. It returns ErrStale for a change of another override than the current
// one.
func (r *rules) after(changes []OverrideChange) ([]packedRule, error) {
	list, at := slices.Clone(r.list), r.places(changes)
	for _, c := range changes {
		match := matchOf(c)
		i, found := at[match]
		var current *canon.Override
		if found {
			current = list[i].override()
		}
		if !sameRule(current, c.Before) {
			why := staleRule(current, c.Before)
			return nil, fmt.Errorf("the override for %s: %s: %w", match, why, ErrStale)
		}
		if c.After == nil {
			list[i] = packedRule{}
			delete(at, match)
			continue
		}
		packed, err := pack(c.After)
		if err != nil {
			return nil, err
		}
		if !found {
			i, list = len(list), append(list, packedRule{})
			at[match] = i
		}
		list[i] = packed
	}
	return slices.DeleteFunc(list, func(p packedRule) bool { return p.text == "" }), nil
}

// places returns the places of the overrides that the changes change, by match.
func (r *rules) places(changes []OverrideChange) map[canon.Match]int {
	changed, at := map[canon.Match]bool{}, map[canon.Match]int{}
	for _, c := range changes {
		changed[matchOf(c)] = true
	}
	for i, p := range slices.Backward(r.list) { // the first of equals is in force
		if changed[p.match] {
			at[p.match] = i
		}
	}
	return at
}

func staleRule(current, expected *canon.Override) string {
	switch {
	case expected == nil:
		return "there is one already"
	case current == nil:
		return "it is no longer there"
	}
	return "it is another one now"
}

// split normalizes the new rules. It turns a move to another Match into a removal and an addition, and
// drops changes without effect.
func split(changes []OverrideChange) []OverrideChange {
	var list []OverrideChange
	for _, c := range changes {
		if c.After != nil {
			c.After = normalRule(*c.After)
		}
		switch {
		case sameRule(c.Before, c.After):
		case c.Before != nil && c.After != nil && c.Before.Match != c.After.Match:
			list = append(list, OverrideChange{Before: c.Before}, OverrideChange{After: c.After})
		default:
			list = append(list, c)
		}
	}
	return list
}

// normalRule returns a rule in the form in which it is stored: with its match in normal form, and without user and
// password in note and rewrites.
func normalRule(rule canon.Override) *canon.Override {
	rule.Match, rule.Note = rule.Match.Normal(), canon.MaskUsers(rule.Note)
	rule.RewriteRules = mapped(rule.RewriteRules, func(w canon.Rewrite) canon.Rewrite {
		for _, text := range []*string{&w.FromPrefix, &w.ToPrefix, &w.From, &w.To} {
			*text = canon.MaskUser(*text)
		}
		return w
	})
	return &rule
}

// matchOf returns the Match of a change. After split both sides have the same one.
func matchOf(c OverrideChange) canon.Match {
	if c.Before != nil {
		return c.Before.Match
	}
	return c.After.Match
}

// reachOf returns a filter for the items that the changes may concern. Path prefixes cannot narrow it: an override is
// looked up with the path at that point of the pipeline, which is not stored. Nor can fields, beside hosts.
func reachOf(changes []OverrideChange) (f Filter) {
	for _, c := range changes {
		m := matchOf(c)
		f.Reach, f.Fields = append(f.Reach, m.Host), append(f.Fields, m.Field)
	}
	slices.Sort(f.Reach)
	slices.Sort(f.Fields)
	f.Reach, f.Fields = slices.Compact(f.Reach), slices.Compact(f.Fields)
	if f.Reach[0] == "" { // a rule for a field on any host
		f.Reach = nil
	}
	if f.Fields[0] == "" { // a rule for a host
		f.Fields = nil
	}
	f.Flags, f.Presence = newlyAccepted(changes), AnyPresence
	return f
}

// newlyAccepted returns the flags that the changes accept if all of them are new rules for fields, or such that accept
// more: they concern only the items with one of these flags. 0: the changes may raise a flag, or more.
func newlyAccepted(changes []OverrideChange) (codes canon.CodeSet) {
	for _, c := range changes {
		if c.After == nil || c.After.Match.Field == "" || c.Before != nil &&
			(c.Before.Match != c.After.Match || len(without(c.Before.Accept, c.After.Accept)) > 0) {
			return 0
		}
		for _, name := range c.After.Accept {
			code, _ := canon.ParseCode(name)
			codes = codes.With(code)
		}
	}
	return codes
}

// sameRule compares overrides in their stored form, in which an empty list equals none.
func sameRule(a, b *canon.Override) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

func describe(changes []OverrideChange) string {
	if len(changes) != 1 {
		return fmt.Sprintf("change %d overrides", len(changes))
	}
	verb := "change"
	switch c := changes[0]; {
	case c.Before == nil:
		verb = "add"
	case c.After == nil:
		verb = "remove"
	}
	return verb + " the override for " + matchOf(changes[0]).String()
}

// Amend returns the change that merges the rule into the stored override with the same Match, or adds the rule. Lists
// are united. A parameter that the rule drops is no longer kept, and vice versa. Single values of the rule replace
// stored ones.
func (d ruleDesk) Amend(ctx context.Context, rule canon.Override) (OverrideChange, error) {
	changes, err := d.AmendAll(ctx, rule)
	if err != nil {
		return OverrideChange{}, err
	}
	return changes[0], nil
}

// AmendAll amends several rules one after the other. Rules with the same Match become one change.
func (d ruleDesk) AmendAll(ctx context.Context, rules ...canon.Override) ([]OverrideChange, error) {
	stored, err := d.Overrides(ctx)
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
			rule = Amended(*from, rule)
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

// Amended merges the rule into o. It does not change the lists of o in place.
func Amended(o, rule canon.Override) canon.Override {
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

// rewrites replaces the rewrite rules of the same text and appends the others.
func rewrites(list, more []canon.Rewrite) []canon.Rewrite {
	list = slices.Clone(list)
	for _, r := range more {
		from, _ := r.Texts()
		i := slices.IndexFunc(list, func(w canon.Rewrite) bool {
			old, _ := w.Texts()
			return old == from
		})
		if i < 0 {
			list = append(list, r)
		} else {
			list[i] = r
		}
	}
	return list
}
