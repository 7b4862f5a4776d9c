package suggest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
)

// Update brings the stored suggestions up to date: it reads the items on the hosts with changes alone, and tries
// templates again on the pages that these lead to. Stored then returns the same list as Mine. It reports whether
// anything had changed. Error: review.ErrStale if another program updated them meanwhile.
func Update(ctx context.Context, desk Desk) (changed bool, err error) {
	u := updater{miner: newMiner(desk, review.Filter{}), desk: desk, packer: newPacker(),
		parts: map[partKey]review.MinedPart{}, known: map[partKey][]byte{}}
	changed, err = u.begin(ctx)
	if err == nil && changed {
		err = u.run(ctx)
	}
	if err != nil {
		return false, fmt.Errorf("looking for suggestions: %w", err)
	}
	return changed, nil
}

// partKey names a part.
type partKey struct {
	review.MinedKind
	host, name string
}

// updater updates the stored suggestions. Everything in them follows from the parts of the kind before: suggestions
// from votes, these from the pages of a site and those of the hosts that it may be an alias of, and these from items.
type updater struct {
	*miner
	*packer
	desk      Desk
	state     review.Mining
	was, is   basis
	anew      bool
	isChanged func(host string) bool // by rules or host evidence
	stale     map[string]bool        // hosts with items to read; not used if anew
	dirty     map[string]bool        // sites with pages that changed
	infos     map[string]*siteInfo   // of all sites

	proposed map[string][]Template // the templates to try on a site

	old   map[partKey]*storedSuggestion // as stored
	list  map[partKey]*storedSuggestion // as they are
	known map[partKey][]byte            // bodies of stored parts
	parts map[partKey]review.MinedPart  // to store
}

// begin reports whether there is anything to do, and has the store mark hosts from now on.
func (u *updater) begin(ctx context.Context) (bool, error) {
	changed, err := u.look(ctx)
	if err != nil || !changed || u.state.Token > 0 {
		return changed, err
	}
	if err = u.desk.SaveMined(ctx, review.MinedChange{}); err != nil {
		return false, err
	}
	return u.look(ctx)
}

// look reads the state, and reports whether anything changed since. The state comes first: whatever changes after
// that is marked for the next time.
func (u *updater) look(ctx context.Context) (bool, error) {
	var err error
	if u.state, err = u.desk.Mining(ctx); err != nil {
		return false, err
	}
	meta, err := u.desk.Meta(ctx)
	if err != nil {
		return false, err
	}
	u.rules = nil
	if err = u.readRules(ctx); err != nil {
		return false, err
	}
	u.is = basis{version, u.policy.Digest(), u.rules, meta.HostsGen}
	if len(u.state.Body) > 0 {
		if err = json.Unmarshal(u.state.Body, &u.was); err != nil {
			return false, fmt.Errorf("reading the state: %w: %w", err, review.ErrDamaged)
		}
	}
	if u.was.Version != version || u.was.Policy != u.is.Policy {
		u.anew = true
		return true, nil
	}
	hosts, err := u.desk.Hosts(ctx, u.was.HostsGen)
	if err != nil {
		return false, err
	}
	matches := changedRules(u.was.Rules, u.is.Rules)
	related := map[string]bool{}
	for _, host := range review.RelatedHosts(nil, slices.Collect(maps.Keys(hosts))...) {
		related[host] = true
	}
	u.isChanged = func(host string) bool {
		return related[host] ||
			slices.ContainsFunc(matches, func(m canon.Match) bool { return m.MatchesHost(host) })
	}
	return len(u.state.Stale)+len(matches)+len(hosts) > 0, nil
}

// changedRules returns the matches of the overrides that only one of the lists has.
func changedRules(was, is []canon.Override) (list []canon.Match) {
	lacks := func(list []canon.Override, o canon.Override) bool {
		return !slices.ContainsFunc(list, func(p canon.Override) bool { return reflect.DeepEqual(o, p) })
	}
	for _, o := range was {
		if lacks(is, o) {
			list = append(list, o.Match)
		}
	}
	for _, o := range is {
		if lacks(was, o) {
			list = append(list, o.Match)
		}
	}
	return list
}

func (u *updater) run(ctx context.Context) error {
	u.leads, u.dirty, u.infos = leads{}, map[string]bool{}, map[string]*siteInfo{}
	u.proposed = map[string][]Template{}
	u.old, u.list = map[partKey]*storedSuggestion{}, map[partKey]*storedSuggestion{}
	for _, step := range []func(context.Context) error{u.findStale, u.readStale, u.writePages, u.voteAll, u.suggest} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return u.save(ctx)
}

// findStale finds the hosts with items to read: those that are marked, and those with items that lead to a host with
// other rules or other evidence.
func (u *updater) findStale(ctx context.Context) error {
	if u.anew {
		return nil
	}
	u.stale = map[string]bool{}
	for _, h := range u.state.Stale {
		u.stale[h.Host] = h.Host != ""
	}
	return u.eachPart(ctx, leadsPart, nil, nil, func(p review.MinedPart) error {
		var hosts []string
		err := u.unpack(p.Body, &hosts)
		if slices.ContainsFunc(hosts, u.isChanged) {
			u.stale[p.Host] = true
		}
		return err
	})
}

// eachPart is EachMined, and keeps the bodies in known.
func (u *updater) eachPart(ctx context.Context, kind review.MinedKind, hosts, names []string,
	fn func(review.MinedPart) error) error {
	return u.desk.EachMined(ctx, kind, hosts, names, func(p review.MinedPart) error {
		u.giveWay()
		u.known[partKey{kind, p.Host, p.Name}] = p.Body
		return fn(p)
	})
}

func (u *updater) readStale(ctx context.Context) error {
	if !u.anew {
		u.sources, u.filter.Hosts = u.stale, keys(u.stale)
		if len(u.filter.Hosts) == 0 {
			return nil
		}
	}
	return u.readPages(ctx)
}

func keys(set map[string]bool) (list []string) {
	for key, in := range set {
		if in {
			list = append(list, key)
		}
	}
	slices.Sort(list)
	return list
}

// put has a part stored, or deleted if its body is nil, unless that is so already. It reports whether it is not.
func (u *updater) put(kind review.MinedKind, host, name string, body []byte) bool {
	key := partKey{kind, host, name}
	if known := u.known[key]; bytes.Equal(known, body) {
		delete(u.parts, key)
		return false
	}
	u.parts[key] = review.MinedPart{Kind: kind, Host: host, Name: name, Body: body}
	return true
}

// writePages stores the pages that were read, and finds the sites of which some changed.
func (u *updater) writePages(ctx context.Context) error {
	rows := map[partKey][]int{} // places in pages
	for i := range u.pages {
		p := &u.pages[i]
		for _, host := range p.hosts() {
			key := partKey{pagesPart, host, p.source}
			rows[key] = append(rows[key], i)
		}
	}
	if !u.anew {
		err := u.eachPart(ctx, pagesPart, nil, keys(u.stale), func(p review.MinedPart) error {
			if key := (partKey{pagesPart, p.Host, p.Name}); rows[key] == nil {
				u.dirty[p.Host] = true
				u.put(pagesPart, p.Host, p.Name, nil)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for key, places := range rows {
		list := make([]packedPage, len(places))
		for i, place := range places {
			list[i] = u.pages[place].pack()
		}
		if u.put(key.MinedKind, key.host, key.name, u.pack(list)) {
			u.dirty[key.host] = true
		}
	}
	for source := range u.stale {
		if u.leads[source] == nil {
			u.put(leadsPart, source, "", nil)
		}
	}
	for source, hosts := range u.leads {
		u.put(leadsPart, source, "", u.pack(keys(hosts)))
	}
	return nil
}

// hosts returns the hosts with a node of the page.
func (p *Page) hosts() (list []string) {
	if a, ok := parse(p.URL); ok {
		list = append(list, a.host)
		if end, ok := parse(p.Final); ok && end.host != a.host {
			list = append(list, end.host)
		}
	}
	return list
}

func (p *Page) pack() packedPage {
	return packedPage{p.item, p.URL, p.Final, p.Canonical, p.Approved, p.SHA256, p.Sketch, p.Missing}
}

func (p *packedPage) page(source string) Page {
	return Page{URL: p.URL, Final: p.Final, Canonical: p.Canonical, Approved: p.Approved, Sketch: p.Sketch,
		SHA256: p.SHA256, Missing: p.Missing, item: p.Item, source: source}
}

// pagesOn returns the pages with nodes on the hosts, in the order of their items.
func (u *updater) pagesOn(ctx context.Context, hosts map[string]bool) ([]Page, error) {
	if u.anew {
		return u.pages, nil
	}
	pages := slices.DeleteFunc(slices.Clone(u.pages), func(p Page) bool {
		return !slices.ContainsFunc(p.hosts(), func(host string) bool { return hosts[host] })
	})
	if len(hosts) == 0 {
		return nil, nil
	}
	err := u.desk.EachMined(ctx, pagesPart, keys(hosts), nil, func(part review.MinedPart) error {
		if u.stale[part.Name] {
			return nil
		}
		var list []packedPage
		err := u.unpack(part.Body, &list)
		for _, p := range list {
			pages = append(pages, p.page(part.Name))
		}
		return err
	})
	slices.SortFunc(pages, func(a, b Page) int { return int(a.item - b.item) })
	return slices.CompactFunc(pages, func(a, b Page) bool { return a.item == b.item }), err
}

func (u *updater) webOf(ctx context.Context, hosts map[string]bool) (*web, error) {
	pages, err := u.pagesOn(ctx, hosts)
	if u.anew {
		hosts = nil
	}
	return newWeb(pages, hosts), err
}

// save stores the parts, and takes off the marks of the hosts.
func (u *updater) save(ctx context.Context) error {
	body, err := json.Marshal(u.is)
	if err != nil {
		return err
	}
	c := review.MinedChange{Token: u.state.Token, Reset: u.anew, Mined: u.state.Stale, Body: body}
	for _, p := range u.parts {
		c.Parts = append(c.Parts, p)
	}
	slices.SortFunc(c.Parts, func(a, b review.MinedPart) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Host, b.Host), strings.Compare(a.Name, b.Name))
	})
	return u.desk.SaveMined(ctx, c)
}
