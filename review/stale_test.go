package review_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
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

func (b *busy) KeepChecks(ctx context.Context, list []review.ItemEvidence) error {
	b.interfere()
	return b.Store.KeepChecks(ctx, list)
}

func (b *busy) Refresh(ctx context.Context, list []review.ItemEvidence) error {
	b.interfere()
	return b.Store.Refresh(ctx, list)
}

// refusing counts the batches that its store refuses to add.
type refusing struct {
	busy
	refused int
}

func (r *refusing) Add(ctx context.Context, in *review.Intake, items []review.NewItem) ([]review.AddOutcome, error) {
	out, err := r.busy.Add(ctx, in, items)
	if errors.Is(err, review.ErrStale) {
		r.refused++
	}
	return out, err
}

// A batch is canonicalized while the one before is added, so the host evidence of that one may come in between. It
// counts for the batch (spec 7: host evidence concerns every URL on the host), and a batch that knew it is not
// canonicalized again.
func TestAddWhileEvidenceComes(t *testing.T) {
	http := &canon.Evidence{Hosts: canon.Hosts{"a.ejemplo.gob.es": {HTTPS: no()}, "b.ejemplo.gob.es": {HTTPS: no()}}}
	for name, c := range map[string]struct {
		evidence [4]*canon.Evidence // of each URL
		other    func(luis *desk)   // before the third batch
		flagged  int
	}{
		"known": {[4]*canon.Evidence{http, http, http, nil}, func(*desk) {}, 3},
		"new":   {[4]*canon.Evidence{http, nil, nil, nil}, func(*desk) {}, 3},
		"of someone else": {[4]*canon.Evidence{nil, nil, http, nil}, func(luis *desk) {
			luis.addFound(review.Found{URL: "https://c.ejemplo.gob.es/x/y/otra-cosa-mas",
				Evidence: &canon.Evidence{HTTPS: no()}})
		}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			s := &refusing{busy: busy{Store: o.store()}}
			ana, err := review.Open(t.Context(), s, "ana", nil)
			o.must(err)
			luis, d, idle := o.desk("luis"), &desk{ana, o}, func() {}
			s.others = []func(){idle, idle, func() { c.other(luis) }}
			var found []review.Found
			for i, host := range []string{"a", "b", "a", "c"} {
				found = append(found, review.Found{
					URL:   fmt.Sprintf("https://%s.ejemplo.gob.es/x/y/uno-dos-%d", host, i),
					Title: strings.Repeat(" ", 4<<20), Evidence: c.evidence[i]}) // so that each is a batch
			}
			report := d.addFound(found...)
			if name != "of someone else" && report.Flagged != c.flagged || name == "known" && s.refused > 0 {
				t.Errorf("%+v, %d batches refused", report, s.refused)
			}
			if n := len(d.items(review.Filter{Flags: canon.SetOf(canon.HTTPOnly)})); n != c.flagged {
				t.Errorf("%d URLs are kept http, want %d", n, c.flagged)
			}
			d.sound()
		})
	}
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
