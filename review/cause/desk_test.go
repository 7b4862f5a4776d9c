package cause_test

import (
	"os"
	"path/filepath"
	"testing"

	"visto/canon"
	"visto/canon/suite"
	"visto/review"
	"visto/review/cause"
	"visto/store/sqlite"
	"visto/store/sqlitetest"
)

func TestMain(m *testing.M) { os.Exit(suite.InMemory{Tests: m}.Run()) }

// desk is a desk on a new database. Its methods fail the test on any error.
type desk struct {
	*review.Desk
	testing.TB
}

func newDesk(t testing.TB) *desk {
	d := &desk{TB: t}
	s, err := sqlitetest.Open(t.Context(), filepath.Join(t.TempDir(), "visto.db"), sqlite.Options{})
	d.must(err)
	t.Cleanup(func() { d.must(s.Close()) })
	d.Desk, err = review.Open(t.Context(), s, "ana", nil)
	d.must(err)
	return d
}

func (d *desk) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

func (d *desk) add(urls ...string) {
	d.Helper()
	found := make([]review.Found, len(urls))
	for i, u := range urls {
		found[i].URL = u
	}
	d.addFound(found...)
}

func (d *desk) addFound(found ...review.Found) {
	d.Helper()
	_, err := d.Add(d.Context(), review.Input{}, func(yield func(review.Found) error) error {
		for _, f := range found {
			if err := yield(f); err != nil {
				return err
			}
		}
		return nil
	})
	d.must(err)
}

// item returns the only item with that original or canonical URL.
func (d *desk) item(url string) review.Item {
	d.Helper()
	items, err := d.Find(d.Context(), url)
	d.must(err)
	if len(items) != 1 {
		d.Fatalf("%d items are %s", len(items), url)
	}
	return items[0]
}

func (d *desk) items(f review.Filter) []review.Item {
	d.Helper()
	var items []review.Item
	d.must(d.Each(d.Context(), f, func(it review.Item) error {
		items = append(items, it)
		return nil
	}))
	return items
}

func (d *desk) decide(kind review.Kind, urls ...string) {
	d.Helper()
	var targets []review.Target
	for _, u := range urls {
		targets = append(targets, review.Target{ID: d.item(u).ID})
	}
	_, err := d.Decide(d.Context(), review.Choice{Kind: kind}, targets...)
	d.must(err)
}

func (d *desk) save(rules ...canon.Override) {
	d.Helper()
	changes, err := d.AmendAll(d.Context(), rules...)
	d.must(err)
	_, _, err = d.SaveOverrides(d.Context(), changes, "")
	d.must(err)
}

func (d *desk) causes(f review.Filter) []cause.Cause {
	d.Helper()
	causes, err := cause.List(d.Context(), d, f)
	d.must(err)
	return causes
}

// study examines the cause with that text.
func (d *desk) study(name string) *cause.Study {
	d.Helper()
	for _, c := range d.causes(review.Filter{}) {
		if c.String() == name {
			return d.examine(c)
		}
	}
	d.Fatalf("there is no cause %q in %v", name, d.causes(review.Filter{}))
	return nil
}

func (d *desk) examine(c cause.Cause) *cause.Study {
	d.Helper()
	s, err := cause.Examine(d.Context(), d, c)
	d.must(err)
	return s
}
