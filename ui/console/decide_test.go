package console

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"visto/canon"
	"visto/review"
)

func TestApproveGoesToTheNext(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 80, 24, "a").at(2).shows("approved: URL 1", "reviewed 1 of 10")
	status(t, desk, 1, review.Approved)
	s.keys("G", "a").at(2) // from the end on to the first again
	status(t, desk, 12, review.Approved)
}

func TestNextPendingAmongAll(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 80, 24, "f", "space", "enter") // waiting off: all
	s.shows("▽ all").keys("g", "G", "k", "k")               // 12, 11 (rejected by the machine), 10 (accepted)
	s.at(10).keys("g", "a", "k", "a").at(2)                 // a second approval moves on too
	status(t, desk, 1, review.Approved)
}

func TestRejectNeedsAReason(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 80, 24, "r", "enter").shows("a rejection needs a reason")
	status(t, desk, 1, review.Pending)
	s.keys("type:gone for good", "enter").at(2).shows("rejected: URL 1")
	it := item(t, desk, 1)
	if it.Status != review.Rejected || it.Decision.Note != "gone for good" {
		t.Errorf("stored: %+v", it.Decision)
	}
}

func TestUsualReasonByOneKey(t *testing.T) {
	desk := newDesk(t)
	openScreen(t, desk, 80, 24, "r").shows("1  not a public body").keys("1").at(2)
	if it := item(t, desk, 1); it.Status != review.Rejected || it.Decision.Note != "not a public body" {
		t.Errorf("stored: %+v, want a rejection with the first of the usual reasons", it.Decision)
	}
}

func TestDeferAndReopen(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 80, 24, "d").at(2).shows("deferred: URL 1")
	status(t, desk, 1, review.Deferred)
	s.keys("f", "type:deferred", "space", "enter").at(1).keys(":", "type:reopen", "enter")
	status(t, desk, 1, review.Pending)
}

// A URL that was put off still has to be looked at.
func TestDeferredIsNotNothing(t *testing.T) {
	desk := newDesk(t, review.Found{URL: "https://www.sepe.es"}, review.Found{URL: "https://www.boe.es"})
	s := openScreen(t, desk, 80, 24, "a", "d").shows("Nothing waits but 1 URL that was put off. v and f show them.")
	s.keys("u").lacks("Nothing waits").keys("a").shows("Nothing waits for a person any more")
}

func TestCorrect(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 80, 24, "e").shows("enter approves it unchanged")
	s.keys("ctrl+u", "type:ftp://x").shows("cannot be cited", "unsupported-scheme").keys("enter")
	status(t, desk, 1, review.Pending)
	s.keys("ctrl+u", "type:https://sede.ejemplo.gob.es/tramites/cita-previa")
	s.shows("- https://sede.ejemplo.gob.es/tramites/cita-previa?plaza=norte",
		"+ https://sede.ejemplo.gob.es/tramites/cita-previa", "valid")
	s.keys("enter").at(2).shows("corrected and approved: URL 1")
	if it := item(t, desk, 1); it.Canonical() != "https://sede.ejemplo.gob.es/tramites/cita-previa" {
		t.Errorf("stored: %q", it.Canonical())
	}
}

// The keys for one URL leave the marked ones alone, and say so.
func TestOneOfMarkedIsDecided(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 80, 24, "*", "d").shows("deferred: URL 1; D puts off the marked ones", "9 marked")
	status(t, desk, 2, review.Pending)
	s.keys("a").shows("A approves the marked ones").keys("esc", "space", "k", "d").lacks("the marked ones")
}

// Spec 14: the dialog previews the canonical URL with its flags. enter takes the canonical form, ctrl+o the text as
// typed, and a URL that cannot be cited is refused with the reason.
func TestCorrectionIsChecked(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 80, 24, "e", "ctrl+u", "type:https://evil.example.com/phish?utm_source=a#f")
	s.shows("✗ cannot be cited: off-allowlist", "evil.example.com is not on the allowlist: a rule for that host has to",
		"accept it first: esc, then o writes one").lacks("ctrl+o", "enter")
	s.keys("enter", "ctrl+o").shows("Correct the canonical URL")
	status(t, desk, 1, review.Pending)

	const typed = "http://otra.ejemplo.gob.es/?utm_source=a#f"
	s.keys("ctrl+u", "type:"+typed).shows("+ https://otra.ejemplo.gob.es", "! home-page",
		"ctrl+o takes it as typed: "+typed)
	s.keys("enter").at(2).shows("corrected and approved: URL 1 as https://otra.ejemplo.gob.es")
	if it := item(t, desk, 1); it.Canonical() != "https://otra.ejemplo.gob.es" ||
		it.Computed.Flags != canon.SetOf(canon.HomePage) {
		t.Errorf("stored: %+v", it)
	}

	s.keys("e", "ctrl+u", "type:"+typed, "ctrl+o")
	s.shows("corrected, as typed, and approved: URL 2 as http://otra.ejemplo.gob.es")
	if it := item(t, desk, 2); it.Canonical() != typed || it.Computed.Flags != canon.SetOf(canon.HomePage) {
		t.Errorf("stored: %+v", it)
	}
	s.keys("e", "ctrl+u", "type:otra.ejemplo.gob.es/x").shows("+ https://otra.ejemplo.gob.es/x").lacks("as typed")
	s.keys("ctrl+o").shows("as typed it needs http:// or https:// in front")
}

// Of another form that cannot be cited, too, the URL is shown.
func TestRefusedFormIsShown(t *testing.T) {
	desk := newDesk(t, review.Found{URL: "https://seu.villa.example/ca/tramits/alta-123"})
	openScreen(t, desk, 120, 40, "c").shows("│ https://seu.villa.example/es/tramits/alta-123",
		"✗ cannot be cited: off-allowlist")
}

// An approval of a URL off the allowlist names the key that settles its host, as a refused correction does.
func TestApprovalOffTheAllowlistNamesTheRule(t *testing.T) {
	desk := newDesk(t, review.Found{URL: "https://www.villa.example/tramites/alta-padron"})
	s := openScreen(t, desk, 80, 24, "a").shows("approved: URL 1", "; u, then o accepts all of www.villa.example")
	status(t, desk, 1, review.Approved)
	s.keys("u", "o").shows("off-allowlist        ( ) leave  (•) accept")
}

func TestApproveWhatHasNoCanonical(t *testing.T) {
	openScreen(t, newDesk(t), 80, 24, "f", "ctrl+x", "type:rejected", "space",
		"enter").at(11).keys("a").shows("no canonical form to approve")
}

func TestNote(t *testing.T) {
	desk := newDesk(t)
	openScreen(t, desk, 80, 24, "n", "type:ask the body", "enter").at(1).shows("noted on URL 1").
		keys("enter", "G").shows("ask the body")
}

func TestMarkedAreOneBatch(t *testing.T) {
	desk := newDesk(t)
	s := openAsking(t, desk, 80, 24, "space", "j", "space").shows("2 marked")
	s.keys("A").shows("Approve 2 URLs", "[Cancel]").keys("enter") // the safe answer is preset
	status(t, desk, 1, review.Pending)
	s.keys("A", "tab", "enter").shows("approved: 2 URLs", "reviewed 2 of 10").lacks("marked")
	status(t, desk, 1, review.Approved)
	status(t, desk, 3, review.Approved)
	s.keys("u").shows("took back: approve, 2 URLs", "reviewed 0 of 10").at(1)
	status(t, desk, 3, review.Pending)
	s.keys("ctrl+r").shows("brought back: approve, 2 URLs", "reviewed 2 of 10")
	status(t, desk, 3, review.Approved)
}

func TestMarkAll(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 80, 24, "*").shows("10 URLs marked", "10 marked")
	s.keys("*").shows("no URL is marked any more").keys("A").shows("nothing is marked")
	s.keys("*", ":", "type:reject marked", "enter", "type:all bad", "enter").shows("rejected: 10 URLs",
		"Nothing waits for a person any more")
	s.keys("u").shows("took back: reject, 10 URLs")
	s.keys("*", ":", "type:defer marked",
		"enter").shows("Redo will be lost").keys("y").shows("deferred: 10 URLs")
}

func TestNothingToUndo(t *testing.T) {
	openScreen(t, newDesk(t), 80, 24,
		"u").shows("! there is nothing to take back").keys("ctrl+r").shows("! there is nothing to bring back")
}

// two opens two desks on one database, with the samples in it if no URLs are given.
func two(t *testing.T, found ...review.Found) (mine, theirs *review.Desk) {
	t.Helper()
	if found == nil {
		found = samples()
	}
	path := filepath.Join(t.TempDir(), "visto.db")
	mine = openDesk(t, path, "ana")
	add(t, mine, found)
	return mine, openDesk(t, path, "berta")
}

func TestConflictSaysWhoAndWhen(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 24)
	if _, err := theirs.Decide(t.Context(), review.Choice{Kind: review.Reject, Note: "no"},
		review.Target{ID: 1}); err != nil {
		t.Fatal(err)
	}
	s.keys("a").shows("URL 1 was decided meanwhile: reject by berta at 2026-11-21 09:0").at(2)
	status(t, mine, 1, review.Rejected)
}

// A URL that still waits after a refused decision stays under the cursor.
func TestRefusedDecisionStays(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 24, "j")
	if _, err := theirs.Note(t.Context(), "look at its date", 2); err != nil {
		t.Fatal(err)
	}
	s.keys("a").shows("meanwhile").at(2)
	status(t, mine, 2, review.Pending)
	s.keys("a").at(3)
	status(t, mine, 2, review.Approved)
}

// A URL that waits for a second person has left the queue of the first one, and keeps its flag in that of others.
func TestWaitsForAnotherPerson(t *testing.T) {
	mine, theirs := two(t)
	wantTwo(t, mine)
	own := openScreen(t, mine, 120, 40, "/", "type:www.sepe.es", "enter").at(4).keys("a").shows("1 of 2, another person", "1 of 1").at(5)
	open(t, mine, 4, true)
	own.keys("*").shows("1 marked").keys("*")
	other := openScreen(t, theirs, 120, 40, "/", "type:www.sepe.es", "enter").at(4).shows("▌ ½", "home-page")
	own.keys("u").at(4).shows("▌ ?").keys("a")
	other.poll().keys("a").shows("approved: URL 4")
	open(t, mine, 4, false)
}

// An empty queue tells of the URLs that wait for another person.
func TestAllWaitsForAnotherPerson(t *testing.T) {
	desk := newDesk(t, review.Found{URL: "https://www.boe.es/"})
	wantTwo(t, desk)
	openScreen(t, desk, 120, 40, "a").shows("Nothing waits for you: 1 URL for the approval", "f has them: they are pending.")
}

// A range has the URLs on the screen, without one between them that waits for another person.
func TestRangeLeavesOutTheWorkOfOthers(t *testing.T) {
	desk := newDesk(t, review.Found{URL: "https://www.boe.es/"}, review.Found{URL: "https://www.sepe.es/"},
		review.Found{URL: "https://www.aeat.es/"})
	wantTwo(t, desk)
	s := openScreen(t, desk, 120, 40, "j", "a", "k", "V", "j").shows("range of 2")
	s.keys("V").shows("2 URLs marked")
}

// wantTwo makes two persons needed for home pages.
func wantTwo(t *testing.T, desk *review.Desk) {
	t.Helper()
	wantTwoFor(t, desk, canon.HomePage)
}

func wantTwoFor(t *testing.T, desk *review.Desk, flag canon.Code) {
	t.Helper()
	data := fmt.Sprintf("second_look: [%s]\n", flag)
	p, err := canon.ParsePolicy(canon.PolicyFile{Name: "two.yaml", Data: []byte(data)})
	if err == nil {
		_, _, err = desk.Recanon(t.Context(), p)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestWorkOfOthersIsSeen(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 24, "j")
	for _, id := range []int64{1, 2} {
		if _, err := theirs.Decide(t.Context(), review.Choice{Kind: review.Approve},
			review.Target{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	s.poll().at(3).shows("URL 2 has left this list", "reviewed 2 of 10", "● 2 by others, last berta: approve URL 2 ")
	s.send(tea.KeyPressMsg{Code: 'a', Text: "a"}) // was meant for URL 2
	s.shows("! a came too early for this URL: press it again (URL 2 has left this list: someone else settled it)")
	status(t, mine, 3, review.Pending)
	s.keys("a")
	status(t, mine, 3, review.Approved)
}

// A URL that comes into an empty list by itself is too new for a key that was on its way.
func TestURLInAnEmptyListIsTooNew(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 24, "*", "A").shows("Nothing waits")
	s.now = s.now.Add(time.Second)
	decideAs(t, theirs, review.Reopen, 1)
	s.poll().at(1).send(tea.KeyPressMsg{Code: 'a', Text: "a"})
	s.shows("! a came too early for this URL")
	status(t, mine, 1, review.Pending)
}

// A key or a click within the grace of a question does nothing and is told. Text is taken, and so is a paste.
func TestWhatComesTooEarlyIsTold(t *testing.T) {
	s := withMouse(t, newDesk(t), 100, 30, "space", "A")
	s.send(tea.KeyPressMsg{Code: 'y', Text: "y"})
	s.shows("╭─ Approve marked", "! y came too early for this question: press it again")
	for y, line := range strings.Split(s.text(), "\n") {
		if before, _, ok := strings.Cut(line, "[Cancel]"); ok {
			s.send(tea.MouseClickMsg{X: ansi.StringWidth(before), Y: y, Button: tea.MouseLeft})
		}
	}
	s.shows("╭─ Approve marked", "! a click came too early for this question: click again")
	s.now = s.now.Add(grace)
	s.send(tea.KeyPressMsg{Code: tea.KeyEscape})
	s.lacks("╭─ Approve marked", "too early").keys("r")
	s.send(tea.KeyPressMsg{Code: 'd', Text: "d"})
	s.send(tea.PasteMsg{Content: "ead"})
	s.shows("dead").lacks("too early")
	s.send(tea.KeyPressMsg{Code: tea.KeyEnter})
	s.shows("╭─ Reject", "! enter came too early for this question").keys("esc", "/")
	s.send(tea.KeyPressMsg{Code: tea.KeyEnter})
	s.shows("enter came too early for this question: press it again").keys("s").lacks("too early")
}

// A menu covers the URL, so that an action chosen from it is not for one that came under it.
func TestAMenuDecidesNothingUnseen(t *testing.T) {
	for _, open := range []string{":", "?"} {
		mine, theirs := two(t)
		s := openScreen(t, mine, 120, 24, "j", open, "type:approve the url")
		decideAs(t, theirs, review.Approve, 2)
		s.poll().keys("enter").at(3).lacks("╭─").shows("! nothing was done, for the URL came under the menu",
			"(URL 2 has left this list")
		status(t, mine, 3, review.Pending)
		s.keys(open, "type:approve the url", "enter")
		status(t, mine, 3, review.Approved)
	}
}

func TestRefreshKeepsTheItem(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 24, "j", "j")
	if _, err := theirs.Decide(t.Context(), review.Choice{Kind: review.Approve}, review.Target{ID: 1}); err != nil {
		t.Fatal(err)
	}
	s.poll().at(3).lacks("has left").shows("● berta: approve URL 1 https://sede")
	s.keys("j").lacks("berta")
	for _, id := range []int64{4, 5} {
		if _, err := theirs.Decide(t.Context(), review.Choice{Kind: review.Approve},
			review.Target{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	s.poll().shows("● 2 by others, last berta: approve URL 5 ")
	s.keys("a", "a").poll().lacks("berta", "●") // one's own work is no news
}

// slowQueue is a desk that waits before it reads a page.
type slowQueue struct {
	Desk
	pages int
	wait  func(time.Duration)
}

func (d *slowQueue) Page(ctx context.Context, q review.Query, from *review.Cursor, n int) ([]review.Item, error) {
	d.pages++
	d.wait(50 * time.Millisecond)
	return d.Desk.Page(ctx, q, from, n)
}

// The work of others is read for a small part of the time: fifty consoles that read it at once would do nothing else.
func TestWorkOfOthersIsReadNowAndThen(t *testing.T) {
	mine, theirs := two(t)
	desk := &slowQueue{Desk: mine, wait: func(time.Duration) {}}
	s := openScreen(t, desk, 120, 24)
	desk.wait = func(d time.Duration) { s.now = s.now.Add(d) }
	approve := func(id int64) *screen {
		decideAs(t, theirs, review.Approve, id)
		return s.poll()
	}
	approve(5).shows("● berta: approve URL 5")
	took := time.Duration(desk.pages) * 50 * time.Millisecond
	desk.pages = 0
	for began := s.now; s.now.Sub(began) < 9*time.Second; s.now = s.now.Add(time.Second) {
		if approve(6).lacks("URL 6"); desk.pages > 0 {
			t.Fatalf("%v after a page that took %v", s.now.Sub(began), took)
		}
		if s.model.frame.Content = "as drawn before"; s.poll().text() != "as drawn before" {
			t.Fatal("the screen is drawn though it was not read")
		}
	}
	s.now = s.now.Add(time.Second)
	if s.poll().shows("● "); desk.pages == 0 {
		t.Error("the page is never read again")
	}
	s.keys("j", "a").shows("approved: URL ") // one's own is read at once
}

// A fault while the work of others is read ends this console alone: Bubble Tea catches it in Update.
func TestFaultWhileTheWorkOfOthersIsRead(t *testing.T) {
	mine, theirs := two(t)
	desk := &slowQueue{Desk: mine, wait: func(time.Duration) {}}
	s := openScreen(t, desk, 120, 24)
	desk.wait = func(time.Duration) { panic("no page") }
	decideAs(t, theirs, review.Approve, 5)
	defer func() {
		if err := recover(); !strings.Contains(fmt.Sprint(err), "no page") {
			t.Errorf("the fault is %v", err)
		}
	}()
	s.poll()
}

// poll looks for the work of others once.
func (s *screen) poll() *screen {
	s.run(s.model.watcher.readVersion)
	return s
}

// slow is a desk whose decisions fail when the test says so.
type slow struct {
	Desk
	fail error
}

func (d *slow) Decide(ctx context.Context, c review.Choice, targets ...review.Target) (review.Receipt, error) {
	if d.fail != nil {
		return review.Receipt{}, d.fail
	}
	return d.Desk.Decide(ctx, c, targets...)
}

func TestFailedWriteKeepsTheText(t *testing.T) {
	desk := &slow{Desk: newDesk(t), fail: errors.New("writing: the disk is full")}
	s := openScreen(t, desk, 80, 24, "r", "type:a long reason", "enter").shows("the disk is full", "a long reason")
	desk.fail = nil
	s.keys("enter").shows("rejected: URL 1").at(2)
	desk.fail = errors.New("writing: \x1b[31mno")
	s.keys("a").shows(`\x1b[31mno`).at(2)
}

func TestKeysWaitForTheWrite(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 80, 24).read()
	_, first := s.model.Update(tea.KeyPressMsg{Code: 'a', Text: "a"})
	for _, k := range "rdup" { // typed before the first was confirmed: meant for the next URL
		s.model.Update(tea.KeyPressMsg{Code: k, Text: string(k)})
	}
	s.run(first)
	s.at(2).shows("Reject", "plaza=sur", "dup").keys("enter").at(3)
	if it := item(t, desk, 2); it.Status != review.Rejected || it.Decision.Note != "dup" {
		t.Errorf("stored: %+v", it.Decision)
	}
}

func TestKeysWaitForTheWriteOfADialog(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 80, 24, "r", "type:old")
	_, first := s.model.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	for _, k := range "rdup" { // not more of the reason that is being written
		s.model.Update(tea.KeyPressMsg{Code: k, Text: string(k)})
	}
	s.run(first)
	s.at(2).shows("Reject", "dup")
	if it := item(t, desk, 1); it.Decision.Note != "old" {
		t.Errorf("stored: %+v", it.Decision)
	}
}

func TestNothingIsSettledUnseen(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 80, 24).read()
	for range 10 { // a key that is held down
		s.send(tea.KeyPressMsg{Code: 'a', Text: "a"})
	}
	s.at(2).shows("! a came twice at once, or is held")
	status(t, desk, 1, review.Approved)
	status(t, desk, 2, review.Pending)
	s.keys("a").at(3).shows("approved: URL 2")
}

func TestNothingIsSettledWhereNothingIsShown(t *testing.T) {
	desk := newDesk(t)
	s := openAsking(t, desk, 80, 24, "space", "k", "A")
	s.send(tea.WindowSizeMsg{Width: 20, Height: 5})
	s.keys("y", "tab", "enter")
	s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	s.shows("Approve 1 URL", "[Cancel]").keys("esc")
	s.send(tea.WindowSizeMsg{Width: 20, Height: 5})
	s.keys("a", "d")
	status(t, desk, 1, review.Pending)
}

func TestChangedUnderTheCursor(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 24)
	rule := canon.Override{Match: canon.Match{Host: "sede.ejemplo.gob.es"}, RewriteRules: []canon.Rewrite{
		{FromPrefix: "https://sede.ejemplo.gob.es/tramites/cita-previa",
			ToPrefix: "https://sede.ejemplo.gob.es/tramites/cita"},
	}}
	if _, _, err := theirs.SaveOverrides(t.Context(), []review.OverrideChange{{After: &rule}}, ""); err != nil {
		t.Fatal(err)
	}
	s.poll().at(1).shows("URL 1 has another canonical URL now")
	s.send(tea.KeyPressMsg{Code: 'a', Text: "a"}) // was meant for the URL before
	status(t, mine, 1, review.Pending)
}

func TestKeysOfALongWaitAreDropped(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 80, 24).read()
	key := tea.KeyPressMsg{Code: 'a', Text: "a"}
	_, first := s.model.Update(key)
	s.model.Update(key)
	s.now = s.now.Add(2 * time.Second)
	s.run(first)
	s.at(2).shows("approved: URL 1", "This took long: the keys pressed meanwhile")
	status(t, desk, 2, review.Pending)
}

func TestDialogIsNotAnsweredByKeysInFlight(t *testing.T) {
	desk := newDesk(t)
	s := openAsking(t, desk, 80, 24, "space", "A")
	for _, k := range []tea.KeyPressMsg{{Code: 'y', Text: "y"}, {Code: tea.KeyTab}, {Code: tea.KeyEnter},
		{Code: tea.KeyEscape}} {
		s.send(k) // at the same moment
	}
	s.shows("Approve 1 URL", "[Cancel]")
	status(t, desk, 1, review.Pending)
	s.keys("y").shows("approved: 1 URL")
}

func TestTypingIsNotHeldBack(t *testing.T) {
	s := openScreen(t, newDesk(t), 80, 24, "r")
	s.send(tea.KeyPressMsg{Code: 'x', Text: "x"})
	s.send(tea.KeyPressMsg{Code: tea.KeyEnter}) // but it does not answer
	s.send(tea.PasteMsg{Content: " pasted\nreason"})
	s.shows("Reject", "x pasted reason").at(1)
}

func TestQueueToZero(t *testing.T) {
	s := openScreen(t, newDesk(t), 80, 24, "o", "d", "ctrl+s") // settles two
	for range 8 {
		s.keys("a")
	}
	s.shows("Nothing waits for a person any more", "reviewed 10 of 10").keys("a").shows("there is no URL here")
}

func TestOwnNoteIsNoConflict(t *testing.T) {
	desk := newDesk(t)
	openScreen(t, desk, 80, 24, "space", "k", "n", "type:seen", "enter", "A").shows("approved: 1 URL")
	status(t, desk, 1, review.Approved)
}

func TestSettledLosesItsMark(t *testing.T) {
	s := openScreen(t, newDesk(t), 80, 24, "space", "space", "k", "a").shows("approved: URL 2", "1 marked")
	s.keys("A").shows("approved: 1 URL")
}

// A digit rejects with a reason of the configuration at once, the arrows put one into the line, and a reason given
// before is offered again.
func TestOfferedReasons(t *testing.T) {
	desk := newDesk(t)
	opts := Options{Env: []string{"TERM=xterm"}, Reasons: []string{"no longer there", "a shop"}, Notes: []string{"ask"}}
	s := openScreenWith(t, desk, opts, 100, 30, "r").shows("1  no longer there", "2  a shop", "1-2 reject at once")
	s.keys("2").shows("rejected: URL 1")
	s.keys("r", "down", "type:!", "enter").shows("rejected: URL 2")
	s.keys("r").shows("   no longer there!").keys("down", "down", "down", "enter").shows("rejected: URL 3")
	s.keys("n").shows("1 add the note at once").lacks("1-1").keys("1").shows("noted on URL 4")
	s.keys("n", "type:2 of", "enter", "n").shows("1  ask", "   2 of").keys("esc")
	s.keys("2", "R").shows("1  no longer there", "1-2 ", " at once").keys("1").lacks("2  a shop")
	for id, want := range map[int64]string{1: "a shop", 2: "no longer there!", 3: "no longer there!"} {
		if d := item(t, desk, id).Decision; d == nil || d.Note != want {
			t.Errorf("URL %d: %+v", id, d)
		}
	}
}

// The last five notes are offered again, the newest first and each once.
func TestOfferedAgain(t *testing.T) {
	s := openScreen(t, newDesk(t), 100, 30)
	for _, text := range []string{"one", "two", "three", "four", "five", "six", "two"} {
		s.keys("n", "type:"+text, "enter")
	}
	s.keys("n").lacks("    one ")
	if !regexp.MustCompile(`(?s)    two .*    six .*    five .*    four .*    three `).MatchString(s.text()) {
		t.Error(s.text())
	}
}

// A digit that answers a question is no text: within the grace it does nothing.
func TestOfferedReasonTooEarly(t *testing.T) {
	desk := newDesk(t)
	s := openScreenWith(t, desk, Options{Env: []string{"TERM=xterm"}, Reasons: []string{"a shop"}}, 100, 30, "r")
	one := tea.KeyPressMsg{Code: '1', Text: "1"}
	s.send(one)
	s.shows("╭─ Reject", "! 1 came too early for this question: press it again")
	status(t, desk, 1, review.Pending)
	s.send(tea.KeyPressMsg{Code: 'x', Text: "x"})
	s.send(one)
	s.shows(" x1 ").keys("backspace", "backspace", "1").shows("rejected: URL 1")
}

// slowFacts is a desk on which reading the facts of a URL takes a second.
type slowFacts struct {
	*review.Desk
	read func()
}

func (d slowFacts) Detail(ctx context.Context, id int64) (*review.Detail, error) {
	d.read()
	return d.Desk.Detail(ctx, id)
}

// The facts of an opened URL that came by itself may be read slowly: a key right behind them was meant for the URL on
// screen before.
func TestGraceCountsFromTheFacts(t *testing.T) {
	desk := newDesk(t)
	read := func() {}
	s := openScreen(t, slowFacts{desk, func() { read() }}, 120, 40, "enter")
	read = func() { s.now = s.now.Add(time.Second) }
	s.keys("a").at(2)
	s.send(tea.KeyPressMsg{Code: 'a', Text: "a"})
	s.at(2).shows("! a came too early for this URL: press it again")
	status(t, desk, 2, review.Pending)
	s.keys("a").shows("approved: URL 2")
}

// What waits for another person is counted neither among the facets nor among the causes of the first one, and no key
// promises to settle what takes two.
func TestWhatWaitsForAnotherPersonIsNotCounted(t *testing.T) {
	var homes []review.Found
	for _, host := range []string{"www.boe.es", "www.sepe.es", "www.senado.es"} {
		homes = append(homes, review.Found{URL: "https://" + host})
		homes[len(homes)-1].Place.Field = "portal_url"
	}
	mine, theirs := two(t, append(homes, samples()[:2]...)...)
	wantTwo(t, mine)
	s := openScreen(t, mine, 120, 40).shows("settle 2 of 5: unknown-param plaza").keys("2").shows(" 3       3  home-page")
	s.keys("1", "g", "/", "type:boe", "enter", "a", "esc", "f", "type:home").shows("[ ] home-page                                            2")
	s.keys("esc", "2").shows("home-page").lacks(" 3       3  home-page")
	openScreen(t, mine, 120, 40).shows("settle 2 of 4: unknown-param plaza")
	openScreen(t, theirs, 120, 40).shows("settle 2 of 5").keys("2").shows(" 3       3  home-page")
}
