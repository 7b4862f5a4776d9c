package review

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"visto/canon"
	"visto/review/health"
	"visto/review/probe"
)

// givenEvidence is evidence for an item that is stored.
type givenEvidence struct {
	item     Item
	evidence ItemEvidence
}

// takeEvidence gives the evidence that came with known URLs to their items, as a probe's. Evidence that is older than
// the stored one is left, and so is a failure of a page that was seen before: that is a matter of its link.
func (d *Desk) takeEvidence(ctx context.Context, found []Found, outcomes []AddOutcome, report *AddReport) error {
	given := map[int64]*canon.Evidence{}
	for i, o := range outcomes {
		if o.Known && found[i].Evidence != nil {
			given[o.ID] = found[i].Evidence.Masked()
		}
	}
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(given)), checksAtOnce) {
		var taken, left int
		err := whileStale(func() (err error) {
			taken, left, err = d.takeSome(ctx, ids, given)
			return err
		})
		if err != nil {
			return err
		}
		report.Evidence += taken
		report.EvidenceLeft += left
	}
	return nil
}

// takeSome gives evidence to items, all in one transaction. It counts the items that take new evidence, and those that
// keep what they have.
func (d *Desk) takeSome(
	ctx context.Context, ids []int64, given map[int64]*canon.Evidence,
) (taken, left int, err error) {
	r, err := d.rules(ctx)
	if err != nil {
		return 0, 0, err
	}
	var list []givenEvidence
	for _, id := range ids {
		g, isLeft, err := d.given(ctx, r, id, given[id])
		switch {
		case err != nil:
			return 0, 0, err
		case isLeft:
			left++
		case g != nil:
			list = append(list, *g)
		}
	}
	if len(list) > 0 {
		_, err = d.store.Commit(ctx, r.evidenceChange(d.reviewer, list))
	}
	return len(list), left, err
}

// given returns the evidence as that of an item, nil if the item knows it or does not take it: then isLeft is true.
func (d *Desk) given(ctx context.Context, r *rules, id int64, ev *canon.Evidence) (g *givenEvidence, isLeft bool,
	err error) {
	it, err := d.followed(ctx, id)
	if err != nil {
		return nil, false, err
	}
	earlier, err := d.store.Earlier(ctx, probe.Target{ID: id})
	if err != nil {
		return nil, false, err
	}
	link, err := d.store.LinkRecord(ctx, id)
	if err != nil {
		return nil, false, err
	}
	e := *ev
	ofHosts := sameEvidence(&e, nil)
	switch {
	case ofHosts && earlier != nil:
		e = *earlier
		e.Hosts = ev.Hosts
	case !ofHosts:
		e.URL = it.Original
	}
	switch {
	case earlier != nil && sameEvidence(earlier, &e) && !r.hasHostNews(it.Computed.InHost, &e):
		return nil, false, nil
	case earlier != nil && (isOlder(&e, earlier) || outlasts(earlier, &e, cmp.Or(link, &health.Record{}))):
		return nil, true, nil
	}
	return &givenEvidence{it, ItemEvidence{ID: id, Evidence: &e, Due: dueOf(&e)}}, false, nil
}

// isOlder reports whether evidence was gathered before other evidence. Unknown times are not.
func isOlder(ev, other *canon.Evidence) bool {
	at, err := time.Parse(time.RFC3339, ev.FetchedAt)
	otherAt, errOther := time.Parse(time.RFC3339, other.FetchedAt)
	return err == nil && errOther == nil && at.Before(otherAt)
}

// evidenceChange returns the change that gives items new evidence.
func (r *rules) evidenceChange(reviewer string, list []givenEvidence) AddEvidence {
	c := r.engine()
	byID := make(map[int64]*canon.Evidence, len(list))
	recompute := func(it *Item, hosts canon.Hosts) *Recomputed {
		ev := byID[it.ID]
		after := compute(c, it, withHosts(withOwnHost(ev, it.Computed.InHost), hosts))
		return recomputed(it, after, ev.Title)
	}
	late := func(it Item, known *canon.Evidence) *Recomputed {
		switch {
		case byID[it.ID] == nil:
			return nil // its writer has computed it
		case known == nil:
			return recompute(&it, nil)
		}
		return recompute(&it, known.Hosts)
	}
	change := AddEvidence{Reviewer: reviewer, Summary: r.policy.MaskText(summaryOf(list)),
		Results: r.results(nil, late)}
	for i := range list {
		byID[list[i].item.ID] = list[i].evidence.Evidence
		change.Evidence = append(change.Evidence, list[i].evidence)
		if re := recompute(&list[i].item, r.hosts); re != nil {
			change.Recomputed = append(change.Recomputed, *re)
		}
	}
	return change
}

func summaryOf(list []givenEvidence) string {
	if len(list) == 1 {
		return fmt.Sprintf("evidence of URL %d: %s", list[0].item.ID, Answer(list[0].evidence.Evidence))
	}
	return fmt.Sprintf("evidence of %d URLs", len(list))
}
