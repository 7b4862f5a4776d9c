package console

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// screenOnly are the actions that need a screen: moving on it, and what a line-mode review does by other words.
var screenOnly = []string{
	"down", "up", "first", "last", "half-a-page-down", "half-a-page-up", "page-down", "page-up", "next-tab", "previous-tab", "queue", "back",
	"show-override", "edit-override", "show-entry", "messages", "commands", "copy-canonical", "copy-original", "open-in-browser",
	"next-section", "previous-section", "fold",
	"mark-a-range", "range-down", "range-up", "only-marked",
	"keep", "drop", "map-to-spanish", "cite-other-host", "accept", "reject-the-cause", // cause NUMBER keep
	"override-for-the-cause", "narrow", "widen", "mark-cause", "search-causes", "clear-causes",
}

// TestPlainDoesWhatTheConsoleDoes keeps the two tables in step: what one can do the other can, by the same name.
func TestPlainDoesWhatTheConsoleDoes(t *testing.T) {
	words := map[string]bool{}
	for _, c := range plainCommands() {
		for _, w := range []string{c.id, c.short} {
			if w != "" && words[w] {
				t.Errorf("%s is two commands", w)
			}
			words[w] = true
		}
	}
	for _, b := range bindings() {
		if !words[b.id()] && !slices.Contains(screenOnly, b.id()) {
			t.Errorf("%s cannot be done line by line", b.id())
		}
		if words[b.id()] && slices.Contains(screenOnly, b.id()) {
			t.Errorf("%s can be done line by line: take it from the list", b.id())
		}
	}
}

// TestPlainReadOnly gives every command that writes, which says at once that it cannot.
func TestPlainReadOnly(t *testing.T) {
	desk := readOnly{newDesk(t), t}
	for _, c := range plainCommands() {
		var out bytes.Buffer
		if err := Plain(t.Context(), desk, nil, strings.NewReader(c.id+" 1 drop\nyes\n"), &out); err != nil {
			t.Fatal(err)
		}
		if refused := strings.Contains(out.String(), "Not done: the database is open read-only"); refused != (c.needs&mayWrite != 0) {
			t.Errorf("%s: refused %v:\n%s", c.id, refused, out.String())
		}
	}
}
