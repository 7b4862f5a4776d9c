package candidate

import (
	"maps"
	"slices"
	"strings"

	"visto/review"
)

// query is the words that the right page should have, in groups.
type query struct {
	groups []group
	stems  map[string]bool
	years  []int // that the record names
}

// group is words of one weight. A word is only in the heaviest group that has it.
type group struct {
	weight float64
	words  []word
}

// The weights of the groups. The name tells the subject of the page. Keywords are wider, and often shared by many
// procedures; other attributes are mostly about something else. The cited page speaks for itself if it is none that
// every record of the site could cite.
const (
	nameWeight      = 1.0
	keywordWeight   = 0.6
	citedWeight     = 0.4
	attributeWeight = 0.2
)

// maxGroup is the number of words of a group. Files may say very much about a record.
const maxGroup = 100

// keywordNames are the attributes with keywords.
var keywordNames = []string{"keywords", "keyword", "palabras_clave", "tags", "etiquetas"}

// newQuery returns the words of records, and those of the cited page, which may be empty.
func newQuery(records []*review.Record, cited ...string) *query {
	q := &query{stems: map[string]bool{}}
	var names, keywords, others []string
	for _, r := range records {
		names = append(names, r.Name)
		others = append(others, r.ID)
		for _, a := range r.Attributes {
			isKeyword := func(name string) bool { return strings.EqualFold(a.Name, name) }
			if slices.ContainsFunc(keywordNames, isKeyword) {
				keywords = append(keywords, a.Values...)
			} else {
				others = append(others, a.Values...)
			}
		}
	}
	q.years = yearsIn(strings.Join(names, " "))
	q.add(nameWeight, names)
	q.add(keywordWeight, keywords)
	q.add(citedWeight, cited)
	q.add(attributeWeight, others)
	return q
}

func (q *query) add(weight float64, texts []string) {
	g := group{weight: weight}
	for _, w := range wordsOf(strings.Join(texts, " ")) {
		if !q.stems[w.stem] && len(g.words) < maxGroup {
			q.stems[w.stem] = true
			g.words = append(g.words, w)
		}
	}
	if len(g.words) > 0 {
		q.groups = append(q.groups, g)
	}
}

// without returns the query without the words of some stems.
func (q *query) without(stems map[string]bool) *query {
	rest := &query{stems: maps.Clone(q.stems), years: q.years}
	maps.DeleteFunc(rest.stems, func(stem string, _ bool) bool { return stems[stem] })
	for _, g := range q.groups {
		words := slices.DeleteFunc(slices.Clone(g.words), func(w word) bool { return stems[w.stem] })
		rest.groups = append(rest.groups, group{g.weight, words})
	}
	return rest
}

// found returns the words of the query that a text has, as the record writes them, the weightiest first.
func (q *query) found(text string) (list []string) {
	has := map[string]bool{}
	for _, w := range wordsOf(text) {
		has[w.stem] = true
	}
	for _, g := range q.groups {
		for _, w := range g.words {
			if has[w.stem] {
				list = append(list, w.text)
			}
		}
	}
	return list
}

// isName reports whether a text has all words of the records' names, which are several.
func (q *query) isName(text string) bool {
	has := stemsOf(text)
	for _, g := range q.groups {
		if g.weight == nameWeight {
			lacks := func(w word) bool { return !has[w.stem] }
			return len(g.words) > 1 && !slices.ContainsFunc(g.words, lacks)
		}
	}
	return false
}

// touches reports whether a text has any word of the query.
func (q *query) touches(text string) bool {
	return slices.ContainsFunc(wordsOf(text), func(w word) bool { return q.stems[w.stem] })
}
