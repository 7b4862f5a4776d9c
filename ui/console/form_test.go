package console

import (
	"regexp"
	"slices"
	"testing"
)

func TestFormSaysWhatIsWrongBesideTheField(t *testing.T) {
	s := openScreen(t, newDesk(t), 120, 40, "o", "d", "up", "up", "up", "ctrl+u",
		"type:no host").shows("✗ bad host").lacks("looked at")
	s.keys("ctrl+s").shows("put that right first")
	s.keys("ctrl+u", "type:sede.ejemplo.gob.es").lacks("✗").shows("looked at 4 URLs")
	s.keys("down", "type:sin").shows("✗ path_prefix").keys("ctrl+u").lacks("✗")
	s.keys("down", "down", "down", "down", "down", "down", "down", "down").shows("▌ drop parameters")
	s.keys("down", "type:plaza").shows("is to be dropped and kept")
	if n := len(overridesOf(t, s.model.who.(Desk))); n != 0 {
		t.Errorf("%d overrides saved", n)
	}
}

func TestRuleIsEditedAsJSON(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 120, 40, "o", "d", "ctrl+t").shows(`"drop_query_params": [`, `"plaza"`, "2 URLs settled")
	s.keys("down", "down", "down", "down", "down", "end", "type:,", "enter",
		`type:"raro"`).shows("drop plaza, raro on sede.ejemplo.gob.es")
	s.keys("type:x").shows("! the rule:").lacks("looked at").keys("ctrl+s").shows("put that right first")
	s.keys("ctrl+t").shows("the fields cannot show it", `"raro"x`).keys("backspace", "ctrl+t").shows("(•) drop",
		"raro").lacks(`"drop_query_params"`)
	s.keys("ctrl+s").shows("saved: 2 URLs settled")
	if o := overridesOf(t, desk)[0].Override; !slices.Equal(o.DropQueryParams, []string{"plaza", "raro"}) {
		t.Errorf("%+v", o)
	}
}

func TestFormTellsOfTheOverrideThatStands(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 120, 40, "o", "d", "ctrl+s").at(3).keys("o")
	s.shows("There is one already: ctrl+o edits it",
		"(ana, 2026-11-21").keys("right").shows("drop plaza; keep origen on sede.ejemplo.gob.es")
	s.keys("ctrl+o").shows("Override for sede.ejemplo.gob.es", "plaza").lacks("There is one already", "keep origen")
	s.keys("esc", "j", "o").lacks("There is one already")
}

func TestFormKeepsCountsAndSaveInView(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {60, 16}, {40, 12}} {
		s := openScreen(t, newDesk(t), size[0], size[1], "o", "d").shows("Save", " settled", "▌ parameter plaza")
		s.keys("down", "down", "down", "down", "down").shows("Save", " settled", "▌ ")
	}
}

// The fields of the form have one order. The first flag of the URL chooses the one with the focus.
func TestFormHasOneOrder(t *testing.T) {
	order := regexp.MustCompile(`(?s) host .*path prefix .*cited in field .*scheme .*trailing slash .*other language ` +
		`.*canonical host .*drop parameters .*accept flags .*rewrite from .*note `)
	for id, focus := range map[int64]string{1: "▌ parameter plaza", 4: "▌ home-page", 6: "▌ scheme",
		7: "▌ other language"} {
		s := openScreen(t, newDesk(t), 150, 50)
		for s.model.queue.pane.Current().ID != id {
			s.keys("j")
		}
		if s.keys("o").shows(focus); !order.MatchString(s.text()) {
			t.Errorf("URL %d: the fields stand in another order:\n%s", id, s.text())
		}
	}
}

// A key that does nothing says so, and names keys that do something.
func TestKeyThatDoesNothingSaysSo(t *testing.T) {
	s := openScreen(t, newDesk(t), 80, 24, "Q").shows("! Q does nothing here: ? shows the keys")
	s.keys("j").lacks("does nothing here").keys("?").keys("esc")
	s.keys("o", "z").shows("z does nothing here: ← and → choose, ↑ and ↓ go to the other fields")
	s.keys("d").lacks("does nothing here").keys("esc", "4", "K").shows("K does nothing here")
	s.keys("5", "enter").shows("enter does nothing here")
}
