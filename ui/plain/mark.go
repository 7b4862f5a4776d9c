package plain

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"visto/review"
	"visto/ui/term"
	"visto/ui/wording"
)

// marks are the marked items with their revisions when they were told.
type marks map[int64]int64

func (p *position) mark(arg string) error {
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

// numbers reads the numbers of URLs. Without any it returns the number of the item at hand.
func (p *position) numbers(arg string) (ids []int64, err error) {
	if arg == "" {
		if p.item == nil {
			return nil, errNoItem
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

func (p *position) tellMarks() {
	switch n := len(p.marks); n {
	case 0, 1:
		p.out.printf("%s URL is marked.\n", [...]string{"No", "1"}[n])
	default:
		p.out.printf("%d URLs are marked.\n", n)
	}
}

func (p *position) markAll(string) error {
	err := p.desk.Each(p.ctx, p.query.Filter, func(it review.Item) error {
		p.marks[it.ID] = it.Rev
		return nil
	})
	p.tellMarks()
	return err
}

func (p *position) clear(string) error {
	clear(p.marks)
	p.tellMarks()
	return nil
}

// targets returns the marked items.
func (m marks) targets() []review.Target {
	var list []review.Target
	for _, id := range slices.Sorted(maps.Keys(m)) {
		list = append(list, review.Target{ID: id, Rev: m[id]})
	}
	return list
}

// decidesMarked is the command that decides on the marked items. verb begins the question.
func decidesMarked(verb string, kind review.Kind) func(*prompts, string) error {
	return func(p *prompts, arg string) error {
		targets := p.marks.targets()
		if agreed, err := p.agreedOnMarked(verb); !agreed {
			return err
		}
		return p.write(choice(kind, arg), 0, targets, "")
	}
}

// agreedOnMarked asks about a write on all marked items. It fails if nothing is marked.
func (p *prompts) agreedOnMarked(verb string) (bool, error) {
	if len(p.marks) == 0 {
		return false, errors.New("nothing is marked: mark marks the URL, mark-all all that are shown")
	}
	return p.agreed(verb + " " + wording.URLs(len(p.marks))), nil
}

func (p *prompts) noteMarked(text string) error {
	if agreed, err := p.agreedOnMarked("Note it on"); !agreed {
		return err
	}
	ids := slices.Sorted(maps.Keys(p.marks))
	r, err := p.desk.Note(p.ctx, text, ids...)
	if err != nil {
		return err
	}
	p.confirm("noted on "+wording.URLs(len(ids)), r)
	return p.desk.Each(p.ctx, review.Filter{IDs: ids}, func(it review.Item) error {
		p.marks[it.ID] = it.Rev
		return nil
	})
}

// assign shares the shown items out among reviewers.
func (p *prompts) assign(names string) error {
	sharing := review.Sharing{Filter: p.query.Filter, To: wording.Names(names)}
	shares, err := p.desk.Shares(p.ctx, sharing)
	if err != nil {
		return err
	}
	if shares.Changed == 0 {
		return errors.New(wording.NothingToAssign(shares))
	}
	for _, text := range wording.Portions(shares) {
		p.out.printf("%s.\n", term.Safe(text))
	}
	if !p.sure(wording.Sharing(shares)) {
		return nil
	}
	n, err := p.desk.Assign(p.ctx, shares)
	if err == nil {
		p.out.printf("%s.\n", wording.Shared(shares, n))
	}
	return err
}
