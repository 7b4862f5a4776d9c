package suggest_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/canon/suite"
	"visto/review"
	"visto/review/probe"
	"visto/review/suggest"
)

// TestUpdate changes a database at random, and wants the updated suggestions to be those that are mined anew.
func TestUpdate(t *testing.T) {
	for seed := range uint64(suite.Rounds(1, 4)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			c := &changer{newDesk(t), rand.New(rand.NewPCG(seed, 1))}
			var first []review.Found
			for range 120 {
				f := review.Found{URL: c.url()}
				if c.IntN(3) > 0 {
					f.Evidence = c.evidence(f.URL)
				}
				first = append(first, f)
			}
			c.add(first...)
			found := 0
			for range 12 {
				found += c.updated()
				for range c.IntN(4) {
					c.change()
				}
			}
			if found < 12 {
				t.Errorf("%d suggestions in all", found)
			}
		})
	}
}

// updated updates the stored suggestions, compares them with those that are mined anew, and returns how many there are.
func (d *desk) updated() int {
	d.Helper()
	_, err := suggest.Update(d.Context(), d)
	d.must(err)
	got, err := suggest.Stored(d.Context(), d)
	d.must(err)
	want := d.suggestions(review.Filter{})
	if text := full(want); full(got) != text {
		d.Fatalf("updated:\n%s\nmined anew:\n%s", full(got), text)
	}
	for i := range got {
		d.must(suggest.ReadVotes(d.Context(), d, &got[i]))
		if !reflect.DeepEqual(got[i].Votes, want[i].Votes) {
			d.Fatalf("%s: votes %v\nmined anew %v", got[i].Template, got[i].Votes, want[i].Votes)
		}
	}
	stale, err := suggest.IsStale(d.Context(), d)
	d.must(err)
	if stale {
		d.Fatal("the suggestions are stale at once")
	}
	return len(got)
}

// full describes suggestions with all that a store keeps of them.
func full(list []suggest.Suggestion) (text string) {
	for _, s := range list {
		text += fmt.Sprintf("%t %s: %d:%d %v %v %.3f, %d URLs on %d hosts, ask %v, rule %v\n", s.Recommended,
			s.Template, s.For, s.Against, s.ForBy, s.AgainstBy, s.Lower, s.Reach, s.Hosts, s.Ask, s.Override())
	}
	return text
}

// changer changes a desk at random.
type changer struct {
	*desk
	*rand.Rand
}

func (c *changer) pick(list ...string) string { return list[c.IntN(len(list))] }

func (c *changer) host() string { return c.pick("a.gob.es", "b.gob.es", "c.gob.es", "www.d.gob.es") }

func (c *changer) url() string {
	url := "https://" + c.host() + c.pick("/t", "/es/t") + c.pick("/uno-", "/dos-", "/tres-") + c.pick("a", "b", "c")
	return url + c.pick("", ".html") + c.pick("", "?plaza=1", "?plaza=2", "?plaza=1&tema=2", "?id=1", "?tema=2")
}

// evidence returns evidence of a URL whose site mostly does not care for the query and for an extension.
func (c *changer) evidence(url string) *canon.Evidence {
	ev := &canon.Evidence{Status: 200}
	bare, _, _ := strings.Cut(url, "?")
	plain := strings.Replace(url, ".html", "", 1)
	switch to := c.pick(bare, bare, plain, plain, strings.Replace(url, "www.d.", "a.", 1), c.url()); c.IntN(6) {
	case 0, 1:
		ev.Hops = []canon.Hop{{Status: 301, URL: to}}
	case 2:
		ev.RelCanonical = to
	case 3:
		if strings.HasPrefix(url, "https://b.") { // it cares
			bare = url
		}
		ev.SHA256 = strings.TrimPrefix(bare, "https://")[5:]
	case 4:
		ev.Status = 404
	default:
		ev.Title, ev.SHA256 = c.pick("Error interno", "Plazos"), "one"
	}
	return ev
}

// probed gives an item new evidence, as a probe does.
func (d *desk) probed(it review.Item, ev *canon.Evidence) {
	d.Helper()
	run := func(_ context.Context, list []probe.Target, sink func(probe.Report) error) error {
		return sink(probe.Report{Target: list[0], Evidence: ev})
	}
	p := review.NewProbing(d.Desk, proberFunc(run), time.Now)
	job := review.ProbeJob{Target: probe.Target{ID: it.ID, URL: it.Original}, URL: it.Original, IDs: []int64{it.ID}}
	d.must(p.Run(d.Context(), []review.ProbeJob{job}, func(review.ProbeResult) error { return nil }))
}

// proberFunc is a prober.
type proberFunc func(context.Context, []probe.Target, func(probe.Report) error) error

func (f proberFunc) Run(ctx context.Context, list []probe.Target, sink func(probe.Report) error) error {
	return f(ctx, list, sink)
}

func (c *changer) item() review.Item {
	var all []review.Item
	c.must(c.Each(c.Context(), review.Filter{}, func(it review.Item) error { all = append(all, it); return nil }))
	if len(all) == 0 {
		c.change()
		return c.item()
	}
	return all[c.IntN(len(all))]
}

func (c *changer) change() {
	switch c.IntN(8) {
	case 0, 1, 2:
		f := review.Found{URL: c.url()}
		if c.IntN(2) > 0 {
			f.Evidence = c.evidence(f.URL)
		}
		c.add(f)
	case 3, 4:
		it := c.item()
		c.probed(it, c.evidence(it.Original))
	case 5:
		it := c.item()
		choice := review.Choice{Kind: review.Approve}
		if c.IntN(2) > 0 {
			choice = review.Choice{Kind: review.Correct, Canonical: "https://" + c.host() + "/t/uno-dos"}
		}
		_, err := c.Decide(c.Context(), choice, review.Target{ID: it.ID})
		c.must(err)
	case 6:
		if _, _, err := c.Undo(c.Context(), 0); err != nil && !errors.Is(err, review.ErrNotFound) {
			c.Fatal(err)
		}
	case 7:
		c.rule()
	}
}

func (c *changer) rule() {
	host := c.pick("a.gob.es", "b.gob.es", "*.gob.es")
	o := canon.Override{Match: canon.Match{Host: host, PathPrefix: c.pick("", "/t")}}
	if c.IntN(2) > 0 {
		o.DropQueryParams = []string{c.pick("plaza", "id")}
	} else {
		o.KeepQueryParams = []string{c.pick("plaza", "tema")}
	}
	change, err := c.Amend(c.Context(), o)
	c.must(err)
	if _, _, err = c.SaveOverrides(c.Context(), []review.OverrideChange{change}, ""); err != nil {
		c.Log(err) // it contradicts another one
	}
}

// readingDesk notes the hosts of the items that are read.
type readingDesk struct {
	*desk
	hosts map[string]bool
}

func (d *readingDesk) EachAnswered(ctx context.Context, f review.Filter,
	fn func(review.Item, *canon.Evidence) error) error {
	return d.desk.EachAnswered(ctx, f, func(it review.Item, ev *canon.Evidence) error {
		d.hosts[it.Computed.InHost] = true
		return fn(it, ev)
	})
}

// failingDesk fails to read the state of the suggestions.
type failingDesk struct{ *desk }

func (failingDesk) Mining(context.Context) (review.Mining, error) {
	return review.Mining{}, review.ErrDamaged
}

func TestUpdateFails(t *testing.T) {
	changed, err := suggest.Update(t.Context(), failingDesk{newDesk(t)})
	if changed || !errors.Is(err, review.ErrDamaged) || !strings.HasPrefix(err.Error(), "looking for suggestions: ") {
		t.Errorf("%t, %v", changed, err)
	}
}

// TestUpdateReadsChangesAlone checks that an update reads the items on the hosts with changes, and no others.
func TestUpdateReadsChangesAlone(t *testing.T) {
	c := newDesk(t)
	var found []review.Found
	for i := range 12 {
		bare := fmt.Sprintf("https://%c.gob.es/t/uno-%c", 'a'+i%3, 'a'+i)
		found = append(found, review.Found{URL: bare + "?plaza=1",
			Evidence: &canon.Evidence{Status: 200, RelCanonical: bare}})
	}
	c.add(found...)
	if c.updated() != 1 {
		t.Error("no suggestion for several hosts")
	}
	d := &readingDesk{c, map[string]bool{}}
	update := func(want ...string) {
		t.Helper()
		clear(d.hosts)
		_, err := suggest.Update(t.Context(), d)
		c.must(err)
		if got := slices.Sorted(maps.Keys(d.hosts)); !slices.Equal(got, want) {
			t.Errorf("read the items on %v, not on %v", got, want)
		}
	}
	update()
	items, err := c.Find(t.Context(), found[0].URL)
	c.must(err)
	c.probed(items[0], &canon.Evidence{Status: 200, SHA256: "another text"})
	update("a.gob.es")
	_, err = c.Decide(t.Context(), review.Choice{Kind: review.Reject}, review.Target{ID: 2})
	c.must(err)
	update("b.gob.es")
	change, err := c.Amend(t.Context(), canon.Override{Match: canon.Match{Host: "otra.gob.es"}, Scheme: "http"})
	c.must(err)
	_, _, err = c.SaveOverrides(t.Context(), []review.OverrideChange{change}, "")
	c.must(err)
	update()
}
