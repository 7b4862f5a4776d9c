package canon

import (
	"fmt"
	"slices"
)

// finish writes the state of the run to the result.
func (r *run) finish(res *Result) {
	res.Original, res.Policy = r.raw, r.policy.id
	res.RedirectChain, res.FragmentNote = r.chain, r.fragment
	canonical, candidate := r.texts()
	if !r.rejected() && len(canonical) >= r.policy.doc.MaxLength {
		r.reject(r.tooLong(len(canonical)))
	}
	res.Trace = r.trace
	res.InHost = r.inputHost()
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

// texts returns the text of the URL and that of the Spanish candidate.
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
	both := string(r.scratch) // one allocation in place of two
	return both[:n], both[n:]
}

// canonical returns the text of the URL if a string of it exists: the input, a prefix of it, or the end of the trace.
// Otherwise the text is in r.scratch.
func (r *run) canonical() (text string, known bool) {
	if r.rejected() || r.due&r.policy.triggers.editing == 0 {
		return r.raw, true
	}
	r.scratch = r.u.appendTo(r.scratch[:0])
	if n := len(r.scratch); n <= len(r.raw) && r.raw[:n] == string(r.scratch) {
		return r.raw[:n], true
	}
	return r.before, r.before == string(r.scratch)
}

func (r *run) finishFlags(res *Result) {
	res.Verdict = Flagged
	if r.tracing {
		res.Flags = r.makeFlags()
	} else {
		res.Flags = r.sharedFlags()
	}
	if r.flags.Has(UnknownParam) {
		res.UnknownParams = r.unknown
	}
}

// sharedFlags returns the flags without details: one slice for all URLs with these flags.
func (r *run) sharedFlags() []Flag {
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
