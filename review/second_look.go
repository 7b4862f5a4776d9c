package review

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"visto/canon"
)

// A policy may want the approvals of two persons for a URL with some flags (canon.Policy.SecondLook). The first one
// Waits and settles nothing. A second one of the same URL by another person Confirms its batch, and counts as long as
// that batch is not undone; then it waits itself. An approval of another URL is a first one again. One of the URL that
// two have approved leaves it approved: it Confirms the one in force, or if that is by the same person, the batch that
// this one Confirms. A correction is an approval of its URL. A rejection settles alone. A URL that two have approved as
// the canonical one of another item is approved: nobody approves it again, unless it waits for a new reason.
//
// Each decision says for itself that it takes two persons, as the rules were when it was made: a later policy leaves
// it as it is, and the log alone tells its status.
//
// So do overrides that accept such a flag: the first person proposes them in a batch that changes nothing, and the
// second writes the same ones. The proposal can be undone once the batch that Confirms it is. Under a later policy that
// asks for one person, whoever writes the same ones Confirms it.

// Waits reports whether the decision is an approval that waits for that of a second person.
func (d *Decision) Waits() bool { return d.SecondLook && d.Confirms == 0 }

// Approves reports whether the decision names a URL to cite. An approval that Waits does not.
func (d *Decision) Approves() bool { return d.Kind.Approves() && !d.Waits() }

// FirstLook returns the approval of the item's URL that waits for a second person, nil if there is none.
func (it *Item) FirstLook() *Decision {
	for _, r := range append([]RecordDecision{{Decision: it.Decision}}, it.ByRecord...) {
		if d := r.Decision; d != nil && d.Waits() && it.Open() && !d.outdatedIn(it.Computed) {
			return d
		}
	}
	return nil
}

// confirm sets Confirms of an approval that takes two persons, if one of the same URL is in force. It returns that one
// if there is nothing to approve: it waits and is by the reviewer, where another person has to confirm it, or two
// persons made it for another item, and it settles this one.
func (d decisionDesk) confirm(it *Item, decision *Decision) (already *Decision) {
	cited := it.For(decision.Record)
	own := cited.Decision
	switch {
	case !decision.SecondLook, own == nil, !own.SecondLook, own.Canonical != decision.Canonical:
	case own.CanonicalOf != nil:
		if !cited.Open() {
			return own
		}
	case !strings.EqualFold(own.Reviewer, d.reviewer):
		decision.Confirms = own.Batch
	case own.Waits():
		return own
	default:
		decision.Confirms = own.Confirms
	}
	return nil
}

// commitDecisions writes the decisions of a change, if there are any, and adds the conflicts that are known already.
func (d decisionDesk) commitDecisions(ctx context.Context, c Decide, again []Conflict) (r Receipt, err error) {
	if len(c.Decisions) > 0 {
		r, err = d.store.Commit(ctx, c)
	}
	refused := map[int64]bool{}
	for _, one := range r.Conflicts {
		refused[one.Item.ID] = true
	}
	for i := range c.Decisions {
		r.Waiting += count(c.Decisions[i].Decision.Waits() && !refused[c.Decisions[i].ID])
	}
	r.Conflicts = append(r.Conflicts, again...)
	return r, err
}

// needsSecondLook reports whether the approval of a URL for an item takes two persons: the policy asks for that because
// of a flag of the item, of its original or of the URL. A correction that needs it takes the flags of the original away
// until it is lifted.
func (r *rules) needsSecondLook(e *Engine, it *Item, url string) bool {
	codes := r.policy.SecondLook()
	if codes == 0 {
		return false
	}
	flags, known := it.Computed.Flags, withHosts(nil, r.hosts)
	if correction := it.correction(); correction != nil {
		if correction.SecondLook {
			return true
		}
		original := e.bare.Canonicalize(it.Original, known)
		flags |= original.Codes()
	}
	approved := e.bare.Canonicalize(url, known)
	return (flags|approved.Codes())&codes != 0
}

// look names an approval that takes two persons, by its item and its batch.
type look struct{ item, batch int64 }

// confirmed reports whether the approval that a decision confirms, if any, is of the same URL and by another person.
func (s *state) confirmed(item int64, d *Decision) bool {
	if d.Confirms == 0 || d.CanonicalOf != nil {
		return true
	}
	first, ok := s.looks[look{item, d.Confirms}]
	return ok && first.Canonical == d.Canonical && !strings.EqualFold(first.Reviewer, d.Reviewer)
}

// acceptForTwo reports whether one of the changes accepts a flag for which an approval takes two persons.
func (r *rules) acceptForTwo(changes []OverrideChange) bool {
	for _, c := range changes {
		if c.After == nil {
			continue
		}
		added := c.After.Accept
		if c.Before != nil {
			added = without(added, c.Before.Accept)
		}
		for _, name := range added {
			if code, ok := canon.ParseCode(name); ok && r.policy.SecondLook().Has(code) {
				return true
			}
		}
	}
	return false
}

// proposed returns the batch in which another person proposed the changes, 0 if nobody did. That the reviewer did is an
// error if they take two persons, and else does as well. Notes may differ.
func (d ruleDesk) proposed(ctx context.Context, changes []OverrideChange, forTwo bool) (int64, error) {
	list, err := d.store.Proposals(ctx)
	if err != nil {
		return 0, err
	}
	var own error
	for _, b := range list {
		switch {
		case !slices.EqualFunc(b.Rules, changes, sameProposal):
		case !forTwo, !strings.EqualFold(b.Reviewer, d.reviewer):
			return b.ID, nil
		default:
			own = fmt.Errorf("%s proposed it at %s already, in batch %d: another person has to save it too", b.Reviewer,
				b.At.UTC().Format("2006-01-02 15:04 UTC"), b.ID)
		}
	}
	return 0, own
}

func sameProposal(a, b OverrideChange) bool {
	plain := func(o *canon.Override) *canon.Override {
		if o == nil {
			return nil
		}
		bare := *o
		bare.Note = ""
		return &bare
	}
	return sameRule(plain(a.Before), plain(b.Before)) && sameRule(plain(a.After), plain(b.After))
}

// propose writes changes of overrides as proposed, and returns their effect.
func (d ruleDesk) propose(ctx context.Context, changes []OverrideChange, summary string) (Receipt, *Effect, error) {
	effect, err := d.effectOf(ctx, planOverrides(changes), nil)
	if err != nil {
		return Receipt{}, nil, err
	}
	receipt, err := d.store.Commit(ctx, ProposeRules{Reviewer: d.reviewer, Summary: "propose: " + summary,
		Overrides: changes})
	receipt.Waiting = len(changes)
	return receipt, effect, err
}
