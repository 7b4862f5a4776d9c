package canon

import (
	"bytes"
	"slices"
	"strings"
)

// run is the work on one URL. A Canonicalizer uses it for one URL after the other.
type run struct {
	judge
	steps *[stepCount]step // the pipeline; a field, because its functions cannot refer to the table that holds them

	// Set for each URL.
	raw  string
	ev   *Evidence
	only stepSet
	due  stepSet // steps that may have work to do; the fast scan finds them
	outcome

	shape pathShape // from the last scan of the path

	spareRules ruleList         // scratch memory
	unknownOf  [64]unknownNames // from unknownScanned, by a hash of the names
}

// unknownNames is the list of the unknown names of a query, by all its names.
type unknownNames struct {
	scanned []*nameFacts
	unknown []string
}

// outcome is the state of a run that is reset for each URL.
type outcome struct {
	u         address
	again     bool   // one more pass is due: an override rewrote the URL, or other overrides apply to it now
	laterPass bool   // this is not the first pass, so the redirects of the evidence are used up
	keepPath  string // a path that the server wants with its trailing slash; empty: none

	inHost   []byte     // the host of the input in wire form; empty: none
	inFacts  *hostFacts // the facts about inHost; nil: not looked up
	via      []string
	fragment string
	page     *Pagination
	kinds    paramKind // the kinds of the scanned parameters

	lang     string
	variants map[string]string
	spanish  []byte // the candidate behind no-spanish
	chain    []Hop
	link     LinkType
	ask      Request
}

// judge decides about the parts of a URL by the policy and the overrides that apply to it, and reports why.
type judge struct {
	facts
	rules   ruleList // overrides that apply to the URL in its present form, the most specific first
	unknown []string // names behind unknown-param
	report
	scratch
}

// scratch is memory that the work on the next URL uses again.
type scratch struct {
	text    []byte          // the input, then the parts made of it; reset for each URL
	scanned []*nameFacts    // the names of the query when it was scanned, in its order
	name    []byte          // a decoded name
	path    []byte          // a normalized path; a decoded segment or value
	out     []byte          // the text of the result
	pages   []Pagination    // room for the next ones
	lists   []string        // room for lists of names
	arena   strings.Builder // room for the texts of results
}

// newText returns a copy of text. Texts share allocations, because a list of URLs has many; a single URL needs little.
func (s *scratch) newText(text []byte) string {
	if len(text) == 0 {
		return ""
	}
	if room := s.arena.Cap(); room-s.arena.Len() < len(text) {
		s.arena.Reset()
		s.arena.Grow(max(len(text), 512, min(2*room, 4096)))
	}
	begin := s.arena.Len()
	s.arena.Write(text)
	return s.arena.String()[begin:]
}

// concat concatenates three parts in scratch memory.
func (s *scratch) concat(before []byte, middle string, after []byte) []byte {
	begin := len(s.text)
	s.text = append(append(append(s.text, before...), middle...), after...)
	return s.text[begin:len(s.text):len(s.text)]
}

// plain returns text percent-decoded. It is valid until the next call.
func (s *scratch) plain(text []byte) []byte {
	if bytes.IndexByte(text, '%') < 0 {
		return text
	}
	s.path = decode(s.path[:0], text)
	return s.path
}

// newPage returns room for a page number. It allocates a dozen at once, because a list of URLs has many.
func (s *scratch) newPage() *Pagination {
	if len(s.pages) == 0 {
		s.pages = make([]Pagination, 12)
	}
	page := &s.pages[0]
	s.pages = s.pages[1:]
	return page
}

// extend returns the list with one more name. It copies the list, unless that is the last one and has room.
func (s *scratch) extend(list []string, name string) []string {
	begin := len(s.lists) - len(list)
	if isLast := len(list) > 0 && begin >= 0 && &s.lists[begin] == &list[0]; isLast && len(s.lists) < cap(s.lists) {
		s.lists = append(s.lists, name)
		return s.lists[begin:len(s.lists):len(s.lists)]
	}
	if need := len(list) + 1; cap(s.lists)-len(s.lists) < need {
		s.lists = make([]string, 0, max(32, need))
	}
	begin = len(s.lists)
	s.lists = append(append(s.lists, list...), name)
	return s.lists[begin:len(s.lists):len(s.lists)]
}

func newRun(p *Policy, o *Overrides) run {
	return run{steps: &pipeline, judge: judge{
		facts:  newFacts(p, o),
		report: report{mask: p.MaskText},
	}}
}

// start makes the run ready for a URL and keeps its scratch memory.
func (r *run) start(raw string, ev *Evidence, only stepSet) {
	r.outcome = outcome{}
	r.report.reset()
	r.raw, r.ev, r.only, r.due = raw, ev, only, everyStep
	r.text, r.rules, r.unknown = r.text[:0], r.rules[:0], nil
}

// maxPasses limits how often overrides send a URL through the pipeline. CheckFixedPoint refuses overrides that need
// more, so only unchecked overrides reach it.
const maxPasses = 16

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
	r.unflag(UnknownParam, HTTPOnly, NoSpanish, HomePage, SectionPage, NonstandardPort, OffAllowlist, SuspiciousHost)
	r.unknown, r.spanish, r.ask = nil, nil, Request{}
}

// perform runs the due steps, and then looks whether overrides ask for one more pass.
func (r *run) perform() {
	if r.runSteps(r.only); r.rejected() || r.overrides == nil {
		return
	}
	if r.findRules() || r.runs("override") && r.rules.rewritable(&r.u) {
		r.again = true
	}
	r.acceptFlags()
	r.record(&r.u, "override", 0)
}

// runSteps runs the due steps among those asked for, in their order, until one rejects the URL. A step may make later
// ones due.
func (r *run) runSteps(asked stepSet) {
	for due := r.due & asked; due != 0; {
		i := due.first()
		s := &r.steps[i]
		if s.do(r); r.tracing && (len(r.notes) > 0 || r.mayEdit(s)) {
			r.record(&r.u, s.id, s.rule)
		}
		if r.rejected() {
			return
		}
		due = r.due & asked & (everyStep << (i & 31) << 1)
	}
}

// mayEdit reports whether a step may have changed the text of the URL. Parse may even where no other step has to.
func (r *run) mayEdit(s *step) bool {
	return s.traits&leavesText == 0 || r.due == everyStep || s == &r.steps[0]
}

// runs reports whether the step is one of those asked for.
func (r *run) runs(id string) bool {
	return r.only&setOfStep(r.steps, id) != 0
}

// clean runs the cleaning steps again, as far as they are asked for, on a URL that is not the input. Evidence or an
// override gave it, so every step is due.
func (r *run) clean() {
	r.findRules()
	r.runSteps(r.policy.triggers.cleaning & r.only)
}

// adopt replaces the URL by another, or returns why that is no URL. The flags on the old URL are dropped; the caller
// cleans the new one, which raises its own.
func (r *run) adopt(text []byte) *rejection {
	a, credentials, bad := parse([]byte(Trim(string(text))))
	if bad == nil {
		if credentials {
			r.flagCredentials()
		}
		r.leaveHost()
		r.u = a
		r.unflag(UnknownParam, HTTPOnly, NonstandardPort, SuspiciousHost)
		r.unknown = nil
	}
	return bad
}

// host returns the facts about the present host.
func (r *run) host() *hostFacts {
	if r.inFacts != nil && bytes.Equal(r.inHost, r.u.ascii) {
		return r.inFacts
	}
	return r.ofHost(r.u.ascii)
}

// setHost changes the host to one in wire form.
func (r *run) setHost(ascii string) {
	r.leaveHost()
	r.u.host = r.concat(nil, ascii, nil)
	r.u.ascii = r.u.host
}

// leaveHost adds the present host to Result.Via, because overrides were looked up for it.
func (r *run) leaveHost() {
	if !bytes.Equal(r.u.ascii, r.inHost) && !slices.Contains(r.via, string(r.u.ascii)) {
		r.via = append(r.via, string(r.u.ascii))
	}
}

// findRules looks up the overrides for the URL in its present form and reports whether they differ from those before.
// If there are any, every step is due.
func (r *run) findRules() (changed bool) {
	if r.overrides == nil {
		return false
	}
	found := r.spareRules[:0]
	if hosts := r.host().rules; len(hosts) > 0 {
		path := r.normalPath(r.u.path)
		for _, rules := range hosts {
			found = rules.appendFitting(found, path)
		}
		r.due = everyStep
	}
	changed = !slices.Equal(found, r.rules)
	r.rules, r.spareRules = found, r.rules
	return changed
}

// normalPath returns a path in the form that the path step gives it, to compare it with path prefixes.
func (j *judge) normalPath(path []byte) []byte {
	if !j.overrides.paths {
		return nil
	}
	j.path = append(j.path[:0], path...)
	notes := len(j.notes)
	path, _ = normalize(&j.text, j.dropSessionSegments(j.path), pathSet, normalForm)
	j.notes = j.notes[:notes]
	return trimSlashes(removeDots(path))
}

// finish writes the state of the run to the result.
func (r *run) finish(res *Result) {
	if r.policy.blocked != nil && !r.rejected() {
		r.checkBlocked(r.u.ascii)
	}
	canonical := r.canonical()
	if !r.rejected() && len(canonical) >= r.policy.doc.MaxLength {
		r.reject(r.policy.tooLong(len(canonical)))
	}
	res.Original, res.Policy = r.raw, r.policy.id
	res.FragmentNote, res.RedirectChain, res.Trace = r.fragment, r.chain, r.trace
	if r.rejected() {
		res.InHost = string(r.inHost)
		res.Verdict, res.Reason, res.Detail = Rejected, r.bad.reason, r.mask(r.bad.detail)
		return
	}
	begin := len(r.u.scheme) + len("://")
	res.Canonical, res.Host = canonical, r.u.hostIn(canonical, begin)
	if res.InHost = res.Host; !bytes.Equal(r.inHost, r.u.ascii) {
		res.InHost = textAt(r.raw, begin, r.inHost)
	}
	if len(r.via) > 0 {
		res.Via = slices.DeleteFunc(r.via, func(host string) bool { return host == res.Host })
	}
	res.LinkType, res.Pagination = r.link, r.page
	if res.Language = r.lang; len(r.spanish) > 0 {
		res.SpanishCandidate = r.newText(r.spanish)
	}
	if r.ev != nil {
		res.Ask, res.PutOff = r.ask, r.ev.IsPutOff()
	}
	if len(r.variants) > 0 {
		res.LangVariants = r.variants
	}
	if r.flags != 0 {
		res.Verdict, res.Flags = Flagged, r.list()
	}
	if r.flags.Has(UnknownParam) {
		res.UnknownParams = r.unknown
	}
}

// hostIn returns the wire form of the host, which stands in the text of the URL at that place if the host is in wire
// form. Unless a step was left out, both are one slice.
func (a *address) hostIn(text string, begin int) string {
	if n := len(a.ascii); n == len(a.host) && &a.host[0] == &a.ascii[0] {
		return text[begin : begin+n]
	}
	return textAt(text, begin, a.ascii)
}

// textAt returns a text that may stand in another one at that place. If it does, it shares the memory.
func textAt(whole string, begin int, text []byte) string {
	if end := begin + len(text); end <= len(whole) && whole[begin:end] == string(text) {
		return whole[begin:end]
	}
	return string(text)
}

// canonical returns the text of the URL. It shares memory with a string of the same text if there is one: the input, a
// prefix of it, or the end of the trace.
func (r *run) canonical() string {
	if r.rejected() || r.due&r.policy.triggers.editing == 0 {
		return r.raw
	}
	r.out = r.u.appendTo(r.out[:0])
	if n := len(r.out); n <= len(r.raw) && r.raw[:n] == string(r.out) {
		return r.raw[:n]
	}
	if r.before == string(r.out) {
		return r.before
	}
	return r.newText(r.out)
}
