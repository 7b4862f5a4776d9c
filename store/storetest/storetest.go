// Package storetest is the conformance suite of review.Store: it tests each promise of the interface.
//
// A new store passes Run, which asks for nothing but the interface. The tests of a noun are in the file of that name.
// Corpus and Generated are data for benchmarks.
package storetest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"visto/canon"
	"visto/canon/suite"
	"visto/review"
)

// Run runs the suite. open returns a new, empty store for each test, and has the test close it at its end
// (T.Cleanup). Several tests call it at once. The clock of the store must not go back; it should advance between two
// batches.
func Run(t *testing.T, open func(t *testing.T) review.Store) {
	for _, c := range tests() {
		t.Run(c.name, func(t *testing.T) { c.run(t, open) })
	}
}

// RunVariant runs the suite on stores that work in another way than those that pass Run: unless all tests run, only the
// tests with these names, which need what is different.
func RunVariant(t *testing.T, open func(t *testing.T) review.Store, names ...string) {
	list := tests()
	for _, name := range names {
		if !slices.ContainsFunc(list, func(c test) bool { return c.name == name }) {
			t.Errorf("the suite has no test %q", name)
		}
	}
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			if !slices.Contains(names, c.name) {
				suite.Repeats(t, "TestConformance runs it on the store as it is")
			}
			c.run(t, open)
		})
	}
}

// test is a test of the suite.
type test struct {
	name string
	test func(*fixture)
}

func (c test) run(t *testing.T, open func(t *testing.T) review.Store) {
	if c.name != measured {
		t.Parallel()
	}
	c.test(newFixture(t, open))
}

// measured is the test that counts what the process allocates: no other one runs beside it.
const measured = "log of large entries"

func tests() []test {
	return []test{
		{"new store", testNew},
		{"add", testAdd},
		{"bytes", testBytes},
		{"find", testFind},
		{"pages", testPages},
		{"page of nothing", testEmptyPage},
		{"filters", testFilters},
		{"each", testEach},
		{"facet", testFacet}, {"views", testViews},
		{"assign", testAssign}, {"assigned", testAssigned},
		{"groups", testGroups},
		{"totals", testTotals},
		{"decide", testDecide},
		{"conflicts", testConflicts},
		{"refused decisions", testRefused},
		{"notes", testNotes},
		{"history", testHistory},
		{"decision counts", testDecisionCounts}, {"work", testWork},
		{"undo and redo", testUndo},
		{"settled", testSettled},
		{"settled under rules", testSettledUnderRules},
		{"settled at random", testSettledAtRandom},
		{"for one record", testAlone},
		{"for one record, and added again", testAloneAndAgain},
		{"conflicts for one record", testAloneConflicts},
		{"settled for one record", testAloneSettles},
		{"for one record at random", testAloneAtRandom},
		{"second look", testSecondLook}, {"second look repeated", testSecondLookRepeated},
		{"waiting for others", testWaitingForOthers},
		{"second look settles", testSecondLookSettles},
		{"second look under rules", testSecondLookUnderRules}, {"proposals", testProposals},
		{"judgements", testRejudged},
		{"corrections", testCorrections},
		{"corrections in the log", testCorrectionsInLog},
		{"corrections under rules", testCorrectionsUnderRules},
		{"corrections computed with records", testCorrectionsWithRecords},
		{"undo under a later decision", testUndoUnder},
		{"last batch", testLastBatch},
		{"refused undo", testRefusedUndo},
		{"overrides", testOverrides},
		{"overrides for fields", testFieldRules},
		{"fields followed", testFieldsFollowed},
		{"undo of an override", testUndoOverride},
		{"rule history", testRuleHistory},
		{"author of a restored rule", testUndoAuthor},
		{"stale rules", testStale},
		{"late items", testLate},
		{"policy", testPolicy},
		{"recomputed", testRecomputed},
		{"all or nothing", testAllOrNothing},
		{"evidence", testEvidence},
		{"host evidence", testHostEvidence},
		{"due", testDue},
		{"refresh", testRefresh},
		{"generations", testGenerations},
		{"add while probing", testAddWhileProbing},
		{"add among own evidence", testAddAmongOwnEvidence},
		{"hosts after a generation", testHostsAfter},
		{"newest host evidence", testNewestHostEvidence},
		{"late evidence", testLateEvidence},
		{"evidence under rules", testEvidenceUnderRules},
		{"pending hosts", testPendingHosts},
		{"contents", testContents},
		{"links", testLinks}, {"reports on links", testReports}, {"links stand", testLinksStand},
		{"link of a gone record", testLinkOfAGoneRecord},
		{"links of many", testLinksOfMany},
		{"a link changes meanwhile", testLinkBasis},
		{"accepted content", testContentAccepted},
		{"contents stay", testContentsStay},
		{"postpone", testPostpone},
		{"probe cache", testProbeCache},
		{"lease", testLease},
		{"log", testLog},
		{"log of adding", testLogOfAdding},
		{measured, testLargeLog},
		{"occurrences", testOccurrences},
		{"gone", testGone},
		{"places", testPlaces},
		{"forget", testForget},
		{"records", testRecords},
		{"attributes", testAttributes},
		{"search in records", testSearchRecords}, {"search in gone records", testSearchGoneRecords},
		{"search folds", testSearchFolds}, {"search random texts", testSearchRandom},
		{"mined", testMined}, {"dismissals", testDismissals},
		{"version", testVersion},
		{"cancelled", testCancelled},
	}
}

func newFixture(t *testing.T, open func(t *testing.T) review.Store) *fixture {
	return &fixture{T: t, Store: open(t), ctx: t.Context()}
}

// fixture is a store under test. Its own methods fail the test if the store fails.
type fixture struct {
	*testing.T
	review.Store
	ctx context.Context
}

func (f *fixture) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) wantErr(err, want error) {
	f.Helper()
	if !errors.Is(err, want) {
		f.Fatalf("error %v, want %v", err, want)
	}
}

// equal fails the test if the store's result is not the wanted one.
func equal[T any](f *fixture, name string, got, want T) {
	f.Helper()
	if !reflect.DeepEqual(got, want) {
		f.Fatalf("%s:\ngot  %+v\nwant %+v", name, got, want)
	}
}

// flagged returns a new item with the canonical URL and the flags; without flags it is accepted.
func flagged(url string, flags ...canon.Code) review.NewItem {
	host, _ := review.SplitCanonical(url)
	n := review.NewItem{Original: url + "?utm_source=x", Source: review.Source{File: "in.txt", Position: "1"}}
	n.Computed = review.Computed{Canonical: url, Key: keyOf(url), Flags: canon.SetOf(flags...), InHost: host,
		Host:     host,
		LinkType: canon.Informative, Language: "es"}
	if len(flags) > 0 {
		n.Computed.Verdict = canon.Flagged
	}
	return n
}

// bare returns an item without its occurrences.
func bare(it review.Item) review.Item {
	it.Occurrences = nil
	return it
}

func keyOf(url string) review.Key {
	sum := sha256.Sum256([]byte(url))
	return review.Key(sum[:16])
}

// add adds items, which must be new, and returns their IDs.
func (f *fixture) add(list ...review.NewItem) []int64 {
	f.Helper()
	m, err := f.Meta(f.ctx)
	f.must(err)
	out, err := f.Add(f.ctx, &review.Intake{Computing: review.Computing{Gen: m.Gen}}, list)
	f.must(err)
	ids := make([]int64, len(out))
	for i, o := range out {
		if o.Known {
			f.Fatalf("item %d is known", i)
		}
		ids[i] = o.ID
	}
	return ids
}

// addMany adds n flagged items on one host.
func (f *fixture) addMany(n int) []int64 {
	list := make([]review.NewItem, n)
	for i := range list {
		list[i] = flagged(fmt.Sprintf("https://sede.example.es/t/%03d", i), canon.HomePage)
	}
	return f.add(list...)
}

func (f *fixture) item(id int64) review.Item {
	f.Helper()
	it, err := f.Item(f.ctx, id)
	f.must(err)
	return it
}

func (f *fixture) commit(c review.Change) review.Receipt {
	f.Helper()
	r, err := f.Commit(f.ctx, byAna(c))
	f.must(err)
	return r
}

// byAna returns a change by ana and with the same results, unless it says otherwise.
func byAna(c review.Change) review.Change {
	own := reflect.New(reflect.TypeOf(c)).Elem()
	own.Set(reflect.ValueOf(c))
	if by := own.FieldByName("Reviewer"); by.IsZero() {
		by.SetString("ana")
	}
	if compute := own.FieldByName("Compute"); compute.IsValid() && compute.IsNil() {
		compute.Set(reflect.ValueOf(sameResult))
	}
	return own.Interface().(review.Change)
}

// results returns results that were computed on the current store.
func (f *fixture) results(list ...review.Recomputed) review.Results {
	f.Helper()
	m := f.meta()
	return review.Results{Recomputed: list, Gen: m.Gen, LastID: m.LastID, Seq: m.LastSeq}
}

// computing returns a function with the current rules.
func (f *fixture) computing(compute func(review.Item, *canon.Evidence) review.Computed) review.Computing {
	f.Helper()
	return review.Computing{Compute: compute, Gen: f.meta().Gen}
}

// sameResult is a review.Computing.Compute of which the result stays.
func sameResult(it review.Item, _ *canon.Evidence) review.Computed { return it.Computed }

// sound fails the test if Check finds a problem.
func (f *fixture) sound() {
	f.Helper()
	problems, err := f.Check(f.ctx)
	f.must(err)
	for _, p := range problems {
		f.Errorf("check: %s: %s", p.What, p.Text)
	}
}

func (f *fixture) meta() review.Meta {
	f.Helper()
	m, err := f.Meta(f.ctx)
	f.must(err)
	return m
}

func (f *fixture) count(filter review.Filter) int {
	f.Helper()
	n, err := f.Count(f.ctx, filter)
	f.must(err)
	return n
}

// approve returns the decision to approve the item as it is.
func (f *fixture) approve(id int64) review.ItemDecision {
	f.Helper()
	it := f.item(id)
	return review.ItemDecision{ID: id, Rev: it.Rev, Decision: review.Decision{
		Kind: review.Approve, Canonical: it.Computed.Canonical, From: it.Computed.Canonical}}
}

// decide writes one decision on the items and returns the batch.
func (f *fixture) decide(reviewer string, kind review.Kind, ids ...int64) int64 {
	f.Helper()
	c := review.Decide{Reviewer: reviewer, Action: review.Action(kind.String()), Summary: kind.String()}
	for _, id := range ids {
		d := f.approve(id)
		if d.Decision.Kind = kind; !kind.Corrects() && kind != review.Approve {
			d.Decision.Canonical = ""
		}
		c.Decisions = append(c.Decisions, d)
	}
	return f.commit(c).Batch
}
