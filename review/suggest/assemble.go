package suggest

import (
	"context"
	"maps"
	"slices"

	"visto/review"
)

// voteAll tries templates on the sites whose pages changed, and on those that share pages with other hosts than before
// or may be aliases of hosts with changes.
func (u *updater) voteAll(ctx context.Context) error {
	err := u.readInfos(ctx)
	if err != nil {
		return err
	}
	w, err := u.webOf(ctx, u.dirty)
	if err != nil {
		return err
	}
	sites := u.shareAgain(w)
	if w, err = u.withTargets(ctx, w, sites); err != nil {
		return err
	}
	u.pages = nil
	if err = u.readOld(ctx, sites); err != nil {
		return err
	}
	for _, host := range keys(sites) {
		u.voteOn(w.hosts[host], host)
	}
	return nil
}

// readInfos reads how the sites are connected. A site for which the rules changed is dirty: a rule may be
// a vote.
func (u *updater) readInfos(ctx context.Context) error {
	if u.anew {
		return nil
	}
	return u.eachPart(ctx, sitePart, nil, nil, func(p review.MinedPart) error {
		info := &siteInfo{}
		u.infos[p.Host] = info
		if u.isChanged(p.Host) {
			u.dirty[p.Host] = true
		}
		return u.unpack(p.Body, info)
	})
}

// shareAgain brings the aliases of all sites up to date with the pages of the dirty ones, and returns the sites to vote
// on.
func (u *updater) shareAgain(w *web) map[string]bool {
	sites := maps.Clone(u.dirty)
	for host := range u.dirty {
		if u.infos[host] == nil {
			u.infos[host] = &siteInfo{}
		}
		u.infos[host].Places = nil
		if s := w.hosts[host]; s != nil {
			u.infos[host].Places = s.places()
		}
	}
	places := make(map[string][]textKey, len(u.infos))
	for host, info := range u.infos {
		places[host] = info.Places
	}
	shared := aliases(places)
	for host, info := range u.infos {
		toDirty := slices.ContainsFunc(info.Targets, func(to string) bool { return u.dirty[to] })
		if toDirty || !maps.Equal(info.Aliases, shared[host]) {
			sites[host] = true
		}
		info.Aliases = shared[host]
	}
	return sites
}

// withTargets returns the sites together with the hosts that they may be aliases of.
func (u *updater) withTargets(ctx context.Context, w *web, sites map[string]bool) (*web, error) {
	var err error
	hosts := maps.Clone(sites)
	if !u.anew && len(sites) > len(u.dirty) {
		if w, err = u.webOf(ctx, hosts); err != nil {
			return nil, err
		}
	}
	for host := range sites {
		info := u.infos[host]
		info.Targets = nil
		if s := w.hosts[host]; s != nil {
			u.proposed[host] = s.proposed(info.Aliases)
			for _, t := range u.proposed[host] {
				if t.Kind == HostAlias {
					info.Targets = append(info.Targets, t.To)
					hosts[t.To] = true
				}
			}
		}
		slices.Sort(info.Targets)
	}
	if u.anew || len(hosts) == len(sites) {
		return w, nil
	}
	return u.webOf(ctx, hosts)
}

// readOld reads all suggestions, and the votes on the sites. Those of the sites go unless they are found again.
func (u *updater) readOld(ctx context.Context, sites map[string]bool) error {
	if u.anew {
		return nil
	}
	err := u.eachPart(ctx, suggestionPart, nil, nil, func(p review.MinedPart) error {
		s, err := u.unpackSuggestion(p.Body)
		key := partKey{suggestionPart, p.Host, p.Name}
		if u.old[key] = s; !sites[p.Host] {
			again := *s
			u.list[key] = &again
		}
		return err
	})
	if err != nil || len(sites) == 0 {
		return err
	}
	return u.eachPart(ctx, votesPart, keys(sites), nil, func(p review.MinedPart) error {
		u.put(votesPart, p.Host, p.Name, nil)
		return nil
	})
}

// voteOn tries templates on a site, nil if it has no pages any more.
func (u *updater) voteOn(s *site, host string) {
	if s == nil {
		u.put(sitePart, host, "", nil)
		return
	}
	info := u.infos[host]
	u.put(sitePart, host, "", u.pack(info))
	for _, o := range s.opposing(u.proposed[host]) {
		u.put(votesPart, host, o.votesName(), u.pack(votedOn{o.Template, packVotes(o.votes)}))
	}
	for _, t := range u.proposed[host] {
		votes := append(s.vote(t), keptBy(u.rules, t)...)
		found := onHost(t, votes)
		if len(found) > 0 || t.isGeneral() {
			u.put(votesPart, host, t.votesName(), u.pack(votedOn{t, packVotes(votes)}))
		}
		u.found(found)
	}
}

// found adds suggestions to the list.
func (u *updater) found(list []Suggestion) {
	for _, s := range list {
		s.Votes = nil
		u.list[partKey{suggestionPart, s.Host, hashOf(s.Template)}] = &storedSuggestion{Suggestion: s}
	}
}

// suggest finds the suggestions for several hosts, and then those that no other one makes needless, with their reach.
func (u *updater) suggest(ctx context.Context) error {
	voted := map[string][]string{} // hosts by the name of the votes
	for key := range u.parts {
		if key.MinedKind == votesPart && key.name[0] == '*' {
			voted[key.name] = append(voted[key.name], key.host)
		}
	}
	maps.DeleteFunc(u.list, func(_ partKey, s *storedSuggestion) bool {
		return s.Host == "*" && voted[s.votesName()] != nil
	})
	for name, hosts := range voted {
		if err := u.suggestAnywhere(ctx, name, hosts); err != nil {
			return err
		}
	}
	u.show()
	if err := u.countAll(ctx); err != nil {
		return err
	}
	for key := range u.old {
		if u.list[key] == nil {
			u.put(key.MinedKind, key.host, key.name, nil)
		}
	}
	for key, s := range u.list {
		u.put(key.MinedKind, key.host, key.name, u.packSuggestion(s))
	}
	return nil
}

// suggestAnywhere finds the suggestions of a template for several hosts. hosts are those with other votes than before.
func (u *updater) suggestAnywhere(ctx context.Context, name string, hosts []string) error {
	bodies := map[string][]byte{}
	if !u.anew {
		err := u.desk.EachMined(ctx, votesPart, nil, []string{name}, func(p review.MinedPart) error {
			bodies[p.Host] = p.Body
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, host := range hosts {
		if bodies[host] = u.parts[partKey{votesPart, host, name}].Body; bodies[host] == nil {
			delete(bodies, host)
		}
	}
	if len(bodies) < minHosts {
		return nil
	}
	var t Template
	var votes []Vote
	for _, host := range slices.Sorted(maps.Keys(bodies)) {
		var v votedOn
		if err := u.unpack(bodies[host], &v); err != nil {
			return err
		}
		t, votes = v.Template, append(votes, v.unpack()...)
	}
	u.found(acrossHosts(t.on("*"), votes))
	return nil
}

// show tells the suggestions that no other one makes needless, and whose rules reach a fixed point.
func (u *updater) show() {
	all := make([]Suggestion, 0, len(u.list))
	for _, s := range u.list {
		all = append(all, s.Suggestion)
	}
	shown := map[Template]bool{}
	for _, s := range withoutNeedless(withoutInverses(withoutCovered(all))) {
		shown[s.Template] = true
	}
	sameRules := len(changedRules(u.was.Rules, u.is.Rules)) == 0
	for key, s := range u.list {
		old := u.old[key]
		if s.Shown = shown[s.Template]; !s.Shown {
			s.Checked = false
		} else if old != nil && old.Checked && sameRules && old.isSameRule(s) && slices.Equal(old.samples, s.samples) {
			s.Checked, s.Loops = true, old.Loops
		} else {
			s.Checked, s.Loops = true, u.loops(&s.Suggestion)
		}
	}
}

// isSameRule reports whether two suggestions of one template are the same rule.
func (s *storedSuggestion) isSameRule(o *storedSuggestion) bool {
	return slices.Equal(s.Drops, o.Drops) && slices.Equal(s.depths, o.depths)
}

// countAll counts the URLs that the suggestions change. Of one that is as before it counts those on stale hosts alone.
func (u *updater) countAll(ctx context.Context) error {
	byHost, err := u.readReach(ctx)
	if err != nil {
		return err
	}
	var all, again []*Suggestion
	hosts, everywhere := maps.Clone(u.stale), u.anew
	for key, s := range u.list {
		old := u.old[key]
		isNew := old == nil || !old.Shown || old.Loops || !old.isSameRule(s) || old.Recommended != s.Recommended ||
			old.persons != s.persons
		switch {
		case !s.Shown || s.Loops:
			s.Reach, s.Ask = 0, nil
			u.put(reachPart, "*", key.name, nil)
			continue
		case s.Host == "*" && isNew:
			s.byHost, everywhere, all = map[string]int{}, true, append(all, &s.Suggestion)
		case s.Host == "*":
			s.byHost, again = byHost[key.name], append(again, &s.Suggestion)
			maps.DeleteFunc(s.byHost, func(host string, _ int) bool { return u.stale[host] })
		case isNew || u.stale[s.Host]:
			s.Reach, s.Ask, all = 0, nil, append(all, &s.Suggestion)
			if hosts != nil {
				hosts[s.Host] = true
			}
		default:
			s.Reach, s.Ask = old.Reach, old.Ask
		}
	}
	var f review.Filter
	if !everywhere {
		f.Hosts = keys(hosts)
	}
	if len(all)+len(again) > 0 && (everywhere || len(f.Hosts) > 0) {
		if err := u.countIn(ctx, f, newReach(all), newReach(again), u.stale); err != nil {
			return err
		}
	}
	for key, s := range u.list {
		if s.byHost == nil {
			continue
		}
		s.Reach = 0
		for _, n := range s.byHost {
			s.Reach += n
		}
		u.put(reachPart, "*", key.name, u.pack(s.byHost))
	}
	return nil
}

// readReach reads the reach by host of the suggestions for several hosts, by the name of the part.
func (u *updater) readReach(ctx context.Context) (map[string]map[string]int, error) {
	byHost := map[string]map[string]int{}
	if u.anew {
		return byHost, nil
	}
	err := u.eachPart(ctx, reachPart, nil, nil, func(p review.MinedPart) error {
		hosts := map[string]int{}
		byHost[p.Name] = hosts
		if u.list[partKey{suggestionPart, "*", p.Name}] == nil {
			u.put(reachPart, "*", p.Name, nil)
		}
		return u.unpack(p.Body, &hosts)
	})
	return byHost, err
}
