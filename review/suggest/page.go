package suggest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"visto/review/health"
)

// Page holds the facts about one stored URL. All URLs are in base form.
type Page struct {
	URL       string
	Final     string // where the server leads; "": it answers itself
	Canonical string // the canonical link of the page; "": none
	Approved  string // the URL that a person approved in its place, or as it is; "": nobody did
	Sketch    health.Sketch
	SHA256    string // of the body, where there is no Sketch
	Missing   bool   // the server says that no page is there
}

// textKey stands for a text: equal texts have equal keys, on every machine. 0 is no text.
type textKey uint64

func keyOf(text []byte) textKey {
	sum := sha256.Sum256(text)
	return textKey(binary.BigEndian.Uint64(sum[:]))
}

// text is the main text of a page.
type text struct {
	key    textKey
	sketch health.Sketch
}

// node is a page with all facts about its URL.
type node struct {
	url                        string
	address                    address
	final, canonical, approved string
	text                       text
	missing, seen              bool // the server says that there is no page; there was one
}

// web holds the pages of hosts.
type web struct {
	pacer
	byURL map[string]*node
	hosts map[string]*site
}

// site holds the pages of one host.
type site struct {
	*web
	host  string
	nodes []*node
}

// newWeb returns the pages as nodes, one for each URL. The text that a URL shows by a redirect is that of its end. Of
// pages that differ about one URL the first in comparePages' order counts.
func newWeb(pages []Page) *web {
	w := &web{byURL: make(map[string]*node, len(pages)), hosts: map[string]*site{}}
	sorted := pointers(pages)
	slices.SortFunc(sorted, comparePages)
	for _, p := range sorted {
		w.giveWay()
		if _, ok := parse(p.URL); !ok {
			continue
		}
		n := w.node(p.URL)
		shown := n
		if n != nil {
			setOnce(&n.approved, p.Approved)
		}
		if p.Final != "" && p.Final != p.URL {
			if shown = w.node(p.Final); n != nil {
				setOnce(&n.final, p.Final)
			}
		}
		if shown == nil {
			continue
		}
		shown.missing, shown.seen = shown.missing || p.Missing, shown.seen || !p.Missing
		setOnce(&shown.canonical, p.Canonical)
		if shown.text.key == 0 {
			shown.text = textOfPage(p)
		}
	}
	for _, s := range w.hosts {
		s.forgetShared()
	}
	return w
}

// comparePages orders pages by their facts, so that nothing depends on the order in which they were stored.
func comparePages(a, b *Page) int {
	if c := strings.Compare(a.URL, b.URL); c != 0 {
		return c
	}
	return cmp.Or(strings.Compare(a.Final, b.Final), strings.Compare(a.Canonical, b.Canonical),
		strings.Compare(a.Approved, b.Approved), strings.Compare(a.SHA256, b.SHA256), bytes.Compare(a.Sketch, b.Sketch),
		boolCompare(b.Missing, a.Missing))
}

func setOnce(to *string, value string) {
	if *to == "" {
		*to = value
	}
}

// node returns the node of a URL, nil if no template is about it.
func (w *web) node(url string) *node {
	if n := w.byURL[url]; n != nil {
		return n
	}
	a, ok := parse(url)
	if !ok {
		return nil
	}
	n := &node{url: url, address: a}
	w.byURL[url] = n
	if w.hosts[a.host] == nil {
		w.hosts[a.host] = &site{web: w, host: a.host}
	}
	s := w.hosts[a.host]
	s.nodes = append(s.nodes, n)
	return n
}

func textOfPage(p *Page) text {
	switch {
	case len(p.Sketch) > 0:
		return text{keyOf(p.Sketch), p.Sketch}
	case p.SHA256 != "":
		return text{keyOf([]byte(p.SHA256)), nil}
	}
	return text{}
}

// textOf returns the key of the text at a URL, 0 if it is not known.
func (w *web) textOf(url string) textKey {
	if n := w.byURL[url]; n != nil {
		return n.text.key
	}
	return 0
}

// isMissing reports whether there is no page at a URL.
func (w *web) isMissing(url string) bool {
	n := w.byURL[url]
	return n != nil && n.missing && !n.seen
}

// sorted returns all sites by host.
func (w *web) sorted() []*site {
	var list []*site
	for _, host := range slices.Sorted(maps.Keys(w.hosts)) {
		list = append(list, w.hosts[host])
	}
	return list
}

// maxPaths is the largest number of different paths of a host under which one text is that of a page. A text under more
// of them is an error page, a login or the like.
const maxPaths = 3

// forgetShared forgets the texts that too many paths share, and the canonical links of the pages that show them.
func (s *site) forgetShared() {
	paths := map[textKey]map[string]bool{}
	for _, n := range s.nodes {
		s.giveWay()
		if key := n.text.key; key != 0 {
			if paths[key] == nil {
				paths[key] = map[string]bool{}
			}
			if len(paths[key]) <= maxPaths {
				paths[key][n.address.path()] = true
			}
		}
	}
	shared := func(n *node) bool { return n != nil && len(paths[n.text.key]) > maxPaths }
	for _, n := range s.nodes {
		if end := s.byURL[n.final]; shared(end) && end.address.host == s.host {
			n.final = ""
		}
	}
	for _, n := range s.nodes {
		if shared(n) {
			n.text, n.canonical = text{}, ""
		}
	}
}
