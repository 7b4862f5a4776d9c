package plain

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"visto/review"
	"visto/review/probe/extract"
	"visto/ui/diff"
	"visto/ui/pane"
	"visto/ui/term"
)

const (
	partLines = 40  // that are told at once of a page
	lineWidth = 100 // cells
)

// untold is the rest of a text about an item that the command page began to tell.
type untold struct {
	item  int64
	lines []string
}

// page tells the content of the page of the URL, its links or its last change in parts, or approves one of its links.
func (p *prompts) page(arg string) error {
	word, number, _ := strings.Cut(arg, " ")
	if word == "cite" {
		return p.citeLink(number)
	}
	n, goOn := partLines, word == "more"
	if word == "all" {
		n, goOn = math.MaxInt, true
	}
	if !goOn || p.untold.item != p.item.ID {
		lines, err := p.pageLines(word)
		if err != nil {
			return err
		}
		p.untold = untold{p.item.ID, lines}
	}
	p.untold.tell(p.out, n)
	return nil
}

// pageLines returns the lines that a word after the command stands for.
func (p *position) pageLines(word string) ([]string, error) {
	versions, err := p.versions()
	if err != nil {
		return nil, err
	}
	switch word {
	case "", "more", "all":
		read := fmt.Sprintf("As it was read at %s.", pane.Stamp(versions[0].At))
		doc := &versions[0].Document
		facts, text := wrapped(factsOf(doc), term.Safe), wrapped(textOf(doc, numbered), term.Prose)
		return slices.Concat([]string{read}, facts, text), nil
	case "links":
		return linksOf(&versions[0].Document), nil
	case "diff":
		return changesOf(versions), nil
	}
	return nil, fmt.Errorf("there is no page %s, but page, page more, all, links, diff and cite NUMBER", word)
}

// versions returns the versions of the page, of which there is one at least.
func (p *position) versions() ([]review.StoredContent, error) {
	list, err := p.desk.Contents(p.ctx, p.item.ID)
	if err == nil && len(list) == 0 {
		err = errors.New("no content of this page is stored: probe reads it")
	}
	return list, err
}

// tell tells the next lines of the text.
func (u *untold) tell(out *errWriter, n int) {
	if len(u.lines) == 0 {
		out.printf("There is no more. page tells it from the start.\n")
	}
	n = min(n, len(u.lines))
	for _, line := range u.lines[:n] {
		out.printf("%s\n", line)
	}
	if u.lines = u.lines[n:]; len(u.lines) > 0 {
		out.printf("Lines to come: %d. page more tells the next ones, page all tells all.\n", len(u.lines))
	}
}

// factsOf returns the statements of a page about itself.
func factsOf(d *extract.Document) (lines []string) {
	for _, fact := range [][2]string{{"Title", d.Title}, {"Description", d.Description}, {"Author", d.Author},
		{"Published", d.Published}, {"Modified", d.Modified}, {"Language", d.Language}} {
		if fact[1] != "" {
			lines = append(lines, fact[0]+": "+fact[1])
		}
	}
	if d.Pages > 0 {
		lines = append(lines, fmt.Sprintf("Pages: %d", d.Pages))
	}
	return lines
}

// textOf returns the text of a page, in the form that a function gives it.
func textOf(d *extract.Document, form func(*extract.Document) string) []string {
	switch {
	case d.Locked:
		return []string{"A password is needed to read it."}
	case strings.TrimSpace(d.Text) == "":
		return []string{"It has no text."}
	}
	lines := append([]string{""}, strings.Split(form(d), "\n")...)
	if d.Cut {
		lines = append(lines, "The page goes on. This is as much as is stored.")
	}
	return lines
}

// numbered returns the text of a page with the number of each link behind its words.
func numbered(d *extract.Document) string {
	var pairs []string
	for i, link := range d.Links {
		pairs = append(pairs, "]("+link.URL+")", fmt.Sprintf("][%d]", i+1))
	}
	return strings.NewReplacer(pairs...).Replace(d.Text)
}

// wrapped makes lines safe by a function and wraps them.
func wrapped(list []string, safe func(string) string) (lines []string) {
	for _, line := range list {
		lines = append(lines, term.Wrap(safe(line), lineWidth)...)
	}
	return lines
}

// linksOf returns the links with their numbers: those of the main content, then the others.
func linksOf(d *extract.Document) (lines []string) {
	for _, part := range []struct {
		title string
		main  bool
	}{{"In the text:", true}, {"Elsewhere on the page:", false}} {
		title := part.title
		for i, link := range d.Links {
			if link.Main != part.main {
				continue
			}
			if title != "" {
				lines = append(lines, title)
				title = ""
			}
			line := fmt.Sprintf("%d: %s: %s", i+1, strings.Join(strings.Fields(link.Text), " "), link.URL)
			lines = append(lines, term.Safe(line))
		}
	}
	if lines == nil {
		return []string{"It has no links."}
	}
	return lines
}

// changesOf returns the lines that differ between both versions, with one line before and after them.
func changesOf(versions []review.StoredContent) []string {
	if len(versions) < 2 {
		since := pane.Stamp(versions[0].At)
		return []string{"One version of the page is stored: it has not changed since " + since + "."}
	}
	lines := []string{fmt.Sprintf("Read at %s, and before at %s.", pane.Stamp(versions[0].At),
		pane.Stamp(versions[1].At))}
	word := map[diff.Kind]string{diff.Same: "Same: ", diff.Removed: "Removed: ", diff.Added: "Added: "}
	tell := func(places [][]diff.Span, safe func(string) string) {
		for _, place := range places {
			lines = append(lines, "")
			for _, line := range place {
				if strings.TrimSpace(line.Text) != "" {
					lines = append(lines, wrapped([]string{word[line.Kind] + line.Text}, safe)...)
				}
			}
		}
	}
	before, after := &versions[1].Document, &versions[0].Document
	asItIs := func(d *extract.Document) string { return d.Text }
	tell(diff.Lines(factsOf(before), factsOf(after), 1), term.Safe)
	tell(diff.Lines(textOf(before, asItIs), textOf(after, asItIs), 1), term.Prose)
	if len(lines) == 1 {
		return append(lines, "The text is the same: only links changed.")
	}
	return lines
}

// citeLink approves a link of the page in the place of the URL. If there is a network, it is read first.
func (p *prompts) citeLink(number string) error {
	versions, err := p.versions()
	if err != nil {
		return err
	}
	link, err := pick(versions[0].Document.Links, number, "which link? A number from 1 to %d, as page links tells them")
	if err == nil {
		err = p.checkFile()
	}
	switch {
	case err != nil:
		return err
	case p.opts.Prober == nil:
		return p.correct(review.Correct, link.URL)
	}
	return p.readAndCite(link)
}
