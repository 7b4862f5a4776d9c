package plain

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"visto/review"
	"visto/review/candidate"
	"visto/review/cause"
	"visto/review/probe"
	"visto/review/probe/extract"
	"visto/ui/desk"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/wording"
)

// offered are the pages to cite that were told last, in the place of one item.
type offered struct {
	item  int64
	citer review.Citer // that they are for; the zero value: the only one
	pages []candidate.Candidate
}

// pagesToCite finds pages to cite in the place of the URL and tells them, or cites the one with the number.
func (p *prompts) pagesToCite(arg string) error {
	switch {
	case p.opts.Prober == nil:
		return errors.New("there is no network to ask here")
	case arg != "":
		return p.citePage(arg)
	}
	by, ok := p.pageForWhom()
	if !ok {
		return nil
	}
	list, err := p.findPages(by, extract.Link{})
	if err != nil {
		return err
	}
	p.offered = offered{p.item.ID, by, list}
	for i, c := range list {
		p.out.printf("%d: %s\n", i+1, term.Safe(term.Clip(c.URL, 4096)))
		p.out.sayProse("Title", c.Title)
		p.out.say(fmt.Sprintf("Score %.2f", c.Score), strings.Join(c.Why, "; "))
	}
	if len(list) == 0 {
		p.out.printf("No page was found that fits.\n")
	}
	return nil
}

// findPages finds pages to cite for a citer, or reads the page of a link.
func (p *prompts) findPages(by review.Citer, link extract.Link) ([]candidate.Candidate, error) {
	q := candidate.Question{Item: p.item.ID, Citer: by.Number, Now: time.Now(), Link: link}
	return p.opts.Prober.Candidates(p.ctx, q, p.out.sayRequest)
}

// pageForWhom asks for which of several records a page is wanted, and reports whether to go on.
func (p *prompts) pageForWhom() (by review.Citer, ok bool) {
	d, err := p.desk.Detail(p.ctx, p.item.ID)
	if err != nil {
		return by, true // the search fails as well
	}
	citers := d.Item.Citers(d.Files)
	if len(citers) < 2 {
		return by, true
	}
	p.out.printf("%d records cite this URL.\n", len(citers))
	for i, by := range citers {
		p.out.printf("%d: a page for %s\n", i+1, term.Safe(by.Name))
	}
	p.out.printf("For which one? A number: ")
	number, err := p.line()
	if err != nil {
		return by, false
	}
	if by, err = pick(citers, number, "a number from 1 to %d"); err != nil {
		p.out.printf("Nothing was asked.\n")
		return by, false
	}
	return by, true
}

// citePage cites a page that was told, for the record that it was found for.
func (p *prompts) citePage(number string) error {
	if p.offered.item != p.item.ID || len(p.offered.pages) == 0 {
		return errors.New("no pages have been found for this URL: pages-to-cite finds some")
	}
	c, err := pick(p.offered.pages, number, "which one? A number from 1 to %d")
	if err != nil {
		return err
	}
	return p.cite(c, p.offered.citer)
}

// readAndCite reads a link as a page to cite, and cites it.
func (p *prompts) readAndCite(link extract.Link) error {
	by, ok := p.pageForWhom()
	if !ok {
		return nil
	}
	list, err := p.findPages(by, link)
	if err != nil {
		return fmt.Errorf("%w; correct URL cites it without reading it", err)
	}
	p.out.say("Read", strings.Join(list[0].Why, "; "))
	return p.cite(list[0], by)
}

// cite approves a page for a citer, and stores its evidence.
func (p *prompts) cite(c candidate.Candidate, by review.Citer) error {
	if !p.redoLost() {
		return nil
	}
	choice := review.Choice{Kind: review.Correct, Canonical: c.URL, Record: by.Number}
	target := review.Target{ID: p.item.ID, Rev: p.item.Rev}
	r, err := p.desk.Cite(p.ctx, time.Now, review.Citation{Choice: choice, Target: target, Page: c.Report})
	if err != nil {
		return err
	}
	delete(p.marks, p.item.ID)
	p.confirm(wording.Decided(choice, r, p.item.ID, by.Name), r)
	return p.next(p.item)
}

// sayRequest tells a request, and a wait before it.
func (w *errWriter) sayRequest(e probe.Event) {
	switch e.Kind {
	case probe.Asking:
		w.say("Asking", e.Exchange.Method+" "+e.Exchange.URL)
	case probe.Waiting:
		w.say("Waiting", e.Why)
	}
}

// pagesOfCause finds the pages to cite in the place of all URLs of a cause, tells them, and cites them after a yes.
func (p *prompts) pagesOfCause(c cause.Cause) error {
	switch {
	case p.opts.Prober == nil:
		return errors.New("there is no network to ask here")
	case !c.WantsPages():
		return errors.New("pages are looked for where URLs are home pages, section pages, or do not answer")
	}
	list, err := desk.FindPages(p.ctx, p.desk, p.opts.Prober, c, p.searched, time.Now(), func(done, of int) {
		p.out.printf("Looking for pages to cite: %d of %s done.\n", done, wording.URLs(of))
	})
	if err != nil {
		return err
	}
	for _, f := range list {
		p.out.tellPageFor(f)
		p.searched = append(p.searched, f.Item.ID)
	}
	cited := desk.Citations(list)
	switch {
	case len(cited) == 0:
		p.out.printf("No page clearly fits: go NUMBER and pages-to-cite offers all that were found.\n")
		return nil
	case !p.agreed("Correct " + wording.URLs(len(cited))):
		return nil
	}
	r, err := p.desk.Cite(p.ctx, time.Now, cited...)
	if err != nil {
		return err
	}
	for _, one := range cited {
		delete(p.marks, one.Target.ID)
	}
	p.confirm(fmt.Sprintf("corrected: %s to the pages found", wording.URLs(r.Decided)), r)
	return p.next(p.item)
}

// tellPageFor tells the page that was found for a URL, or why it stays.
func (w *errWriter) tellPageFor(f pane.PageFor) {
	w.printf("%d: %s\n", f.Item.ID, term.Safe(term.Clip(pane.Shown(&f.Item), 4096)))
	w.sayProse("Cited by", pane.CitedIn(&f.Item, nil))
	if f.Stays != "" {
		w.say("Stays", f.Stays)
		return
	}
	w.printf("   to cite: %s\n", term.Safe(term.Clip(f.Page.URL, 4096)))
	w.sayProse("Title", f.Page.Title)
	w.say(fmt.Sprintf("Score %.2f", f.Page.Score), strings.Join(f.Page.Why, "; "))
}
