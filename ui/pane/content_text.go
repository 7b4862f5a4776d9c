package pane

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"visto/review"
	"visto/review/probe/extract"
	"visto/ui/diff"
	"visto/ui/markdown"
	"visto/ui/term"
	"visto/ui/theme"
)

// ContentLook is the way in which a page is rendered.
type ContentLook struct {
	Theme    *theme.Theme
	Width    int
	Markdown bool // the text is Markdown; else it is shown as it is
	Changes  bool // the difference between the two versions is shown
}

// RenderContent renders the newest version of a page under its title and its dates. A version that is not stored has no
// time. The text of 50 KB takes 0.1 s.
func RenderContent(contents []review.StoredContent, look ContentLook, keyed func(text string) string) *ContentText {
	p := page{th: look.Theme, width: look.Width, keyed: keyed}
	p.contentHead(contents)
	p.add("")
	if look.Changes {
		p.changes(&contents[1].Document, &contents[0].Document)
	} else {
		p.contentBody(&contents[0].Document, look)
	}
	return newContentText(p.lines)
}

// pageHead adds the title and a line or two about the page.
func (p *page) contentHead(contents []review.StoredContent) {
	doc := &contents[0].Document
	p.para(p.th.Bold, 0, cmp.Or(shownText(doc.Title), "(no title)"))
	p.joined(contentFacts(&contents[0]), " · ")
	if doc.Description != "" && doc.Description != doc.Title {
		p.para(p.th.Dim, 0, shownText(doc.Description))
	}
	if len(contents) > 1 {
		text := p.keyed("earlier version %s: {changes} shows what changed")
		p.para(p.th.Dim, 0, fmt.Sprintf(text, Stamp(contents[1].At)))
	}
}

// joined adds safe texts side by side, as many as there is room for in a line.
func (p *page) joined(texts []string, between string) {
	if len(texts) == 0 {
		return
	}
	line := texts[0]
	for _, text := range texts[1:] {
		if term.Width(line+between+text) > p.width {
			p.para(p.th.Dim, 0, line)
			line = text
			continue
		}
		line += between + text
	}
	p.para(p.th.Dim, 0, line)
}

// contentFacts returns language, author, dates and length of a page, and when it was stored.
func contentFacts(c *review.StoredContent) (facts []string) {
	doc := &c.Document
	pages := ""
	if doc.Pages > 0 {
		pages = fmt.Sprint(doc.Pages)
	}
	for _, f := range []struct{ name, value string }{
		{"language ", doc.Language}, {"by ", doc.Author}, {"published ", dateOf(doc.Published)},
		{"modified ", dateOf(doc.Modified)}, {"pages ", pages},
	} {
		if f.value != "" {
			facts = append(facts, f.name+shownText(f.value))
		}
	}
	if !c.At.IsZero() {
		facts = append(facts, "stored "+Stamp(c.At))
	}
	return facts
}

// dateOf shows a date in the form of [Stamp], and a text that is none as it is.
func dateOf(text string) string {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return Stamp(at)
	}
	return text
}

// shownText makes a line of a page safe.
func shownText(text string) string {
	return term.Prose(strings.Join(strings.Fields(term.Clip(text, 600)), " "))
}

// contentBody adds the text.
func (p *page) contentBody(doc *extract.Document, look ContentLook) {
	switch {
	case doc.Locked:
		p.para(p.th.Warn, 0, "! a password is needed to read it")
	case strings.TrimSpace(doc.Text) == "":
		p.para(p.th.Dim, 0, p.keyed("no text was found in it: {open-in-browser} opens it in the browser"))
	case look.Markdown:
		p.add(markdown.Render(doc.Text, look.Theme, look.Width)...)
	default:
		p.add(markdown.Plain(doc.Text, look.Width)...)
	}
	if doc.Cut {
		p.add("")
		p.para(p.th.Dim, 0, p.keyed("… the rest is not stored: {open-in-browser} opens the page in the browser"))
	}
}

// changes adds the lines that differ between two versions, each after a sign, with those around them.
func (p *page) changes(before, after *extract.Document) {
	places := diff.Lines(versionLines(before), versionLines(after), 2)
	if len(places) == 0 {
		p.para(p.th.Dim, 0, "The text is the same in both versions: only its links differ.")
	}
	for i, place := range places {
		if i > 0 {
			p.add(p.th.Dim.Render("⋯"))
		}
		for _, line := range place {
			p.hang(p.th.Text, p.lineSign(line.Kind), line.Text)
		}
	}
}

func (p *page) lineSign(k diff.Kind) string {
	switch k {
	case diff.Removed:
		return p.th.RemovedSign.Render("- ")
	case diff.Added:
		return p.th.AddedSign.Render("+ ")
	}
	return "  "
}

// versionLines returns a version line by line: its title and other facts, then the text.
func versionLines(doc *extract.Document) (lines []string) {
	for _, f := range []Field{
		{"title", doc.Title}, {"description", doc.Description}, {"author", doc.Author}, {"published", doc.Published},
		{"modified", doc.Modified}, {"language", doc.Language},
	} {
		if f.Value != "" {
			lines = append(lines, f.Name+": "+shownText(f.Value))
		}
	}
	return append(lines, strings.Split(term.Prose(doc.Text), "\n")...)
}
