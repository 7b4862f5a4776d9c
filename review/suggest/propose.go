package suggest

import (
	"cmp"
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

// propose returns the templates to try on the pages of each host, those of the most pages first. One about parameters
// may have its pages on several hosts.
func (w *web) propose() map[string][]Template {
	all, anywhere := proposals{}, map[Template]int{}
	for _, s := range w.sorted() {
		s.propose(all)
	}
	w.proposeAliases(all)
	for t, pages := range all {
		anywhere[t.on("*")] += len(pages)
	}
	byHost := map[string][]Template{}
	for t, pages := range all {
		if len(pages) >= minProposed || t.isScoped() && anywhere[t.on("*")] >= minProposed {
			byHost[t.Host] = append(byHost[t.Host], t)
		}
	}
	for host, list := range byHost {
		slices.SortFunc(list, func(a, b Template) int {
			return cmp.Or(cmp.Compare(len(all[b]), len(all[a])), compareTemplates(a, b))
		})
		byHost[host] = list[:min(len(list), maxTemplates)]
	}
	return byHost
}

func compareTemplates(a, b Template) int {
	return cmp.Or(strings.Compare(a.Host, b.Host), cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Path, b.Path),
		strings.Compare(a.Params, b.Params), strings.Compare(a.From, b.From), strings.Compare(a.To, b.To))
}

// propose notes the templates that pairs of a site's pages give.
func (s *site) propose(all proposals) {
	for _, n := range s.nodes {
		for _, to := range []string{n.final, n.canonical, n.approved} {
			if to == "" || to == n.url {
				continue
			}
			if other, ok := parse(to); ok {
				all.note(to, derive(n.address, other)...)
			}
		}
	}
	eachPair(s.nodes, func(n *node) string { return "" }, func(a, b *node) {
		all.note(a.url, deriveBoth(a.address, b.address)...)
	})
}

// proposeAliases notes the hosts that show the same texts under the same paths and queries.
func (w *web) proposeAliases(all proposals) {
	var nodes []*node
	for _, s := range w.sorted() {
		nodes = append(nodes, s.nodes...)
	}
	withoutHost := func(n *node) string { return n.url[len(n.address.origin)+len(n.address.host):] }
	eachPair(nodes, withoutHost, func(a, b *node) {
		if a.address.host != b.address.host {
			all.note(a.url, deriveBoth(a.address, b.address)...)
		}
	})
}

// eachPair calls fn for pairs of pages with the same text and the same value of a function: each page with the next
// one, in the order of their URLs, and with the first.
func eachPair(nodes []*node, value func(*node) string, fn func(a, b *node)) {
	type group struct {
		text  textKey
		value string
	}
	groups := map[group][]*node{}
	for _, n := range nodes {
		if n.text.key != 0 {
			g := group{n.text.key, value(n)}
			groups[g] = append(groups[g], n)
		}
	}
	for _, list := range groups {
		slices.SortFunc(list, func(a, b *node) int { return strings.Compare(a.url, b.url) })
		for i := 1; i < len(list); i++ {
			fn(list[i-1], list[i])
			if i > 1 {
				fn(list[0], list[i])
			}
		}
	}
}
