package canon

import (
	"fmt"
	"strings"
)

// maxURL is the length in bytes from which a URL is rejected unless the policy says otherwise (seed 003).
const maxURL = 2048

// Canonicalize returns what the policy makes of raw, with the trace. It asks no network, no clock and no
// database. o and ev may be nil. For many URLs a Canonicalizer is faster.
func Canonicalize(raw string, p *Policy, o *Overrides, ev *Evidence) Result {
	return New(p, o).Explain(raw, ev)
}

// Canonicalizer canonicalizes many URLs under one policy and one set of overrides. It owns scratch memory:
// use one for each goroutine.
type Canonicalizer struct {
	run  run
	only stepSet
}

// New returns a Canonicalizer. o may be nil.
func New(p *Policy, o *Overrides) *Canonicalizer {
	return &Canonicalizer{run: newRun(p, o), only: everyStep}
}

// Only returns a Canonicalizer that runs just the named steps, in the order of the pipeline; parse always runs.
func (c *Canonicalizer) Only(ids ...string) (*Canonicalizer, error) {
	only := setOfStep("parse")
	for _, id := range ids {
		if stepNamed(id) == nil {
			var known []string
			for _, s := range pipeline {
				known = append(known, s.id)
			}
			return nil, fmt.Errorf("no step %q: there is %s", id, strings.Join(known, ", "))
		}
		only |= setOfStep(id)
	}
	return &Canonicalizer{run: newRun(c.run.policy, c.run.overrides), only: only}, nil
}

// Canonicalize returns what the policy makes of raw, without the words: no trace, and flags without their detail. ev may
// be nil.
func (c *Canonicalizer) Canonicalize(raw string, ev *Evidence) (res Result) {
	c.run.result(&res, raw, ev, c.only, false)
	return res
}

// Explain is Canonicalize with the trace and the details of the flags.
func (c *Canonicalizer) Explain(raw string, ev *Evidence) (res Result) {
	c.run.result(&res, raw, ev, c.only, true)
	return res
}

// Clean returns raw as a URL that a person may pin as it is: parsed and refused as any other, host and
// percent-encoding in normal form, dot segments resolved, and nothing else changed.
func (c *Canonicalizer) Clean(raw string) (res Result) {
	r := newRun(c.run.policy, nil)
	r.start(trim(raw), nil, setOfStep("parse")|setOfStep("host"))
	r.perform()
	if !r.rejected() {
		r.encode()
		r.u.scheme = lowerASCII(r.u.scheme)
		r.u.dropEmptyQuery()
	}
	r.due = everyStep
	r.finish(&res)
	return res
}
