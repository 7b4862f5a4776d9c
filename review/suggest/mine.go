package suggest

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"

	"visto/canon"
	"visto/review"
	"visto/review/health"
)

// PageDesk is the part of a [review.Desk] that pages are read from.
type PageDesk interface {
	EachAnswered(ctx context.Context, f review.Filter, fn func(review.Item, *canon.Evidence) error) error
	EachLink(ctx context.Context, f review.Filter, fn func(review.Item, *health.Record) error) error
	Overrides(ctx context.Context) ([]review.StoredOverride, error)
	Rules(ctx context.Context) (*canon.Policy, *canon.Overrides, error)
}

// Desk is the part of a [review.Desk] that suggestions are mined from, and where they are stored.
type Desk interface {
	PageDesk
	Meta(ctx context.Context) (review.Meta, error)
	ReadOnly() bool
	Reviewer() string
	review.SuggestionStore
}

// Mine returns the suggestions for the stored URLs of the filter, recommended ones first, then those with the larger
// reach. Rules that would never reach a fixed point are left out. It keeps the pages with evidence or a decision in
// memory, and reads the others one by one.
func Mine(ctx context.Context, desk PageDesk, f review.Filter) ([]Suggestion, error) {
	list, err := newMiner(desk, f).run(ctx)
	if err != nil {
		return nil, fmt.Errorf("looking for suggestions: %w", err)
	}
	return list, nil
}

// pacer lets others go on now and then: a console mines in the background, and where processors are few a key waits for
// it. It counts the steps of loops.
type pacer int

func (p *pacer) giveWay() {
	if *p++; *p%64 == 0 {
		runtime.Gosched()
	}
}

// miner reads the pages of a desk.
type miner struct {
	pacer
	desk   PageDesk
	filter review.Filter
	policy *canon.Policy
	rules  []canon.Override
	canon  *canon.Canonicalizer
	hosts  canon.Evidence // of the hosts alone
	pages  []Page
	texts  map[int64]int // places in pages of the items whose link was checked
}

func newMiner(desk PageDesk, f review.Filter) *miner {
	return &miner{desk: desk, filter: f, texts: map[int64]int{}}
}

func (m *miner) run(ctx context.Context) ([]Suggestion, error) {
	if err := m.readAll(ctx); err != nil {
		return nil, err
	}
	list := Find(m.pages, m.rules)
	m.pages = nil
	if err := m.count(ctx, list); err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(s Suggestion) bool { return m.loops(&s) })
	slices.SortFunc(list, compare)
	return list, nil
}

func (m *miner) readAll(ctx context.Context) error {
	if err := m.readRules(ctx); err != nil {
		return err
	}
	return m.readPages(ctx)
}

func (m *miner) readRules(ctx context.Context) error {
	policy, overrides, err := m.desk.Rules(ctx)
	if err != nil {
		return err
	}
	m.policy, m.canon = policy, canon.New(policy, overrides)
	stored, err := m.desk.Overrides(ctx)
	for _, o := range stored {
		m.rules = append(m.rules, o.Override)
	}
	return err
}

// readPages reads the pages about which something is known.
func (m *miner) readPages(ctx context.Context) error {
	if err := m.each(ctx, m.filter, m.add); err != nil {
		return err
	}
	return m.readTexts(ctx)
}

// each calls fn for the items of a filter with their evidence, and gives way in between.
func (m *miner) each(ctx context.Context, f review.Filter, fn func(review.Item, *canon.Evidence) error) error {
	return m.desk.EachAnswered(ctx, f, func(it review.Item, ev *canon.Evidence) error {
		m.giveWay()
		return fn(it, ev)
	})
}

// add adds the page of an item, if something is known about it.
func (m *miner) add(it review.Item, ev *canon.Evidence) error {
	if ev != nil {
		m.hosts.Hosts = ev.Hosts
	}
	page := Page{Approved: approvedOf(&it)}
	states, isMissing := judge(m.policy, ev)
	page.Missing = page.Approved == "" && isMissing
	if !states && !page.Missing && page.Approved == "" {
		return nil
	}
	own := m.base(it.Original)
	if page.URL = own.Canonical; page.URL == "" {
		return nil
	}
	if page.Approved != "" {
		page.Approved = m.base(page.Approved).Canonical
	}
	if states {
		m.read(&page, &it, ev, own.Pagination == nil)
	}
	m.pages = append(m.pages, page)
	return nil
}

// read adds the facts of evidence. The text of one page of a list is not that of the list.
func (m *miner) read(page *Page, it *review.Item, ev *canon.Evidence, whole bool) {
	if len(ev.Hops) > 0 {
		final := ev.FinalURL
		if final == "" {
			final = ev.Hops[len(ev.Hops)-1].URL
		}
		end := m.base(final)
		page.Final, whole = end.Canonical, whole && end.Pagination == nil
	}
	if ev.RelCanonical != "" && whole {
		page.Canonical = m.base(ev.RelCanonical).Canonical
	}
	if corrected := it.Decision != nil && it.Decision.Kind.Corrects(); whole && !ev.Truncated && !corrected {
		page.SHA256 = ev.SHA256
		if it.Link.Checked {
			m.texts[it.ID] = len(m.pages)
		}
	}
}

// base returns the result of a URL without evidence of its own.
func (m *miner) base(url string) canon.Result {
	return m.canon.Canonicalize(url, &m.hosts)
}

// approvedOf returns the URL that a person approved for an item, as it was or corrected.
func approvedOf(it *review.Item) string {
	d := it.Decision
	if d == nil || !d.Approves() || d.CanonicalOf != nil {
		return ""
	}
	return d.Canonical
}

// textsAtOnce is the number of items whose texts are read at once.
const textsAtOnce = 5000

// readTexts adds the sketches of the texts that checks of links have read.
func (m *miner) readTexts(ctx context.Context) error {
	ids := slices.Sorted(maps.Keys(m.texts))
	for some := range slices.Chunk(ids, textsAtOnce) {
		f := review.Filter{IDs: some, Presence: review.AnyPresence}
		err := m.desk.EachLink(ctx, f, func(it review.Item, r *health.Record) error {
			if r != nil && len(r.Page.Sketch) > 0 {
				m.pages[m.texts[it.ID]].Sketch = r.Page.Sketch
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// loops reports whether a suggestion is no override that may be stored.
func (m *miner) loops(s *Suggestion) bool {
	runtime.Gosched() // as giveWay does, but a rule takes longer than a page
	rule, rules := s.Override(), slices.Clone(m.rules)
	rule.Match = rule.Match.Normal()
	i := slices.IndexFunc(rules, func(o canon.Override) bool { return o.Match == rule.Match })
	if i < 0 {
		return canon.CheckFixedPoint(m.policy, append(rules, rule), s.samples) != nil
	}
	rules[i] = review.Amended(rules[i], rule)
	return canon.CheckFixedPoint(m.policy, rules, s.samples) != nil
}
