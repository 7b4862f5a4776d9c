package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// The words that stand in the place of a reviewer in Values.Assigned. No reviewer of such a name is assigned anything.
const (
	Mine   = "mine" // Filter.Me
	Nobody = "none" // nobody has the item
)

// Assignment says which reviewer an item is assigned to.
type Assignment struct {
	Reviewer string    `json:"reviewer"`
	By       string    `json:"by"` // who assigned it
	At       time.Time `json:"at"` // set by the Store
}

// Assigned is an item with the reviewer who has it.
type Assigned struct {
	ID       int64
	Reviewer string // "": nobody
}

// AssignmentChange is a change of assignments.
type AssignmentChange struct {
	By    string
	Items []Assigned // each item once; those that are not stored are left out
	Again bool       // an item that somebody has changes hands; otherwise it stays, unless it loses its reviewer
}

// Sharing is the wish to share items out among reviewers.
type Sharing struct {
	Filter  Filter   // without Statuses, only the open items of it
	To      []string // reviewers; Nobody alone takes back the assignments of all items of the filter
	ByCount bool     // give each as many URLs; otherwise the URLs of a host stay together
	Again   bool     // also the items that a reviewer has already
}

// Shares are the result of a sharing before it is written.
type Shares struct {
	Portions []Portion  // in the order of Sharing.To
	Changed  int        // items that get another reviewer, or lose theirs
	Kept     int        // items that stay with the reviewer who has them
	changes  []Assigned // as they will be
	before   []Assigned // as they are
	again    bool
}

// Portion is the part of a reviewer.
type Portion struct {
	Reviewer string `json:"reviewer"`
	URLs     int    `json:"urls"` // of the filter
	New      int    `json:"new"`  // of URLs, those that the sharing assigns
}

// Shares computes how to share items out evenly; Assign writes it. It is stable: an item stays with the reviewer who
// has it, and the other items of its host go there too. The remaining hosts go, the largest first, to the reviewer
// who has fewest items of the filter.
func (d queueDesk) Shares(ctx context.Context, s Sharing) (*Shares, error) {
	clearing := slices.Equal(s.To, []string{Nobody})
	to, err := assignees(s.To)
	if err != nil && !clearing {
		return nil, err
	}
	if !clearing && len(s.Filter.Statuses) == 0 {
		s.Filter.Open = true
	}
	p := &sharing{Sharing: s, Shares: Shares{again: s.Again}}
	for _, name := range to {
		p.Portions = append(p.Portions, Portion{Reviewer: name})
	}
	var on hostItems
	err = d.store.EachAssigned(ctx, s.Filter, func(host string, a Assigned) error {
		if clearing {
			p.give(a, "")
			return nil
		}
		if on.host != host {
			p.keep(on)
			on = hostItems{host: host}
		}
		on.items = append(on.items, a)
		return nil
	})
	annotate(&err, "sharing out")
	if err != nil {
		return nil, err
	}
	p.keep(on)
	p.share()
	return &p.Shares, nil
}

// maxAssignee is the most bytes of the name of a reviewer who is assigned items: it is stored with each.
const maxAssignee = 100

// assignees checks the names of reviewers, and returns each once.
func assignees(names []string) (list []string, err error) {
	for _, name := range names {
		switch name = cleanName(name); {
		case name == "":
		case name == Mine || name == Nobody:
			return nil, fmt.Errorf("%q stands for other reviewers in filters: name them", name)
		case len(name) > maxAssignee:
			return nil, fmt.Errorf("the name of a reviewer has at most %d bytes", maxAssignee)
		case !slices.Contains(list, name):
			list = append(list, name)
		}
	}
	if len(list) == 0 {
		err = errors.New("name the reviewers to share out to")
	}
	return list, err
}

// sharing is a sharing that is being computed.
type sharing struct {
	Sharing
	Shares
	hosts []hostItems // that have no reviewer yet
}

// hostItems are the items of a canonical host.
type hostItems struct {
	host  string
	items []Assigned
}

// keep leaves the items of a host to those who have them. The others go to the one of the portions who has most of
// these; without one, share gives them to somebody.
func (p *sharing) keep(on hostItems) {
	has := make([]int, len(p.Portions))
	isKept := func(a Assigned) bool {
		if p.Again || a.Reviewer == "" {
			return false
		}
		p.Kept++
		if i := p.portion(a.Reviewer); i >= 0 {
			has[i]++
			p.Portions[i].URLs++
		}
		return true
	}
	on.items = slices.DeleteFunc(on.items, isKept)
	switch most := slices.Max(append(has, 0)); {
	case len(on.items) == 0:
	case most > 0 && !p.ByCount:
		p.giveAll(on.items, slices.Index(has, most))
	default:
		p.hosts = append(p.hosts, on)
	}
}

// share shares out the items that keep has left.
func (p *sharing) share() {
	slices.SortFunc(p.hosts, func(a, b hostItems) int {
		return cmp.Or(cmp.Compare(len(b.items), len(a.items)), cmp.Compare(a.host, b.host))
	})
	if p.ByCount {
		p.shareEvenly()
		return
	}
	for _, on := range p.hosts {
		p.giveAll(on.items, p.least(func(i int) int { return p.Portions[i].URLs }))
	}
}

// shareEvenly gives each as many items, host after host, so that few hosts have two reviewers.
func (p *sharing) shareEvenly() {
	var items []Assigned
	for _, on := range p.hosts {
		items = append(items, on.items...)
	}
	room := make([]int, len(p.Portions))
	for range items {
		room[p.least(func(i int) int { return p.Portions[i].URLs + room[i] })]++
	}
	for i, n := range room {
		p.giveAll(items[:n], i)
		items = items[n:]
	}
}

// least returns the portion with the fewest items, the first of several.
func (p *sharing) least(items func(i int) int) (least int) {
	for i := range p.Portions {
		if items(i) < items(least) {
			least = i
		}
	}
	return least
}

func (p *sharing) giveAll(items []Assigned, to int) {
	for _, a := range items {
		p.Portions[to].New += p.give(a, p.Portions[to].Reviewer)
	}
	p.Portions[to].URLs += len(items)
}

// give assigns an item, and returns 1 unless the reviewer has it already.
func (p *sharing) give(a Assigned, reviewer string) (changed int) {
	if a.Reviewer == reviewer {
		p.Kept += count(reviewer != "")
		return 0
	}
	p.before = append(p.before, Assigned{ID: a.ID, Reviewer: a.Reviewer})
	p.changes = append(p.changes, Assigned{ID: a.ID, Reviewer: reviewer})
	p.Changed++
	return 1
}

func (p *sharing) portion(reviewer string) int {
	return slices.IndexFunc(p.Portions, func(one Portion) bool { return one.Reviewer == reviewer })
}

// Assign writes a sharing and returns the number of items that it changed. Items that somebody assigned meanwhile stay
// as they are, unless the sharing was for these too. It may be done in part after an error.
func (d queueDesk) Assign(ctx context.Context, s *Shares) (int, error) {
	return d.assign(ctx, s.changes, s.again)
}

// assign writes assignments. An error says how many of them were written before it.
func (d queueDesk) assign(ctx context.Context, items []Assigned, again bool) (int, error) {
	n, err := d.store.Assign(ctx, AssignmentChange{By: d.reviewer, Items: items, Again: again})
	if err != nil && n > 0 {
		err = fmt.Errorf("after %d of %d URLs: %w", n, len(items), err)
	}
	return n, err
}

// Unassign takes a sharing back and returns the number of items that it changed: they are assigned as they were before
// it. Items that somebody assigned since stay as they are.
func (d queueDesk) Unassign(ctx context.Context, s *Shares) (int, error) {
	f := Filter{Presence: AnyPresence}
	for _, p := range s.Portions {
		f.Assigned = append(f.Assigned, p.Reviewer)
	}
	if len(f.Assigned) == 0 { // it took assignments back: an item that somebody has by now stays theirs
		return d.assign(ctx, s.before, false)
	}
	now := map[int64]string{}
	err := d.store.EachAssigned(ctx, f, func(_ string, a Assigned) error {
		now[a.ID] = a.Reviewer
		return nil
	})
	if err != nil {
		return 0, err
	}
	var items []Assigned
	for i, a := range s.changes {
		if now[a.ID] == a.Reviewer {
			items = append(items, s.before[i])
		}
	}
	return d.assign(ctx, items, true)
}

// assignedWords describes values of Values.Assigned.
func assignedWords(values []string) []string {
	return mapped(values, func(v string) string {
		switch v {
		case Mine:
			return v
		case Nobody:
			return "unassigned"
		}
		return "assigned to " + v
	})
}

// Assignees returns the reviewers of Filter.Assigned, or of Filter.Not.Assigned with not, with Me in the place of Mine.
// Nobody is not among them: none says whether the filter names it.
func (f Filter) Assignees(not bool) (names []string, none bool) {
	values := f.Assigned
	if not {
		values = f.Not.Assigned
	}
	for _, v := range values {
		switch v {
		case Nobody:
			none = true
		case Mine:
			names = append(names, f.Me)
		default:
			names = append(names, v)
		}
	}
	return names, none
}
