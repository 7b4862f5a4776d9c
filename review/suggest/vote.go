package suggest

import (
	"fmt"
	"slices"

	"visto/review/health"
)

// Signal is the kind of fact behind a vote.
type Signal uint8

// The signals. Each is for a template where the page behaves as the template says, and against it where it does not.
const (
	Redirect  Signal = iota + 1 // the server leads from one URL to the other
	Canonical                   // the page names its canonical link
	Text                        // the pages have the same main text, or different ones
	Status                      // the server says that there is no page where the template leads: always against
	Person                      // a person corrected or approved the URL, or wrote a rule
	signalCount
)

// Signals returns all signals.
func Signals() []Signal { return []Signal{Redirect, Canonical, Text, Status, Person} }

func (s Signal) String() string { return signals[s] }

var signals = [...]string{"", "redirect", "canonical-link", "text", "status", "person"}

// MarshalText writes the signal's name.
func (s Signal) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the signal's name.
func (s *Signal) UnmarshalText(name []byte) error {
	i := slices.Index(signals[:], string(name))
	if i < 1 {
		return fmt.Errorf("there is no signal %q", name)
	}
	*s = Signal(i)
	return nil
}

// Vote is one observation for or against a template.
type Vote struct {
	Signal Signal
	For    bool
	URL    string // that the template changes
	Other  string // the end of the redirect, the page compared with or missing, or the person's URL; may be empty

	page string // tells distinct pages apart
	text textKey
	host string
	path string
	rule bool // it is a rule of a person
}

// ballot collects the votes of all pages of a site about one template.
type ballot struct {
	Template
	site    *site
	votes   []Vote
	targets []string // in the order in which they were found
	groups  map[string][]*node
}

// vote returns the votes about a template.
func (s *site) vote(t Template) []Vote {
	b := &ballot{Template: t, site: s, groups: map[string][]*node{}}
	for _, n := range s.nodes {
		s.giveWay()
		b.decided(n)
		to, ok := t.apply(n.address)
		if !ok {
			b.kept(n)
			continue
		}
		target := to.String()
		b.asked(n, target)
		if b.groups[target] == nil {
			b.targets = append(b.targets, target)
		}
		b.groups[target] = append(b.groups[target], n)
	}
	for _, target := range b.targets {
		b.site.giveWay()
		b.compare(target, b.groups[target])
	}
	return b.votes
}

func (b *ballot) add(s Signal, isFor bool, n *node, other, page string, text textKey) {
	b.votes = append(b.votes, Vote{s, isFor, n.url, other, page, text, n.address.host, n.address.path(), false})
}

// decided votes by the decision about a page: one that the template would change again is against it.
func (b *ballot) decided(n *node) {
	if n.approved == "" {
		return
	}
	a, ok := parse(n.approved)
	if !ok {
		return
	}
	if to, changes := b.apply(a); changes {
		b.votes = append(b.votes, Vote{Person, false, n.approved, to.String(), n.approved, 0, a.host, a.path(), false})
	}
}

// asked votes by the redirect and the canonical link of a page that the template changes, and by whether there is a
// page where it leads.
func (b *ballot) asked(n *node, target string) {
	switch {
	case n.final == target:
		b.add(Redirect, true, n, n.final, target, b.site.textOf(target))
	case n.final != "" && b.contradicts(n, n.final):
		b.add(Redirect, false, n, n.final, n.url, 0)
	}
	switch {
	case n.canonical == target:
		b.add(Canonical, true, n, n.canonical, target, n.text.key)
	case n.canonical == n.url, n.canonical != "" && b.changes(n.canonical):
		b.add(Canonical, false, n, n.canonical, n.canonical, 0)
	}
	if n.text.key != 0 && b.site.isMissing(target) {
		b.add(Status, false, n, target, target, 0)
	}
	if n.approved == target {
		b.add(Person, true, n, n.approved, target, 0)
	}
}

// contradicts reports whether a page leads to another place of the kind that the template is about.
func (b *ballot) contradicts(n *node, to string) bool {
	other, ok := parse(to)
	if !ok || b.ofParams() {
		return false
	}
	for _, t := range derive(n.address, other) {
		if t.Kind == b.Kind && t.From == b.From && t.To != b.To {
			return true
		}
	}
	return false
}

func (b *ballot) changes(url string) bool {
	a, ok := parse(url)
	if ok {
		_, ok = b.apply(a)
	}
	return ok
}

// kept votes by a page that the template does not change: against it if the page leads to a URL that the template would
// change back.
func (b *ballot) kept(n *node) {
	for _, led := range []struct {
		Signal
		to string
	}{{Redirect, n.final}, {Canonical, n.canonical}} {
		if led.to == "" || led.to == n.url {
			continue
		}
		if a, ok := parse(led.to); ok {
			if back, changes := b.apply(a); changes && back.String() == n.url {
				b.add(led.Signal, false, n, led.to, n.url, 0)
			}
		}
	}
}

// compare votes by the texts of the pages that the template makes one. Each text that several of them have is a page
// for it: the target if it is the first text, else another one. Each text but the first is one against it.
func (b *ballot) compare(target string, pages []*node) {
	if own := b.site.byURL[target]; own != nil {
		pages = append([]*node{own}, pages...)
	}
	first := map[textKey]*node{}
	var firsts []*node
	for _, n := range pages {
		b.site.giveWay()
		key := n.text.key
		switch same := first[key]; {
		case key == 0:
		case same != nil && same == firsts[0]:
			b.add(Text, true, n, same.url, target, key)
		case same != nil:
			b.add(Text, true, n, same.url, same.url, key)
		default:
			if len(firsts) > 0 && !n.isNear(firsts) {
				b.add(Text, false, n, firsts[0].url, n.url, key)
			}
			first[key] = n
			firsts = append(firsts, n)
		}
	}
}

// maxNear is the number of texts that one is compared with for being nearly the same.
const maxNear = 8

// isNear reports whether the text of a page and one of the list differ by so little that they say neither that the
// pages are the same nor that they are not.
func (n *node) isNear(list []*node) bool {
	for _, m := range list[:min(len(list), maxNear)] {
		if (n.text.sketch == nil) != (m.text.sketch == nil) {
			return true
		}
		d := health.Compare(n.text.sketch, m.text.sketch)
		if !d.None && !d.Substantial(health.DefaultThreshold) {
			return true
		}
	}
	return false
}
