package console

import (
	"log"
	"strings"
	"testing"

	"visto/review"
)

func TestRulesAreTheGuidelines(t *testing.T) {
	s := openScreen(t, newDesk(t), 120, 40, "w")
	s.shows("The rules of clara@1", "! unknown-param", `no list knows "plaza"`,
		"Rule 3: Query Parameters -- Strip Tracking Params",
		"Remove known tracking and analytics parameters.")
	s.keys("G").shows("fragment did this", "Rule 4: Fragments/Anchors -- Strip from Stored URL").keys("esc")
	s.keys("enter", "w").shows("Rule 3: Query Parameters").keys("esc", "esc")
	s.keys("2", "w").shows("Rule 3: Query Parameters").keys("esc", "1")
	s.keys("?", "type:rule: unknown", "enter").shows("! unknown-param",
		"Rule 3: Query Parameters").lacks("fragment did this")
}

func TestHelpIsSearchedByKey(t *testing.T) {
	s := openScreen(t, newDesk(t), 100, 30, "?", "type:*").shows("Mark all").lacks("Approve marked", "Undo")
	s.keys("ctrl+u", "type:ctrl+r").shows("Redo").lacks("Reject", "Half a page").keys("esc")
	s.keys("?", "type:redo").shows("ctrl+r")
}

func TestPaletteTakesText(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 110, 30, ":", "type:reject").shows("Reject REASON", "Reject marked")
	s.keys("type: marked").shows("▌ ").keys("ctrl+u",
		"type:reject gone for good").shows("“gone for good”").keys("enter").at(2)
	if it := item(t, desk, 1); it.Status != review.Rejected || it.Decision.Note != "gone for good" {
		t.Errorf("stored: %+v", it.Decision)
	}
	s.keys(":", "type:note ask them", "enter").shows("noted on URL 2")
	s.keys(":", "type:correct https://a.gob.es/x", "enter").shows("Correct the canonical URL",
		"+ https://a.gob.es/x").keys("esc")
	s.keys(":", "type:search sepe", "enter").shows("with “sepe”").keys("esc")
	s.keys(":", "type:go 8", "enter").at(8).keys(":", "type:go 10", "enter").at(10).shows("the filter hid URL 10",
		"▽ all")
	s.keys(":", "type:go x", "enter").shows("a number is wanted").keys(":", "type:go 999", "enter").shows("not found")
	s.keys(":", "type:sort -id", "enter").at(12).keys(":", "type:sort so", "enter").shows(`there is no order "so"`)
	s.keys(":", "type:theme light", "enter").shows("colours for: light").keys(":", "type:theme pink",
		"enter").shows("is no theme")
	s.keys(":", "type:go", "enter").shows("› Go ").keys("type:3", "enter").at(3)
}

// TestHelpListsTheLog has the lines that the program logged in the help, the newest first, and no raw control character.
func TestHelpListsTheLog(t *testing.T) {
	kept := &ProgramLog{}
	logger := log.New(kept, "", 0)
	for i := range 60 {
		logger.Printf("message %d\x1b[2J", i)
	}
	opts := Options{DBPath: "/tmp/visto.db", Env: []string{"TERM=xterm-256color"}, Log: kept}
	s := openScreenWith(t, newDesk(t), opts, 100, 30).lacks("message")
	s.keys("?", "type:message 59").shows("Log", "message 59").lacks("\x1b[2J")
	s.keys("ctrl+u", "type:message 9").lacks(`message 9\x1b`)
	if rows := kept.rows(); len(rows) != 50 || !strings.HasPrefix(rows[0].Text, "message 59") {
		t.Errorf("%d rows: %v", len(rows), rows)
	}
}
