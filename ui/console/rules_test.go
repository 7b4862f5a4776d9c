package console

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	intake "visto/review/read"
	"visto/ui/pane"
)

func TestOverrideLoop(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 120, 40, "o")
	s.shows("Override for sede.ejemplo.gob.es", "parameter plaza", "(•) undecided",
		"as soon as the rule says something")
	s.keys("ctrl+s").shows("the rule says nothing yet")
	s.keys("right", "right").shows("(•) drop", "drop plaza on sede.ejemplo.gob.es", "looked at 4 URLs",
		"2 URLs settled", "3 URLs with another canonical URL",
		"2 URLs that become one page with another")
	s.keys("ctrl+s").shows("saved: 2 URLs settled, 1 URL in part (1 of 2 answered) (u takes it back)",
		"reviewed 2 of 10").at(3)
	for _, id := range []int64{1, 2} {
		if it := item(t, desk, id); it.Open() || it.Canonical() != "https://sede.ejemplo.gob.es/tramites/cita-previa" {
			t.Errorf("after the rule: %+v", it)
		}
	}
	s.keys("u").shows("took back: ", "plaza", "reviewed 0 of 10")
	status(t, desk, 1, review.Pending)
}

func TestOverrideShowsApprovedThatWouldChange(t *testing.T) {
	s := openScreen(t, newDesk(t), 120, 40, "a", "o", "d")
	s.shows("1 URL approved before would change").keys("esc").lacks("Override for")
	s = openScreen(t, newDesk(t), 80, 24, "a", "o", "d") // as far as there is room, which ones
	s.shows("▌ parameter plaza", "1 URL approved before would change", "! approved  ",
		"- https://sede.ejemplo.gob.es/tramites/cita-previa?plaza=norte",
		"+ https://sede.ejemplo.gob.es/tramites/cita-previa ")
}

func TestOverrideErrorsAreShownInPlace(t *testing.T) {
	s := openScreen(t, newDesk(t), 120, 40, "o", "d", "up", "up", "up", "ctrl+u", "type:not a host!").shows("! ", "host")
	s.keys("ctrl+s").shows("not a host!")
	if n := len(overridesOf(t, s.model.who.(Desk))); n != 0 {
		t.Errorf("%d overrides saved", n)
	}
}

func overridesOf(t *testing.T, desk Desk) []review.StoredOverride {
	t.Helper()
	list, err := desk.Overrides(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestOverrideLoopIsRefused(t *testing.T) {
	s := openScreen(t, newDesk(t), 120, 40, "o", "up", "up", "up", "up", "up", "up",
		"type:https://sede.ejemplo.gob.es/tramites/tramites/", "up", "type:https://sede.ejemplo.gob.es/tramites/")
	s.shows("this rule sends a URL round in circles").keys("ctrl+s").shows("round in circles")
	if n := len(overridesOf(t, s.model.who.(Desk))); n != 0 {
		t.Errorf("%d overrides saved", n)
	}
}

// rule opens the form on the item, presses the keys, saves, and returns the only override.
func rule(t *testing.T, id int, keys ...string) canon.Override {
	t.Helper()
	desk := newDesk(t)
	s := openScreen(t, desk, 120, 40)
	for s.model.queue.pane.Current().ID != int64(id) {
		s.keys("j")
	}
	s.keys("o").keys(keys...).keys("ctrl+s").shows("saved: ")
	list := overridesOf(t, desk)
	if len(list) != 1 {
		t.Fatalf("overrides: %+v", list)
	}
	return list[0].Override
}

func TestFormIsPrefilledFromTheFlag(t *testing.T) {
	if o := rule(t, 4); len(o.Accept) != 1 || o.Accept[0] != "home-page" || o.Match.Host != "www.sepe.es" {
		t.Errorf("home page: %+v", o)
	}
	if o := rule(t, 6); o.Scheme != "http" || len(o.Accept) != 0 {
		t.Errorf("http only: %+v", o)
	}
	if o := rule(t, 7); o.Spanish == nil || o.Spanish.From != "/ca/" || o.Spanish.To != "/es/" {
		t.Errorf("no Spanish version: %+v", o)
	}
	if o := rule(t, 12); len(o.Accept) != 1 || o.Accept[0] != "nonstandard-port" {
		t.Errorf("port: %+v", o)
	}
}

func TestFormPathPrefixAndRest(t *testing.T) {
	o := rule(t, 1, "right", "up", "up", "type:/tramites", "up", "up", "up", "type:why", "up", "up", "up", "up", "up",
		"up", "up", "type:sid, x_*")
	if len(o.KeepQueryParams) != 1 || o.Match.PathPrefix != "/tramites" || len(o.DropQueryParams) != 2 ||
		o.Note != "why" {
		t.Errorf("%+v", o)
	}
}

func TestOverridesTab(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 120, 40, "3").shows("No overrides yet")
	s.keys("1", "o", "d", "ctrl+s", "3").shows("sede.ejemplo.gob.es", "drop plaza", "ana", "2026-11-21")
	s.keys("enter").shows(`"drop_query_params"`, "Without it:",
		"2 URLs settled before would need a person again").keys("esc")
	s.keys("e", "down", "down", "down", "down", "down", "down", "down", "down", "ctrl+u",
		"type:origen").shows("drop origen on sede.ejemplo.gob.es").keys("ctrl+s").shows("saved: ")
	if o := overridesOf(t, desk)[0].Override; len(o.DropQueryParams) != 1 || o.DropQueryParams[0] != "origen" {
		t.Errorf("edited: %+v", o)
	}
	s.keys("D").shows("Remove override", "looked at 4 URLs", "[Cancel]").keys("enter").shows("drop origen")
	s.keys("delete", "y").shows("No overrides yet")
	s.keys("u").shows("drop origen")
}

// A proposal stands above the rules. Another person than its author can confirm it, and each can take it back.
func TestProposals(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	if err := os.WriteFile(path, filled(), 0o600); err != nil {
		t.Fatal(err)
	}
	ana, berta := openDesk(t, path, "ana"), openDesk(t, path, "berta")
	propose(t, ana, berta)
	s := openScreen(t, ana, 120, 40, "3").shows("▌ www.sepe.es", "1 of 2: accept home-page", "berta", "a confirm")
	s.keys("e").shows("this is only proposed: a confirms it, D takes it back")
	s.keys("enter").shows(`"home-page"`, "1 of 2: proposed by berta at", "Once another person confirms it:",
		"1 URL settled").keys("esc")
	s.keys("j").lacks("a confirm").keys("a").shows("you proposed it: another person has to confirm it. D takes it back")
	s.keys("D").shows("Take back proposal", "proposed by ana: accept home-page on *.ejemplo.es").keys("y")
	s.shows("took back: propose").lacks("*.ejemplo.es  ").keys("u").shows("nothing to take back")
	s.keys("ctrl+r").shows("▌ www.sepe.es", "*.ejemplo.es  ")
	if n := len(overridesOf(t, ana)); n != 0 {
		t.Errorf("%d rules are in force", n)
	}
	s.keys("a").shows("Confirm proposal", "Proposed by berta at", "accept home-page on www.sepe.es", "1 URL settled")
	s.keys("y").shows("confirmed: 1 URL settled", "  www.sepe.es", "▌ *.ejemplo.es")
	if o := overridesOf(t, ana); len(o) != 1 || o[0].Reviewer != "ana" {
		t.Errorf("%+v", o)
	}
	s.keys("j", "a").shows("this override is in force: there is nothing to confirm")
	other := openScreen(t, berta, 120, 40, "3", "a").shows("Confirm proposal", "looked at")
	s.keys("k", "D", "y").shows("took back: propose")
	other.poll()
	other.shows("it waits no more: somebody confirmed it or took it back").keys("y")
	if n := len(overridesOf(t, ana)); n != 1 {
		t.Errorf("%d rules are in force", n)
	}
}

// A proposal of a rule that another one has replaced cannot be confirmed.
func TestStaleProposal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	if err := os.WriteFile(path, filled(), 0o600); err != nil {
		t.Fatal(err)
	}
	ana, berta := openDesk(t, path, "ana"), openDesk(t, path, "berta")
	propose(t, ana, berta)
	rule := canon.Override{Match: canon.Match{Host: "www.sepe.es"}, DropQueryParams: []string{"x"}}
	if _, _, err := berta.SaveOverrides(t.Context(), []review.OverrideChange{{After: &rule}}, ""); err != nil {
		t.Fatal(err)
	}
	openScreen(t, ana, 120, 40, "3", "a").shows("Confirm proposal", "the rule has changed since it was proposed")
}

// A viewer sees proposals, and cannot confirm them.
func TestProposalsOfAViewer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	if err := os.WriteFile(path, filled(), 0o600); err != nil {
		t.Fatal(err)
	}
	ana := openDesk(t, path, "ana")
	propose(t, ana, openDesk(t, path, "berta"))
	s := openScreen(t, readOnly{ana, t}, 120, 40, "3").shows("1 of 2: accept home-page").lacks("a confirm")
	s.keys("a").lacks("Confirm proposal").keys("D").lacks("Take back")
	if s.keys("enter"); !strings.Contains(s.text(), "Once another person confirms it:") {
		t.Error(s.text())
	}
}

func TestCauses(t *testing.T) {
	desk := newDesk(t)
	s := openAsking(t, desk, 120, 40, "2").shows("plaza on sede.ejemplo.gob.es", "unknown-param")
	s.keys("D").shows("drop plaza on sede.ejemplo.gob.es", "2 URLs settled", "[Cancel]").keys("esc")
	s.keys("K", "y").shows("plaza kept on sede.ejemplo.gob.es: 2 URLs settled").lacks("▌        3")
	s.keys("u", "g").shows("plaza on sede")
	s.keys("o").shows("Override for sede.ejemplo.gob.es", "(•) undecided").keys("esc")
	s.keys("enter").shows("▽ waiting, unknown-param plaza on sede.ejemplo.gob.es", "1 of 3").at(1)
	s.keys("esc").shows("[2 Causes]").keys("1").shows("▽ waiting", "1 of 10")
}

// onCause goes to the cause of that text.
func (s *screen) onCause(text string) *screen {
	s.t.Helper()
	for range s.model.causes.pane.Len() {
		if c, _ := s.model.causes.pane.Current(); pane.CauseText(c) == text {
			return s
		}
		s.keys("j")
	}
	s.t.Fatalf("there is no cause %q:\n%s", text, s.text())
	return nil
}

func TestCauseAccept(t *testing.T) {
	desk := newDesk(t)
	s := openAsking(t, desk, 120, 40, "2").onCause("on www.sepe.es")
	s.keys("K").shows("neither a parameter nor http to keep").keys("D").shows("no parameter")
	s.keys("A").shows("accept home-page on www.sepe.es", "1 URL settled").keys("y").shows("sepe.es: 1 URL settled")
}

// "A on a cause of a field writes one" (spec section 13): a rule that lasts.
func TestFieldCauseWritesARule(t *testing.T) {
	var found []review.Found
	for _, host := range []string{"www.sepe.es", "www.boe.es", "www.seg-social.es"} {
		found = append(found, review.Found{URL: "https://" + host,
			Place: intake.Place{File: "r.yaml", Field: "portal_url"}})
	}
	desk := newDesk(t, found...)
	s := openAsking(t, desk, 120, 40, "2").onCause("in field portal_url on 3 hosts")
	s.keys("D").shows("no parameter").keys("c").shows("a rule for a field can only accept flags: A writes it")
	s.keys("A").shows("accept home-page in field portal_url", "3 URLs settled").keys("y")
	s.shows("portal_url: 3 URLs settled", "There are no causes left")
	status(t, desk, 3, review.Accepted)
	add(t, desk, []review.Found{{URL: "https://www.ine.es", Place: intake.Place{File: "r.yaml", Field: "portal_url"}}})
	status(t, desk, 4, review.Accepted) // the rule lasts
	s.keys("3").shows("field portal_url", "accept home-page").keys("e").shows("Override for field portal_url",
		"cited in field       portal_url").keys("esc", "enter").shows("4 URLs settled before would need a person again")
	s.keys("esc", "u").shows("took back: ").keys("1").shows("www.ine.es")
	status(t, desk, 3, review.Pending)
}

func TestLogTab(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 120, 40, "a", "d", "4").shows("approve URL 1", "defer URL 2", "2026-11-21 09:0")
	s.keys("enter").shows("Entry 4", `"kind": "defer"`, "hash ", "previous ").keys("G", "g", "esc")
	s.keys("j", "u").shows("Take back batch", "approve by ana").keys("y").shows("took back: approve, 1 URL")
	status(t, desk, 1, review.Pending)
	status(t, desk, 2, review.Deferred)
	s.keys("g", "u").shows("an entry like this cannot be taken back")
}

// The search in the log goes through all entries, without case and accents. How many it finds is not known before the
// end. esc brings all of them back.
func TestLogIsSearched(t *testing.T) {
	desk := newDesk(t)
	decideAs(t, desk, review.Approve, 1)
	for i := range 2 * (logPage + 5) {
		decideAs(t, desk, []review.Kind{review.Defer, review.Reopen}[i%2], 2)
	}
	s := openScreen(t, desk, 100, 24, "4", "/", "type:APPRÓVE").shows("1 found", "approve URL 1").lacks("defer")
	s.keys("enter", "enter").shows("Entry ").keys("esc", "1", "4").shows("approve URL 1").lacks("defer")
	s.keys("/", "ctrl+u", "type:re:(deny|approve) URL [0-9]").shows("1 found")
	s.keys("ctrl+u", "type:re:defer|reopen").shows("200 found, more below", "↓").lacks("█")
	s.keys("ctrl+u", "type:defer").shows("200 found, more below").lacks("reopen")
	s.keys("enter", "G", "G", "/").shows("205 found").keys("ctrl+u", "type:nowhere")
	s.shows("nothing found", "No entry has this text. esc shows all entries.").keys("esc").shows("defer").lacks("reopen")
	s.keys("esc").shows("defer", "reopen")
}

// To show all entries takes a reading. A search that is typed before it ends stays.
func TestAllEntriesTakeNoLaterSearchAway(t *testing.T) {
	s := openScreen(t, newDesk(t), 100, 24, "a", "d", "4", "/", "type:approve", "enter").lacks("defer")
	late := s.model.log.clear()
	s.keys("/", "ctrl+u", "type:defer", "enter").run(late)
	s.shows("defer URL 2").lacks("approve URL 1").keys("esc").shows("defer URL 2", "approve URL 1")
}

// The search that is kept is in the status line. esc drops it and stays on its entry, also far down.
func TestLogKeepsItsPlaceAfterASearch(t *testing.T) {
	desk := newDesk(t)
	decideAs(t, desk, review.Approve, 1)
	for i := range 2*logPage + 10 {
		decideAs(t, desk, []review.Kind{review.Defer, review.Reopen}[i%2], 2)
	}
	s := openScreen(t, desk, 100, 24, "4", "/", "type:re:approve|reopen", "enter", "j", "j", "j")
	s.shows("▽ all, re:approve|reopen", "▌    407 ").keys("/", "ctrl+u", "type:zzz")
	s.shows("nothing found").keys("esc")
	s.shows("▽ all, re:approve|reopen", "▌    407 ").lacks("defer")
	s.keys("/", "ctrl+u", "type:approve", "enter").shows("▽ all, with “approve”", "▌      3 ").lacks("defer")
	s.keys("esc").shows("▌      3 ", "approve URL 1", "defer URL 2", "▽ waiting")
	s.keys("k").shows("▌      4 ").keys("esc").shows("all entries are shown", "▌      4 ")
}

// The log is read in pages down to its first entry, also if that is alone on the last page.
func TestLogIsPaged(t *testing.T) {
	for _, entries := range []int{logPage + 1, logPage + 20} {
		desk := newDesk(t)
		before, err := desk.Log(t.Context(), 0, logPage)
		if err != nil {
			t.Fatal(err)
		}
		for i := range entries - len(before) {
			choice := review.Choice{Kind: []review.Kind{review.Defer, review.Reopen}[i%2]}
			if _, err := desk.Decide(t.Context(), choice, review.Target{ID: 1}); err != nil {
				t.Fatal(err)
			}
		}
		s := openScreen(t, desk, 80, 24, "4")
		if n := s.model.log.pane.Len(); n != logPage {
			t.Errorf("%d entries read", n)
		}
		s.keys("G", "G").shows("policy clara@1")
		if last, _ := s.model.log.pane.Last(); last.Seq != 1 {
			t.Errorf("of %d entries the last one read is %d", entries, last.Seq)
		}
	}
}

// watched is a desk that hands out the contexts of its effects, which run until they are cancelled.
type watched struct {
	Desk
	running chan context.Context
}

func (d *watched) Effect(
	ctx context.Context, c []review.OverrideChange, progress func(review.Effect),
) (*review.Effect, error) {
	progress(review.Effect{Total: 100, Scanned: 50, Changed: 7})
	d.running <- ctx
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestTypingCancelsTheEffectBefore(t *testing.T) {
	desk := &watched{newDesk(t), make(chan context.Context)}
	s := openScreen(t, desk, 120, 40, "o")
	m := s.model
	s.hold()
	s.letter('d')
	_, next := m.Update(s.later[0])
	_, next = m.Update(next())
	s.shows("50 of 100 URLs looked at", "7 URLs with another canonical URL")
	first := <-desk.running
	s.letter('k')
	<-first.Done()
	m.Update(next()) // the end of the first run comes too late
	s.lacks("7 URLs with", "canceled")
	if _, old := m.Update(s.later[0]); old != nil {
		t.Error("the pause of the text before starts an effect")
	}
	_, next = m.Update(s.later[1])
	second := <-desk.running
	m.Update(next())
	s.shows("50 of 100 URLs looked at").keys("ctrl+s").shows("wait until its effect is known")
	s.keys("esc")
	<-second.Done()
}

func TestEffectFollowsTheWorkOfOthers(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 40, "o", "d").shows("2 URLs settled").lacks("approved before")
	if _, err := theirs.Decide(t.Context(), review.Choice{Kind: review.Approve}, review.Target{ID: 2}); err != nil {
		t.Fatal(err)
	}
	s.poll().shows("1 URL settled", "1 URL approved before would change")
	save, _ := keyPress("ctrl+s")
	s.send(save)
	s.shows("ctrl+s came too early for this question: press it again").keys("ctrl+s").shows("saved: ")
}

func TestRuleThatOthersChangedIsNotSavedUnseen(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 40, "o", "d").shows("drop plaza on sede.ejemplo.gob.es")
	rule := canon.Override{Match: canon.Match{Host: "sede.ejemplo.gob.es"}, DropQueryParams: []string{"origen"}}
	if _, _, err := theirs.SaveOverrides(t.Context(), []review.OverrideChange{{After: &rule}}, ""); err != nil {
		t.Fatal(err)
	}
	s.keys("ctrl+s").shows("someone else changed the rules meanwhile", "parameter plaza")
	s.poll().shows("drop origen, plaza on").keys("ctrl+s").shows("saved: ")
	if list := overridesOf(t, mine); len(list) != 1 || len(list[0].Override.DropQueryParams) != 2 {
		t.Errorf("stored: %+v", list)
	}
}

func TestParameterThatWouldBeAPattern(t *testing.T) {
	s := openScreen(t, newDesk(t, review.Found{URL: "https://sede.ejemplo.gob.es/tramites/alta-padron?*=1"}), 100, 24,
		"2")
	s.keys("D").shows("all that begin so").keys("K").shows("all that begin so")
}

func TestFieldOfTheFormIsInViewWhereThereIsLittleRoom(t *testing.T) {
	s := openScreen(t, newDesk(t), 40, 10, "o").shows("▌ parameter plaza")
	s.keys("d").shows("▌ parameter plaza", "(•)").keys("up", "up", "up").shows("▌ host")
}

func TestNothingIsPresetForASuspiciousHost(t *testing.T) {
	s := openScreen(t, newDesk(t, review.Found{URL: "https://www.boe.es.oficial.example/tramites/alta-padron"}), 100,
		40)
	s.shows("▌ ?   suspicious-host +1").keys("o").shows("off-allowlist        (•) leave").lacks("(•) accept")
}

func TestParametersOfTheFormAreToldApart(t *testing.T) {
	url := "https://sede.ejemplo.gob.es/tramites/alta-padron?procedimiento_uno=1&procedimiento_dos\u200b=2"
	s := openScreen(t, newDesk(t, review.Found{URL: url}), 100, 30, "o").shows("parameter procedimiento_uno: keep")
	s.keys("down").shows("parameter procedimiento_dos").lacks("\u200b")
}

func TestCauseApprovesOnlyWhatWasAsked(t *testing.T) {
	mine, theirs := two(t)
	ids := addChanged(t, mine, "campo", changedHosts[:2]...)
	s := openAsking(t, mine, 120, 40, "2").onCause("in field campo on 2 hosts").keys("A").shows("approve the 2 URLs")
	more := addChanged(t, theirs, "campo", "www.senado.es") // while the question is open
	s.keys("y").shows("approved: 2 URLs")
	open(t, mine, ids[0], false)
	open(t, mine, more[0], true)
}

func TestKeysWithoutAnOverride(t *testing.T) {
	for _, key := range []string{"enter", "e", "D"} {
		openScreen(t, newDesk(t), 80, 24, "3",
			key).shows("there is no override here: o on a URL of the queue writes one")
	}
}

// A mistyped host or field is asked about: the first ctrl+s saves nothing, and each doubt is a question of its own.
func TestStrangersAreAskedAbout(t *testing.T) {
	desk := newDesk(t)
	typed := func(host string) []string { return []string{"ctrl+u", "type:" + host} }
	s := openScreen(t, desk, 120, 40, "o", "d", "up", "up", "up").keys(typed("sede.ejemplo.gob.ess")...)
	s.shows("no stored URL has the host sede.ejemplo.gob.ess; did you mean sede.ejemplo.gob.es?")
	s.keys("ctrl+s").shows("not saved: correct the name, or save once more if it is meant")
	s.keys(typed("sede.ejempl.gob.es")...).keys("ctrl+s").shows("not saved: correct the name")
	if list := overridesOf(t, desk); len(list) != 0 {
		t.Fatalf("saved without a question: %+v", list)
	}
	s.keys("ctrl+s").shows("saved: ")
	if list := overridesOf(t, desk); len(list) != 1 || list[0].Override.Match.Host != "sede.ejempl.gob.es" {
		t.Errorf("not saved after the question: %+v", list)
	}
	openScreen(t, newDesk(t), 120, 40, "o", "d", "ctrl+s").shows("saved: ") // a host that is stored is no question
}
