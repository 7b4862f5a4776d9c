package console

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/review/candidate"
	"visto/review/probe"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/wording"
)

// finder finds pages to cite in the place of URLs, in the background, and offers them.
type finder struct {
	*session
	decider *decider
	probes  *probes // its context ends the requests
	running map[question]bool
	found   map[question][]candidate.Candidate
}

// question is the state of an item, and the record that a page is wanted for.
type question struct{ item, rev, citer int64 }

func newFinder(s *session, d *decider, p *probes) *finder {
	return &finder{s, d, p, map[question]bool{}, map[question][]candidate.Candidate{}}
}

// ask offers the pages that were found for the URL that keys are about, or begins to look for them.
func (f *finder) ask() tea.Cmd {
	return f.decider.onCurrent(func(it review.Item) tea.Cmd {
		about := f.decider.about(&it)
		switch {
		case f.opts.Prober == nil:
			return f.warn("there is no network to ask here")
		case len(about.citers) > 1:
			return f.askForWhom(it, about)
		}
		return f.find(it, about)
	})
}

// askForWhom asks for which of several records a page is wanted. Citing it is then a decision for that one alone.
func (f *finder) askForWhom(it review.Item, about decision) tea.Cmd {
	menu := &dialog.Menu{Title: fmt.Sprintf("%d records cite this URL: a page for which one?", len(about.citers)),
		Hint: "find pages"}
	for i, by := range about.citers {
		one := about
		one.citers, one.choice.Record, one.alone = nil, by.Number, by.Name
		menu.Rows = append(menu.Rows, dialog.Row{
			Key: strconv.Itoa(i + 1), Name: term.Safe(term.Clip(by.Name, 300)),
			Do: f.closing(func() tea.Cmd { return f.find(it, one) }),
		})
	}
	return f.openMenu(menu, 0)
}

// find offers the pages for an item, if they are known.
func (f *finder) find(it review.Item, about decision) tea.Cmd {
	q := question{it.ID, it.Rev, about.choice.Record}
	switch {
	case f.found[q] != nil:
		return f.offer(it, about, f.found[q])
	case f.running[q]:
		return f.say(fmt.Sprintf("pages for URL %d are being looked for: go on meanwhile", it.ID))
	}
	f.running[q] = true
	f.say(fmt.Sprintf("looking for pages to cite in the place of URL %d: go on meanwhile", it.ID))
	ask := candidate.Question{Item: it.ID, Citer: q.citer, Now: f.opts.clock.now()}
	updates := make(chan answer, 1)
	f.probes.group.Go(func() {
		defer close(updates)
		list, err := f.opts.Prober.Candidates(f.probes.ctx, ask, func(probe.Event) {})
		updates <- func() tea.Cmd { return f.done(q, list, err) }
	})
	return stream(updates)
}

// done takes the pages that were found. The reviewer may be anywhere by now.
func (f *finder) done(q question, list []candidate.Candidate, err error) tea.Cmd {
	delete(f.running, q)
	switch {
	case errors.Is(err, context.Canceled):
		return nil
	case err != nil:
		return f.warn(wording.Error(err))
	case len(list) == 0:
		return f.warn(fmt.Sprintf("no page was found that fits in the place of URL %d", q.item))
	}
	f.found[q] = list
	return f.say(f.keyed(fmt.Sprintf("pages to cite in the place of URL %d were found: {pages-to-cite} shows them",
		q.item)))
}

// offer opens the list of pages.
func (f *finder) offer(it review.Item, about decision, list []candidate.Candidate) tea.Cmd {
	c := dialog.NewCandidates(pane.Shown(&it), list,
		func(c candidate.Candidate) dialog.Action { return with(f.look, c) },
		func(c candidate.Candidate) dialog.Action {
			about.choice.Kind, about.choice.Canonical, about.page = review.Correct, c.URL, &c.Report
			return with(f.decider.decide, about)
		})
	f.open(c)
	return f.decider.check(c.First())
}

// look shows the content of a page over the list.
func (f *finder) look(c candidate.Candidate) tea.Cmd {
	if c.Report.Content == nil {
		return f.fail("nothing can be read in it")
	}
	behind := f.dialog
	f.open(&dialog.Reader{Title: c.Title, Text: c.Report.Content.Text})
	f.behind = behind
	return nil
}
