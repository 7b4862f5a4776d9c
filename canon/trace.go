package canon

import (
	"fmt"
	"strings"
)

// Entry is one change on the way from the original to the canonical URL. Steps that changed and noted nothing have
// none. The list replays: the first Before is the original, each After is the next Before, and the last After is the
// canonical URL.
type Entry struct {
	Step   string `json:"step"`           // id of the step, or "override" for a rewrite or an accepted flag
	Rule   int    `json:"rule,omitempty"` // rule of seed 000; 0: the step has none
	Before string `json:"before"`
	After  string `json:"after"`
	Note   string `json:"note,omitempty"` // the change and its reason, for people
}

// report collects the findings of a run for people: flags with their details, notes and trace, and the rejection.
type report struct {
	tracing bool // details, notes and trace are wanted
	bad     *rejection
	mask    func(string) string // takes secrets out of words
	flags   CodeSet
	details [codeCount]string // of the raised flags, while tracing
	shared  [61]sharedFlags   // by the remainder of their codes: 61 is prime, so few sets of flags meet there

	notes  []string // of the present step
	before string   // text of the URL after the last entry of the trace
	after  []byte   // scratch memory
	trace  []Entry
}

// sharedFlags holds the flags of all URLs with these codes. They have no details.
type sharedFlags struct {
	codes CodeSet
	flags []Flag
}

// reset makes the report ready for a URL and keeps its memory.
func (p *report) reset() {
	p.tracing, p.bad, p.flags = false, nil, 0
	p.notes, p.before, p.trace = p.notes[:0], "", nil
}

// record appends an entry to the trace if the step changed the URL or noted something.
func (p *report) record(u *address, id string, rule int) {
	if !p.tracing || p.rejected() {
		return
	}
	p.after = u.appendTo(p.after[:0])
	if string(p.after) == p.before && len(p.notes) == 0 {
		return
	}
	after := string(p.after)
	p.trace = append(p.trace, Entry{id, rule, p.before, after, p.mask(strings.Join(p.notes, "; "))})
	p.before, p.notes = after, p.notes[:0]
}

// note adds to the trace's note on the current step.
func (p *report) note(format string, args ...any) {
	if p.tracing {
		p.notes = append(p.notes, fmt.Sprintf(format, args...))
	}
}

// noteParam adds a text behind the name of a parameter to the note. Frequent notes need no arguments this way.
func (p *report) noteParam(name []byte, text string) {
	if p.tracing {
		p.notes = append(p.notes, string(name)+" "+text)
	}
}

// flag raises a flag. The detail tells a person how to act; that of the last call counts.
func (p *report) flag(c Code, format string, args ...any) {
	if p.raise(c) {
		p.details[c] = fmt.Sprintf(format, args...)
	}
}

// flagWith is flag with the whole detail. Frequent flags need no format this way.
func (p *report) flagWith(c Code, detail string) {
	if p.raise(c) {
		p.details[c] = detail
	}
}

// raise raises a flag and reports whether its detail is wanted. Frequent flags call it before flag, which saves making
// the arguments.
func (p *report) raise(c Code) (explain bool) {
	p.flags = p.flags.With(c)
	return p.tracing
}

func (p *report) unflag(codes ...Code) { p.flags &^= SetOf(codes...) }

func (p *report) reject(bad *rejection) { p.bad = bad }
func (p *report) rejected() bool        { return p.bad != nil }

// list returns the flags in the order of their codes. Without details, URLs with the same flags share one slice.
func (p *report) list() []Flag {
	if p.tracing {
		return p.listed()
	}
	shared := &p.shared[int(p.flags)%len(p.shared)]
	if shared.codes != p.flags {
		*shared = sharedFlags{p.flags, p.listed()}
	}
	return shared.flags
}

func (p *report) listed() []Flag {
	flags := make([]Flag, 0, p.flags.Len())
	for _, c := range p.flags.Codes() {
		flags = append(flags, Flag{Code: c, Rule: c.Step()})
		if p.tracing {
			flags[len(flags)-1].Detail = p.mask(p.details[c])
		}
	}
	return flags
}
