package suggest

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
)

// minProposed is the least number of distinct pages that speak for a template, or it is not looked at.
const minProposed = 2

// maxTemplates is the largest number of templates that are tried on the pages of one host.
const maxTemplates = 200

// proposals holds, for each template, the pages of which pairs give it.
type proposals map[Template]map[string]bool

func (p proposals) note(page string, list ...Template) {
	for _, t := range list {
		if p[t] == nil {
			p[t] = map[string]bool{}
		}
		p[t][page] = true
	}
}

// proposed returns the templates to try on the pages of a site, those of the most pages first. A template that may be
// for several hosts needs one page on each. aliases are the numbers of pages that the site shares with other hosts.
func (s *site) proposed(aliases map[string]int) (list []Template) {
	all, pages := proposals{}, map[Template]int{}
	s.propose(all)
	for t, urls := range all {
		pages[t] = len(urls)
	}
	for host, n := range aliases {
		pages[Template{Kind: HostAlias, Host: s.host, To: host}] += n
	}
	for t, n := range pages {
		if n >= minProposed || t.isGeneral() {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b Template) int {
		return cmp.Or(cmp.Compare(pages[b], pages[a]), compareTemplates(a, b))
	})
	return list[:min(len(list), maxTemplates)]
}

func compareTemplates(a, b Template) int {
	return cmp.Or(strings.Compare(a.Host, b.Host), cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Path, b.Path),
		strings.Compare(a.Params, b.Params), strings.Compare(a.From, b.From), strings.Compare(a.To, b.To))
}

// propose notes the templates that pairs of a site's pages give.
func (s *site) propose(all proposals) {
	for _, n := range s.nodes {
		s.giveWay()
		for _, to := range []string{n.final, n.canonical, n.approved} {
			if to == "" || to == n.url {
				continue
			}
			if other, ok := parse(to); ok {
				all.note(to, derive(n.address, other)...)
			}
		}
	}
	s.eachPair(s.nodes, func(a, b *node) { all.note(a.url, deriveBoth(a.address, b.address)...) })
}

// places returns keys of the pages with a text, sorted. Pages of two hosts with the same text, path and query have the
// same key.
func (s *site) places() (keys []textKey) {
	for _, n := range s.nodes {
		if n.text.key != 0 {
			place := n.address.origin + n.url[len(n.address.origin)+len(n.address.host):]
			keys = append(keys, keyOf(binary.BigEndian.AppendUint64([]byte(place), uint64(n.text.key))))
		}
	}
	slices.Sort(keys)
	return keys
}

// aliases returns, for each host, the hosts that share pages with it, and how many. places are the keys of the pages of
// each host. Of many hosts with a page, each shares it with the next ones and the first.
func aliases(places map[string][]textKey) map[string]map[string]int {
	type at struct {
		key  textKey
		host string
	}
	var all []at
	for host, keys := range places {
		for _, key := range keys {
			all = append(all, at{key, host})
		}
	}
	slices.SortFunc(all, func(a, b at) int {
		return cmp.Or(cmp.Compare(a.key, b.key), strings.Compare(a.host, b.host))
	})
	shared := map[string]map[string]int{}
	note := func(a, b string) {
		if shared[a] == nil {
			shared[a] = map[string]int{}
		}
		shared[a][b]++
	}
	var p pacer
	first := 0
	for i := 1; i < len(all); i++ {
		p.giveWay()
		if all[i].key != all[first].key {
			first = i
			continue
		}
		for _, j := range slices.Compact([]int{first, i - 1}) {
			note(all[i].host, all[j].host)
			note(all[j].host, all[i].host)
		}
	}
	return shared
}

// eachPair calls fn for pairs of pages with the same text: each page with the next one, in the order of their URLs, and
// with the first.
func (p *pacer) eachPair(nodes []*node, fn func(a, b *node)) {
	groups := map[textKey][]*node{}
	for _, n := range nodes {
		if key := n.text.key; key != 0 {
			groups[key] = append(groups[key], n)
		}
	}
	for _, list := range groups {
		slices.SortFunc(list, func(a, b *node) int { return strings.Compare(a.url, b.url) })
		for i := 1; i < len(list); i++ {
			p.giveWay()
			fn(list[i-1], list[i])
			if i > 1 {
				fn(list[0], list[i])
			}
		}
	}
}
