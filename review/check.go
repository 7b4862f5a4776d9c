package review

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"visto/canon"
)

// maxProblems is the largest number of differences that Check lists. It counts the others.
const maxProblems = 1000

// Check verifies the file, the chain of the log, and that the log gives the stored state. It leaves out the results of
// the URLs that PendingItems counts.
func (d *Desk) Check(ctx context.Context) ([]Problem, error) {
	problems, err := d.store.Check(ctx)
	if err != nil {
		return nil, err
	}
	replayed, err := (&checker{desk: d}).checkState(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil { // an unreadable state is a problem, not a failure of Check
		replayed = []Problem{{"state", fmt.Sprintf("replaying the log: %v", err)}}
	}
	return append(problems, replayed...), nil
}

// checkState compares the state, and again if others wrote meanwhile: their writes make URLs differ, but other ones in
// each try. A difference that every try has is damage.
func (c *checker) checkState(ctx context.Context) (problems []Problem, err error) {
	for try := 1; ; try++ {
		before, err := c.desk.store.Version(ctx)
		if err != nil {
			return nil, err
		}
		found, err := c.compareState(ctx)
		if err != nil {
			return nil, err
		}
		if try > 1 {
			found = slices.DeleteFunc(found, func(p Problem) bool { return !slices.Contains(problems, p) })
		}
		if problems = found; len(problems) == 0 || try == maxTries {
			return problems, nil
		}
		if after, err := c.desk.store.Version(ctx); err != nil || after == before {
			return problems, err
		}
	}
}

func (c *checker) compareState(ctx context.Context) ([]Problem, error) {
	*c = checker{desk: c.desk, state: newState(), pending: hostSet{}}
	for _, step := range []func(context.Context) error{c.findPending, c.replay, c.rules, c.checkItems, c.checkAlone,
		c.checkEvidence, c.checkRecords, c.checkOccurrences} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	c.missing()
	return c.list(), nil
}

// checkItems compares the items with the log entries that added them, with the decisions, and with their results.
func (c *checker) checkItems(ctx context.Context) error {
	r, err := c.desk.rules(ctx)
	if err != nil {
		return err
	}
	input := inputCheck{&c.state, c.report, covered{rows: c.added, differ: func(a AddedRows) {
		c.report("given", "URLs %d to %d are not those that were added: an original, a place, a title or evidence "+
			"was changed, or a URL is missing", a.First, a.Last)
	}}}
	worker := func() worker[checkedItem] { return c.state.worker(r.worker()) }
	err = stream(ctx, c.desk.store.EachWithEvidence, everything, worker, func(it *Item, v checkedItem) error {
		input.item(it, v.digest)
		return c.item(it, v.computed)
	})
	input.end()
	return err
}

// state is the stored state according to the log.
type state struct {
	undone    map[int64]bool
	decisions map[int64]Decision           // by item, the one in effect
	alone     map[int64]map[int64]Decision // by item and record, those in effect
	notes     map[int64]int                // by item
	overrides map[canon.Match]*canon.Override
	evidence  map[int64][sha256.Size]byte // hash of evidenceContent, by item; not of evidence from intake
	policy    string                      // digest
	added     []AddedRows
	records   recordState
	replaced  map[int64]ReplacedInput // by item, as it was read
	titles    map[int64]string        // by item, of the newest evidence with a title
	looks     map[look]Decision       // those that take two persons
}

func newState() state {
	return state{
		undone: map[int64]bool{}, decisions: map[int64]Decision{}, notes: map[int64]int{},
		alone:     map[int64]map[int64]Decision{},
		overrides: map[canon.Match]*canon.Override{}, evidence: map[int64][sha256.Size]byte{},
		replaced: map[int64]ReplacedInput{}, titles: map[int64]string{}, records: newRecordState(),
		looks: map[look]Decision{},
	}
}

func (s *state) undo(_ *Entry, b *EntryBody) {
	if b.Undo != 0 {
		s.undone[b.Undo] = true
	}
	delete(s.undone, b.Redo)
}

func (s *state) apply(e *Entry, b *EntryBody) {
	for _, o := range b.Overrides {
		delete(s.overrides, matchOf(o))
		if o.After != nil {
			s.overrides[o.After.Match] = o.After
		}
	}
	if b.Policy != nil {
		s.policy = b.Policy.Digest
	}
	s.applyInput(e, b)
	for _, l := range b.Evidence {
		s.evidence[l.ID] = sha256.Sum256(evidenceContent(l.Evidence))
	}
	if s.undone[e.Batch] {
		return
	}
	for _, l := range b.Decisions {
		d := l.Decision()
		d.Reviewer, d.At, d.Batch = e.Reviewer, e.At, e.Batch
		if s.undone[d.Confirms] {
			d.Confirms = 0
		}
		if s.decide(l.Item, d); d.SecondLook {
			s.looks[look{l.Item, e.Batch}] = d
		}
	}
	for _, n := range b.Notes {
		s.notes[n.ID]++
	}
}

// decide notes the next decision in effect. One for all replaces those for one record alone.
func (s *state) decide(item int64, d Decision) {
	switch {
	case d.Record == 0:
		s.decisions[item] = d
		delete(s.alone, item)
	case s.alone[item] == nil:
		s.alone[item] = map[int64]Decision{d.Record: d}
	default:
		s.alone[item][d.Record] = d
	}
}

// comparison collects the differences between two states of a store.
type comparison struct {
	problems []Problem
	more     int
}

func (c *comparison) differ(format string, args ...any) { c.report("state", format, args...) }

func (c *comparison) report(part, format string, args ...any) {
	if len(c.problems) >= maxProblems {
		c.more++
		return
	}
	c.problems = append(c.problems, Problem{part, fmt.Sprintf(format, args...)})
}

// list returns the problems, with a last one that counts those beyond maxProblems.
func (c *comparison) list() []Problem {
	if c.more > 0 {
		c.problems = append(c.problems, Problem{"state", fmt.Sprintf("and %d more differences", c.more)})
	}
	return c.problems
}

// checker compares the stored state with that of the log.
type checker struct {
	desk *Desk
	state
	comparison
	stored   IDSet                 // the items that were compared
	placed   PlaceSum              // of the stored records and occurrences
	approved map[string][]approval // by canonical URL; nil: not known yet
	pending  hostSet               // the results of their URLs are not compared

	unfinished IDSet // the items that do not follow a change of very many yet, which are not compared
}

// approval is a decision that approves a URL, and its item.
type approval struct {
	item int64
	Decision
}

// replay reads the log twice, because a later undo decides whether a decision is in effect.
func (c *checker) replay(ctx context.Context) error {
	for _, apply := range []func(*Entry, *EntryBody){c.undo, c.apply} {
		err := c.desk.store.EachEntry(ctx, func(e Entry) error {
			body, err := e.Read()
			if err == nil {
				apply(&e, &body)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) rules(ctx context.Context) error {
	meta, err := c.desk.store.Meta(ctx)
	if err != nil {
		return err
	}
	if meta.PolicyDigest != c.policy {
		c.differ("the policy is %s (%.12s), and by the log %.12s", meta.PolicyID, meta.PolicyDigest, c.policy)
	}
	logged := maps.Clone(c.overrides)
	err = c.desk.store.EachOverride(ctx, func(o StoredOverride, _ string) error {
		if !sameRule(&o.Override, logged[o.Override.Match]) {
			c.differ("the override for %s is not the one that the log has", o.Override.Match)
		}
		delete(logged, o.Override.Match)
		return nil
	})
	if err != nil {
		return err
	}
	for match := range logged {
		c.differ("the override for %s is in the log alone", match)
	}
	return nil
}

// item compares a stored item with the log and with its result under the rules.
func (c *checker) item(it *Item, computed Computed) error {
	c.compareItem(it, computed)
	if it.Notes != c.notes[it.ID] {
		c.differ("URL %d has %d notes, and by the log %d", it.ID, it.Notes, c.notes[it.ID])
	}
	c.stored.Add(it.ID)
	delete(c.notes, it.ID)
	return nil
}

// compareItem compares the result, the decision and the status of an item, unless it is unfinished.
func (c *checker) compareItem(it *Item, computed Computed) {
	if it.Unfinished || c.unfinished.Has(it.ID) {
		return
	}
	stored := it.Computed
	if c.pending.concern(&stored) && recomputed(it, computed, "") != nil {
		computed = stored
	}
	if !stored.sameResult(computed) {
		c.differ("URL %d is stored as %s, and the rules give %s: visto recanon shows the changes", it.ID,
			describeComputed(&stored), describeComputed(&computed))
	}
	decision, decided := c.decisions[it.ID]
	if !decided {
		decision, decided = c.settling(it)
	}
	if !sameDecision(it.Decision, decision, decided) && !c.settledBy(it.Decision) && !c.settledBy(&decision) {
		c.differ("URL %d has not the decision that the log has", it.ID)
	}
	if len(it.ByRecord) > 0 && len(c.alone[it.ID]) == 0 {
		c.differ("URL %d has a decision for one record, and by the log it has none", it.ID)
	}
	outdated := canon.SetOf(canon.ChangedSinceApproval)
	stored.Flags = stored.Flags&^outdated | computed.Flags&outdated
	status, flags := ResolveStatus(stored, it.Link, it.Decision, it.ByRecord...)
	if status != it.Status || flags != it.Computed.Flags {
		c.differ("URL %d is %s, and by its decision %s", it.ID, it.Status, status)
	}
	if decided && !c.confirmed(it.ID, &decision) {
		c.differ("URL %d was not approved by two persons", it.ID)
	}
}

// settledBy reports whether a decision is the approval of an unfinished item, which settles another one.
func (c *checker) settledBy(d *Decision) bool {
	return d != nil && d.CanonicalOf != nil && c.unfinished.Has(d.CanonicalOf.ID)
}

// settling returns the approval that settles an item without a decision of its own, as the item has it, false if there
// is none.
func (c *checker) settling(it *Item) (Decision, bool) {
	if c.approved == nil {
		c.approved = map[string][]approval{}
		for id, d := range c.decisions {
			c.approve(approval{id, d})
		}
		for id, list := range c.alone {
			for _, d := range list {
				c.approve(approval{id, d})
			}
		}
	}
	var a approval
	for _, other := range c.approved[it.Original] {
		if other.item != it.ID && (a.item == 0 || other.newerThan(a.Decision, other.item > a.item)) {
			a = other
		}
	}
	if a.item == 0 {
		return Decision{}, false
	}
	of := Reference{ID: a.item}
	if it.Decision != nil && it.Decision.CanonicalOf != nil {
		of.Original = it.Decision.CanonicalOf.Original
	}
	return a.settles(of), true
}

// approve notes a decision if it approves a URL.
func (c *checker) approve(a approval) {
	if a.Approves() {
		c.approved[a.Canonical] = append(c.approved[a.Canonical], a)
	}
}

// checkAlone compares the decisions for one record alone with the log.
func (c *checker) checkAlone(ctx context.Context) error {
	for _, id := range slices.Sorted(maps.Keys(c.alone)) {
		it, err := c.desk.store.Item(ctx, id)
		if err != nil {
			return err
		}
		if it.Unfinished {
			continue
		}
		var citers []Citer
		if it.Presence != Gone {
			citers = it.Citers(nil)
		}
		n := 0
		for _, by := range citers {
			i := slices.IndexFunc(it.ByRecord, func(r RecordDecision) bool { return r.Record == by.Number })
			logged, decided := c.alone[id][by.Number]
			n += count(decided)
			if i < 0 && decided || i >= 0 && !sameDecision(it.ByRecord[i].Decision, logged, decided) {
				c.differ("URL %d has not the decision for %s that the log has", id, by.Name)
			}
			if decided && !c.confirmed(id, &logged) {
				c.differ("URL %d was not approved by two persons", id)
			}
		}
		if n == 0 && it.ByRecord != nil {
			c.differ("URL %d has a decision for a record that does not cite it", id)
		}
	}
	return nil
}

// newerThan reports whether a decision is of a later batch than another one, or else the tie.
func (d *Decision) newerThan(other Decision, tie bool) bool {
	return d.Batch > other.Batch || d.Batch == other.Batch && tie
}

func describeComputed(c *Computed) string {
	if c.Verdict == canon.Rejected {
		return "rejected (" + c.Reason.String() + ")"
	}
	return fmt.Sprintf("%s, %s %v", c.Canonical, c.Verdict, c.Flags.Codes())
}

func sameDecision(stored *Decision, logged Decision, decided bool) bool {
	if stored == nil || !decided {
		return stored == nil && !decided
	}
	s := *stored
	same := s.At.UnixMilli() == logged.At.UnixMilli()
	s.At = logged.At
	if s.CanonicalOf != nil && logged.CanonicalOf != nil && *s.CanonicalOf == *logged.CanonicalOf {
		s.CanonicalOf = logged.CanonicalOf
	}
	return same && s == logged
}

// checkEvidence compares the content of stored evidence with the log.
func (c *checker) checkEvidence(ctx context.Context) error {
	if len(c.evidence) == 0 {
		return nil
	}
	return c.desk.store.EachWithEvidence(ctx, everything, func(it Item, ev *canon.Evidence) error {
		if logged, ok := c.evidence[it.ID]; ok && logged != sha256.Sum256(evidenceContent(ev)) {
			c.differ("URL %d has not the evidence that the log has", it.ID)
		}
		return nil
	})
}

// missing reports the items that are still in the state of the log.
func (c *checker) missing() {
	for _, id := range slices.Sorted(maps.Keys(c.decisions)) {
		if c.stored.Has(id) {
			continue
		}
		c.differ("URL %d was decided by batch %d, and is not stored", id, c.decisions[id].Batch)
	}
	for _, id := range slices.Sorted(maps.Keys(c.notes)) {
		c.differ("URL %d has notes, and is not stored", id)
	}
}
