package review

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"visto/canon"
	"visto/review/health"
	"visto/review/probe/extract"
)

// Detail is an item with all information about it.
type Detail struct {
	Item      Item
	Result    canon.Result // explained, under the current rules
	Evidence  *canon.Evidence
	Notes     []Note
	History   []PastDecision
	Overrides []StoredOverride // that match it, by host and path
	Twins     []Item           // up to maxTwins other items with the same comparison key

	Alternatives []Alternative     // other URLs that could be cited
	Files        map[string]string // the names of files as they are shown

	Link *health.Record // the history of its link; nil: there was no check
	Due  time.Time      // of the next check of the link

	Assignment *Assignment // nil: nobody has it
}

// Flags returns the flags that only a review raises, for which an approved item waits, and those of the result.
func (d *Detail) Flags() (list []canon.Flag) {
	for _, c := range (d.Item.Computed.Flags & raisedByReview).Codes() {
		list = append(list, canon.Flag{Code: c, Rule: c.Step(), Detail: strings.Join(d.explain(c), "; ")})
	}
	return append(list, d.Result.Flags...)
}

// Why says in one clause why a flag is there. Of one that only a review raises it returns the facts too, in lines for
// people. The texts are untrusted.
func (d *Detail) Why(f canon.Flag) (clause string, facts []string) {
	facts = d.explain(f.Code)
	if facts == nil && f.Detail != "" {
		return f.Detail, nil
	}
	return f.Code.Summary(), facts
}

// explain returns the facts behind a flag that only a review raises, in lines for people; see [health.Record.Explain].
func (d *Detail) explain(c canon.Code) []string {
	switch {
	case c == canon.ChangedSinceApproval:
		return []string{"approved was " + d.Item.Canonical()}
	case d.Link == nil:
		return nil
	}
	return d.Link.Explain(c)
}

// maxTwins is the largest number of twins in a Detail. More would push the rest off the screen.
const maxTwins = 20

// Detail returns an item with all information about it, including the trace.
func (d itemDesk) Detail(ctx context.Context, id int64) (det *Detail, err error) {
	defer annotate(&err, "URL %d", id)
	r, err := d.rules(ctx)
	if err != nil {
		return nil, err
	}
	it, err := d.store.Item(ctx, id)
	if err != nil {
		return nil, err
	}
	ev, errEvidence := d.store.Evidence(ctx, id)
	notes, errNotes := d.store.Notes(ctx, id)
	history, errHistory := d.store.History(ctx, id)
	twins, errTwins := d.twins(ctx, &it)
	files, errFiles := d.Files(ctx)
	link, errLink := d.store.LinkRecord(ctx, id)
	assignment, errAssignment := d.store.Assignment(ctx, id)
	err = cmp.Or(errEvidence, errNotes, errHistory, errTwins, errFiles, errLink, errAssignment)
	if err != nil {
		return nil, err
	}
	det = &Detail{Item: masked(it), Evidence: ev.Masked(), Notes: mapped(notes, maskedNote),
		Twins: mapped(twins, masked), Files: files, Link: link,
		Assignment: assignment}
	if link != nil {
		settings := health.SettingsOf(r.policy)
		det.Due = link.Due(settings.IntervalOf(it.priorities()), settings)
	}
	det.History = mapped(history, func(p PastDecision) PastDecision {
		return PastDecision{maskedDecision(p.Decision), p.Undone}
	})
	det.Result = r.explain(r.engine(), &it, withHosts(ev, r.hosts))
	det.Overrides = r.on(lookups(r, det))
	det.Alternatives = alternatives(r.policy, det)
	return det, nil
}

func (d itemDesk) twins(ctx context.Context, it *Item) ([]Item, error) {
	if it.Computed.Key == (Key{}) {
		return nil, nil
	}
	others := Filter{Keys: []Key{it.Computed.Key}, NotIDs: []int64{it.ID}}
	return d.store.Page(ctx, Query{Filter: others}, nil, maxTwins)
}

// lookup is a host and path for which overrides are looked up, and the fields in which the URL is cited.
type lookup struct {
	host, path string
	fields     FieldSet
}

// lookups returns the lookups for a URL: as it came, after the redirects, and after the overrides.
func lookups(r *rules, det *Detail) []lookup {
	bare := canon.New(r.policy, nil)
	url, ev := det.Item.Original, withHosts(det.Evidence, r.hosts)
	if d := det.Item.correction(); d != nil {
		url, ev = d.Canonical, onlyHosts(ev)
	}
	came, led := bare.Canonicalize(url, nil), bare.Canonicalize(url, ev)
	return []lookup{
		{came.InHost, PathOf(came.Canonical), det.Item.Fields},
		{led.Host, PathOf(led.Canonical), det.Item.Fields},
		{det.Item.Computed.Host, PathOf(det.Result.Canonical), det.Item.Fields},
	}
}

// on returns the overrides that apply to one of the lookups.
func (r *rules) on(points []lookup) (list []StoredOverride) {
	for i := range r.list {
		if found(points, r.list[i].match) {
			list = append(list, r.list[i].stored())
		}
	}
	return list
}

// found reports whether the match applies to one of the lookups.
func found(points []lookup, m canon.Match) bool {
	return slices.ContainsFunc(points, func(s lookup) bool { return s.finds(m) })
}

// finds reports whether a match applies.
func (s lookup) finds(m canon.Match) bool {
	return s.covers(m) && (m.Field == "" || s.fields.has(m.Field))
}

// covers reports whether a match applies to host and path. Like the pipeline it compares paths at segment boundaries.
func (s lookup) covers(m canon.Match) bool {
	rest, under := strings.CutPrefix(s.path, m.PathPrefix)
	atBoundary := m.PathPrefix == "" || rest == "" || rest[0] == '/' || rest[0] == ';'
	return s.host != "" && m.MatchesHost(s.host) && under && atBoundary
}

// StoredContent is a version of the content of an item's page.
type StoredContent struct {
	At       time.Time // when a probe read this version first
	Document extract.Document
}

// Contents returns the stored versions of the content of an item's page, newest first, at most two.
func (d itemDesk) Contents(ctx context.Context, id int64) (list []StoredContent, err error) {
	defer annotate(&err, "the page of URL %d", id)
	return d.store.Contents(ctx, id)
}

// Find returns the items with an ID or a URL; see Store.Find. A URL with user and password finds the stored one without
// them. If there is none, it returns ErrNotFound.
func (d itemDesk) Find(ctx context.Context, idOrURL string) (items []Item, err error) {
	arg := canon.MaskUser(canon.Trim(idOrURL))
	if id, err := strconv.ParseInt(arg, 10, 64); err == nil {
		it, err := d.store.Item(ctx, id)
		annotate(&err, "URL %d", id)
		return []Item{it}, err
	}
	defer annotate(&err, "%q", d.Policy().MaskText(arg))
	if items, err = d.store.Find(ctx, arg); err == nil && len(items) == 0 {
		err = ErrNotFound
	}
	return items, err
}

// Surroundings are the neighbours of an item on its host and the history of the overrides for it.
type Surroundings struct {
	Path  string     // path prefix of the neighbours
	Near  []Item     // up to maxNear items on each side under Path, in the order of their URLs
	Rules []PastRule // changes of overrides for the item, also undone ones, oldest first
}

// The limits of Surroundings.
const (
	maxNear      = 10 // on each side
	maxPastRules = 100
)

// Surroundings returns the surroundings of an item. Its cost does not depend on the size of the host.
func (d itemDesk) Surroundings(ctx context.Context, id int64) (*Surroundings, error) {
	det, err := d.Detail(ctx, id)
	if err != nil {
		return nil, err
	}
	a := &Surroundings{}
	if err = d.near(ctx, &det.Item, a); err == nil {
		err = d.pastRules(ctx, det, a)
	}
	annotate(&err, "around URL %d", id)
	return a, err
}

// near reads the neighbours in the order of URLs, which keeps those of one directory together.
func (d itemDesk) near(ctx context.Context, it *Item, a *Surroundings) error {
	path := PathOf(it.Computed.Canonical)
	if it.Computed.Host == "" || path == "" {
		return nil
	}
	a.Path = path[:strings.LastIndexByte(path, '/')+1]
	q := Query{Filter: Filter{AtHosts: []string{it.Computed.Host}}, Sort: ByURL}
	before, err := d.store.Page(ctx, q, q.Before(it), maxNear)
	if err != nil {
		return err
	}
	after, err := d.store.Page(ctx, q, q.After(it), maxNear)
	a.Near = slices.DeleteFunc(slices.Concat(before, after), func(other Item) bool {
		return !strings.HasPrefix(PathOf(other.Computed.Canonical), a.Path) || other.Computed.Key == it.Computed.Key
	})
	return err
}

func (d itemDesk) pastRules(ctx context.Context, det *Detail, a *Surroundings) error {
	r, err := d.rules(ctx)
	if err != nil {
		return err
	}
	points := lookups(r, det)
	hosts := slices.Sorted(slices.Values(slices.Concat(mapped(points, lookup.patterns)...)))
	list, err := d.store.RuleHistory(ctx, slices.Compact(hosts), maxPastRules)
	a.Rules = slices.DeleteFunc(list, func(p PastRule) bool { return !found(points, matchOf(p.OverrideChange)) })
	return err
}

// patterns returns all host patterns that match the host.
func (s lookup) patterns() []string {
	if s.host == "" {
		return nil
	}
	list := []string{s.host, "*", ""} // rules for fields have the empty host
	for i, c := range s.host {
		if c == '.' {
			list = append(list, "*"+s.host[i:])
		}
	}
	return list
}

// Alternative is a URL that could be cited instead of the computed one.
type Alternative struct {
	Label string // its origin, in words
	URL   string // in the form in which a correction would store it
	Raw   bool   // the original URL, only cleaned
}

// maxAlternatives is the largest number of alternatives.
const maxAlternatives = 9

// alternatives returns the URLs that the review, the spelling, the evidence and the original suggest, likeliest
// first. Each is acceptable and differs from the computed URL.
func alternatives(p *canon.Policy, det *Detail) []Alternative {
	c := canon.New(p, nil)
	raw := []Alternative{{Label: "as it came, and no more than cleaned", URL: det.Item.Original, Raw: true}}
	var list []Alternative
	for _, a := range slices.Concat(fromReview(det), spellings(det), fromEvidence(det), raw) {
		r := c.Clean(a.URL)
		known := slices.ContainsFunc(list, func(b Alternative) bool { return b.URL == r.Canonical })
		if a.URL == "" || r.Verdict == canon.Rejected || known || r.Canonical == det.Result.Canonical {
			continue
		}
		a.URL = r.Canonical
		list = append(list, a)
	}
	return list[:min(len(list), maxAlternatives)]
}

// fromReview returns the URL approved before, the Spanish pages, the URL without text that was copied along, and a guess
// of the Spanish page.
func fromReview(det *Detail) (list []Alternative) {
	if d := det.Item.Decision; d != nil && d.Approves() {
		list = append(list, Alternative{Label: "as it was approved", URL: d.Canonical})
	}
	for _, tag := range slices.Sorted(maps.Keys(det.Result.LangVariants)) {
		if IsSpanish(tag) {
			url := det.Result.LangVariants[tag]
			list = append(list, Alternative{Label: "the Spanish version, as the page names it", URL: url})
		}
	}
	mended := Alternative{Label: "without the text that was copied along", URL: det.Result.WithoutPasted}
	guess := det.Result.SpanishCandidate
	return append(list, mended, Alternative{Label: "where the Spanish version may be: a guess", URL: guess})
}

// spellings returns variants of the computed URL with another scheme, trailing slash or host.
func spellings(det *Detail) (list []Alternative) {
	scheme, rest, ok := strings.Cut(det.Result.Canonical, "://")
	if !ok {
		return nil
	}
	add := func(label, scheme, rest string) {
		list = append(list, Alternative{Label: label, URL: scheme + "://" + rest})
	}
	end := cmp.Or(strings.IndexAny(rest, "?#")+1, len(rest)+1) - 1
	place, query := rest[:end], rest[end:]
	host, path, _ := strings.Cut(place, "/")
	switch {
	case strings.HasSuffix(path, "/"):
		add("without the slash at its end", scheme, strings.TrimRight(place, "/")+query)
	case slashed(det.Item.Original):
		add("with the slash at its end", scheme, place+"/"+query)
	}
	came, _, _ := strings.Cut(strings.ToLower(canon.Trim(det.Item.Original)), "://")
	switch {
	case scheme == "http":
		add("over https", "https", rest)
	case came == "http":
		add("over http, as it came", "http", rest)
	}
	if in := det.Item.Computed.InHost; in != "" && in != det.Item.Computed.Host {
		add("on the host as it came", scheme, in+strings.TrimPrefix(rest, host))
	}
	return list
}

// slashed reports whether the path of a URL is longer than "/" and ends in a slash.
func slashed(url string) bool {
	_, rest, _ := strings.Cut(url, "://")
	if end := strings.IndexAny(rest, "?#"); end >= 0 {
		rest = rest[:end]
	}
	return strings.Count(rest, "/") > 1 && strings.HasSuffix(rest, "/")
}

// fromEvidence returns the end of the redirects, the canonical link of the page, and each redirect, last first.
func fromEvidence(det *Detail) []Alternative {
	ev := det.Evidence
	if ev == nil {
		return nil
	}
	end := "where the redirects ended"
	if det.Item.Computed.Flags.Has(canon.RedirectLimit) {
		end = "the last URL of the redirects"
	}
	list := []Alternative{{Label: end, URL: ev.FinalURL},
		{Label: "the canonical URL that the page names", URL: ev.RelCanonical}}
	for _, url := range slices.Sorted(maps.Keys(ev.Answers)) {
		if a := ev.Answers[url]; strings.HasPrefix(url, "http:") && ev.TLSError != "" && a.IsPage() {
			list = append(list, Alternative{Label: "over http: the certificate is another site's", URL: url})
		}
	}
	for i, hop := range slices.Backward(ev.Hops) {
		list = append(list, Alternative{Label: fmt.Sprintf("after redirect %d of %d", i+1, len(ev.Hops)), URL: hop.URL})
	}
	return list
}
