package console

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/review/candidate"
	"visto/review/cause"
	"visto/review/probe"
	"visto/review/probe/extract"
	"visto/ui/desk"
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
	foundAt time.Time
	looked  lookedAt
}

// question is the state of an item, the record that a page is wanted for, and the link that is to be read instead of
// looking for pages.
type question struct {
	item, rev, citer int64
	link             extract.Link
}

// lookedAt is the page that is looked at over the list.
type lookedAt struct {
	page      *dialog.Page
	report    *probe.Report
	rendering bool
}

func newFinder(s *session, d *decider, p *probes) *finder {
	f := &finder{session: s, decider: d, probes: p, running: map[question]bool{},
		found: map[question][]candidate.Candidate{}}
	d.detail.pane.Pages, d.queue.pane.Pages = f.pagesFor, f.pagesFor
	return f
}

// pagesFor returns the pages that were found for an item as it is now, best first.
func (f *finder) pagesFor(it *review.Item) []candidate.Candidate {
	return f.found[question{item: it.ID, rev: it.Rev}]
}

// citeBest cites the page that leads those found for the URL that keys are about. It is on screen with the URL.
func (f *finder) citeBest() tea.Cmd {
	return f.decider.onSeen(func(it review.Item) tea.Cmd {
		list := f.pagesFor(&it)
		best, lead := candidate.Leads(list)
		switch {
		case f.early(f.foundAt):
			return f.tooEarly(f.pressed, "page", "")
		case len(list) == 0:
			return f.warn(f.keyed("no page is known for this URL: {pages-to-cite} looks for some"))
		case lead == 0:
			return f.warn(f.keyed("no page leads the others clearly: {pages-to-cite} shows what was found"))
		}
		about := f.decider.about(&it)
		about.choice, about.page = review.Choice{Kind: review.Correct, Canonical: best.URL}, &best.Report
		return f.decider.decide(about)
	})
}

// ask offers the pages that were found for the URL that keys are about, or begins to look for them.
func (f *finder) ask() tea.Cmd { return f.askFor(extract.Link{}) }

// askFor offers a link in the place of the URL that keys are about, or the pages that are found.
func (f *finder) askFor(link extract.Link) tea.Cmd {
	return f.decider.onCurrent(func(it review.Item) tea.Cmd {
		about := f.decider.about(&it)
		switch {
		case f.opts.Prober == nil:
			return f.warn("there is no network to ask here")
		case len(about.citers) > 1:
			return f.askForWhom(it, about, link)
		}
		return f.find(it, about, link)
	})
}

// askForWhom asks for which of several records a page is wanted, beginning with one for which pages are found. Citing
// it is then a decision for that one alone.
func (f *finder) askForWhom(it review.Item, about decision, link extract.Link) tea.Cmd {
	hint := "find pages"
	if link.URL != "" {
		hint = "read the link"
	}
	menu := &dialog.Menu{Hint: hint,
		Title: fmt.Sprintf("%d records cite this URL: a page for which one?", len(about.citers))}
	at := 0
	for i, by := range about.citers {
		if f.found[question{it.ID, it.Rev, by.Number, link}] != nil {
			at = i
		}
		one := about
		one.citers, one.choice.Record, one.alone = nil, by.Number, by.Name
		menu.Rows = append(menu.Rows, dialog.Row{
			Key: strconv.Itoa(i + 1), Name: term.Safe(term.Clip(by.Name, 300)),
			Do: f.closing(func() tea.Cmd { return f.find(it, one, link) }),
		})
	}
	return f.openMenu(menu, at)
}

// find offers the pages for an item, if they are known.
func (f *finder) find(it review.Item, about decision, link extract.Link) tea.Cmd {
	q := question{it.ID, it.Rev, about.choice.Record, link}
	switch {
	case f.found[q] != nil:
		return f.offer(it, about, f.found[q])
	case f.running[q]:
		return f.say(q.begun())
	}
	f.running[q] = true
	f.say(q.begun())
	ask := candidate.Question{Item: it.ID, Citer: q.citer, Now: f.opts.clock.now(), Link: link}
	updates := make(chan answer, 1)
	f.probes.group.Go(func() {
		defer end(updates)
		list, err := f.opts.Prober.Candidates(f.probes.ctx, ask, func(probe.Event) {})
		updates <- func() tea.Cmd {
			delete(f.running, q)
			if link.URL != "" {
				return f.doneLink(q, it, about, list, err)
			}
			return f.done(q, list, err)
		}
	})
	return stream(updates)
}

// begun tells that a question is being answered.
func (q question) begun() string {
	if q.link.URL != "" {
		return "the link is being read and checked: go on meanwhile"
	}
	return fmt.Sprintf("looking for pages to cite in the place of URL %d: go on meanwhile", q.item)
}

// done takes the pages that were found. The reviewer may be anywhere by now.
func (f *finder) done(q question, list []candidate.Candidate, err error) tea.Cmd {
	switch {
	case errors.Is(err, context.Canceled):
		return nil
	case err != nil:
		return f.warn(wording.Error(err))
	case len(list) == 0:
		return f.warn(fmt.Sprintf("no page was found that fits in the place of URL %d", q.item))
	}
	f.put(q, list)
	return f.say(f.keyed(fmt.Sprintf("pages to cite in the place of URL %d were found: {pages-to-cite} shows them",
		q.item)))
}

// doneLink offers a link that was read, if the reviewer still waits for it. One that could not be read can be entered
// as a correction.
func (f *finder) doneLink(
	q question, it review.Item, about decision, list []candidate.Candidate, err error,
) tea.Cmd {
	here := f.decider.detail.subject()
	waits := f.scope == inLinks && f.dialog == nil && here != nil && here.ID == q.item && here.Rev == q.rev
	switch {
	case errors.Is(err, context.Canceled):
		return nil
	case err != nil && waits:
		cmd := f.decider.correctTo(q.link.URL)
		f.fail(wording.Error(err))
		return cmd
	case err != nil:
		return f.warn(wording.Error(err))
	}
	if f.put(q, list); waits {
		f.message = message{}
		return f.offer(it, about, list)
	}
	return f.say(fmt.Sprintf("the link for URL %d was read: the same key shows it", q.item))
}

// keep keeps the pages that were found for URLs of a cause: in the queue they are not looked for again.
func (f *finder) keep(list []pane.PageFor) {
	for _, p := range list {
		if len(p.Found) > 0 {
			f.put(question{item: p.Item.ID, rev: p.Item.Rev}, p.Found)
		}
	}
}

// put takes the answer to a question.
func (f *finder) put(q question, list []candidate.Candidate) {
	f.found[q], f.foundAt = list, f.opts.clock.now()
	f.decider.detail.pane.Redraw()
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
	if c.Report.Content == nil || strings.TrimSpace(c.Report.Content.Text) == "" {
		return f.fail("nothing can be read in it")
	}
	behind := f.dialog
	f.looked = lookedAt{page: &dialog.Page{}, report: &c.Report}
	f.open(&dialog.Reader{Title: c.URL, Page: f.looked.page})
	f.behind = behind
	return nil
}

// follow renders the page that is looked at for the screen in a command, one at a time. The root calls it after every
// message.
func (f *finder) follow(c canvas) tea.Cmd {
	r, isReader := f.dialog.(*dialog.Reader)
	at := f.looked
	if !isReader || r.Page == nil || r.Page != at.page || at.rendering {
		return nil
	}
	look := dialog.LookAt(c.th, c.width-overlayMargin)
	if at.page.Fits(look) {
		return nil
	}
	f.looked.rendering = true
	contents := []review.StoredContent{{Document: *at.report.Content}}
	want := pane.ContentLook{Theme: look.Theme, Width: look.Width, Markdown: isMarkdown(at.report.Evidence)}
	return func() tea.Msg {
		text := pane.RenderContent(contents, want, withoutKeys)
		return answer(func() tea.Cmd {
			at.page.Set(look, text.Lines())
			if f.looked.page == at.page {
				f.looked.rendering = false
			}
			return nil
		})
	}
}

// withoutKeys leaves out the part of a text that names keys: they do nothing in a dialog.
func withoutKeys(text string) string {
	before, _, _ := strings.Cut(text, ": {")
	return before
}

// citePages is the name of the action of causePages.
const citePages = "Cite the pages found"

// causePages finds the pages to cite in the place of all URLs of a cause, in the background, and cites them.
type causePages struct {
	*session
	desk    Desk
	causes  *causesTab
	decider *decider
	probes  *probes // its context ends the requests

	cancel  context.CancelFunc // ends the search; nil: none is in progress
	foundAt time.Time
	finder  *finder // keeps the pages for the queue
}

// press looks for the pages of the cause under the cursor, or cites those that were found and are on screen.
func (p *causePages) press() tea.Cmd {
	c, ok := p.causes.pane.Current()
	list, _ := p.causes.pane.PagesFound()
	switch {
	case !ok:
		return nil
	case len(p.causes.pane.Chosen()) > 1:
		return p.warn(p.keyed("pages are looked for one cause at a time: {clear-causes} takes the marks away"))
	case p.early(p.causes.came.at):
		return p.tooEarly(p.pressed, "row", "")
	case p.early(p.foundAt):
		return p.tooEarly(p.pressed, "page", "")
	case p.cancel != nil:
		return p.warn(p.keyed("pages are being looked for: {clear-causes} stops it"))
	case !c.WantsPages():
		return p.warn(p.keyed("pages are looked for where URLs are home pages, section pages, or do not answer: " +
			"{urls-of-the-cause} shows the URLs, where {pages-to-cite} looks for one"))
	case len(list) > 0:
		return p.cite(list)
	case p.opts.Prober == nil:
		return p.warn("there is no network to ask here")
	}
	return p.find(c)
}

// find begins to look for pages, and tells how far it is.
func (p *causePages) find(c cause.Cause) tea.Cmd {
	ctx, cancel := context.WithCancel(p.probes.ctx)
	p.cancel = cancel
	p.tell(0, min(c.N, cause.PagesAtOnce))
	asked := p.causes.pane.Asked()
	updates := make(chan answer, cause.PagesAtOnce+1)
	p.probes.group.Go(func() {
		defer end(updates)
		told := func(done, of int) {
			updates <- func() tea.Cmd {
				if ctx.Err() == nil {
					p.tell(done, of)
				}
				return nil
			}
		}
		list, err := desk.FindPages(ctx, p.desk, p.opts.Prober, c, asked, p.opts.clock.now(), told)
		updates <- func() tea.Cmd {
			if ctx.Err() != nil { // stopped
				return nil
			}
			p.stop()
			return p.done(list, err)
		}
	})
	return stream(updates)
}

func (p *causePages) tell(done, of int) {
	p.say(p.keyed(fmt.Sprintf("looking for pages to cite: %d of %s done, {clear-causes} stops it", done,
		wording.URLs(of))))
}

// stop ends a search and reports whether one was in progress.
func (p *causePages) stop() bool {
	if p.cancel == nil {
		return false
	}
	p.cancel()
	p.cancel = nil
	return true
}

// done takes the pages that were found. The reviewer may be anywhere by now.
func (p *causePages) done(list []pane.PageFor, err error) tea.Cmd {
	if err != nil {
		return p.warn(wording.Error(err))
	}
	p.foundAt = p.opts.clock.now()
	p.causes.pane.AddPages(list)
	p.finder.keep(list)
	n := len(desk.Citations(list))
	if n == 0 {
		return p.warn(p.keyed("no page clearly fits: {urls-of-the-cause} shows the URLs, where {pages-to-cite} " +
			"offers all that were found"))
	}
	return p.say(p.keyed(fmt.Sprintf("pages were found for %d of %s: {%s} in Causes cites them", n,
		wording.URLs(len(list)), idOf(citePages))))
}

// cite corrects the URLs to their pages, as one batch.
func (p *causePages) cite(list []pane.PageFor) tea.Cmd {
	place := p.decider.next()
	return p.decider.writer.write(func() (outcome, error) {
		r, err := p.desk.Cite(p.ctx, p.opts.clock.now, desk.Citations(list)...)
		out := outcome{receipt: r, undoable: true, place: place}
		if r.Decided > 0 {
			out.text = fmt.Sprintf("corrected: %s to the pages found", wording.URLs(r.Decided))
		}
		for _, f := range list {
			out.unmark = append(out.unmark, f.Item.ID)
		}
		return out, err
	})
}
