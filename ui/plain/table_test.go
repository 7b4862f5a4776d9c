package plain_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"visto/ui/console"
	uidesk "visto/ui/desk"
	"visto/ui/plain"
)

// screenOnly are the actions that need a screen: moving on it, and those that the line mode does by other words.
var screenOnly = []string{
	"down", "up", "first", "last", "half-a-page-down", "half-a-page-up", "page-down", "page-up", "next-tab",
	"previous-tab", "queue", "back", "show-override", "edit-override", "show-entry", "messages", "commands",
	"next-of-the-record", "copy-canonical", "copy-original", "open-in-browser", "next-section", "previous-section",
	"links", "changes", // page links, page diff
	"close-the-page", "close-the-links", "search-the-page", "search-links", "next-match", "previous-match",
	"next-heading", "previous-heading", "cite-link", "open-link-in-browser", "copy-link",
	"search-the-log", "all-entries", // log COUNT
	"suspend", // the terminal does it
	"fold", "mark-a-range", "range-down", "range-up", "only-marked",
	"keep", "drop", "map-to-spanish", "cite-other-host", "accept", "reject-the-cause", // cause NUMBER keep
	"approve-once", "defer-once", // cause NUMBER approve
	"cite-the-pages-found", "cite-the-best-page", // cause NUMBER pages, pages-to-cite NUMBER
	"take-the-suggestion", "dismiss-the-suggestion", "ask-about-the-cause", // cause NUMBER take
	"unfold-rows", "override-for-the-cause", "narrow", "widen", "mark-cause", "search-causes", "clear-causes",
	"read-the-urls", "more-urls", "urls-before", "next-cause", "previous-cause", // urls NUMBER
}

// The two tables stay in step: the console and the line mode have the same actions, by the same names.
func TestPlainDoesWhatTheConsoleDoes(t *testing.T) {
	words := map[string]bool{}
	for _, c := range plain.Commands() {
		for _, w := range []string{c.Action, c.Short} {
			if w != "" && words[w] {
				t.Errorf("%s is two commands", w)
			}
			words[w] = true
		}
	}
	actions := console.Keymap{}.Actions()
	if len(actions) < 60 {
		t.Errorf("only %d actions", len(actions))
	}
	for _, a := range actions {
		if words[a.ID] == slices.Contains(screenOnly, a.ID) {
			t.Errorf("%s: it must be a command or an exception, not both", a.ID)
		}
	}
}

// Every command that writes refuses at once in a read-only database, and in one whose file has gone away.
func TestPlainReadOnly(t *testing.T) {
	d := desk(t, urls...)
	refusesWrites(t, readOnly{d}, "the database is open read-only")
	refusesWrites(t, withoutFile{d}, "the database file was moved, deleted or replaced")
}

func refusesWrites(t *testing.T, d uidesk.Desk, why string) {
	t.Helper()
	for _, c := range plain.Commands() {
		var out bytes.Buffer
		in := strings.NewReader(c.Action + " 1 drop\nyes\n")
		if err := plain.Run(t.Context(), d, plain.Options{In: in, Out: &out}); err != nil {
			t.Fatal(err)
		}
		if refused := strings.Contains(out.String(), "Not done: "+why); refused != c.Writes {
			t.Errorf("%s: refused %v:\n%s", c.Action, refused, out.String())
		}
	}
}

// A line that no memory should hold is refused, and the review goes on.
func TestPlainLongLine(t *testing.T) {
	out := plainly(t, desk(t, urls...), "note "+strings.Repeat("n", 2<<20), "stats")
	_, after, refused := strings.Cut(out, "Not done: the line has 2097158 bytes, and at most 1048576 are read.\n")
	if !refused || !strings.Contains(after, "4 URLs in all.") {
		t.Errorf("%.2000s", out)
	}
}
