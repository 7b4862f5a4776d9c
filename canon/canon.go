package canon

import (
	"fmt"
	"maps"
	"strings"
)

// maxURL is the default length limit in bytes: a URL this long or longer is rejected (seed 003).
const maxURL = 2048

// Canonicalize canonicalizes raw under the policy and returns the result with its trace. It uses no network, no clock
// and no database. o and ev may be nil. For many URLs a Canonicalizer is faster.
func Canonicalize(raw string, p *Policy, o *Overrides, ev *Evidence) Result {
	return New(p, o).Explain(raw, ev)
}

// Canonicalizer canonicalizes many URLs under one policy and one set of overrides. It owns scratch memory, so it serves
// one goroutine at a time.
type Canonicalizer struct {
	run  run
	only stepSet
}

// New returns a Canonicalizer. o may be nil.
func New(p *Policy, o *Overrides) *Canonicalizer {
	return &Canonicalizer{run: newRun(p, o), only: everyStep}
}

// Only returns a Canonicalizer that runs just the named steps, in the order of the pipeline. Parse always runs.
func (c *Canonicalizer) Only(ids ...string) (*Canonicalizer, error) {
	only := setOfStep(&pipeline, "parse")
	for _, id := range ids {
		step := setOfStep(&pipeline, id)
		if step == 0 {
			var known []string
			for _, s := range pipeline {
				known = append(known, s.id)
			}
			return nil, fmt.Errorf("no step %q: there is %s", id, strings.Join(known, ", "))
		}
		only |= step
	}
	return &Canonicalizer{run: newRun(c.run.policy, c.run.overrides), only: only}, nil
}

// Canonicalize is Explain without words: the result has no trace, and its flags have no details. ev may be nil.
func (c *Canonicalizer) Canonicalize(raw string, ev *Evidence) (res Result) {
	c.result(&res, Trim(raw), ev, false)
	return res
}

// Explain canonicalizes raw and returns the result with its trace and the details of its flags. ev may be nil.
func (c *Canonicalizer) Explain(raw string, ev *Evidence) (res Result) {
	c.result(&res, Trim(raw), ev, true)
	return res
}

// result canonicalizes one URL into res, which is zero. Overrides without a fixed point are ignored, for the policy
// alone has one.
func (c *Canonicalizer) result(res *Result, raw string, ev *Evidence, tracing bool) {
	if ev != nil {
		ev = ev.Masked()
	}
	r := &c.run
	if r.attempt(raw, ev, c.only, tracing); r.again {
		alone := newRun(r.policy, nil)
		r = &alone
		r.attempt(raw, ev, c.only, tracing)
	}
	if r.finish(res); tracing && r.flags.Has(PastedText) && !r.rejected() {
		res.WithoutPasted = c.withoutPasted(r.raw)
	}
}

// DropPrivate drops the URLs whose host is a private address, under any name: nothing there is a version of a page.
func (c *Canonicalizer) DropPrivate(versions map[string]string) {
	maps.DeleteFunc(versions, func(_, url string) bool { return c.Clean(url).Reason == PrivateAddress })
}

// Clean returns raw in a form that a person may pin. It parses and refuses raw like any URL, puts host and
// percent-encoding in normal form, resolves dot segments, and changes nothing else.
func (c *Canonicalizer) Clean(raw string) (res Result) {
	r := newRun(c.run.policy, nil)
	r.start(Trim(raw), nil, setOfStep(&pipeline, "parse")|setOfStep(&pipeline, "host"))
	r.perform()
	if !r.rejected() {
		r.encode()
		r.u.fragment, _ = normalize(&r.text, r.u.fragment, fragmentSet, r.policy.keepsEscapes())
		r.u.scheme = lowerASCII(r.u.scheme)
		r.u.dropEmptyQuery()
	}
	r.due = everyStep
	r.finish(&res)
	return res
}
