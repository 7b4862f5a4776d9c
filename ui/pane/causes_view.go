package pane

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"visto/review"
	"visto/review/cause"
	"visto/ui/term"
	"visto/ui/theme"
)

// CauseKeys are the keys bound to the actions on causes.
type CauseKeys struct {
	Fixes map[cause.FixKind]string
	Form  string // opens the override form
	Whole string // lists the URLs of the cause
	Under string // narrows the cause
	Clear string // ends a search
	Read  string // gives the study the whole body, or takes it back
	More  string // scrolls the URLs by a page
	Less  string // scrolls them back
	Pages string // looks for pages to cite in the place of the URLs, and cites those found
	Ask   string // asks the network about URLs that would tell most

	Dismiss string // keeps a suggested rule away
	Network bool   // there is a network to ask
	Mined   string // the age of the suggested rules
}

// CauseText returns, in safe text, the property besides the flag that the URLs of a cause share.
func CauseText(c cause.Cause) string {
	if c.Suggestion != nil {
		return term.Safe(c.Suggestion.Template.String())
	}
	text := ""
	if c.Params != "" {
		text = term.Safe(c.Params.String()) + " "
	}
	switch c.Kind {
	case cause.ByField:
		return text + fmt.Sprintf("%s on %d hosts", term.Safe(c.InFields()), c.Hosts)
	case cause.ByPath:
		return text + fmt.Sprintf("under %s on %d hosts", term.Safe(c.Path), c.Hosts)
	case cause.ByAdvertising:
		return fmt.Sprintf("of advertising on %d hosts: %s", c.Hosts, term.Safe(c.Params.String()))
	}
	return text + "on " + term.Safe(c.Place()) + c.SiteText()
}

// The layout: the study stands beside the list, or below it.
const (
	causesBeside = 140 // minimum width in cells for the study beside the list
	causesBelow  = 12  // minimum height in lines for the study below the list
	studyLines   = 11  // minimum height of the study below the list
	causeTextAt  = 43  // the column at which the text of a row begins
)

// View draws the list, and the study of the cause under the cursor. A short list below which the study stands leaves the
// room that it does not need to the study.
func (c *Causes) View(th *theme.Theme, keys CauseKeys, width, height int) string {
	switch {
	case c.Len() == 0:
		return emptyView(th, c.loaded, c.empty(keys), width, height)
	case c.expanded:
		return c.studyView(th, keys, width, height)
	case width >= causesBeside && (c.Len() > height/3 || height < causesBelow): // a short list would leave half empty
		return c.beside(th, keys, width, height)
	case height >= causesBelow:
		list := 1 + c.Len() + len(c.leftOut(width))
		below := max(min(height/2+1, max(studyLines, height/2)), height-1-list)
		return c.listView(th, width, height-below-1) + "\n" + th.Border.Render(strings.Repeat("─", width)) + "\n" +
			c.studyView(th, keys, width, below)
	}
	return c.listView(th, width, height)
}

func (c *Causes) empty(keys CauseKeys) string {
	if c.search != "" {
		return fmt.Sprintf("No cause with “%s” in it. %s shows all again.", term.Safe(c.search), keys.Clear)
	}
	return "There are no causes left: no URL waits undecided."
}

func (c *Causes) beside(th *theme.Theme, keys CauseKeys, width, height int) string {
	left := width * 11 / 20
	list := strings.Split(c.listView(th, left, height), "\n")
	text := strings.Split(c.studyView(th, keys, width-left-3, height), "\n")
	for i := range list {
		list[i] = term.Pad(list[i], left) + th.Border.Render(" │ ") + text[i]
	}
	return strings.Join(list, "\n")
}

func (c *Causes) listView(th *theme.Theme, width, height int) string {
	row := func(i, width int) string { return c.rowView(th, i, width) }
	left := c.leftOut(width)
	lines := rows(th, &c.list, c.Len(), width, height-1-len(left), row)
	for _, text := range left {
		lines += "\n" + th.Dim.Render(text)
	}
	head := fmt.Sprintf("   %7s %7s  %-22s %s", "URLs", "settles", "flag", "shared by")
	return fill(th.Dim.Render(term.Pad(head, width))+"\n"+lines, height)
}

// leftOut returns a line about the suggestions left out, while the cursor is on a rule that is not recommended.
func (c *Causes) leftOut(width int) []string {
	here, ok := c.row()
	if !ok || c.more == 0 || here.Suggestion == nil || here.Suggestion.Recommended {
		return nil
	}
	text := fmt.Sprintf("   and %d more that too little speaks for: visto suggest --all", c.more)
	return []string{term.Truncate(text, width)}
}

func (c *Causes) rowView(th *theme.Theme, i, width int) string {
	one, here := c.at(i), i == c.list.Cursor
	if here {
		one, _ = c.Current()
	}
	mark := " "
	if slices.ContainsFunc(c.marks, func(m cause.Cause) bool { return m.Same(one) }) {
		mark = "*"
	}
	settles, flag := fmt.Sprint(one.Sole), one.Flag.String()
	if s := one.Suggestion; s != nil {
		settles, flag = pageCounts(s), suggested(s)
	}
	row := c.at(i)
	if row.In != nil && !c.searching() {
		flag = "└ " + flag
	}
	folded := c.folded(&row)
	room := width - causeTextAt - len(folded)
	text := term.Pad(fmt.Sprintf("%7d %7s  %-22s %s", one.N, settles, flag, rowText(one, room)), width-3-len(folded)) +
		folded
	if here {
		c.textWidth = room
		return th.Selected.Render("▌" + mark + " " + text)
	}
	return " " + th.Bold.Render(mark) + " " + text
}

// rowText is CauseText in so many cells. Where it is wider, three parameters or more are only counted: the place is what
// tells rows apart.
func rowText(one cause.Cause, width int) string {
	text := CauseText(one)
	n := len(one.Params.List())
	if n < 3 || one.Kind == cause.ByAdvertising || term.Width(text) <= width {
		return text
	}
	return fmt.Sprintf("%d parameters ", n) + strings.TrimPrefix(text, term.Safe(one.Params.String())+" ")
}

// studyView draws the study. Without enough room it keeps the fixes and drops all samples but one.
func (c *Causes) studyView(th *theme.Theme, keys CauseKeys, width, height int) string {
	here, ok := c.Current()
	if !ok {
		return fill("", height)
	}
	p := page{th: th, width: width}
	switch text := CauseText(here); {
	case c.expanded:
		head := here.Flag.String()
		if here.Suggestion != nil {
			head = suggested(here.Suggestion)
		}
		p.add(th.Bold.Render(term.Truncate(head+" "+text, width)))
	case term.Width(text) > c.textWidth:
		p.para(th.Bold, 0, text)
	}
	s := c.Study()
	switch {
	case c.failed != "":
		p.para(th.Error, 0, c.failed)
	case s == nil:
		p.para(th.Dim, 0, "looking…")
	case s.Cause.Suggestion != nil:
		p.suggestion(s, c, keys, height)
	case s.Cause.N == 0:
		p.para(th.Warn, 0, "No URL of this cause waits any more: others have settled it.")
	default:
		p.study(s, c, keys, height)
	}
	return fill(strings.Join(p.lines, "\n"), height)
}

// study draws the URLs and the fixes in height lines.
func (p *page) study(s *cause.Study, c *Causes, keys CauseKeys, height int) {
	roomy := height > 24
	if s.Cause.SiteText() != "" {
		p.para(p.th.Warn, 0, "More than half of the site fails: look at the site, and not at each page.")
	}
	if roomy || c.expanded {
		p.para(p.th.Warn, 0, s.Cause.Flag.Summary())
	}
	p.para(p.th.Text, 0, settles(s)+half(s))
	rest := page{th: p.th, width: p.width}
	rest.pagesFix(s.Cause, c, keys, roomy)
	rest.fixes(s, keys, roomy)
	rest.narrowing(c, keys) // it tells what the fixes are about; the footer has the other keys where these do not fit
	rest.asking(s, keys)
	rest.form(s, keys)
	if roomy {
		rest.lines = append([]string{""}, rest.lines...)
	}
	if c.HasSamples() {
		room := max(1, height-len(p.lines)-len(rest.lines)-1)
		p.samples(c, s, keys, room)
	}
	p.add(rest.lines...)
}

// settles says how many of the URLs of a cause its fixes settle, and why the others stay.
func settles(s *cause.Study) string {
	n := s.Cause.N
	switch {
	case s.Settles == n && n == 1:
		return "settles this URL"
	case s.Settles == n:
		return fmt.Sprintf("settles all %d URLs", n)
	}
	have := "have"
	if n-s.Settles == 1 {
		have = "has"
	}
	var list []string
	for _, b := range s.Left[:min(len(s.Left), maxLeft)] {
		list = append(list, fmt.Sprintf("%s (%d)", term.Safe(b.Value), b.N))
	}
	if len(s.Left) == 1 {
		list = []string{term.Safe(s.Left[0].Value)}
	}
	if more := len(s.Left) - maxLeft; more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("settles %d of %d; %d also %s %s", s.Settles, n, n-s.Settles, have, strings.Join(list, ", "))
}

// half says how many URLs a rule settles besides those of the row.
func half(s *cause.Study) string {
	isRule := func(f cause.Fix) bool { return len(f.Rules) > 0 }
	switch {
	case s.Half == 0 || !slices.ContainsFunc(s.Fixes, isRule):
		return ""
	case s.Half == 1:
		return "; a rule also the one that waits for another person"
	}
	return fmt.Sprintf("; a rule also %d that wait for another person", s.Half)
}

// maxLeft is the number of other flags and parameters that are named.
const maxLeft = 3

// samples draws the URLs in room lines, each before and after, below a line with the keys that show more of them.
func (p *page) samples(c *Causes, study *cause.Study, keys CauseKeys, room int) {
	s, n := &c.samples, study.Cause.N
	lines := s.view(room, study.Samples, func(it *review.Item) []string {
		if f, ok := c.pageFor(it); ok {
			return p.found(f)
		}
		return p.sample(it, c.expanded)
	})
	way := keys.Read + " reads them in full"
	if c.expanded {
		way = keys.Read + " brings the list back"
	}
	if place := s.place(n); place != "" {
		way = fmt.Sprintf("%s: %s %s scroll, %s", place, keys.More, keys.Less, way)
	}
	p.add(p.th.Dim.Render(term.Truncate(way+", "+keys.Whole+" in the queue", p.width)))
	p.add(lines...)
}

// fixes draws a line for each fix with its key, its title and the reasons for it. The recommended one is marked.
func (p *page) fixes(s *cause.Study, keys CauseKeys, roomy bool) {
	for _, r := range s.Fixes {
		look, sign := p.th.Text, ""
		if r.Recommended {
			look, sign = p.th.Bold, "suggested: "
		}
		title := term.Safe(r.Title)
		if r.Kind == cause.FixReject {
			title += once(s, keys)
		}
		p.key(keys.Fixes[r.Kind], look, title)
		if r.Recommended || roomy {
			for _, v := range r.Reasons {
				p.hang(p.th.OK, "    ", sign+term.Safe(v))
				sign = ""
			}
		} else if len(r.Reasons) > 0 {
			last := &p.lines[len(p.lines)-1]
			*last += p.th.Dim.Render(term.Truncate(": "+term.Safe(r.Reasons[0]), p.width-term.Width(*last)))
		}
	}
	if i := slices.IndexFunc(s.Fixes, func(f cause.Fix) bool { return len(f.Rules) > 0 }); i >= 0 {
		text := "a rule holds for these " + Later(s.Fixes[i].Rules)
		p.hang(p.th.Dim, "    ", term.Safe(text))
	}
}

// form draws the key of the form, which writes any other rule.
func (p *page) form(s *cause.Study, keys CauseKeys) {
	switch {
	case s.Cause.WWW:
		p.key(keys.Form, p.th.Text, "another rule, in the form, for "+term.Safe(s.Cause.Host)+" alone")
	case s.Cause.Kind != cause.ByField:
		p.key(keys.Form, p.th.Text, "another rule, in the form")
	}
}

// once says which keys approve and defer the URLs with no rule. Where a decision accepts the flag, the key that accepts
// approves them.
func once(s *cause.Study, keys CauseKeys) string {
	text := ""
	_, decided := s.Cause.Approve()
	if f, ok := s.Fix(cause.FixApprove); ok && !decided {
		text = fmt.Sprintf("; %s approves %d once", cmp.Or(keys.Fixes[f.Kind], "·"), f.N)
	}
	if f, ok := s.Fix(cause.FixDefer); ok {
		text += fmt.Sprintf("; %s defers %d", cmp.Or(keys.Fixes[f.Kind], "·"), f.N)
	}
	return text
}

// asking draws the key that asks the network about URLs that would tell most.
func (p *page) asking(s *cause.Study, keys CauseKeys) {
	if len(s.Ask) > 0 && keys.Network {
		p.key(keys.Ask, p.th.Text, "ask the network about "+urls(len(s.Ask))+" that would tell more")
	}
}

func (p *page) key(key string, look style, text string) {
	head := " " + p.th.Key.Render(term.Pad(cmp.Or(key, "·"), 2)) + " "
	p.add(head + look.Render(term.Truncate(text, p.width-4)))
}

// narrowing lists the paths or fields to which the cause can be narrowed, from the chosen one on.
func (p *page) narrowing(c *Causes, keys CauseKeys) {
	under := c.under()
	if len(under) == 0 {
		return
	}
	var list []string
	for i, b := range under {
		text := fmt.Sprintf("%s %d", term.Safe(b.Value), b.N)
		if i+1 == c.narrow {
			text = "[" + text + "]"
		}
		list = append(list, text)
	}
	from, only := max(0, c.narrow-1), "only under "
	switch row, _ := c.row(); {
	case row.Kind == cause.ByField:
		only = "only in "
	case row.WWW:
		only = "only on "
	case len(row.Params.List()) > 1:
		only = "only "
	}
	p.key(keys.Under, p.th.Dim, only+strings.Join(list[from:], "  "))
}

func urls(n int) string {
	if n == 1 {
		return "1 URL"
	}
	return fmt.Sprintf("%d URLs", n)
}
