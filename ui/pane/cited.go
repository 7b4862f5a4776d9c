package pane

import (
	"fmt"
	"slices"
	"strings"

	"visto/review"
	"visto/ui/term"
)

// Cited describes the place where a URL stands: file:path (field), and the record. files are the names of files as
// they are shown. The text is untrusted.
func Cited(o review.Occurrence, files map[string]string) string {
	text := placeText(o, files)
	if o.Field != "" {
		text += " (" + o.Field + ")"
	}
	if o.Record != nil {
		text += " " + o.Record.String()
	}
	if o.Gone {
		text += ", gone"
	}
	return strings.TrimSpace(text)
}

// placeText returns file:path, and the number of the part of a value that holds several URLs.
func placeText(o review.Occurrence, files map[string]string) string {
	text := files[o.File]
	if o.Path != "" {
		text += ":" + o.Path
	}
	if o.Part > 0 {
		text += fmt.Sprintf(" part %d", o.Part)
	}
	return text
}

// Alone describes the decision for one citer of the item alone; "" if there is none. The text is untrusted.
func Alone(it *review.Item, by *review.Citer) string {
	own := it.For(by.Number)
	d := own.Decision
	if d == nil || d.Record == 0 {
		return ""
	}
	text := fmt.Sprintf("%s for %s alone by %s at %s", Did(d.Kind), by.Name, d.Reviewer, Stamp(d.At))
	if d.Kind.Corrects() {
		text += ": " + d.Canonical
	}
	text += LookOf(d)
	if d.Note != "" {
		text += ": " + d.Note
	}
	return text
}

// CitedTwice says that several records cite the item; "" if they do not.
func CitedTwice(it *review.Item) string {
	switch n := len(it.Records()); n {
	case 0, 1:
		return ""
	case 2:
		return "two records cite this URL: often a mistake in the data"
	default:
		return fmt.Sprintf("%d records cite this URL: often a mistake in the data", n)
	}
}

const (
	maxCited      = 4    // occurrences at the top of the page
	maxCitedBelow = 1000 // further down
)

// cited lists the first occurrences, record by record.
func (p *page) cited(d *Detail) {
	all := d.data.Item.Occurrences
	if len(all) == 0 {
		return
	}
	p.heading("Cited by")
	if text := CitedTwice(&d.data.Item); text != "" {
		p.hang(p.th.Warn, "! ", text)
	}
	p.occurrences(d, all[:min(len(all), maxCited)])
	if more := len(all) - maxCited; more > 0 {
		p.para(p.th.Dim, 2, fmt.Sprintf("and %d more, below", more))
	}
}

// citedBelow lists the occurrences for which there is no room at the top.
func (p *page) citedBelow(d *Detail) {
	all := d.data.Item.Occurrences
	if len(all) <= maxCited {
		return
	}
	p.heading("Also cited by")
	p.occurrences(d, all[maxCited:min(len(all), maxCitedBelow)])
	if more := len(all) - maxCitedBelow; more > 0 {
		p.para(p.th.Dim, 2, fmt.Sprintf("and %d more: visto show %d lists all", more, d.data.Item.ID))
	}
}

// occurrences lists places, below the records that they stand in.
func (p *page) occurrences(d *Detail, list []review.Occurrence) {
	var last int64
	for _, o := range list {
		if o.Citer != last {
			p.citer(d, &o)
		}
		last = o.Citer
		text := placeText(o, d.data.Files)
		if o.Gone {
			text += ", gone"
		}
		indent := "  "
		if o.Record != nil {
			indent = "    "
		}
		label := indent + term.Pad(safe(o.Field, p.width/3), 12) + " "
		p.hang(p.th.Dim, label, term.Safe(term.Clip(text, maxShown)))
	}
}

// citer adds the record of an occurrence, and the decision for it alone.
func (p *page) citer(d *Detail, o *review.Occurrence) {
	if o.Record != nil {
		p.foundPara(p.th.Text, 2, "", o.Record.String())
	}
	by := review.Citer{Number: o.Citer, Record: o.Record, Name: "this record"}
	if text := Alone(&d.data.Item, &by); text != "" {
		p.hang(p.th.Accent, "  = ", term.Safe(term.Clip(text, maxShown)))
	}
}

// citedLine names the records with their fields and files in a line, and says whether there are several.
func (p *page) citedLine(d *Detail) {
	if text := CitedTwice(&d.data.Item); text != "" {
		p.hang(p.th.Warn, "! ", text)
	}
	it := &d.data.Item
	by := CitedIn(it, d.data.Files)
	if len(it.Records()) > 0 {
		var files []string
		for _, o := range it.Citing() {
			if name := d.data.Files[o.File]; !slices.Contains(files, name) {
				files = append(files, name)
			}
		}
		by += " in " + strings.Join(files, ", ")
	}
	if by != "" {
		text := marked(p.find, by)
		p.add("  cited by   " + p.th.Found(p.th.Text, text.Truncate(p.width-len("  cited by   "))))
	}
}
