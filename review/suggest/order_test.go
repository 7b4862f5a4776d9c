package suggest_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"visto/review/suggest"
)

// TestOrder wants the same list, with the same votes, for the same pages in another order. Several pages have one URL,
// and state different facts about it.
func TestOrder(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 3))
		pages := randomPages(r, 60)
		want := suggest.Find(slices.Clone(pages), nil)
		for range 3 {
			r.Shuffle(len(pages), func(i, j int) { pages[i], pages[j] = pages[j], pages[i] })
			got := suggest.Find(slices.Clone(pages), nil)
			if full(got) != full(want) {
				t.Fatalf("seed %d:\n%s\nin another order:\n%s", seed, full(want), full(got))
			}
			for i := range got {
				if !reflect.DeepEqual(got[i].Votes, want[i].Votes) {
					t.Fatalf("seed %d: %s: %v\nin another order: %v", seed, got[i].Template, want[i].Votes,
						got[i].Votes)
				}
			}
		}
	}
}

// randomPages returns pages of a few hosts, on which most parameters do not matter.
func randomPages(r *rand.Rand, n int) (pages []suggest.Page) {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	url := func() string {
		return "https://" + pick("a.es", "b.es", "c.es", "d.es") + pick("/sta", "/es/sta") + pick("/x", "/y", "/z") +
			pick("", "", "?v=1", "?v=2", "?v=1&w=2", "?w=1")
	}
	for range n {
		p := suggest.Page{URL: url()}
		bare, _, _ := strings.Cut(p.URL, "?")
		switch to := pick(bare, bare, bare, url()); r.IntN(7) {
		case 0:
			p.Final = to
		case 1:
			p.Canonical = to
		case 2:
			p.Approved = to
		case 3:
			p.Missing = true
		case 4:
			p.Final, p.SHA256 = to, fmt.Sprint("text of ", to)
		default:
			p.SHA256 = pick(bare, bare, "another text")
		}
		pages = append(pages, p)
	}
	return pages
}
