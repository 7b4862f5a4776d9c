package review

import (
	"context"
	"fmt"
	"strings"

	"visto/canon"
)

// Stranger is a host or a field of a new rule that no stored URL has.
type Stranger struct {
	Name    string
	Field   bool   // else a host
	Nearest string // the stored one that resembles it most; empty: none does
}

func (s Stranger) String() string {
	what := "host"
	if s.Field {
		what = "field"
	}
	text := fmt.Sprintf("no stored URL has the %s %s", what, s.Name)
	if s.Nearest != "" {
		text += fmt.Sprintf("; did you mean %s?", s.Nearest)
	}
	return text
}

// Strangers returns the hosts and fields of the rules that no stored URL has, as a mistyped one. Patterns are none, and
// neither is anything while nothing is stored.
func (d ruleDesk) Strangers(ctx context.Context, rules ...canon.Override) (list []Stranger, err error) {
	totals, err := d.store.Totals(ctx)
	if err != nil || totals.Items == 0 {
		return nil, err
	}
	seen := map[Stranger]bool{}
	for _, rule := range rules {
		m := rule.Match.Normal()
		for _, s := range []Stranger{{Name: m.Host}, {Name: m.Field, Field: true}} {
			if s.Name == "" || !s.Field && strings.HasPrefix(m.Host, "*") || seen[s] {
				continue
			}
			seen[s] = true
			if s.Nearest, err = d.nearest(ctx, s); err != nil {
				return nil, err
			}
			if s.Nearest != s.Name {
				list = append(list, s)
			}
		}
	}
	return list, nil
}

// nearest returns the stored host or field that resembles one most: itself, if it is stored.
func (d ruleDesk) nearest(ctx context.Context, s Stranger) (string, error) {
	f := Filter{Reach: []string{s.Name}, Presence: AnyPresence}
	if s.Field {
		f = Filter{Fields: []string{s.Name}, Presence: AnyPresence}
	}
	if n, err := d.store.Count(ctx, f); err != nil || n > 0 {
		return s.Name, err
	}
	best, least := "", maxTypos(s.Name)+1
	take := func(name string) {
		n := typos(strings.TrimPrefix(s.Name, "www."), strings.TrimPrefix(name, "www."))
		if strings.Contains(name, s.Name) { // it is cut short
			n = min(n, maxTypos(s.Name))
		}
		if name != "" && n < least {
			best, least = name, n
		}
	}
	if s.Field {
		facets, err := d.store.Facets(ctx, everything)
		for _, b := range facets.Fields {
			take(b.Value)
		}
		return best, err
	}
	last := ""
	err := d.store.Groups(ctx, Filter{}, func(g Group) error {
		if g.Host != last {
			last = g.Host
			take(g.Host)
		}
		return nil
	})
	return best, err
}

// maxTypos is the number of typos with which a name still resembles another one.
func maxTypos(name string) int { return max(1, len(name)/4) }

// typos is the number of characters to insert, remove or replace between two texts (Levenshtein 1966).
func typos(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
