package plain

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/wording"
)

func (p *position) goTo(arg string) error {
	id, err := strconv.ParseInt(arg, 10, 64)
	if err != nil {
		return errors.New("a number is wanted, such as go 12")
	}
	return p.tell(&review.Item{ID: id})
}

func (p *position) search(text string) error {
	search, pattern := review.ParseSearch(text)
	if _, err := review.ParsePattern(pattern); err != nil {
		return err
	}
	p.query.Filter.Search, p.query.Filter.Regexp = search, pattern
	return p.next(nil)
}

func (p *position) sort(word string) error {
	sort, desc, err := desk.ParseOrder(word)
	if err != nil {
		return err
	}
	p.query.Sort, p.query.Desc = sort, desc
	return p.next(nil)
}

// facets tells the counts, or changes the choice in one group, as the dialog of the console does.
func (p *position) facets(arg string) error {
	group, value, _ := strings.Cut(arg, " ")
	value = strings.TrimSpace(value)
	f := &p.query.Filter
	f.Me = p.desk.Reviewer()
	switch {
	case group == "":
		return p.tellFacets()
	case group == "none":
		*f = review.Filter{Open: true, Search: f.Search, Regexp: f.Regexp}
		return p.next(nil)
	case !slices.Contains(desk.FacetGroups, group):
		return fmt.Errorf("there is no group %q: %s", group, strings.Join(desk.FacetGroups, ", "))
	case value == "":
		return fmt.Errorf("which value? facets %s VALUE", group)
	}
	choice := dialog.Facet{Group: group, Value: value, Choice: dialog.FacetWith}
	if rest, without := strings.CutPrefix(value, "-"); without {
		choice.Value, choice.Choice = rest, dialog.FacetWithout
	}
	if err := p.checkFacet(&choice); err != nil {
		return err
	}
	narrower := desk.Narrowed(*f, append(desk.Chosen(*f), choice))
	if narrower.String() == f.String() {
		return fmt.Errorf("nothing has the %s %q", group, choice.Value)
	}
	*f = narrower
	return p.next(nil)
}

// checkFacet refuses a value that can select nothing, and spells the others as the store does.
func (p *position) checkFacet(choice *dialog.Facet) (err error) {
	switch choice.Group {
	case "host":
		choice.Value, err = review.ParseHost(choice.Value)
		return err
	case desk.AttributeGroup:
		name, _, ok := strings.Cut(choice.Value, "=")
		if !ok {
			return nil // it selects nothing, which facets tells
		}
		missing, known, err := p.desk.MissingAttribute(p.ctx, []string{name})
		if err == nil && missing != "" {
			err = fmt.Errorf("no record has an attribute %q: there are %s", name, strings.Join(known, ", "))
		}
		return err
	}
	return p.nameWhole(choice)
}

// nameWhole puts the path of a file in the place of its tail, by which it is told.
func (p *position) nameWhole(choice *dialog.Facet) error {
	if choice.Group != "file" {
		return nil
	}
	for _, part := range desk.FacetCounts(p.desk, p.query.Filter) {
		if !slices.Contains(part.Groups, "file") {
			continue
		}
		counts, err := part.Read(p.ctx, p.desk)
		if err != nil {
			return err
		}
		list := counts["file"]
		if i := slices.IndexFunc(list, func(f dialog.Facet) bool { return f.Label == choice.Value }); i >= 0 {
			choice.Value = list[i].Value
		}
	}
	return nil
}

func (p *position) tellFacets() error {
	p.out.printf("Shown: %s.\n", term.Safe(p.query.Filter.String()))
	for _, part := range desk.FacetCounts(p.desk, p.query.Filter) {
		counts, err := part.Read(p.ctx, p.desk)
		if err != nil {
			return err
		}
		for _, group := range part.Groups {
			for _, c := range counts[group] {
				name := c.Value
				if group == "file" {
					name = c.Label
				}
				p.out.printf("%s %s: %d.\n", group, term.Safe(term.Clip(name, 200)), c.N)
			}
		}
	}
	return nil
}

// views tells the views, or shows, saves or deletes one.
func (p *position) views(arg string) error {
	word, name, _ := strings.Cut(arg, " ")
	name = strings.TrimSpace(name)
	saved, err := p.desk.Views(p.ctx, time.Now())
	switch {
	case err != nil:
		return err
	case word == "save" && name != "":
		err := p.desk.SaveView(p.ctx, review.View{Name: name, Query: p.query, Columns: p.columns})
		return p.out.done("saved as a view: "+wording.Safe(name), err)
	case word == "delete" && name != "":
		return p.out.done("the view is deleted: "+wording.Safe(name), p.desk.DeleteView(p.ctx, name))
	}
	list := append(review.BuiltinViews(p.desk.Reviewer(), time.Now()), saved...)
	if arg == "" {
		for _, v := range list {
			p.out.printf("%s: %s.\n", wording.Safe(v.Name), wording.View(v))
		}
		return nil
	}
	i := slices.IndexFunc(list, func(v review.View) bool { return v.Name == arg })
	if i < 0 {
		return fmt.Errorf("there is no view %q: views tells them", arg)
	}
	p.query = list[i].Query
	if list[i].Reviewer != "" { // a saved one
		p.columns = list[i].Columns
	}
	return p.next(nil)
}

// chooseColumns chooses the facts of list, or tells them.
func (p *position) chooseColumns(arg string) error {
	switch arg {
	case "":
	case "usual":
		p.columns = nil
	default:
		list, err := review.ParseColumns(arg)
		if err != nil {
			return err
		}
		p.columns = list
	}
	text := "the usual ones"
	if shown := p.shownColumns(); len(shown) > 0 {
		text = columnNames(shown)
	}
	p.out.printf("Columns of list: %s.\n", term.Safe(text))
	return nil
}

// shownColumns returns the columns of list; none: the usual facts.
func (p *position) shownColumns() []review.Column {
	if len(p.columns) > 0 {
		return p.columns
	}
	return p.opts.Columns
}

func columnNames(columns []review.Column) string {
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// row tells the facts about an item, by its columns.
func (p *position) row(it *review.Item) string {
	shown := term.Safe(term.Clip(pane.Shown(it), 4096))
	columns := p.shownColumns()
	if len(columns) == 0 {
		return flagNames(it) + ": " + shown + citedIn(it)
	}
	var facts []string
	for _, c := range columns {
		switch c.Name {
		case "flag":
			facts = append(facts, flagNames(it))
		case "url":
			facts = append(facts, shown)
		default:
			for _, value := range pane.ColumnValues(it, c.Name, nil) {
				facts = append(facts, term.Safe(c.Name+" "+term.Clip(value, 200)))
			}
		}
	}
	return strings.Join(facts, "; ")
}

// done prints a result unless the write failed.
func (w *errWriter) done(text string, err error) error {
	if err == nil {
		w.printf("%s.\n", text)
	}
	return err
}

// list tells the next URLs, one a line.
func (p *position) list(arg string) error {
	n, err := atMost(arg, 10)
	if err != nil {
		return err
	}
	items, err := desk.PageAfter(p.ctx, p.desk, p.query, p.item, n)
	for i := range items {
		it := &items[i]
		p.out.printf("%d, %s\n", it.ID, p.row(it))
	}
	if err == nil && len(items) == 0 {
		p.out.printf("There are no more.\n")
	}
	return err
}

// citedIn returns the names of the records that cite an item, behind a comma, as safe text.
func citedIn(it *review.Item) string {
	var names []string
	for _, r := range it.Records() {
		names = append(names, r.String())
	}
	if len(names) == 0 {
		return ""
	}
	return ", cited by " + term.Safe(term.Clip(strings.Join(names, "; "), 200))
}

// atMost reads a count from 1 to 10000. An empty text is the default.
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
