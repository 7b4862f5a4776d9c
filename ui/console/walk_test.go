package console

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"visto/canon/suite"
)

// places are the places of bindings, with the keys that lead to the middle of each, so that every motion goes
// somewhere.
var places = []struct {
	in   scope
	name string
	keys []string
}{
	{inQueue, "queue", []string{"j", "j", "j", "space", "k"}},
	{inDetail, "opened URL", []string{"j", "enter", "j"}},
	{inCauses, "causes", []string{"2", "j", "j", "j"}},
	{inOverrides, "overrides", []string{"o", "d", "ctrl+s", "j", "o", "ctrl+s", "j", "o", "ctrl+s", "3", "j"}},
	{inLog, "log", []string{"a", "a", "a", "a", "4", "j", "j"}},
	{inStats, "stats", []string{"a", "5", "j"}},
	{inPage, "page", []string{"j", "P", "/", "type:cita", "enter", "j"}},
	{inLinks, "links", []string{"j", "P", "l", "j", "j"}},
}

// observed is everything that a key can change: the screen, the store, and the messages to the terminal and the
// browser.
type observed struct {
	screen  [][]cell
	title   string
	version int64
	told    int // messages to the terminal, and URLs that were opened
	quit    bool
}

// TestEveryBindingDoesSomethingEverywhere presses each key in each of its places, and runs an action without a key
// by name. Each must visibly do something, or say why not. The key of the tab on screen has nothing to do. The further
// keys of a binding are pressed if all tests run.
func TestEveryBindingDoesSomethingEverywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	t.Parallel()
	walked := 0
	for _, place := range places {
		for _, b := range bindings() {
			if b.in&place.in == 0 || slices.ContainsFunc(tabs, func(tab tabKey) bool {
				return tab.name == b.name && tab.scope == place.in
			}) {
				continue
			}
			walked++
			var presses [][]string
			for _, key := range b.keys {
				presses = append(presses, []string{key})
			}
			if len(b.keys) == 0 {
				presses = [][]string{{":", "type:" + b.name, "enter"}}
			}
			for _, press := range presses[:suite.Rounds(1, len(presses))] {
				t.Run(place.name+"/"+strings.Join(press, " "), func(t *testing.T) {
					if !doesSomething(t, place.keys, press) {
						t.Errorf("nothing is seen of %s", b.name)
					}
				})
			}
		}
	}
	if walked < 150 {
		t.Errorf("only %d", walked)
	}
}

// doesSomething presses the keys that lead to a place, and reports whether the others change anything.
func doesSomething(t *testing.T, there, keys []string) bool {
	t.Helper()
	desk, opened := newDesk(t), 0
	opts := Options{DBPath: "/tmp/visto.db", Env: []string{"TERM=xterm"},
		OpenBrowser: func(string) error { opened++; return nil }}
	s := openScreenWith(t, withPages(desk), opts, 80, 12, there...)
	look := func() observed {
		version, err := desk.Version(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		view := s.model.View()
		return observed{cells(t, view.Content), view.WindowTitle, version, len(s.sent) + opened, s.quit}
	}
	before := look()
	s.keys(keys...)
	return !reflect.DeepEqual(before, look())
}
