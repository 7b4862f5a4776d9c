package dialog_test

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/review"
	"visto/ui/dialog"
	"visto/ui/theme"
	"visto/ui/widget"
)

// described returns an action as text, nil as "".
func described(a dialog.Action) string {
	switch a := a.(type) {
	case nil:
		return ""
	case dialog.Close:
		return "close"
	case dialog.ComputeEffect:
		return "effect " + rule(a.Before) + " to " + rule(a.After)
	case dialog.EditExisting:
		return "edit " + a.Override.Match.Host
	case dialog.Check:
		return "check " + a.Text
	case dialog.Typed:
		return "typed " + a.Text
	case dialog.Move:
		return fmt.Sprintf("move %d", a.Motion)
	case dialog.Keep:
		return "keep"
	case dialog.Back:
		return "back"
	case dialog.Stray:
		return a.Key + " does nothing: " + a.Hint
	}
	return fmt.Sprint(a)
}

// rule returns the parts of an override that the tests set.
func rule(o *canon.Override) string {
	if o == nil {
		return "-"
	}
	text := fmt.Sprintf("%s%s drop%v keep%v accept%v %s/%s %s", o.Match.Host, o.Match.PathPrefix, o.DropQueryParams,
		o.KeepQueryParams, o.Accept, o.Scheme, o.TrailingSlash, o.Note)
	if o.Spanish != nil {
		text += fmt.Sprint(*o.Spanish)
	}
	return strings.TrimSpace(text + fmt.Sprint(o.RewriteRules))
}

// wheel returns a movement of the mouse wheel.
func wheel(b tea.MouseButton) tea.Msg { return tea.MouseWheelMsg{Button: b} }

// TestActions presses keys and checks the action of the last one.
func TestActions(t *testing.T) {
	ready := canon.Result{Canonical: "https://www.boe.es/b"}
	other := canon.Result{Canonical: "https://www.boe.es/c"}
	rejected := canon.Result{Verdict: canon.Rejected}
	confirm := func() dialog.Dialog { return newConfirm() }
	form := func() dialog.Dialog { return newForm() }
	readyForm := func() dialog.Dialog { return affected(newForm(), full()) }
	edit := func() dialog.Dialog { return affected(dialog.EditForm(everything(), "save"), full()) }
	facets := func() dialog.Dialog { return counted(newFacets()) }
	offers := func() dialog.Dialog {
		d := offering().With("")
		d.View(theme.New(theme.Terminal{}), 80, 24)
		return d
	}
	columns := func() dialog.Dialog { return newColumns() }
	menu := func() dialog.Dialog { return newMenu(0) }
	unchosen := func() dialog.Dialog { return newMenu(-1) }
	search := func() dialog.Dialog { return newSearch().With("boe") }
	const dropped = "effect - to boe.es drop[a] keep[] accept[] / []"
	for _, test := range []struct {
		name string
		open func() dialog.Dialog
		keys string
		want string
	}{
		{"choose", func() dialog.Dialog { return newChoose(nil) }, "j", "check " + long},
		{"choose", func() dialog.Dialog { return newChoose(nil) }, "j j j", "check https://www.boe.es/b"},
		{"choose", func() dialog.Dialog { return newChoose(nil) }, "k", "check x"},
		{"choose", func() dialog.Dialog { return newChoose(nil) }, "3", "check x"},
		{"choose", func() dialog.Dialog { return newChoose(nil) }, "4",
			"4 does nothing: ↑ and ↓ choose, enter approves, esc cancels"},
		{"choose", func() dialog.Dialog { return newChoose(nil) }, "0",
			"0 does nothing: ↑ and ↓ choose, enter approves, esc cancels"},
		{"choose unchecked", func() dialog.Dialog { return newChoose(nil) }, "2 enter", ""},
		{"choose", func() dialog.Dialog { return newChoose(&ready) }, "2 enter", "correct https://www.boe.es/b"},
		{"choose as it is", func() dialog.Dialog { return newChoose(&ready) }, "2 ctrl+o", "correct-as-typed " + long},
		{"choose rejected", func() dialog.Dialog { return newChoose(&rejected) }, "2 enter", ""},
		{"choose", func() dialog.Dialog { return newChoose(nil) }, "q", "close"},
		{"confirm", confirm, "enter", "close"},
		{"confirm", confirm, "tab enter", "reject"},
		{"confirm", confirm, "left right enter", "close"},
		{"confirm", confirm, "y", "reject"},
		{"confirm once", confirm, "y y", ""},
		{"confirm", confirm, "n", "close"},
		{"confirm", confirm, "x", "x does nothing: y: Reject, n: cancel"},
		{"confirm without effect", func() dialog.Dialog { return newConfirm().WithEffect() }, "y", ""},
		{"confirm half an effect", func() dialog.Dialog { return affected(newConfirm().WithEffect(), running()) },
			"y", ""},
		{"confirm effect", func() dialog.Dialog { return affected(newConfirm().WithEffect(), full()) }, "y", "reject"},
		{"confirm failed effect", func() dialog.Dialog {
			return affected(newConfirm().WithEffect(), dialog.EffectState{Done: true, Failed: "x"})
		}, "y", ""},
		{"correct unchecked", func() dialog.Dialog { return newCorrect(nil) }, "enter", ""},
		{"correct", func() dialog.Dialog { return newCorrect(&ready) }, "enter", "correct https://www.boe.es/b"},
		{"correct as typed", func() dialog.Dialog { return newCorrect(&other) }, "ctrl+o",
			"correct-as-typed https://www.boe.es/b"},
		{"correct other", func() dialog.Dialog { return newCorrect(&other) }, "enter", "correct https://www.boe.es/c"},
		{"correct as typed alike", func() dialog.Dialog { return newCorrect(&ready) }, "ctrl+o",
			"correct https://www.boe.es/b"},
		{"correct as typed rejected", func() dialog.Dialog { return newCorrect(&rejected) }, "ctrl+o", ""},
		{"correct rejected", func() dialog.Dialog { return newCorrect(&rejected) }, "enter", ""},
		{"correct typed", func() dialog.Dialog { return newCorrect(&ready) }, "c", "check https://www.boe.es/bc"},
		{"correct typed", func() dialog.Dialog { return newCorrect(&ready) }, "c enter", ""},
		{"correct moved", func() dialog.Dialog { return newCorrect(&ready) }, "left", ""},
		{"correct", func() dialog.Dialog { return newCorrect(&ready) }, "esc", "close"},
		{"columns", columns, "enter", "done [record 30 url]"},
		{"columns wider", columns, "l", "show [record 32 url]"},
		{"columns narrower", columns, "h h h h h h left", "show [record url]"},
		{"columns narrowest", columns, "h h h h h h h h h h h h h h", "show [record 4 url]"},
		{"columns of the URL", columns, "j l", ""},
		{"columns moved", columns, "J", "show [url record 30]"},
		{"columns moved too far", columns, "K", ""},
		{"columns hidden", columns, "j space", "show [record 30]"},
		{"columns added", columns, "down down space", "show [record 30 url flag]"},
		{"columns of an attribute", columns, "up G down down down down down down space K",
			"show [record 30 url attr:tier]"},
		{"columns as usual", columns, "space x", "done []"},
		{"columns as before", columns, "space J esc", "done [record 30 url]"},
		{"facets", facets, "enter", "apply +home-page -old.es"},
		{"facets with", facets, "down space", "count +home-page +http-only -old.es"},
		{"facets off", facets, "space", "count -old.es"},
		{"facets only with", facets, "down !", ""},
		{"facets without", facets, "!", "count -home-page -old.es"},
		{"facets reset", facets, "ctrl+x", "count "},
		{"facets reset", facets, "ctrl+x enter", "apply "},
		{"facets typed", facets, "gov space", "count +home-page -old.es +gov"},
		{"facets typed twice", facets, "gov space space", "count +home-page -old.es"},
		{"facets unknown", facets, "xyz space", ""},
		{"facets", facets, "esc", "close"},
		{"menu", menu, "enter", "a"},
		{"menu moved", menu, "down down down enter", "redo"},
		{"menu end", menu, "pgdown enter", "redo"},
		{"menu top", menu, "pgdown pgup enter", "a"},
		{"menu unchosen", unchosen, "enter", ""},
		{"menu first", unchosen, "down enter", "a"},
		{"menu second", unchosen, "down down enter", "mark"},
		{"menu letters", menu, "bbk enter", "redo"},
		{"menu name before text", menu, "go enter 7 enter", "to 7"},
		{"menu argument", menu, "go space to space 12 enter", "to 12"},
		{"menu no argument", menu, "go space to space enter", ""},
		{"menu nothing", menu, "zzz enter", ""},
		{"menu", menu, "esc", "close"},
		{"prompt", func() dialog.Dialog { return newPrompt().With(" gone ") }, "enter", "gone"},
		{"prompt empty", func() dialog.Dialog { return newPrompt().With("") }, "enter", ""},
		{"prompt", func() dialog.Dialog { return newPrompt().With("") }, "esc", "close"},
		{"prompt offering", offers, "2", "404 \x1b[2J"},
		{"prompt offering, a number beyond", offers, "4 0 4 enter", "404"},
		{"prompt offering, a number behind a space", offers, "space 2 enter", "2"},
		{"prompt offering, a number in a text", offers, "a 2 enter", "a2"},
		{"prompt offering, arrows", offers, "down ! enter", "no longer there!"},
		{"prompt offering, recent", offers, "down down down down down enter", "moved\u202e"},
		{"prompt offering, back to the typed text", offers, "a down up enter", "a"},
		{"reader", func() dialog.Dialog { return newReader() }, "q", "close"},
		{"reader", func() dialog.Dialog { return newReader() }, "j", ""},
		{"search", search, "x", "typed boex"},
		{"search trimmed", search, "space", "typed boe"},
		{"search", search, "enter", "keep"},
		{"search", search, "esc", "back"},
		{"search", search, "down", fmt.Sprintf("move %d", widget.Down)},
		{"search", search, "pgup", fmt.Sprintf("move %d", widget.PageUp)},
		{"search invalid", search, "(", ""},
		{"search invalid", search, "( enter", ""},
		{"search valid again", search, "( backspace", "typed boe"},
		{"search moved", search, "left", ""},
		{"form", form, "left", "effect - to boe.es drop[] keep[a] accept[] / []"},
		{"form wraps", form, "right", ""}, // undecided: the rule says nothing
		{"form other parameter", form, "down right",
			"effect - to boe.es drop[a] keep[a_very_long_parameter_name] accept[] / []"},
		{"form letter", form, "k", "effect - to boe.es drop[] keep[a] accept[] / []"},
		{"form no letter", form, "z", "z does nothing: ← and → choose, ↑ and ↓ go to the other fields"},
		{"form accept", form, "down down a", "effect - to boe.es drop[a] keep[] accept[home-page] / []"},
		{"form host", form, "up up up x", "effect - to boe.esx drop[a] keep[] accept[] / []"},
		{"form existing", form, "ctrl+o", "edit boe.es"},
		{"form save needs an effect", form, "ctrl+s", ""},
		{"form save", readyForm, "ctrl+s", "save"},
		{"form save once", readyForm, "ctrl+s ctrl+s", ""},
		{"form save button", readyForm, "up up up up enter", "save"},
		{"form enter goes on", readyForm, "enter", ""},
		{"form text", readyForm, "ctrl+t", dropped},
		{"form text and back", readyForm, "ctrl+t ctrl+t", dropped},
		{"form invalid text", readyForm, "ctrl+t x ctrl+t", ""},
		{"form no letter on the button", form, "up up up up x",
			"x does nothing: enter saves, ↑ goes back to the fields"},
		{"form wraps to the last field", form, "up up up up up x", "effect - to boe.es drop[a] keep[] accept[] / x[]"},
		{"form Spanish alone", func() dialog.Dialog {
			return dialog.NewForm(dialog.Suggestion{Host: "h", Flags: []canon.Code{canon.NoSpanish}}, "save")
		}, "down x", ""},
		{"form", form, "esc", "close"},
		{"edit keeps all", edit, "ctrl+t", "effect " + rule(ref(everything())) + " to " + rule(ref(everything()))},
		{"edit no existing", edit, "ctrl+o", ""},
		{"edit", edit, "ctrl+s", "save"},
	} {
		d := test.open()
		var got dialog.Action
		for key := range strings.FieldsSeq(test.keys) {
			got = press(d, key)
		}
		if described(got) != test.want {
			text, _ := view(d)
			t.Errorf("%s, %s: %q, want %q\n%s", test.name, test.keys, described(got), test.want, text)
		}
	}
}

func ref(o canon.Override) *canon.Override { return &o }

// TestFirst checks the actions that dialogs start with.
func TestFirst(t *testing.T) {
	for want, d := range map[string]interface{ First() dialog.Action }{
		"check https://www.boe.es/b": newCorrect(nil),
		"check x":                    dialog.NewChoose("", []dialog.Option{{URL: "x"}}, taken),
		"effect - to boe.es drop[a] keep[] accept[] / []": newForm(),
		"effect - to boe.es drop[] keep[] accept[home-page section-page] http/keep {/ca/ /es/}[]": dialog.
			NewForm(flagged(), nil),
		"": dialog.NewForm(dialog.Suggestion{Host: "h"}, nil),
	} {
		if got := described(d.First()); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestTyping checks in which dialogs letters are text.
func TestTyping(t *testing.T) {
	for d, want := range map[dialog.Dialog]bool{
		newChoose(nil): false, newConfirm(): false, newReader(): false, newCorrect(nil): true, newFacets(): true,
		newForm():  true,
		newMenu(0): true, newPrompt().With(""): true, newSearch().With(""): true,
	} {
		if d.Typing() != want {
			t.Errorf("%T: typing is %v", d, !want)
		}
	}
}

// TestLatePreviewIsIgnored checks that the answer for an earlier text does not count for the current one.
func TestLatePreviewIsIgnored(t *testing.T) {
	c := newCorrect(nil)
	press(c, "c")
	c.SetCorrection("https://www.boe.es/b", review.Correction{Result: canon.Result{Canonical: "https://www.boe.es/b"}})
	if got := press(c, "enter"); got != nil {
		t.Errorf("did %v", got)
	}
	key, text, changed := c.Draft()
	if key != "item 7" || text != "https://www.boe.es/bc" || !changed {
		t.Errorf("the draft is %q, %q, %v", key, text, changed)
	}
	p := newPrompt().With("a")
	if _, _, changed := p.Draft(); changed {
		t.Error("the initial text counts as changed")
	}
	press(p, "b")
	if key, text, changed := p.Draft(); key != "reject 7" || text != "ab" || !changed {
		t.Errorf("the draft is %q, %q, %v", key, text, changed)
	}
}

// TestFailAllowsAnotherTry checks that an action can be repeated after it failed.
func TestFailAllowsAnotherTry(t *testing.T) {
	c := newConfirm()
	press(c, "y")
	c.Fail("the disk is full")
	if got := press(c, "y"); got != "reject" {
		t.Errorf("confirm: %v", got)
	}
	f := newForm()
	f.SetEffect(full())
	press(f, "ctrl+s")
	f.Fail("the disk is full")
	if text, _ := view(f); !strings.Contains(text, "! the disk is full") {
		t.Errorf("no error in\n%s", text)
	}
	if got := press(f, "ctrl+s"); got != "save" {
		t.Errorf("form: %v", got)
	}
}

// TestPickAndSwitch clicks on rows and boxes.
func TestPickAndSwitch(t *testing.T) {
	m := newMenu(-1)
	if got := m.Pick(0); got != nil {
		t.Errorf("the first click does %v", got)
	}
	if got := m.Pick(0); got != "a" {
		t.Errorf("the second click does %v", got)
	}
	if got := m.Pick(3); got != nil {
		t.Errorf("a click on another row does %v", got)
	}
	f := counted(newFacets())
	f.Pick(1)
	if got := press(f, "space"); got != "count +home-page +http-only -old.es" {
		t.Errorf("picked: %v", got)
	}
	for _, want := range []dialog.Action{"count +home-page -old.es", "count +home-page +http-only -old.es"} {
		if got := f.Switch(1); got != want { // it cannot be excluded
			t.Errorf("switched: %v, want %v", got, want)
		}
	}
	for _, want := range []string{"+boe.es", "-boe.es", ""} {
		want = strings.Join(strings.Fields("count +home-page +http-only "+want+" -old.es"), " ")
		if got := f.Switch(2); got != want {
			t.Errorf("switched: %v, want %v", got, want)
		}
	}
}

// TestCountsKeepTheCursor checks that the cursor stays on its value when the counts of another group arrive.
func TestCountsKeepTheCursor(t *testing.T) {
	f := newFacets()
	press(f, "down") // old.es
	f.SetGroup("flag", []dialog.Facet{{Group: "flag", Value: "home-page"}, {Group: "flag", Value: "http-only"}})
	if got := press(f, "space"); got != "count +home-page +old.es" {
		t.Errorf("%v", got)
	}
}

// TestFacetsFold narrows the values without accents and case.
func TestFacetsFold(t *testing.T) {
	for _, typed := range []string{"caceres", "CA\u0301CERES"} {
		f := newFacets()
		f.SetGroup("parameter", []dialog.Facet{{Group: "parameter", Value: "C\u00e1diz"},
			{Group: "parameter", Value: "C\u00e1ceres"}})
		for _, r := range typed {
			press(f, string(r))
		}
		if got := press(f, "space"); got != "count +home-page -old.es +C\u00e1ceres" {
			t.Errorf("%q: %v", typed, got)
		}
	}
}

// TestWheel scrolls by the mouse wheel.
func TestWheel(t *testing.T) {
	r := newReader()
	view(r)
	r.Update(wheel(tea.MouseWheelDown))
	if text, _ := view(r); strings.Contains(text, "first") {
		t.Errorf("not scrolled:\n%s", text)
	}
	r.Update(wheel(tea.MouseWheelUp))
	if text, _ := view(r); !strings.Contains(text, "first") {
		t.Errorf("not scrolled back:\n%s", text)
	}
	m := newMenu(0)
	m.Update(wheel(tea.MouseWheelDown))
	m.Update(wheel(tea.MouseWheelLeft))
	if got := press(m, "enter"); got != "mark" {
		t.Errorf("the wheel moved to %v", got)
	}
}

// TestReaderScrolls checks each key of the reader by the first line in view.
func TestReaderScrolls(t *testing.T) {
	for keys, want := range map[string]string{
		"": "first", "j": "indented", "down j": "word", "pgdown": "line 16", "space": "line 16", "ctrl+d": "line 16",
		"G":     "line 18",
		"end k": "line 17", "G up": "line 17", "G g": "first", "G home": "first", "G pgup": "word",
		"G ctrl+u": "word", "k": "first",
	} {
		r := newReader()
		view(r)
		for key := range strings.FieldsSeq(keys) {
			press(r, key)
		}
		text, _ := view(r)
		if first := strings.Split(text, "\n")[1]; !strings.Contains(first, want) {
			t.Errorf("%q: the first line is %q, want %q", keys, first, want)
		}
	}
}

// TestEffectCounts checks the words for each count in a line of its own.
func TestEffectCounts(t *testing.T) {
	for want, e := range map[string]review.Effect{
		"✓ 1 URL settled":   {Settled: 1},
		"✓ 2 URLs decided":  {Decided: 2, Settled: 1},
		"→ 3 URLs with":     {Changed: 3},
		"= 4 URLs that":     {Merged: 4},
		"! 5 URLs approved": {Approved: 5},
		"! 6 URLs settled":  {Reopened: 6},
		"! 1,234,567 URLs":  {Refused: 1234567},
		"nothing would":     {},
	} {
		text, _ := view(affected(newConfirm().WithEffect(), dialog.EffectState{Done: true, Effect: &e}))
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// TestLongSamplesAreClipped checks the limit of 1024 bytes for each kind of sample.
func TestLongSamplesAreClipped(t *testing.T) {
	for _, n := range []int{1024, 1025} {
		url := "https://h/" + strings.Repeat("a", n-len("https://h/"))
		for name, sample := range map[string]review.Sample{
			"same": {Before: url, After: url}, "rejected": {Before: url},
			"changed": {Before: url, After: "https://h/b"},
		} {
			e := dialog.EffectState{Done: true, Effect: &review.Effect{Changed: 1, Samples: []review.Sample{sample}}}
			text, _ := viewAt(affected((&dialog.Reader{}).WithEffect(), e), 80, 40)
			if clipped := strings.Contains(text, "bytes in all)"); clipped != (n > 1024) {
				t.Errorf("%s, %d bytes: clipped is %v", name, n, clipped)
			}
		}
	}
}

// TestLongParameterNames checks that the hint has the label that its line cuts, up to 200 bytes.
func TestLongParameterNames(t *testing.T) {
	for n, want := range map[int]string{10: "keep: the page", 11: "aa: keep: the", 190: "aa: keep: the",
		191: "(201 bytes in all): keep"} {
		s := dialog.Suggestion{Host: "h", Params: []string{strings.Repeat("a", n)}}
		text, _ := viewAt(dialog.NewForm(s, nil), 80, 40)
		text = strings.Join(strings.Fields(strings.ReplaceAll(text, "│", "")), " ")
		if !strings.Contains(text, want) {
			t.Errorf("%d bytes: %q is not in %s", n, want, text)
		}
	}
}

// TestClearedFlagsWithoutRoom checks that cleared flags are left out only where settled URLs imply them.
func TestClearedFlagsWithoutRoom(t *testing.T) {
	for settled, want := range []bool{true, false, false} {
		e := full()
		e.Effect.Settled = settled
		text, _ := view(affected(newConfirm().WithEffect(), e))
		if got := strings.Contains(text, "flags cleared"); got != want {
			t.Errorf("%d settled: %v in\n%s", settled, got, text)
		}
	}
}

// TestFormOfRewrites checks that a rewrite typed with a brace has captures, and that one of prefixes with a brace stays
// one of prefixes while only other fields change.
func TestFormOfRewrites(t *testing.T) {
	prefixes := canon.Rewrite{FromPrefix: "https://h.es/{x}", ToPrefix: "https://h.es/y"}
	f := dialog.EditForm(canon.Override{Match: canon.Match{Host: "h.es"}, RewriteRules: []canon.Rewrite{prefixes}}, nil)
	for _, c := range []struct {
		keys []string
		want canon.Rewrite
	}{
		{[]string{"up", "up", "n"}, prefixes}, // the note
		{[]string{"up", "z"}, canon.Rewrite{From: "https://h.es/{x}", To: "https://h.es/yz"}},
		{[]string{"backspace"}, prefixes},
	} {
		last, ok := press(f, c.keys...).(dialog.ComputeEffect)
		if !ok || len(last.After.RewriteRules) != 1 || last.After.RewriteRules[0] != c.want {
			t.Errorf("%s: %+v, not %+v", c.keys, last.After, c.want)
		}
	}
}
