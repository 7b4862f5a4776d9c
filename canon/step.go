package canon

import (
	"fmt"
	"slices"
	"strings"
)

// step is one row of the pipeline.
type step struct {
	id   string
	rule int // of seed 000; 0: none
	text string
	do   func(*run)
}

// pipeline is the order of operations of seed 000. The functions stand in the files step_*.go, in the same order.
// "override" is the place of the reviewers' own rewrites, "after base normalization" (seed 001 section 3.1).
var pipeline = []step{
	{"parse", 0, "takes the text apart, supplies a missing scheme, strips credentials, refuses what is no public http(s) URL", (*run).stepParse},
	{"scheme", 1, "https, unless the host is known not to answer over it", (*run).stepScheme},
	{"host", 6, "host in lower case and ASCII, default port dropped", (*run).stepHost},
	{"session", 8, "session identifiers out of path and query", (*run).stepSession},
	{"tracking", 3, "tracking parameters out of the query", (*run).stepTracking},
	{"fragment", 4, "fragment removed and noted", (*run).stepFragment},
	{"path", 2, "percent-encoding in normal form, dot segments resolved, trailing slash removed", (*run).stepPath},
	{"redirects", 7, "the final URL of the recorded redirects", (*run).stepRedirects},
	{"www", 5, "the host that the domain prefers", (*run).stepWWW},
	{"override", 0, "preferred host and rewrites of the reviewers' overrides", (*run).stepOverride},
	{"language", 10, "the Spanish version, where one is known", (*run).stepLanguage},
	{"pagination", 9, "page number out of the query and into the metadata", (*run).stepPagination},
	{"query", 0, "allowed parameters only, defaults out, values escaped, sorted: as far as the policy says", (*run).stepQuery},
	{"classify", 0, "informative page, section or home page", (*run).stepClassify},
}

// StepInfo describes one row of the pipeline.
type StepInfo struct {
	ID   string
	Rule int    // rule of seed 000; 0: none
	Text string // what it does
}

// Steps lists the pipeline in its order.
func Steps() []StepInfo {
	var list []StepInfo
	for _, s := range pipeline {
		list = append(list, StepInfo{s.id, s.rule, s.text})
	}
	return list
}

func stepNamed(id string) *step {
	for i := range pipeline {
		if pipeline[i].id == id {
			return &pipeline[i]
		}
	}
	return nil
}

func stepOfRule(rule int) string {
	for _, s := range pipeline {
		if s.rule == rule {
			return s.id
		}
	}
	return ""
}

func setOfStep(id string) stepSet {
	for i := range pipeline {
		if pipeline[i].id == id {
			return 1 << i
		}
	}
	return 0
}

// run is the work on one URL, and the scratch memory of a Canonicalizer.
type run struct {
	steps     []step // pipeline; a field, for its functions cannot name the table they stand in
	policy    *Policy
	overrides *Overrides

	// Set for each URL.
	raw     string
	ev      *Evidence
	only    stepSet
	due     stepSet // rows that may have something to do; survey says which
	tracing bool

	rules []*rule // overrides that apply to the URL as it stands, the most specific first
	outcome

	hosts    memo[hostFacts]    // by wire form
	names    memo[nameFacts]    // of parameters, as they are spelled
	flagged  map[CodeSet][]Flag // flags without details, made once for each set
	details  [codeCount]string  // of the flags that are raised, while tracing
	text     []byte             // scratch for the input, then for what its parts become; reset for each URL
	name     []byte             // scratch for a decoded name
	path     []byte             // scratch for a normalized path, and for a decoded segment or value
	scratch  []byte             // scratch for the output
	looked   []*rule            // scratch for the overrides found last
	pages    []Pagination       // room for the next ones
	unknowns []string           // room for lists of names
}

// outcome is what a run has come to so far.
type outcome struct {
	u        address
	bad      *rejection
	again    bool   // an override rewrote the URL, or other ones apply to it now: one more pass is due
	settled  bool   // this is not the first pass: what the evidence says of redirects is used up
	keepPath string // a path that the server wants with its trailing slash; empty: none

	flags    CodeSet
	unknown  []string
	in       *hostFacts // the host of the input
	via      []string
	fragment string
	page     *Pagination

	route  route // of the path when it was surveyed last
	inCode bool  // whether its first segment is the code of a language

	lang     string
	variants map[string]string
	spanish  []byte // candidate behind no-spanish
	chain    []Hop
	link     LinkType

	notes  []string
	before string // text of the URL after the last entry of the trace
	trace  []Entry
}

// start makes the run ready for a URL; scratch memory stays.
func (r *run) start(raw string, ev *Evidence, only stepSet) {
	r.outcome = outcome{}
	r.raw, r.ev, r.only, r.due, r.tracing = raw, ev, only, allSteps, false
	r.text, r.rules = r.text[:0], r.rules[:0]
}

// maxPasses is how often overrides may send a URL through the pipeline again. CheckFixedPoint refuses rules that
// need more, so reaching it means that rules were not checked.
const maxPasses = 16

// result canonicalizes one URL into res, which is zero.
func (r *run) result(res *Result, raw string, ev *Evidence, only stepSet, tracing bool) {
	raw = trim(raw)
	r.attempt(raw, ev, only, tracing)
	if r.again { // overrides without a fixed point: the policy alone has one
		alone := newRun(r.policy, nil)
		alone.attempt(raw, ev, only, tracing)
		alone.finish(res)
		return
	}
	r.finish(res)
}

func (r *run) attempt(raw string, ev *Evidence, only stepSet, tracing bool) {
	r.start(raw, ev, only)
	r.tracing, r.before = tracing, raw
	r.perform()
	for pass := 1; r.again && pass < maxPasses && !r.rejected(); pass++ {
		r.nextPass()
		r.perform()
	}
}

// nextPass keeps what was learned from the input and the evidence, and forgets what the URL as it stands decides.
func (r *run) nextPass() {
	r.again, r.settled, r.due = false, true, allSteps
	for _, c := range []Code{UnknownParam, HTTPOnly, NoSpanish, HomePage, SectionPage, NonstandardPort, OffAllowlist, SuspiciousHost} {
		r.unflag(c)
	}
	r.unknown, r.spanish = nil, nil
}

// perform runs the steps that are due, in their order. A step may make later ones due.
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
	if r.findRules() || r.only&overrideStep != 0 && r.rewritable() {
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

// clean runs steps 2 to 7 again, as far as they are asked for, on a URL that came from elsewhere than the input.
func (r *run) clean() {
	r.findRules()
	for left := cleaning & r.only; left != 0; left &= left - 1 {
		if !r.step(left.first()) {
			return
		}
	}
}

// cleaning is the set of steps 2 to 7.
const cleaning = schemeStep | hostStep | sessionStep | trackingStep | fragmentStep | pathStep

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

// note adds to what the trace says of the current step.
func (r *run) note(format string, args ...any) {
	if r.tracing {
		r.notes = append(r.notes, fmt.Sprintf(format, args...))
	}
}

// flag raises a flag; the detail is what a person can act on. Raised twice, the later detail counts.
func (r *run) flag(c Code, format string, args ...any) {
	if r.raise(c) {
		r.details[c] = fmt.Sprintf(format, args...)
	}
}

// raise raises a flag and reports whether its detail is wanted. Where a flag is frequent, asking first saves making the
// arguments.
func (r *run) raise(c Code) (explain bool) {
	r.flags = r.flags.With(c)
	return r.tracing
}

func (r *run) unflag(c Code) { r.flags = r.flags.Without(c) }

func (r *run) reject(bad *rejection) { r.bad = bad }
func (r *run) rejected() bool        { return r.bad != nil }

// adopt puts another URL in the place of the one under work, and reports why it cannot be taken. What was wrong with the
// old one is forgotten; the caller cleans the new one, which finds what is wrong with that.
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

// leaveHost notes the host that the URL stood on, for overrides were looked up for it.
func (r *run) leaveHost() {
	if host := r.host().name; host != r.nameIn() && !slices.Contains(r.via, host) {
		r.via = append(r.via, host)
	}
}

// nameIn returns the host of the input, empty if it has none.
func (r *run) nameIn() string {
	if r.in == nil {
		return ""
	}
	return r.in.name
}

// findRules looks up the overrides for the URL as it stands, and reports whether they are others than before. Where there
// are any, every step is due.
func (r *run) findRules() (changed bool) {
	if r.overrides == nil {
		return false
	}
	found := r.looked[:0]
	if rules := r.host().rules; len(rules) > 0 {
		found = appendFitting(found, rules, r.normalPath())
		r.due = allSteps
	}
	changed = !slices.Equal(found, r.rules)
	r.rules, r.looked = found, r.rules
	return changed
}

// normalPath returns the path as the path step will leave it, for comparing it with path prefixes.
func (r *run) normalPath() []byte {
	if !r.overrides.paths {
		return nil
	}
	r.path = append(r.path[:0], r.u.path...)
	said := len(r.notes)
	path, _ := normalize(&r.text, r.dropSessionSegments(r.path), pathSet, normalForm)
	r.notes = r.notes[:said]
	return trimSlashes(removeDots(path))
}

// finish turns the state of the run into the result.
func (r *run) finish(res *Result) {
	res.Original, res.Policy = r.raw, r.policy.id
	res.RedirectChain, res.FragmentNote = r.chain, r.fragment
	canonical, candidate := r.texts()
	if !r.rejected() && len(canonical) >= r.policy.doc.MaxLength {
		r.reject(r.tooLong(len(canonical)))
	}
	res.Trace = r.trace
	res.InHost = r.nameIn()
	if r.rejected() {
		res.Verdict, res.Reason, res.Detail = Rejected, r.bad.reason, r.bad.detail
		return
	}
	res.Canonical, res.Host = canonical, r.host().name
	if len(r.via) > 0 {
		res.Via = slices.DeleteFunc(r.via, func(host string) bool { return host == res.Host })
	}
	res.LinkType, res.Pagination = r.link, r.page
	res.Language, res.LangVariants, res.SpanishCandidate = r.lang, r.variants, candidate
	if r.flags != 0 {
		r.finishFlags(res)
	}
}

// texts returns the text of the URL, and the Spanish one that was guessed.
func (r *run) texts() (canonical, candidate string) {
	canonical, known := r.canonical()
	switch {
	case known:
		return canonical, string(r.spanish)
	case len(r.spanish) == 0:
		return string(r.scratch), ""
	}
	n := len(r.scratch)
	r.scratch = append(r.scratch, r.spanish...)
	both := string(r.scratch) // one allocation in the place of two
	return both[:n], both[n:]
}

// canonical returns the text of the URL where it is known: it is the input itself, or the beginning of it. Else it is in
// r.scratch.
func (r *run) canonical() (text string, known bool) {
	if r.rejected() || r.due&editing == 0 {
		return r.raw, true
	}
	r.scratch = r.u.appendTo(r.scratch[:0])
	if n := len(r.scratch); n <= len(r.raw) && r.raw[:n] == string(r.scratch) {
		return r.raw[:n], true
	}
	return r.before, r.before == string(r.scratch) // the trace ends with it
}

func (r *run) finishFlags(res *Result) {
	res.Verdict = Flagged
	if r.tracing {
		res.Flags = r.makeFlags()
	} else {
		res.Flags = r.knownFlags()
	}
	if r.flags.Has(UnknownParam) {
		res.UnknownParams = r.unknown
	}
}

// knownFlags returns the flags without details, which are the same for every URL that has them.
func (r *run) knownFlags() []Flag {
	flags, ok := r.flagged[r.flags]
	if !ok {
		flags = r.makeFlags()
		r.flagged[r.flags] = flags
	}
	return flags
}

func (r *run) makeFlags() []Flag {
	flags := make([]Flag, 0, r.flags.Len())
	for _, c := range r.flags.Codes() {
		f := Flag{Code: c, Rule: c.Step()}
		if r.tracing {
			f.Detail = r.details[c]
		}
		flags = append(flags, f)
	}
	return flags
}

func (r *run) tooLong(n int) *rejection {
	return &rejection{TooLong, fmt.Sprintf("it has %d bytes; the limit is %d", n, r.policy.doc.MaxLength)}
}

func newRun(p *Policy, o *Overrides) run {
	return run{steps: pipeline, policy: p, overrides: o, flagged: map[CodeSet][]Flag{}}
}
