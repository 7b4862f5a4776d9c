package pane

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/review/health"
	"visto/ui/term"
	"visto/ui/theme"
)

// section is a part of a detail.
type section func(*page, *Detail)

// The sections of a detail, in this order: the URL, what is to be decided, and what is known. Where there is room, the
// last two stand side by side.
var (
	subject = []section{(*page).head, (*page).urls}
	doubts  = []section{
		(*page).foundPages, (*page).probe, (*page).cited, (*page).flags, (*page).linkChanges, (*page).alternatives,
	}
	facts = []section{
		(*page).trace, (*page).redirects, (*page).metadata, (*page).citedBelow, (*page).overrides, (*page).twins,
		(*page).neighbours, (*page).checks, (*page).evidence, (*page).notes, (*page).history, (*page).pastRules,
	}
)

// page collects the lines of a text of the given width.
type page struct {
	th       *theme.Theme
	width    int
	collapse bool // long diffs are collapsed
	keyed    func(text string) string
	lines    []string
	heads    []int // the lines of the headings
	find     *review.Finder
}

// write adds sections.
func (p *page) write(d *Detail, list []section) {
	for _, s := range list {
		s(p, d)
	}
}

// The layout of a wide page: two columns.
const (
	columnsWidth = 140 // minimum width in cells
	columnGap    = 4
)

// column is an empty column of the page.
func (p *page) column() *page {
	c := *p
	c.width, c.lines, c.heads = (p.width-columnGap)/2, nil, nil
	return &c
}

// beside adds two columns.
func (p *page) beside(left, right *page) {
	for _, head := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(left.heads, right.heads)))) {
		p.heads = append(p.heads, len(p.lines)+head)
	}
	room := p.width/2 + columnGap/2
	for i := range max(len(left.lines), len(right.lines)) {
		line, other := "", ""
		if i < len(left.lines) {
			line = term.Truncate(left.lines[i], room-columnGap)
		}
		if i < len(right.lines) {
			other = right.lines[i]
		}
		p.add(term.Pad(line, room) + other)
	}
}

func (p *page) add(lines ...string) { p.lines = append(p.lines, lines...) }

func (p *page) heading(text string) {
	p.add("")
	p.heads = append(p.heads, len(p.lines))
	p.add(p.th.Heading.Render(term.Truncate(text, p.width)))
}

// para adds safe text, wrapped and indented.
func (p *page) para(s style, indent int, text string) { p.wrap(s, indent, term.Marked{Text: text}) }

// foundPara is para for an untrusted text in which the search marks its matches. The text before it is ours.
func (p *page) foundPara(s style, indent int, before, text string) {
	p.wrap(s, indent, term.Marked{Text: before}.Plus(marked(p.find, text)))
}

func (p *page) wrap(s style, indent int, text term.Marked) {
	for _, line := range text.Wrap(p.width - indent) {
		p.add(strings.Repeat(" ", indent) + p.th.Found(s, line))
	}
}

// hang adds wrapped text behind a sign, which further lines are aligned to.
func (p *page) hang(s style, sign, text string) {
	for _, line := range term.Wrap(text, p.width-term.Width(sign)) {
		p.add(s.Render(sign + line))
		sign = strings.Repeat(" ", term.Width(sign))
	}
}

// field adds a name with an untrusted value, unless that is empty.
func (p *page) field(name, value string) {
	if value == "" {
		return
	}
	p.hang(p.th.Text, "  "+p.th.Dim.Render(term.Pad(name, 12)+" "), term.Safe(term.Clip(value, maxShown)))
}

func (p *page) head(d *Detail) {
	it := &d.data.Item
	p.title(it)
	if dec := it.Decision; dec != nil {
		text := fmt.Sprintf("%s by %s at %s", Did(dec.Kind), term.Safe(dec.Reviewer), Stamp(dec.At))
		if of := dec.CanonicalOf; of != nil {
			text = fmt.Sprintf("the canonical URL of URL %d, %s", of.ID, text)
		}
		if dec.Note != "" {
			text += ": "
		}
		p.foundPara(p.th.Dim, 0, text, dec.Note)
	}
	if text := AssignmentText(d.data.Assignment); text != "" {
		p.para(p.th.Dim, 0, "assigned "+term.Safe(text))
	}
	p.here(d)
	p.add("")
}

// here adds who else is at the item.
func (p *page) here(d *Detail) {
	if d.here != "" {
		p.para(p.th.Accent, 0, d.here)
	}
}

// AssignmentText says to whom an item is assigned, such as "to ben, by ana at TIME"; "" for nil. It is untrusted.
func AssignmentText(a *review.Assignment) string {
	if a == nil {
		return ""
	}
	return fmt.Sprintf("to %s, by %s at %s", a.Reviewer, a.By, Stamp(a.At))
}

func (p *page) title(it *review.Item) {
	status := fmt.Sprintf("%s %s", StatusSign(it), term.Safe(StatusText(it)))
	switch {
	case it.Status != review.Pending && it.LinkState() != health.Active:
		status += ", link " + it.LinkState().String()
	case it.Status == review.Approved && it.Open():
		status += ", but it changed since"
	}
	if it.Presence == review.Gone {
		status += ", gone"
	}
	id := fmt.Sprintf("  URL %d", it.ID)
	if why := ": no file cites it any more"; it.Presence == review.Gone && term.Width(status+why+id) <= p.width {
		status += why
	}
	line := statusStyle(p.th, it).Strong().Render(status) + p.th.Dim.Render(id)
	if it.Title != "" {
		line += "  " + p.th.Found(p.th.Text, marked(p.find, it.Title).Truncate(p.width-term.Width(line)-2))
	}
	p.add(line)
}

// Did returns the past tense of a decision.
func Did(k review.Kind) string {
	return [...]string{"", "approved", "corrected and approved", "rejected", "deferred", "reopened",
		"corrected, as typed, and approved"}[k]
}

func (p *page) urls(d *Detail) {
	it, res := &d.data.Item, &d.data.Result
	if res.Verdict == canon.Rejected {
		p.foundPara(p.th.Text, 2, "", it.Original)
		why := "rejected: " + res.Reason.String()
		if res.Detail != "" {
			why += ", " + term.Safe(res.Detail)
		}
		p.add("")
		p.para(p.th.Error, 2, why)
		p.para(p.th.Dim, 2, d.keyed("{correct} enters the URL that was meant; {reject} confirms that there is none."))
		return
	}
	p.diff(it.Original, res.Canonical)
	if it.Status == review.Approved && it.Canonical() != res.Canonical {
		p.add("", p.th.Dim.Render("  approved as"))
		p.diff(res.Canonical, it.Canonical())
	}
}

// summary adds who is here, the pages found, the probe, the records, the flags and the steps in a line or two each.
func (p *page) summary(d *Detail) {
	p.here(d)
	p.pagesLine(d)
	p.probeLine(d)
	p.citedLine(d)
	for _, f := range d.data.Flags() {
		p.hang(flagStyle(p.th, canon.SetOf(f.Code)), "! ", f.Code.String()+": "+cmp.Or(term.Safe(term.Clip(f.Detail, 300)), f.Code.Summary()))
	}
	for i := range d.data.Result.Trace {
		p.shortEntry(&d.data.Result.Trace[i])
	}
}

// flags says each flag once.
func (p *page) flags(d *Detail) {
	list(p, "Why it is here", d.data.Flags(), func(f *canon.Flag) {
		why, facts := d.data.Why(*f)
		p.hang(p.th.Warn, "! ", f.Code.String()+": "+term.Safe(why))
		for _, line := range facts {
			p.para(p.th.Text, 4, term.Safe(line))
		}
		p.para(p.th.Dim, 4, d.keyed(Advice(f.Code, &d.data.Result)))
	})
}

func (p *page) trace(d *Detail) {
	entry := p.shortEntry
	if d.long {
		entry = p.longEntry
	}
	list(p, "Trace", d.data.Result.Trace, entry)
}

func (p *page) shortEntry(e *canon.Entry) {
	label := "  " + p.th.Accent.Render(term.Pad(e.Step, 10)) + " "
	p.hang(p.th.Text, label, term.Safe(cmp.Or(e.Note, stepText(e.Step))))
}

// stepText returns the description of a step. It stands for the note of an entry without one.
func stepText(id string) string {
	for _, s := range canon.Steps() {
		if s.ID == id {
			return s.Text
		}
	}
	return "changed"
}

func (p *page) longEntry(e *canon.Entry) {
	head := "  " + p.th.Accent.Render(e.Step)
	if e.Rule > 0 {
		head += p.th.Dim.Render(fmt.Sprintf(" (rule %d)", e.Rule))
	}
	p.add(head)
	if e.Note != "" {
		p.para(p.th.Text, 4, term.Safe(e.Note))
	}
	if e.Before == e.After {
		return
	}
	for _, line := range p.th.Diff(term.Clip(e.Before, maxShown), e.After, p.width-4) {
		p.add("    " + line)
	}
}

func (p *page) metadata(d *Detail) {
	res := &d.data.Result
	p.heading("About the page")
	p.field("link type", res.LinkType.String())
	p.field("language", res.Language)
	for _, lang := range slices.Sorted(maps.Keys(res.LangVariants)) {
		p.field("also in "+term.Safe(lang), res.LangVariants[lang])
	}
	p.field("Spanish?", res.SpanishCandidate)
	p.field("mended", res.WithoutPasted)
	if res.Pagination != nil {
		p.field("pagination", pagination(res.Pagination))
	}
	p.field("fragment", res.FragmentNote)
	p.field("parameters", strings.Join(res.UnknownParams, ", "))
	p.field("policy", res.Policy)
}

func pagination(p *canon.Pagination) string {
	switch {
	case p.Param == "":
		return fmt.Sprintf("the first of %d pages", p.TotalPages)
	case p.TotalPages > 0:
		return fmt.Sprintf("page %s of %d, by %s", p.Page, p.TotalPages, p.Param)
	}
	return fmt.Sprintf("page %s of a list, by %s", p.Page, p.Param)
}
