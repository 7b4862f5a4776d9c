package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"visto/canon"
)

// Note is a remark on an item.
type Note struct {
	At       time.Time `json:"at"`
	Reviewer string    `json:"reviewer"`
	Text     string    `json:"text"`
}

// PastDecision is a decision in an item's history.
type PastDecision struct {
	Decision
	Undone bool
}

// Choice is a decision to make: its kind, the URL of a correction as it was typed, and a note. Record is the Citer that
// it is for alone; with 0 it is for all, and replaces the decisions for one alone (but see Within).
type Choice struct {
	Kind      Kind
	Canonical string
	Note      string
	Record    int64
}

// Target is an item to decide on. Rev is the revision that the reviewer saw; 0 accepts any.
type Target struct{ ID, Rev int64 }

// decisionDesk is the part of a Desk that decides about items, and notes.
type decisionDesk struct{ *deskBase }

// Decide makes the choice on all targets, as one batch. It skips items that changed meanwhile, and those with an
// approval of the same URL by the reviewer that waits for a second person, and reports both in Receipt.Conflicts.
// Approving an item without a canonical URL, or correcting to an unacceptable URL, is an error and
// writes nothing; so is a choice for a record that does not cite the target, or is the only one that does.
func (d decisionDesk) Decide(ctx context.Context, c Choice, targets ...Target) (Receipt, error) {
	revs := make(map[int64]int64, len(targets))
	for _, t := range targets {
		revs[t.ID] = t.Rev
	}
	return d.decide(ctx, c, revs, func(fn func(Item) error) error { return d.eachTarget(ctx, c, targets, fn) })
}

// eachTarget calls fn for each target of a choice, once. It returns an error if the choice is not possible for one.
func (d decisionDesk) eachTarget(ctx context.Context, c Choice, targets []Target, fn func(Item) error) error {
	if c.Record != 0 {
		return d.targetAlone(ctx, c, targets, fn)
	}
	var ids []int64
	seen := make(map[int64]bool, len(targets))
	for _, t := range targets {
		if !seen[t.ID] {
			ids = append(ids, t.ID)
		}
		seen[t.ID] = true
	}
	return d.eachOf(ctx, ids, fn)
}

// targetAlone is eachTarget for a choice for one record.
func (d decisionDesk) targetAlone(ctx context.Context, c Choice, targets []Target, fn func(Item) error) error {
	if len(targets) != 1 {
		return fmt.Errorf("deciding for one record alone: it is one URL, and not %d", len(targets))
	}
	it, err := d.store.Item(ctx, targets[0].ID)
	annotate(&err, "URL %d", targets[0].ID)
	if err != nil {
		return err
	}
	citers := it.Citers(nil)
	if len(citers) < 2 || !slices.ContainsFunc(citers, func(by Citer) bool { return by.Number == c.Record }) {
		return fmt.Errorf("deciding for one record alone: URL %d is not cited by that one and by others", it.ID)
	}
	return fn(it)
}

// DecideAll makes the choice on all items that the filter selects now, as one batch.
func (d decisionDesk) DecideAll(ctx context.Context, c Choice, f Filter) (Receipt, error) {
	if err := d.finish(ctx); err != nil { // it raises revisions
		return Receipt{}, err
	}
	return d.decide(ctx, c, nil, func(fn func(Item) error) error { return d.store.Each(ctx, f, fn) })
}

// decide makes the choice on each item. revs holds the revisions that the reviewer saw.
func (d decisionDesk) decide(
	ctx context.Context, c Choice, revs map[int64]int64, each func(func(Item) error) error,
) (receipt Receipt, err error) {
	err = whileStale(func() error {
		r, err := d.rules(ctx)
		if err != nil {
			return err
		}
		change, again, err := d.deciding(r, c, revs, each)
		if err == nil {
			receipt, err = d.commitDecisions(ctx, change, again)
		}
		return err
	})
	return receipt, err
}

// deciding returns the change that makes the choice on each item, and a conflict for each that the reviewer has
// approved already.
func (d decisionDesk) deciding(
	r *rules, c Choice, revs map[int64]int64, each func(func(Item) error) error,
) (_ Decide, again []Conflict, err error) {
	c, err = r.validate(c)
	if err != nil {
		return Decide{}, nil, err
	}
	var list []ItemDecision
	var alone aloneSummary
	e := r.engine()
	err = each(func(it Item) error {
		seen, own := cmp.Or(revs[it.ID], it.Rev), c.Within(&it)
		decision, err := own.on(r, e, &it)
		if already := d.confirm(&it, &decision); already != nil && seen == it.Rev {
			again = append(again, Conflict{it, already})
			return nil
		}
		alone.add(&it, own.Record)
		list = append(list, ItemDecision{ID: it.ID, Rev: seen, Decision: decision})
		if seen != it.Rev {
			return nil // the store reports a conflict
		}
		return err
	})
	summary := r.policy.MaskText(c.summary(list) + alone.String())
	return Decide{Reviewer: d.reviewer, Action: c.Kind.action(), Summary: summary, Decisions: list,
		Computing: r.computing()}, again, err
}

// validate checks the choice without any item, and returns it in the form in which it is stored.
func (r *rules) validate(c Choice) (Choice, error) {
	if err := checkNote(c.Note); err != nil {
		return c, fmt.Errorf("deciding: %w", err)
	}
	c.Note = cleanText(c.Note)
	switch c.Kind {
	case Approve, Reject, Defer, Reopen:
		c.Canonical = ""
		return c, nil
	case Correct, CorrectAsTyped:
	default:
		return c, fmt.Errorf("deciding: no such kind of decision: %d", c.Kind)
	}
	correction := r.correction(c.Canonical, nil)
	var err error
	if c.Canonical, err = correction.url(c.Kind); err != nil {
		return c, fmt.Errorf("correcting to %q: %w", r.policy.MaskText(correction.Result.Original), err)
	}
	return c, nil
}

// on returns the decision that the choice makes on an item. To approve a corrected item is to correct it to its
// canonical URL; to correct an item to its canonical URL is to approve it. To approve an item that the approval of
// another one settles is to approve the form that is shown: its original. Approving a correction again keeps its From
// until a check of the new page. decisionDesk.confirm sets Confirms.
func (c Choice) on(r *rules, e *Engine, it *Item) (Decision, error) {
	d := Decision{Kind: c.Kind, Canonical: c.Canonical, From: it.Computed.Canonical, Note: c.Note, Record: c.Record}
	own := it.For(c.Record)
	correction := own.correction()
	switch {
	case c.Kind == Approve && correction != nil && correction.Record != 0:
		corrected, _ := correction.computeURL(e, it.Fields, withHosts(nil, r.hosts))
		d.Kind, d.Canonical = correction.Kind, corrected.Canonical
	case c.Kind == Approve && correction != nil:
		d.Kind, d.Canonical = correction.Kind, d.From
	case c.Kind == Approve && it.Decision != nil && it.Decision.CanonicalOf != nil:
		d.Canonical = it.Decision.Canonical
	case c.Kind == Approve, c.Kind.Corrects() && c.Canonical == d.From && correction == nil:
		d.Kind, d.Canonical = Approve, d.From
	}
	if d.Kind.Corrects() && d.Canonical == d.From && it.citesUnchecked() {
		d.From = it.Decision.From
	}
	if d.Kind.Approves() && d.Canonical == "" {
		return d, fmt.Errorf("URL %d has no canonical URL to approve (%s): correct it, or reject it", it.ID,
			it.Computed.Reason)
	}
	d.SecondLook = d.Kind.Approves() && r.needsSecondLook(e, &own, d.Canonical)
	return d, nil
}

// Within returns the choice as it is for an item. To approve one that was approved and waits again, because of its link
// or its result, is no answer to the decisions by which records reject, defer or correct it: these stay, and the
// approval is for the first record that waits.
func (c Choice) Within(it *Item) Choice {
	if c.Kind != Approve || c.Record != 0 || it.Status == Pending {
		return c
	}
	differs := func(r RecordDecision) bool { return r.Decision != nil && r.Decision.Kind != Approve }
	waits := func(r RecordDecision) bool { own := it.For(r.Record); return own.Open() }
	if i := slices.IndexFunc(it.ByRecord, waits); i >= 0 && slices.ContainsFunc(it.ByRecord, differs) {
		c.Record = it.ByRecord[i].Record
	}
	return c
}

// statusWith returns the status and the flags of the item with a new decision.
func (it *Item) statusWith(d *Decision) (Status, canon.CodeSet) {
	if d.Record == 0 {
		return ResolveStatus(it.Computed, it.Link, d)
	}
	by := slices.Clone(it.ByRecord)
	for i := range by {
		if by[i].Record == d.Record {
			by[i].Decision = d
		}
	}
	return ResolveStatus(it.Computed, it.Link, it.Decision, by...)
}

// aloneSummary is the part of a summary about decisions for one record alone.
type aloneSummary struct {
	alone    int    // decisions for one record alone
	name     string // of the last of these records
	replaced int    // the decisions for others that the one for all replaces
}

func (s *aloneSummary) add(it *Item, record int64) {
	if s.alone += count(record != 0); record == 0 {
		for _, r := range it.ByRecord {
			s.replaced += count(r.Decision != nil)
		}
	}
	for _, by := range it.Citers(nil) {
		if by.Number == record {
			s.name = by.Name
		}
	}
}

func (s *aloneSummary) String() string {
	switch {
	case s.alone == 1 && s.name != "":
		return fmt.Sprintf(" for %s alone", s.name)
	case s.alone > 0:
		return fmt.Sprintf(", %d for one record alone", s.alone)
	case s.replaced == 1:
		return ", in the place of 1 decision for one record"
	case s.replaced > 1:
		return fmt.Sprintf(", in the place of %d decisions for one record", s.replaced)
	}
	return ""
}

func (c Choice) summary(list []ItemDecision) string {
	if len(list) != 1 {
		return fmt.Sprintf("%s %d URLs", c.Kind, len(list))
	}
	one := list[0]
	switch c.Kind {
	case Correct:
		return fmt.Sprintf("correct URL %d to %s", one.ID, one.Decision.Canonical)
	case CorrectAsTyped:
		return fmt.Sprintf("correct URL %d to %s, as typed", one.ID, one.Decision.Canonical)
	}
	return strings.TrimSpace(fmt.Sprintf("%s URL %d %s", c.Kind, one.ID,
		cmp.Or(one.Decision.Canonical, one.Decision.From)))
}

// eachOf calls fn for each of the items. A missing item is ErrNotFound.
func (d decisionDesk) eachOf(ctx context.Context, ids []int64, fn func(Item) error) error {
	for part := range slices.Chunk(ids, readChunk) {
		missing := make(map[int64]bool, len(part))
		for _, id := range part {
			missing[id] = true
		}
		err := d.store.Each(ctx, Filter{IDs: part, Presence: AnyPresence}, func(it Item) error {
			delete(missing, it.ID)
			return fn(it)
		})
		if err != nil {
			return err
		}
		for _, id := range part {
			if missing[id] {
				return fmt.Errorf("URL %d: %w", id, ErrNotFound)
			}
		}
	}
	return nil
}

// Note adds a note to the items, as one batch.
func (d decisionDesk) Note(ctx context.Context, text string, ids ...int64) (Receipt, error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	return d.note(ctx, text, func(fn func(Item) error) error { return d.eachOf(ctx, ids, fn) })
}

func (d decisionDesk) note(ctx context.Context, text string, each func(func(Item) error) error) (Receipt, error) {
	if err := checkNote(text); err != nil {
		return Receipt{}, fmt.Errorf("noting: %w", err)
	}
	text = cleanText(text)
	if text == "" {
		return Receipt{}, errors.New("noting: the note is empty")
	}
	var notes []ItemNote
	err := each(func(it Item) error {
		notes = append(notes, ItemNote{ID: it.ID, Text: text})
		return nil
	})
	if err != nil || len(notes) == 0 {
		return Receipt{}, err
	}
	summary := fmt.Sprintf("note on %d URLs", len(notes))
	if len(notes) == 1 {
		summary = fmt.Sprintf("note on URL %d", notes[0].ID)
	}
	return d.store.Commit(ctx, AddNotes{Reviewer: d.reviewer, Summary: summary, Notes: notes})
}

// NoteAll adds a note to all items that the filter selects now, as one batch.
func (d decisionDesk) NoteAll(ctx context.Context, text string, f Filter) (Receipt, error) {
	return d.note(ctx, text, func(fn func(Item) error) error { return d.store.Each(ctx, f, fn) })
}

// DecisionEffect computes the effect of a choice on all items that any of the filters selects, and returns these
// items with their current revisions. It calls progress, if not nil, from time to time. It writes nothing.
func (d decisionDesk) DecisionEffect(
	ctx context.Context, c Choice, progress func(Effect), filters ...Filter,
) (*Effect, []Target, error) {
	r, err := d.rules(ctx)
	if err != nil {
		return nil, nil, err
	}
	if c, err = r.validate(c); err != nil {
		return nil, nil, err
	}
	e := newEffect()
	for _, f := range filters {
		n, err := d.store.Count(ctx, f)
		if err != nil {
			return nil, nil, err
		}
		e.Total += n
	}
	var targets []Target
	engine := r.engine()
	seen := map[int64]bool{} // with an earlier filter
	for _, f := range filters {
		for _, t := range targets {
			seen[t.ID] = true
		}
		err := d.store.Each(ctx, f, func(it Item) error {
			if seen[it.ID] {
				return nil
			}
			decision, err := c.Within(&it).on(r, engine, &it)
			if err != nil {
				return err
			}
			if d.confirm(&it, &decision) != nil {
				e.Again++
				return nil
			}
			targets = append(targets, Target{ID: it.ID, Rev: it.Rev})
			e.addDecision(&it, &decision)
			if progress != nil && e.Scanned%showEvery == 0 {
				progress(e.snapshot())
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, nil, err
		}
	}
	e.Total = e.Scanned
	return &e, targets, nil
}

// showEvery is the number of items between two calls of progress.
const showEvery = 1000

// addDecision counts the decision on an item.
func (e *Effect) addDecision(it *Item, decision *Decision) {
	s := Sample{ID: it.ID, Before: it.Original, StatusBefore: it.Status, FlagsBefore: it.Computed.Flags}
	written := *decision
	written.Batch = NewBatch
	s.StatusAfter, s.FlagsAfter = it.statusWith(&written)
	e.Scanned++
	e.Decided++
	e.Affected++
	e.Settled += count(it.Open() && !open(s.StatusAfter, s.FlagsAfter))
	e.Waiting += count(decision.Waits())
	e.Approved += count(it.Status == Approved && (s.StatusAfter != Approved || decision.Canonical != it.Canonical()))
	if decision.Kind != Reject {
		s.After = decision.Canonical
	}
	if len(e.Samples) < maxSamples {
		e.Samples = append(e.Samples, s)
	}
}
