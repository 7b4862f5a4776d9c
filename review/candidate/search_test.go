package candidate

import (
	"fmt"
	"slices"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/review/read"
)

// A word of the query is in the heaviest group that has it: the name, the keywords, the cited page, or the rest.
func TestQuery(t *testing.T) {
	q := newQuery([]*review.Record{{ID: "alta_padron", Name: "Altas en el padrón 2025",
		Attributes: []read.Attribute{
			{Name: "organismo", Values: []string{"Villa"}}, {Name: "Keywords", Values: []string{"alta", "vecino"}},
		}}}, "vecinos y residentes")
	var got []string
	for _, g := range q.groups {
		for _, w := range g.words {
			got = append(got, fmt.Sprint(w.text, " ", g.weight))
		}
	}
	want := []string{"Altas 1", "padrón 1", "2025 1", "vecino 0.6", "residentes 0.4", "Villa 0.2"}
	if !slices.Equal(got, want) || !slices.Equal(q.years, []int{2025}) {
		t.Errorf("%q, years %v", got, q.years)
	}
	if got := q.found("Residentes de Villa: alta"); !slices.Equal(got, []string{"Altas", "residentes", "Villa"}) {
		t.Errorf("found %q", got)
	}
	if !q.touches("los vecinos") || q.touches("las tasas") {
		t.Error("words are missed, or imagined")
	}
}

// A page that is found again stays one page, as near to the cited page as its nearest link.
func TestAdd(t *testing.T) {
	s := &search{cited: canon.NormalizedOf("https://villa.es/"), pages: map[string]*page{},
		rules: func(url string, _ *canon.Evidence) canon.Result { return canon.Result{Canonical: url} }}
	const url = "https://villa.es/padron"
	s.add(url, "Padrón", bySitemap, 2)
	s.news = nil
	s.add(url, " Padrón ", byLink, 1)
	if len(s.news) > 0 {
		t.Error("it is indexed again without a new text")
	}
	p := s.add(url, "Altas", byLink, 2)
	if p.depth != 1 || !slices.Equal(p.texts, []string{"Padrón", "Altas"}) || len(s.news) != 1 ||
		!slices.Equal(p.found, []origin{bySitemap, byLink}) || len(s.list) != 1 {
		t.Errorf("%+v, %d pages, %d to index", p, len(s.list), len(s.news))
	}
	if s.add("https://villa.es/", "Inicio", byLink, 1) != nil {
		t.Error("the cited page is proposed")
	}
	for i := range maxPages {
		s.add(fmt.Sprint("https://villa.es/p", i), "", bySitemap, 2)
	}
	if len(s.list) != maxPages || s.add(url, "", byLink, 1) != p {
		t.Errorf("%d pages", len(s.list))
	}
}
