package plain

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"visto/review"
	"visto/review/candidate"
	"visto/review/probe"
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
	case p.prober == nil:
		return errors.New("there is no network to ask here")
	case arg != "":
		return p.citePage(arg)
	}
	by, ok := p.pageForWhom()
	if !ok {
		return nil
	}
	q := candidate.Question{Item: p.item.ID, Citer: by.Number, Now: time.Now()}
	list, err := p.prober.Candidates(p.ctx, q, p.sayRequest)
	if err != nil {
		return err
	}
	p.offered = offered{p.item.ID, by, list}
	for i, c := range list {
		p.out.printf("%d: %s\n", i+1, term.Safe(term.Clip(c.URL, 4096)))
		p.say("Title", c.Title)
		p.say(fmt.Sprintf("Score %.2f", c.Score), strings.Join(c.Why, "; "))
	}
	if len(list) == 0 {
		p.out.printf("No page was found that fits.\n")
	}
	return nil
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
	if !p.in.Scan() {
		return by, false
	}
	if by, err = pick(citers, strings.TrimSpace(p.in.Text()), "a number from 1 to %d"); err != nil {
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
	if err != nil || !p.redoLost() {
		return err
	}
	choice := review.Choice{Kind: review.Correct, Canonical: c.URL, Record: p.offered.citer.Number}
	target := review.Target{ID: p.item.ID, Rev: p.item.Rev}
	r, err := p.desk.Cite(p.ctx, choice, target, c.Report, time.Now)
	if err != nil {
		return err
	}
	delete(p.marks, p.item.ID)
	p.confirm(wording.Decided(choice, r, p.item.ID, p.offered.citer.Name), r)
	return p.next(p.item)
}

// sayRequest tells a request, and a wait before it.
func (p *prompts) sayRequest(e probe.Event) {
	switch e.Kind {
	case probe.Asking:
		p.say("Asking", e.Exchange.Method+" "+e.Exchange.URL)
	case probe.Waiting:
		p.say("Waiting", e.Why)
	}
}
