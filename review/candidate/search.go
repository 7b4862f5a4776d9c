package candidate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/review/probe"
	"visto/review/probe/extract"
)

// The limits of a search.
const (
	maxDepth      = 1    // steps of links from the cited page to a page whose links count
	maxPages      = 6000 // that are known
	maxSections   = 7    // that are read for their links
	maxStored     = 50   // stored URLs with one word
	maxCandidates = 20
)

// search is the work on one question.
type search struct {
	desk   *review.Desk
	prober Prober
	item   int64
	detail *review.Detail
	rules  review.Judge
	query  *query
	judge  judge
	budget *probe.Budget
	index  *index

	start string // the page to begin with
	cited string // key of the cited page
	pages map[string]*page
	list  []*page         // in the order in which they were found
	news  []*page         // to index again
	dead  map[string]bool // hosts that do not answer

	failed string // why the host of the cited page does not answer; empty: it does
}

func newSearch(ctx context.Context, desk *review.Desk, prober Prober, q Question) (*search, error) {
	det, err := desk.Detail(ctx, q.Item)
	if err != nil {
		return nil, err
	}
	records, err := recordsOf(&det.Item, q.Citer)
	if err != nil {
		return nil, err
	}
	rules, err := desk.Judge(ctx, det.Item.Computed.InHost, det.Item.Computed.Host)
	if err != nil {
		return nil, err
	}
	x, err := newIndex(ctx)
	if err != nil {
		return nil, err
	}
	s := &search{desk: desk, prober: prober, item: q.Item, detail: det, rules: rules, index: x,
		budget: probe.NewBudget(MaxRequests), pages: map[string]*page{}, dead: map[string]bool{}}
	s.start = cmp.Or(det.Item.Computed.Canonical, det.Item.Original)
	s.cited = canon.NormalizedOf(s.start)
	s.query = newQuery(records, s.wordsOfCited(len(records) == 0)...)
	s.judge = judge{language: desk.Policy().PreferredLanguage(), now: q.Now, years: s.query.years,
		site: siteOf(s.start)}
	return s, nil
}

// wordsOfCited returns the words of the cited page itself. A home page has none that say which page is wanted.
func (s *search) wordsOfCited(alone bool) []string {
	if s.detail.Result.LinkType == canon.Homepage && !alone {
		return nil
	}
	return []string{s.detail.Item.Title, slugOf(s.start)}
}

// run makes the requests and ranks the pages: first by links and addresses, to choose the pages to read, and then by
// their content.
func (s *search) run(ctx context.Context) ([]Candidate, error) {
	for _, step := range []func(context.Context) error{
		s.readCited, s.readSitemaps, s.addStored, s.readSections, s.readBest,
	} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	list, err := s.ranked(ctx)
	if err == nil && len(list) == 0 && s.failed != "" {
		err = errors.New("no page could be read: " + s.failed)
	}
	return list, err
}

// readLink reads a link that a reviewer chose. It returns that page, or the one that it led to.
func (s *search) readLink(ctx context.Context, link extract.Link) ([]Candidate, error) {
	if s.add(link.URL, link.Text, byLink, maxDepth+1) == nil {
		return nil, errors.New("it leads to the same page, or to one that must not be cited")
	}
	for i := 0; i < len(s.list); i++ {
		p := s.list[i]
		if p.report == nil {
			if err := s.read(ctx, p); err != nil {
				return nil, err
			}
		}
		if p.report != nil && !p.out {
			p.names = sharedParts(p.stated(), s.detail.Item.Title)
			q := s.query.without(stemsOf(strings.Join(p.names, " ")))
			return []Candidate{candidateOf(scored{page: p, signals: s.judge.signals(p)}, q)}, nil
		}
	}
	return nil, errors.New("it cannot be cited: " + failureOf(s.list[len(s.list)-1]))
}

// failureOf returns why a page that was asked for is none to propose.
func failureOf(p *page) string {
	if p.report == nil {
		return "it did not answer"
	}
	ev := p.report.Evidence
	if ev.Status == 0 {
		return cmp.Or(ev.Error, ev.Blocked, "robots.txt forbids it")
	}
	return cmp.Or(ev.Error, ev.Blocked, fmt.Sprintf("it answered %d", ev.Status))
}

// target returns the target for a URL.
func (s *search) target(url string) probe.Target {
	return probe.Target{ID: TargetID(s.item), URL: url, Budget: s.budget}
}

// add adds a page by its URL, or another place where a known one was found. It returns nil if the URL must not be
// cited, or is that of the cited page.
func (s *search) add(url, text string, by origin, depth int) *page {
	result := s.rules(url, nil)
	if result.Verdict == canon.Rejected {
		return nil
	}
	p := s.pages[result.Normalized()]
	switch {
	case result.Normalized() == s.cited, p == nil && len(s.list) >= maxPages:
		return nil
	case p == nil:
		p = &page{number: int64(len(s.list) + 1), result: result, depth: depth}
		s.pages[p.key()] = p
		s.list = append(s.list, p)
		s.news = append(s.news, p)
	}
	p.depth = min(p.depth, depth)
	p.addOrigin(by)
	if p.addText(text) {
		s.news = append(s.news, p)
	}
	return p
}

// readCited reads the cited page and adds its links. If it has no content, the root of its host stands in for it.
func (s *search) readCited(ctx context.Context) error {
	s.addNamed(s.detail.Evidence)
	s.add(s.detail.Result.SpanishCandidate, "", byGuess, maxDepth+1)
	report, err := s.fetch(ctx, s.start)
	if err != nil {
		return err
	}
	if report != nil {
		s.addNamed(report.Evidence)
		s.failed = report.Evidence.Error
	}
	s.addLinks(report, 0)
	if root := originOf(s.start); (report == nil || report.Content == nil) && canon.NormalizedOf(root) != s.cited {
		if report, err = s.fetch(ctx, root); err == nil {
			s.addLinks(report, 0)
		}
	}
	return err
}

// fetch requests a page; nil: there is no answer, or no request left.
func (s *search) fetch(ctx context.Context, url string) (*probe.Report, error) {
	host := originOf(url)
	if s.dead[host] || s.budget.Left() == 0 {
		return nil, nil
	}
	var got *probe.Report
	err := s.prober.Run(ctx, []probe.Target{s.target(url)}, func(r probe.Report) error {
		got = &r
		return nil
	})
	if got == nil || got.Evidence == nil {
		return nil, err
	}
	s.dead[host] = got.Evidence.Error != ""
	return got, err
}

// addLinks adds the pages that a page links to.
func (s *search) addLinks(r *probe.Report, depth int) {
	if r == nil || r.Content == nil || depth > maxDepth {
		return
	}
	for _, l := range r.Content.Links {
		s.add(l.URL, l.Text, byLink, depth+1)
	}
}

// addNamed adds the pages that the cited page names in the place of itself.
func (s *search) addNamed(ev *canon.Evidence) {
	if ev == nil {
		return
	}
	for _, url := range s.versions(ev.LangVariants) {
		s.add(url, "", byLanguage, maxDepth+1)
	}
	if ev.RelCanonical != "" {
		s.add(ev.RelCanonical, "", byCanonical, maxDepth+1)
	}
}

// versions returns those of the language versions of a page that are in the language to cite.
func (s *search) versions(variants map[string]string) (urls []string) {
	for _, tag := range slices.Sorted(maps.Keys(variants)) {
		if language, _, _ := strings.Cut(tag, "-"); language == s.judge.language {
			urls = append(urls, variants[tag])
		}
	}
	return urls
}

// addStored adds the stored URLs of the host with words of the query.
func (s *search) addStored(ctx context.Context) error {
	host := s.detail.Item.Computed.Host
	if host == "" {
		return nil
	}
	for _, g := range s.query.groups[:min(2, len(s.query.groups))] {
		for _, w := range g.words[:min(8, len(g.words))] {
			q := review.Query{Filter: review.Filter{AtHosts: []string{host}, Search: w.text}}
			items, err := s.desk.Page(ctx, q, nil, maxStored)
			if err != nil {
				return err
			}
			for _, it := range items {
				if it.Computed.Canonical != "" {
					s.add(it.Computed.Canonical, it.Title, byStore, maxDepth+1)
				}
			}
		}
	}
	return nil
}

// sectionWords are the stems of words in links and addresses of pages that lead to procedures.
var sectionWords = stemsOf("trámites procedimientos catálogo servicios gestiones sede temas ciudadanía ayudas mapa " +
	"índice áreas materias perfil")

// readSections reads pages that are likely to lead to the right one: a step from the cited page, on its site.
func (s *search) readSections(ctx context.Context) error {
	if err := s.index.put(ctx, s.news); err != nil {
		return err
	}
	s.news = nil
	scores, err := s.index.scores(ctx, s.query)
	if err != nil {
		return err
	}
	var sections []scored
	for _, p := range s.list {
		if p.depth != 1 || siteOf(p.url()) != s.judge.site {
			continue
		}
		if promise := s.promise(p, scores[p.number]); promise > 0 {
			sections = append(sections, scored{page: p, score: promise})
		}
	}
	slices.SortStableFunc(sections, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	for _, p := range sections[:min(len(sections), maxSections)] {
		if err := s.read(ctx, p.page); err != nil {
			return err
		}
	}
	return nil
}

// promise returns how likely a page leads to the right one.
func (s *search) promise(p *page, fit float64) float64 {
	promise := fit / 2
	for _, w := range wordsOf(slugOf(p.url()) + " " + p.links()) {
		if sectionWords[w.stem] {
			promise += 3
			break
		}
	}
	if p.result.LinkType != canon.Informative {
		promise++
	}
	for _, g := range s.judge.signals(p) {
		if g.factor < 1 && p.result.LinkType == canon.Informative {
			promise *= g.factor
		}
	}
	return promise
}

// readBest reads the best pages until the requests are used up. Each page read may lead to better ones.
func (s *search) readBest(ctx context.Context) error {
	for s.budget.Left() > 0 {
		list, err := s.rank(ctx)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(list, func(p scored) bool { return !p.tried })
		if i < 0 || i >= maxBehind {
			return nil
		}
		if err := s.read(ctx, list[i].page); err != nil {
			return err
		}
	}
	return nil
}

// maxBehind is the number of pages that were tried and are better than the best one that was not, at which no more are
// read.
const maxBehind = 12

// read reads a page and takes the URL, flags and content from the answer.
func (s *search) read(ctx context.Context, p *page) error {
	p.tried = true
	report, err := s.fetch(ctx, p.url())
	if report == nil {
		p.out = p.out || s.dead[originOf(p.url())]
		return err
	}
	p.report = report
	s.news = append(s.news, p)
	s.addLinks(report, p.depth)
	s.place(p)
	return err
}

// place gives a page that was read its final result. A page that led to another one, or has a version in the language
// to cite, is none to propose: the other one is.
func (s *search) place(p *page) {
	ev := p.report.Evidence
	result := s.rules(p.url(), ev)
	flags := result.Codes()
	switch {
	case result.Verdict == canon.Rejected, ev.Blocked != "", flags.Has(canon.Unreachable),
		flags.Has(canon.RobotsBlocked):
		p.out = true
		return
	case result.Normalized() == p.key():
		p.result = result
		return
	}
	p.out = true
	here := *ev
	here.LangVariants = nil
	isHere := s.rules(p.url(), &here)
	to := s.add(result.Canonical, p.links(), byLink, p.depth)
	if to == nil || to.report != nil || isHere.Normalized() != result.Normalized() {
		return // its content is that of another version
	}
	to.tried, to.report, to.result = true, landed(p.report, result.Canonical), result
	s.news = append(s.news, to)
}

// landed returns the report of a request that was redirected as that of its end.
func landed(r *probe.Report, url string) *probe.Report {
	at, ev := *r, *r.Evidence
	ev.URL, ev.Asked, ev.Hops, ev.FinalURL = url, url, nil, ""
	at.Evidence = &ev
	return &at
}
