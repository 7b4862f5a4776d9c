package review_test

import (
	"context"
	"errors"
	"testing"

	"visto/canon"
	"visto/review"
)

// busy is a store to which somebody else writes just before each of our first writes.
type busy struct {
	review.Store
	others []func()
}

func (b *busy) interfere() {
	if len(b.others) > 0 {
		other := b.others[0]
		b.others = b.others[1:]
		other()
	}
}

func (b *busy) Commit(ctx context.Context, c review.Change) (review.Receipt, error) {
	b.interfere()
	return b.Store.Commit(ctx, c)
}

func (b *busy) Add(ctx context.Context, in *review.Intake, items []review.NewItem) ([]review.AddOutcome, error) {
	b.interfere()
	return b.Store.Add(ctx, in, items)
}

// busyDesk returns a desk on a busy store. luis performs one of the actions before each write.
func busyDesk(t *testing.T, others ...func(luis *desk)) *desk {
	d := newDesk(t)
	d.add("https://a.ejemplo.gob.es/tramite/alta-de-padron?plaza=1")
	luis, s := d.desk("luis"), &busy{Store: d.store()}
	for _, other := range others {
		s.others = append(s.others, func() { other(luis) })
	}
	ana, err := review.Open(t.Context(), s, "ana", nil)
	d.must(err)
	return &desk{ana, d.office}
}

func addLate(luis *desk) {
	luis.add("https://a.ejemplo.gob.es/tramite/baja-de-padron?plaza=2",
		"https://b.ejemplo.gob.es/tramite/baja-de-padron?plaza=2")
}

func otherRule(luis *desk) {
	luis.save(canon.Override{Match: canon.Match{Host: "z.ejemplo.gob.es"}, Accept: []string{"home-page"}})
}

// A rule also applies to URLs that are added during its computation.
func TestSaveWhileAdding(t *testing.T) {
	d := busyDesk(t, addLate, addLate)
	receipt, e := d.save(rules["drop"])
	if receipt.Updated != 2 || e.Changed != 2 || e.Scanned != 3 {
		t.Errorf("updated %d, effect %+v", receipt.Updated, e)
	}
	d.sound()
	d.undo()
	d.sound()
	if open := d.items(review.Filter{Open: true}); len(open) != 3 {
		t.Errorf("%d open", len(open))
	}
}

func TestRecanonWhileAdding(t *testing.T) {
	d := busyDesk(t, addLate)
	p, err := canon.ParsePolicy(canon.PolicyFile{Name: "own.yaml",
		Data: []byte("name: own\nversion: 2\ntracking_params_strip: [plaza]\n")})
	d.must(err)
	if receipt, _, err := d.Recanon(t.Context(), p); err != nil || receipt.Updated != 3 {
		t.Errorf("receipt %+v, %v", receipt, err)
	}
	d.sound()
}

// If somebody else saves a rule meanwhile, a save and an addition start again.
func TestSaveWhileRulesChange(t *testing.T) {
	d := busyDesk(t, otherRule, addLate)
	if receipt, _ := d.save(rules["drop"]); receipt.Updated != 2 {
		t.Errorf("receipt %+v", receipt)
	}
	d.sound()
}

func TestAddWhileRulesChange(t *testing.T) {
	d := busyDesk(t, func(luis *desk) { luis.save(rules["drop"]) })
	const late = "https://a.ejemplo.gob.es/tramite/otra-vez-alta?plaza=7"
	if report := d.add(late, late); report.Found != 2 || report.Added != 1 || report.Known != 1 ||
		report.Accepted != 1 {
		t.Errorf("report %+v", report)
	}
	if it := d.item(late); it.Status != review.Accepted {
		t.Errorf("item %s", state(&it))
	}
	d.sound()
}

// After too many attempts the error is ErrStale, and nothing is written.
func TestSaveGivesUp(t *testing.T) {
	turn := func(luis *desk) {
		list, err := luis.Overrides(t.Context())
		luis.must(err)
		if len(list) == 0 {
			otherRule(luis)
		} else {
			luis.undo()
		}
	}
	d := busyDesk(t, turn, turn, turn, turn, turn, turn)
	rule := rules["drop"]
	_, _, err := d.SaveOverrides(t.Context(), []review.OverrideChange{{After: &rule}}, "")
	if !errors.Is(err, review.ErrStale) {
		t.Errorf("error %v", err)
	}
	if it := d.item("1"); it.Computed.Canonical != it.Original {
		t.Errorf("item %s", state(&it))
	}
	d.sound()
}

// countingStore counts the calls of Count.
type countingStore struct {
	review.Store
	counted int
}

func (c *countingStore) Count(ctx context.Context, f review.Filter) (int, error) {
	c.counted++
	return c.Store.Count(ctx, f)
}

// The URLs of an effect are counted only if progress is shown.
func TestSavingDoesNotCountBeforehand(t *testing.T) {
	d := newDesk(t)
	d.add("https://a.ejemplo.gob.es/tramite/alta-de-padron?plaza=1")
	s := &countingStore{Store: d.store()}
	ana, err := review.Open(t.Context(), s, "ana", nil)
	d.must(err)
	rule := rules["drop"]
	changes := []review.OverrideChange{{After: &rule}}
	_, err = ana.Effect(t.Context(), changes, func(review.Effect) {})
	d.must(err)
	if s.counted != 1 {
		t.Errorf("the effect is shown with %d counts", s.counted)
	}
	_, _, err = ana.SaveOverrides(t.Context(), changes, "")
	d.must(err)
	if s.counted != 1 {
		t.Errorf("saved with %d counts", s.counted-1)
	}
}
