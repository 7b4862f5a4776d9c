package canon

import (
	"fmt"
	"slices"
	"strings"
)

// run is the work on one URL, and the scratch memory of a Canonicalizer.
type run struct {
	steps     []step // the pipeline; a field, because its functions cannot refer to the table that holds them
	policy    *Policy
	overrides *Overrides

	// Set for each URL.
	raw     string
	ev      *Evidence
	only    stepSet
	due     stepSet // steps that may have work to do; the fast scan finds them
	tracing bool

	rules []*rule // overrides that apply to the URL in its present form, the most specific first
	outcome

	hosts   memo[hostFacts] // by wire form
	names   memo[nameFacts] // parameter names, by spelling
	flagged map[CodeSet][]Flag
	details [codeCount]string // details of the raised flags, while tracing

	// Scratch memory.
	text       []byte // the input, then the parts made of it; reset for each URL
	name       []byte // a decoded name
	path       []byte // a normalized path; a decoded segment or value
	scratch    []byte // the output
	spareRules []*rule
	pages      []Pagination // room for the next ones
	unknowns   []string     // room for lists of names
}

// outcome is the state of a run that is reset for each URL.
type outcome struct {
	u         address
	bad       *rejection
	again     bool   // one more pass is due: an override rewrote the URL, or other overrides apply to it now
	laterPass bool   // this is not the first pass, so the redirects of the evidence are used up
	keepPath  string // a path that the server wants with its trailing slash; empty: none

	flags    CodeSet
	unknown  []string
	inHost   *hostFacts // the host of the input
	via      []string
	fragment string
	page     *Pagination

	shape  pathShape // from the last scan of the path
	inCode bool      // the first segment is a language code

	lang     string
	variants map[string]string
	spanish  []byte // the candidate behind no-spanish
	chain    []Hop
	link     LinkType

	notes  []string
	before string // text of the URL after the last entry of the trace
	trace  []Entry
}

func newRun(p *Policy, o *Overrides) run {
	return run{steps: pipeline, policy: p, overrides: o, flagged: map[CodeSet][]Flag{}}
}

// start makes the run ready for a URL and keeps its scratch memory.
func (r *run) start(raw string, ev *Evidence, only stepSet) {
	r.outcome = outcome{}
	r.raw, r.ev, r.due, r.tracing = raw, ev, everyStep, false
	r.only = only & (1<<len(r.steps) - 1)
	r.text, r.rules = r.text[:0], r.rules[:0]
}

// maxPasses limits how often overrides send a URL through the pipeline. CheckFixedPoint refuses overrides that need
// more, so only unchecked overrides reach it.
const maxPasses = 16

// result canonicalizes one URL into res, which is zero. Overrides without a fixed point are ignored, for the policy
// alone has one.
func (r *run) result(res *Result, raw string, ev *Evidence, only stepSet, tracing bool) {
	raw = trim(raw)
	r.attempt(raw, ev, only, tracing)
	if r.again {
		alone := newRun(r.policy, nil)
		alone.attempt(raw, ev, only, tracing)
		alone.finish(res)
		return
	}
	r.finish(res)
}

// attempt runs the pipeline until no override asks for another pass, or to the limit; r.again is true then.
func (r *run) attempt(raw string, ev *Evidence, only stepSet, tracing bool) {
	r.start(raw, ev, only)
	r.tracing, r.before = tracing, raw
	r.perform()
	for pass := 1; r.again && pass < maxPasses && !r.rejected(); pass++ {
		r.nextPass()
		r.perform()
	}
}

// nextPass keeps the findings about the input and the evidence, and resets those about the URL in its present form.
func (r *run) nextPass() {
	r.again, r.laterPass, r.due = false, true, everyStep
	for _, c := range []Code{
		UnknownParam, HTTPOnly, NoSpanish, HomePage, SectionPage, NonstandardPort, OffAllowlist, SuspiciousHost,
	} {
		r.unflag(c)
	}
	r.unknown, r.spanish = nil, nil
}

// perform runs the due steps in their order. A step may make later ones due.
func (r *run) perform() {
	for i := 0; ; i++ {
		due := r.due & r.only >> i << i
		if due == 0 {
			break
		}
		if i = due.first(); !r.step(i) {
			return
		}
	}
	if r.overrides == nil {
		return
	}
	if r.findRules() || r.rewritable() && r.runs("override") {
		r.again = true
	}
	r.acceptFlags()
}

// step runs one row and reports whether to go on.
func (r *run) step(i int) bool {
	s := &r.steps[i]
	if s.do(r); r.tracing {
		r.record(s.id, s.rule)
	}
	return !r.rejected()
}

// runs reports whether the step is one of those asked for.
func (r *run) runs(id string) bool {
	for i := range r.steps {
		if r.steps[i].id == id {
			return r.only>>i&1 == 1
		}
	}
	return false
}

// clean runs the cleaning steps again, as far as they are asked for, on a URL that is not the input.
func (r *run) clean() {
	r.findRules()
	for left := r.policy.triggers.cleaning & r.only; left != 0; left &= left - 1 {
		if !r.step(left.first()) {
			return
		}
	}
}

// record appends an entry to the trace if the step changed the URL or noted something.
func (r *run) record(id string, rule int) {
	if !r.tracing || r.rejected() {
		return
	}
	r.scratch = r.u.appendTo(r.scratch[:0])
	if string(r.scratch) == r.before && len(r.notes) == 0 {
		return
	}
	after := string(r.scratch)
	r.trace = append(r.trace, Entry{id, rule, r.before, after, strings.Join(r.notes, "; ")})
	r.before, r.notes = after, r.notes[:0]
}

// note adds to the trace's note on the current step.
func (r *run) note(format string, args ...any) {
	if r.tracing {
		r.notes = append(r.notes, fmt.Sprintf(format, args...))
	}
}

// flag raises a flag. The detail tells a person how to act; that of the last call counts.
func (r *run) flag(c Code, format string, args ...any) {
	if r.raise(c) {
		r.details[c] = fmt.Sprintf(format, args...)
	}
}

// raise raises a flag and reports whether its detail is wanted. Frequent flags call it before flag, which saves making
// the arguments.
func (r *run) raise(c Code) (explain bool) {
	r.flags = r.flags.With(c)
	return r.tracing
}

func (r *run) unflag(c Code) { r.flags = r.flags.Without(c) }

func (r *run) reject(bad *rejection) { r.bad = bad }
func (r *run) rejected() bool        { return r.bad != nil }

// adopt replaces the URL by another, or returns why that is no URL. The flags on the old URL are dropped; the caller
// cleans the new one, which raises its own.
func (r *run) adopt(text []byte) *rejection {
	a, _, bad := parse([]byte(trim(string(text))))
	if bad == nil {
		r.leaveHost()
		r.u = a
		for _, c := range []Code{UnknownParam, HTTPOnly, NonstandardPort, SuspiciousHost} {
			r.unflag(c)
		}
		r.unknown = nil
	}
	return bad
}

// leaveHost adds the present host to Result.Via, because overrides were looked up for it.
func (r *run) leaveHost() {
	if host := r.host().name; host != r.inputHost() && !slices.Contains(r.via, host) {
		r.via = append(r.via, host)
	}
}

// inputHost returns the host of the input, empty if it has none.
func (r *run) inputHost() string {
	if r.inHost == nil {
		return ""
	}
	return r.inHost.name
}

// findRules looks up the overrides for the URL in its present form and reports whether they differ from those before.
// If there are any, every step is due.
func (r *run) findRules() (changed bool) {
	if r.overrides == nil {
		return false
	}
	found := r.spareRules[:0]
	if rules := r.host().rules; len(rules) > 0 {
		found = appendFitting(found, rules, r.normalPath())
		r.due = everyStep
	}
	changed = !slices.Equal(found, r.rules)
	r.rules, r.spareRules = found, r.rules
	return changed
}

// normalPath returns the path in the form that the path step gives it, to compare it with path prefixes.
func (r *run) normalPath() []byte {
	if !r.overrides.paths {
		return nil
	}
	r.path = append(r.path[:0], r.u.path...)
	notes := len(r.notes)
	path, _ := normalize(&r.text, r.dropSessionSegments(r.path), pathSet, normalForm)
	r.notes = r.notes[:notes]
	return trimSlashes(removeDots(path))
}
