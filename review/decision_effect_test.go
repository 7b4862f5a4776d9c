package review_test

import (
	"testing"

	"visto/review"
	"visto/review/read"
)

func TestDecisionEffect(t *testing.T) {
	d := newDesk(t)
	var found []review.Found
	for _, u := range []string{"uno", "uno/Inicio", "dos", "dos/Inicio", "tres/Inicio"} {
		found = append(found, review.Found{URL: "https://ejemplo.gob.es/" + u,
			Place: read.Place{Field: "portal_url"}})
	}
	d.addFound(found...)
	f := review.Filter{Open: true, Fields: []string{"portal_url"}}
	e, targets, err := d.DecisionEffect(t.Context(), review.Choice{Kind: review.Approve}, nil, f, f)
	d.must(err)
	if len(targets) != 5 || e.Decided != 5 || e.Settled != 5 || e.Approved != 0 || len(e.Samples) != 5 ||
		e.Samples[0].Before != found[0].URL {
		t.Errorf("%d targets, %+v", len(targets), e)
	}
	if n, _ := d.Count(t.Context(), f); n != 5 {
		t.Errorf("it was written: %d are left", n)
	}
	if _, err := d.Decide(t.Context(), review.Choice{Kind: review.Approve}, targets...); err != nil {
		t.Error(err)
	}
	if n, _ := d.Count(t.Context(), f); n != 0 {
		t.Errorf("%d are left", n)
	}
	for kind, changed := range map[review.Kind]int{review.Approve: 0, review.Reject: 5, review.Reopen: 5} {
		e, _, err := d.DecisionEffect(t.Context(), review.Choice{Kind: kind}, nil, review.Filter{})
		if d.must(err); e.Approved != changed {
			t.Errorf("%s changes %d approved URLs, want %d", kind, e.Approved, changed)
		}
	}
}

// Progress has the number of all URLs, and that of those counted so far.
func TestDecisionEffectProgress(t *testing.T) {
	d := newDesk(t)
	d.add(many(1001)...)
	var seen []review.Effect
	e, _, err := d.DecisionEffect(t.Context(), review.Choice{Kind: review.Defer},
		func(e review.Effect) { seen = append(seen, e) }, review.Filter{UpTo: 500}, review.Filter{})
	d.must(err)
	if len(seen) != 1 || seen[0].Scanned != 1000 || seen[0].Total != 1501 || e.Scanned != 1001 || e.Total != 1001 {
		t.Errorf("effect %+v, before %+v", e, seen)
	}
}
