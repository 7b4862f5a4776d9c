package console

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"visto/review"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/term"
)

func (p *plain) search(text string) error {
	p.query.Filter.Search = text
	return p.next(nil)
}

func (p *plain) sort(word string) error {
	sort, desc, err := parseOrder(word)
	if err != nil {
		return err
	}
	p.query.Sort, p.query.Desc = sort, desc
	return p.next(nil)
}

// facets tells the counts, or changes what is wanted of a group: the same filter as the console's facets make.
func (p *plain) facets(arg string) error {
	group, value, _ := strings.Cut(arg, " ")
	value = strings.TrimSpace(value)
	f := &p.query.Filter
	switch {
	case group == "":
		return p.tellFacets()
	case group == "none":
		*f = review.Filter{Open: true, Search: f.Search}
		return p.next(nil)
	case !slices.Contains(facetGroups, group):
		return fmt.Errorf("there is no group %q: %s", group, strings.Join(facetGroups, ", "))
	case value == "":
		return fmt.Errorf("which value? facets %s VALUE", group)
	}
	choice := dialog.Facet{Group: group, Value: value, Choice: dialog.FacetWith}
	if rest, without := strings.CutPrefix(value, "-"); without {
		choice.Value, choice.Choice = rest, dialog.FacetWithout
	}
	narrower := narrowed(*f, append(chosenOf(*f), choice))
	if narrower.String() == f.String() {
		return fmt.Errorf("nothing has the %s %q", group, choice.Value)
	}
	*f = narrower
	return p.next(nil)
}

func (p *plain) tellFacets() error {
	p.out.printf("Shown: %s.\n", term.Safe(p.query.Filter.String()))
	for _, part := range countingParts(p.query.Filter) {
		counts, err := part.count(p.ctx, p.desk)
		if err != nil {
			return err
		}
		for _, group := range part.groups {
			for _, c := range counts[group] {
				p.out.printf("%s %s: %d.\n", group, term.Safe(term.Clip(c.Value, 200)), c.N)
			}
		}
	}
	return nil
}

// views tells the views, shows one, or saves or deletes one.
func (p *plain) views(arg string) error {
	word, name, _ := strings.Cut(arg, " ")
	name = strings.TrimSpace(name)
	saved, err := p.desk.Views(p.ctx, time.Now())
	switch {
	case err != nil:
		return err
	case word == "save" && name != "":
		return p.said("saved as a view: "+safeText(name), p.desk.SaveView(p.ctx, review.View{Name: name, Query: p.query}))
	case word == "delete" && name != "":
		return p.said("the view is deleted: "+safeText(name), p.desk.DeleteView(p.ctx, name))
	}
	list := append(review.BuiltinViews(p.desk.Reviewer(), time.Now()), saved...)
	if arg == "" {
		for _, v := range list {
			p.out.printf("%s: %s.\n", safeText(v.Name), viewText(v))
		}
		return nil
	}
	i := slices.IndexFunc(list, func(v review.View) bool { return v.Name == arg })
	if i < 0 {
		return fmt.Errorf("there is no view %q: views tells them", arg)
	}
	p.query = list[i].Query
	return p.next(nil)
}

// said says what was done, unless it failed.
func (p *plain) said(text string, err error) error {
	if err == nil {
		p.out.printf("%s.\n", text)
	}
	return err
}

// list tells the URLs after the one at hand, one a line.
func (p *plain) list(arg string) error {
	n, err := atMost(arg, 10)
	if err != nil {
		return err
	}
	var from *review.Cursor
	if p.item != nil {
		from = p.query.After(p.item)
	}
	items, err := p.desk.Page(p.ctx, p.query, from, n)
	for i := range items {
		it := &items[i]
		p.out.printf("%d, %s: %s\n", it.ID, flagNames(it), term.Safe(term.Clip(pane.Shown(it), 4096)))
	}
	if err == nil && len(items) == 0 {
		p.out.printf("There are no more.\n")
	}
	return err
}

// atMost reads a count.
func atMost(arg string, otherwise int) (int, error) {
	if arg == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 || n > 10000 {
		return 0, fmt.Errorf("%q is no count from 1 to 10000", arg)
	}
	return n, nil
}

func (p *plain) mark(arg string) error {
	ids, err := p.numbers(arg)
	if err != nil {
		return err
	}
	for _, id := range ids {
		d, err := p.desk.Detail(p.ctx, id)
		if err != nil {
			return err
		}
		if _, marked := p.marks[id]; marked {
			delete(p.marks, id)
		} else {
			p.marks[id] = d.Item.Rev
		}
	}
	p.tellMarks()
	return nil
}

// numbers are those of URLs; without any, that of the one at hand.
func (p *plain) numbers(arg string) (ids []int64, err error) {
	if arg == "" {
		if p.item == nil {
			return nil, errors.New("there is no URL here")
		}
		return []int64{p.item.ID}, nil
	}
	for _, word := range strings.Fields(arg) {
		id, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is no number of a URL", word)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func (p *plain) tellMarks() {
	switch n := len(p.marks); n {
	case 0:
		p.out.printf("No URL is marked.\n")
	case 1:
		p.out.printf("1 URL is marked.\n")
	default:
		p.out.printf("%d URLs are marked.\n", n)
	}
}

func (p *plain) markAll(string) error {
	err := p.desk.Each(p.ctx, p.query.Filter, func(it review.Item) error {
		p.marks[it.ID] = it.Rev
		return nil
	})
	p.tellMarks()
	return err
}

func (p *plain) clear(string) error {
	clear(p.marks)
	p.tellMarks()
	return nil
}

// marked are the marked items, as they were told.
func (p *plain) marked() []review.Target {
	var list []review.Target
	for _, id := range slices.Sorted(maps.Keys(p.marks)) {
		list = append(list, review.Target{ID: id, Rev: p.marks[id]})
	}
	return list
}

func (p *plain) approveMarked(string) error {
	return p.decideMarked("Approve", review.Choice{Kind: review.Approve})
}

func (p *plain) deferMarked(string) error {
	return p.decideMarked("Put off", review.Choice{Kind: review.Defer})
}

func (p *plain) reopenMarked(string) error {
	return p.decideMarked("Put back into the queue", review.Choice{Kind: review.Reopen})
}

func (p *plain) rejectMarked(reason string) error {
	if reason == "" {
		return errors.New("a rejection needs a reason: reject-marked REASON")
	}
	return p.decideMarked("Reject", review.Choice{Kind: review.Reject, Note: reason})
}

// decideMarked decides on all that is marked, as one batch, after the reviewer said yes.
func (p *plain) decideMarked(verb string, c review.Choice) error {
	d := decide{choice: c, targets: p.marked(), marked: true}
	if len(d.targets) == 0 {
		return errors.New("nothing is marked: mark marks the URL, mark-all all that are shown")
	}
	if !p.sure(fmt.Sprintf("%s %s? yes or no: ", verb, counted(len(d.targets)))) || !p.redoLost() {
		return p.unwritten()
	}
	r, err := d.write(p.ctx, p.desk)
	if err != nil {
		return err
	}
	clear(p.marks)
	p.confirm(decidedText(d, r), r)
	return p.next(p.item)
}

func (p *plain) noteMarked(text string) error {
	targets := p.marked()
	switch {
	case text == "":
		return errors.New("the note is empty: note-on-marked TEXT")
	case len(targets) == 0:
		return errors.New("nothing is marked: mark marks the URL, mark-all all that are shown")
	case !p.sure(fmt.Sprintf("Note it on %s? yes or no: ", counted(len(targets)))) || !p.redoLost():
		return p.unwritten()
	}
	r, err := p.desk.Note(p.ctx, text, idsOf(targets)...)
	if err != nil {
		return err
	}
	p.confirm("noted on "+counted(len(targets)), r)
	return p.desk.Each(p.ctx, review.Filter{IDs: idsOf(targets)}, func(it review.Item) error {
		p.marks[it.ID] = it.Rev
		return nil
	})
}
