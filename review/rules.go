package review

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"visto/canon"
)

// rules are the policy, overrides and host evidence that results are computed under. They are current as long as the
// store's RulesGen and HostsGen are not after gen.
type rules struct {
	gen       int64
	lastID    int64 // of the newest item when the rules were read
	lastSeq   int64 // of the newest log entry then
	policy    *canon.Policy
	list      []packedRule     // those in force, or those after a change
	overrides *canon.Overrides // of list those for hosts
	fields    fieldRules       // of list those for fields
	hosts     canon.Hosts
}

// with returns the rules with another policy and other overrides.
func (r rules) with(policy *canon.Policy, list []packedRule) *rules {
	r.policy, r.list, r.fields = policy, list, compileFields(list)
	matches := func(yield func(int, canon.Match) bool) {
		for i := range list {
			if m := list[i].match; m.Field == "" && !yield(i, m) {
				return
			}
		}
	}
	r.overrides = canon.IndexOverrides(matches, func(i int) canon.Override { return *list[i].override() })
	return &r
}

func (r *rules) engine() *Engine {
	return &Engine{canon.New(r.policy, r.overrides), r.policy.MaskText, r.fields, map[FieldSet][][]fieldRule{}}
}

// worker returns a worker for the results of items.
func (r *rules) worker() worker[Computed] {
	c := r.engine()
	return func(it *Item, ev *canon.Evidence) Computed { return compute(c, it, ev) }
}

// computing has a store compute results under the rules.
func (r *rules) computing() Computing {
	compute := r.worker()
	return Computing{Gen: r.gen, OnFields: r.fields != nil, Compute: func(it Item, ev *canon.Evidence) Computed {
		return compute(&it, ev)
	}}
}

// results returns the results that were computed from the store as the rules were read from it.
func (r *rules) results(list []Recomputed, late func(Item, *canon.Evidence) *Recomputed) Results {
	return Results{Recomputed: list, Gen: r.gen, LastID: r.lastID, Seq: r.lastSeq, Late: late}
}

// ruleCache reads the rules from a store and keeps them parsed.
type ruleCache struct {
	store Store
	known atomic.Pointer[rules] // the newest rules read; never changed in place
}

// Policy returns the policy that was last read from the store.
func (c *ruleCache) Policy() *canon.Policy { return c.known.Load().policy }

// Rules returns the store's current policy and its compiled overrides for hosts. As long as they stay the same, so do
// the pointers.
func (c *ruleCache) Rules(ctx context.Context) (*canon.Policy, *canon.Overrides, error) {
	r, err := c.rules(ctx)
	if err != nil {
		return nil, nil, err
	}
	return r.policy, r.overrides, nil
}

// rules returns the store's current rules. It parses policy and overrides again only if their generation has changed,
// which any process may do at any time.
func (c *ruleCache) rules(ctx context.Context) (*rules, error) {
	for {
		before, err := c.store.Meta(ctx)
		if err != nil {
			return nil, err
		}
		if r := c.known.Load(); r != nil && r.gen >= before.resultsGen() {
			current := *r
			current.gen, current.lastID, current.lastSeq = before.Gen, before.LastID, before.LastSeq
			return &current, nil
		}
		r, err := c.read(ctx, before)
		if err != nil {
			return nil, err
		}
		after, err := c.store.Meta(ctx)
		if err != nil {
			return nil, err
		}
		if after.RulesGen == before.RulesGen && after.HostsGen == before.HostsGen {
			c.known.Store(r) // else the overrides may be newer than the policy
			return r, nil
		}
	}
}

func (c *ruleCache) read(ctx context.Context, m Meta) (*rules, error) {
	if known := c.known.Load(); known != nil && known.gen >= m.RulesGen {
		return c.withNews(ctx, known, m)
	}
	policy, err := c.policyOf(m)
	if err != nil {
		return nil, fmt.Errorf("reading the stored policy: %w", err)
	}
	list, err := c.packed(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading the stored overrides: %w", err)
	}
	hosts, err := c.store.Hosts(ctx, 0)
	if err != nil {
		return nil, err
	}
	r := rules{gen: m.Gen, lastID: m.LastID, lastSeq: m.LastSeq, hosts: hosts}
	return r.with(policy, list), nil
}

// withNews returns rules with the host evidence since they were read.
func (c *ruleCache) withNews(ctx context.Context, known *rules, m Meta) (*rules, error) {
	news, err := c.store.Hosts(ctx, known.gen)
	if err != nil {
		return nil, err
	}
	r := *known
	r.gen, r.lastID, r.lastSeq, r.hosts = m.Gen, m.LastID, m.LastSeq, maps.Clone(known.hosts)
	maps.Copy(r.hosts, news)
	return &r, nil
}

// policyOf returns the policy that the store names, or the known one if the store has none yet.
func (c *ruleCache) policyOf(m Meta) (*canon.Policy, error) {
	known := c.known.Load()
	if known != nil && (m.PolicyDigest == "" || known.policy.Digest() == m.PolicyDigest) {
		return known.policy, nil
	}
	name, _, _ := strings.Cut(m.PolicyID, "@")
	if p, err := canon.Builtin(name); err == nil && bytes.Equal(p.YAML(), m.PolicyYAML) {
		return p, nil // this process compiles it only once
	}
	return canon.ParsePolicy(canon.PolicyFile{Name: m.PolicyID, Data: m.PolicyYAML})
}

// RulesOf returns a function that reads the rules of a store for PendingStore.UseRules, and keeps them parsed.
func RulesOf(s Store) func(context.Context) (Computing, error) {
	return (&ruleCache{store: s}).computing
}

// computing has a store compute results under its current rules.
func (c *ruleCache) computing(ctx context.Context) (Computing, error) {
	r, err := c.rules(ctx)
	if err != nil {
		return Computing{}, err
	}
	return r.computing(), nil
}

// ruleDesk is the part of a Desk that changes the rules, and computes the effect of that first.
type ruleDesk struct{ *deskBase }

// maxTries is the number of attempts to compute and write a change while others write.
const maxTries = 5

// whileStale calls fn again while it fails with ErrStale, maxTries times at most.
func whileStale(fn func() error) error {
	for try := 1; ; try++ {
		if err := fn(); !errors.Is(err, ErrStale) || try == maxTries {
			return err
		}
	}
}

// FieldSet is a set of fields, such as those in which files cite an item. Equal sets are equal values.
type FieldSet string

// fieldEnd stands behind each name in a FieldSet. No name has it.
const fieldEnd = "\x00"

// NewFieldSet returns the set of the fields with these names. The field of plain text has the empty name.
func NewFieldSet(names ...string) FieldSet {
	if len(names) == 1 {
		return FieldSet(names[0] + fieldEnd)
	}
	names = slices.Clone(names)
	slices.Sort(names)
	var b strings.Builder
	for _, name := range slices.Compact(names) {
		b.WriteString(name + fieldEnd)
	}
	return FieldSet(b.String())
}

// Names returns the names of the fields, sorted.
func (s FieldSet) Names() []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(s), fieldEnd), fieldEnd)
}

// has reports whether the field is in the set.
func (s FieldSet) has(field string) bool { return slices.Contains(s.Names(), field) }

// Engine canonicalizes URLs under a policy and all overrides. Package canon applies the overrides for hosts. Those for
// fields take flags from its result, if the URL is cited somewhere, and in each of its fields some override accepts the
// flag. An Engine owns scratch memory, so it serves one goroutine at a time.
type Engine struct {
	bare   *canon.Canonicalizer
	mask   func(string) string
	fields fieldRules
	sets   map[FieldSet][][]fieldRule // the overrides of each field of a set; nil: a field has none
}

// NewEngine returns an Engine. Its errors are those of canon.CompileOverrides, but for *canon.FieldRuleError.
func NewEngine(p *canon.Policy, list []canon.Override) (*Engine, error) {
	packed := make([]packedRule, len(list))
	for i := range list {
		var err error
		if packed[i], err = pack(&list[i]); err != nil {
			return nil, err
		}
	}
	return rules{}.with(p, packed).engine(), nil
}

// Canonicalize is canon.Canonicalizer.Canonicalize for a URL that is cited in the fields.
func (e *Engine) Canonicalize(url string, ev *canon.Evidence, fields FieldSet) canon.Result {
	res := e.bare.Canonicalize(url, ev)
	e.accept(&res, fields)
	return res
}

// Explain is Canonicalize with words. The trace says which overrides accepted a flag.
func (e *Engine) Explain(url string, ev *canon.Evidence, fields FieldSet) canon.Result {
	res := e.bare.Explain(url, ev)
	e.explain(&res, fields, e.accept(&res, fields))
	return res
}

// accept takes away the flags that overrides for the fields accept, and returns them.
func (e *Engine) accept(res *canon.Result, fields FieldSet) (accepted canon.CodeSet) {
	if e.fields == nil || res.Verdict != canon.Flagged {
		return 0
	}
	if accepted = e.acceptable(res, fields) & res.Codes(); accepted == 0 {
		return 0
	}
	isAccepted := func(f canon.Flag) bool { return accepted.Has(f.Code) }
	res.Flags = slices.DeleteFunc(slices.Clone(res.Flags), isAccepted)
	if accepted.Has(canon.UnknownParam) {
		res.UnknownParams = nil
	}
	if len(res.Flags) == 0 {
		res.Verdict, res.Flags = canon.Accepted, nil
	}
	return accepted
}

// acceptable returns the flags that are fine for a result that is cited in the fields.
func (e *Engine) acceptable(res *canon.Result, fields FieldSet) canon.CodeSet {
	lists := e.rulesOf(fields)
	if len(lists) == 0 {
		return 0
	}
	at, everywhere := lookup{res.Host, PathOf(res.Canonical), fields}, ^canon.CodeSet(0)
	for _, list := range lists {
		var here canon.CodeSet
		for i := range list {
			if at.covers(list[i].match) {
				here |= list[i].accept
			}
		}
		everywhere &= here
	}
	return everywhere
}

// rulesOf returns the overrides of each of the fields, nil if one has none. It looks them up once for each set.
func (e *Engine) rulesOf(fields FieldSet) [][]fieldRule {
	lists, known := e.sets[fields]
	if known {
		return lists
	}
	for _, name := range fields.Names() {
		if len(e.fields[name]) == 0 {
			lists = nil
			break
		}
		lists = append(lists, e.fields[name])
	}
	e.sets[fields] = lists
	return lists
}

// explain adds the accepted flags to the trace, as the pipeline does it for overrides for hosts.
func (e *Engine) explain(res *canon.Result, fields FieldSet, accepted canon.CodeSet) {
	if accepted == 0 {
		return
	}
	at := lookup{res.Host, PathOf(res.Canonical), fields}
	var notes []string
	for _, code := range accepted.Codes() {
		for _, rule := range slices.Concat(e.rulesOf(fields)...) {
			if rule.accept.Has(code) && at.covers(rule.match) {
				notes = append(notes, fmt.Sprintf("%s is accepted by the override for %s", code, rule.match))
			}
		}
	}
	res.Trace = append(res.Trace, canon.Entry{Step: "override", Before: res.Canonical, After: res.Canonical,
		Note: e.mask(strings.Join(notes, "; "))})
}

// fieldRules are the overrides for fields, by field; nil: there is none.
type fieldRules map[string][]fieldRule

type fieldRule struct {
	match  canon.Match // normal
	accept canon.CodeSet
}

// compileFields compiles the overrides for fields. Of two with the same match the first wins.
func compileFields(list []packedRule) (fields fieldRules) {
	for i := range list {
		if list[i].match.Field == "" {
			continue
		}
		o := list[i].override()
		rule := fieldRule{match: o.Match.Normal()}
		for _, name := range o.Accept {
			code, _ := canon.ParseCode(name)
			rule.accept = rule.accept.With(code)
		}
		if fields == nil {
			fields = fieldRules{}
		}
		name := rule.match.Field
		if !slices.ContainsFunc(fields[name], func(r fieldRule) bool { return r.match == rule.match }) {
			fields[name] = append(fields[name], rule)
		}
	}
	return fields
}
