package testnet

import (
	"fmt"
	"slices"
	"strings"

	"visto/canon"
)

// Kind is a behaviour of servers that misleads link checkers, or only seems to, with the right outcome.
type Kind struct {
	Does  string // what the servers do
	Right string // what is right, by spec section 7
	Good  bool   // nothing is wrong: the page only looks bad
	Cases []Case
}

// Case is a URL of the bad web: its expected outcome under the policy clara, and the hosts that it needs.
type Case struct {
	URL   string
	Want  Outcome
	Sites []Site
}

// Outcome is the expected outcome for a URL. It leaves out the evidence: Want has it for the sites of the table Sites.
type Outcome struct {
	Canonical string // empty: the URL itself, unless there is a Reason
	Reason    canon.Reason
	Flags     canon.CodeSet
	Detail    string // a part of the detail of a flag

	PutOff  bool     // the URL answered in an earlier run, whose verdict stays; a later run asks again
	Refused int      // earlier runs in which the URL got nothing but 429
	Waits   bool     // the URL keeps its verdict, and is counted as put off; a later run asks again
	Asked   []string // URLs that have to be requested
	Unasked []string // URLs that must not be requested
}

// stays is the outcome of a page that is accepted as it is.
func stays() Outcome { return Outcome{} }

// moves is the outcome of a page that is accepted at another URL.
func moves(url string) Outcome { return Outcome{Canonical: url} }

// movesToSeen is the outcome of a page that is accepted at another URL, which has to be requested.
func movesToSeen(url string) Outcome { return moves(url).asking(url) }

// flagged is the outcome of a URL that stays and gets one flag. Its detail has a part.
func flagged(code canon.Code, detail string) Outcome {
	return Outcome{Flags: flags(code), Detail: detail}
}

// unreachable is the outcome of a URL that stays and shows no page. The detail has a part.
func unreachable(detail string) Outcome { return flagged(canon.Unreachable, detail) }

// noSpanish is the outcome of a page without a Spanish version. URLs have to be requested.
func noSpanish(asked ...string) Outcome { return flagged(canon.NoSpanish, "").asking(asked...) }

// route is the outcome of a URL that leads to a route of a script at another URL.
func route(url string) Outcome { return flagged(canon.FragmentRoute, "").at(url) }

// rejected is the outcome of a URL that must not be cited.
func rejected(reason canon.Reason) Outcome { return Outcome{Reason: reason} }

// putOff is the outcome of a URL that answered in an earlier run and does not now.
func putOff() Outcome { return Outcome{PutOff: true} }

// refused is the outcome of a URL that got nothing but 429 in a number of earlier runs and in this one.
func refused(earlier int) Outcome {
	if earlier < 2 {
		return Outcome{Refused: earlier, Waits: true}
	}
	o := unreachable("429 (too many requests) in each of 3 runs")
	o.Refused = earlier
	return o
}

// at sets the canonical URL.
func (o Outcome) at(url string) Outcome {
	o.Canonical = url
	return o
}

// and adds a flag.
func (o Outcome) and(code canon.Code) Outcome {
	o.Flags |= flags(code)
	return o
}

// asking adds URLs that have to be requested.
func (o Outcome) asking(urls ...string) Outcome {
	o.Asked = urls
	return o
}

// unasked adds URLs that must not be requested.
func (o Outcome) unasked(urls ...string) Outcome {
	o.Unasked = urls
	return o
}

// Diff returns the differences between the result and the expected outcome.
func (c Case) Diff(got canon.Result) (diffs []string) {
	differ := func(what string, got, want any) {
		if got != want {
			diffs = append(diffs, fmt.Sprintf("%s: %s is %q, want %q", c.URL, what, got, want))
		}
	}
	want := c.Want.Canonical
	if want == "" && c.Want.Reason == canon.NotRejected {
		want = c.URL
	}
	differ("canonical", got.Canonical, want)
	differ("reason", got.Reason, c.Want.Reason)
	differ("flags", codeNames(got.Codes()), codeNames(c.Want.Flags))
	hasDetail := func(f canon.Flag) bool { return strings.Contains(f.Detail, c.Want.Detail) }
	if c.Want.Detail != "" && !slices.ContainsFunc(got.Flags, hasDetail) {
		diffs = append(diffs, fmt.Sprintf("%s: %q is in no detail of %v", c.URL, c.Want.Detail, got.Flags))
	}
	return diffs
}

// DiffRequests returns the differences between the requests and the expected outcome.
func (c Case) DiffRequests(log *Log) (diffs []string) {
	for _, url := range c.Want.Asked {
		if log.Asked(url) == 0 {
			diffs = append(diffs, fmt.Sprintf("%s: %s was not asked", c.URL, url))
		}
	}
	for _, url := range c.Want.Unasked {
		if n := log.Asked(url); n > 0 {
			diffs = append(diffs, fmt.Sprintf("%s: %s was asked %d times", c.URL, url, n))
		}
	}
	return diffs
}
