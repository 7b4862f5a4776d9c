package console

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"visto/review"
)

func TestSavedViews(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 30, "/", "type:sepe", "enter", "s", "type:canonical URL, from the end", "enter")
	s.keys("v").shows("waiting", "deferred by me", "decided today").lacks("rename…")
	s.keys("type:save", "enter").shows("waiting, with “sepe”").keys("type:the  SEPE",
		"enter").shows("saved as a view: the")
	s.keys("esc", "s", "type:as they", "enter").shows("of 10")

	other := openScreen(t, theirs, 120, 30, "v").shows("the SEPE",
		"waiting, with “sepe”; canonical URL, from the end (ana, ")
	other.keys("type:sepe", "enter").shows("view the SEPE", "▽ waiting, with “sepe”", "1 of 2").at(5)
	other.keys("v", "type:rename", "enter", "enter").shows("Rename view").keys("down", "enter", "ctrl+u", "type:SEPE",
		"enter").shows("the view is called SEPE")
	s.keys("v").shows("SEPE").lacks("the SEPE").keys("esc")
	s.keys("v", "type:delete", "enter", "down",
		"enter").shows("the view is deleted: SEPE").keys("v").lacks("SEPE").keys("esc")
	if list, err := mine.Views(t.Context(), s.now); err != nil || len(list) > 0 {
		t.Errorf("left: %+v, %v", list, err)
	}
}

func TestBuiltinViews(t *testing.T) {
	mine, theirs := two(t)
	if _, err := theirs.Decide(t.Context(), review.Choice{Kind: review.Defer}, review.Target{ID: 5}); err != nil {
		t.Fatal(err)
	}
	s := openScreen(t, mine, 120, 30, "d", "a", "v", "type:deferred", "enter").shows("1 of 1").at(1)
	// the newest first
	s.keys("v", "type:decidedtoday", "down", "enter").shows("▽ all, by ana, decided since 1970-01-01", "1 of 2").at(2)
	s.keys("v", "type:waiting", "enter").shows("of 7", "▽ waiting ")
}

// The reviewer's place is restored after a restart.
func TestStateIsKept(t *testing.T) {
	desk := newDesk(t)
	opts := Options{DBPath: "/tmp/visto.db", Env: []string{"TERM=xterm-256color"},
		StateFile: filepath.Join(t.TempDir(), "visto", "console.json")}
	s := openScreenWith(t, desk, opts, 120, 30).shows("1 of 10")
	s.keys("f", "type:home-page", "!", "enter", "s", "type:host", "enter", "G", "k", "space", "F")
	at := s.model.queue.pane.Current().ID
	s.keys("5")
	if err := s.model.leave(); err != nil {
		t.Fatal(err)
	}
	s = openScreenWith(t, desk, opts, 120, 30).shows("[5 Stats]",
		"Where they stand").keys("1").shows("▽ waiting, not home-page").at(at)
	if s.model.queue.shown.query.Sort != review.ByHost {
		t.Errorf("sorted by %s", s.model.queue.shown.query.Sort)
	}
	s.keys("2", "enter").shows("unknown-param plaza on sede")
	if err := s.model.leave(); err != nil {
		t.Fatal(err)
	}
	openScreenWith(t, desk, opts, 120, 30).shows("▽ waiting, unknown-param plaza on sede", "of 3")
}

func TestBrokenStateIsLeftOut(t *testing.T) {
	desk := newDesk(t)
	path := filepath.Join(t.TempDir(), "console.json")
	opts := Options{DBPath: "/tmp/visto.db", Env: []string{"TERM=xterm-256color"}, StateFile: path}
	for _, text := range []string{"", "{", `{"view":{"sort":"x"},"tab":"Log"}`, `{"view":7}`, "\x00\x1b[31m",
		strings.Repeat("[", 100000)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		openScreenWith(t, desk, opts, 120, 30).shows("1 of 10", "[1 Queue]", "where you were is not known")
	}
	if err := os.WriteFile(path, []byte(`{"view":{"sort":"id","open":true},"url":999,"tab":"nowhere"}`),
		0o600); err != nil {
		t.Fatal(err)
	}
	openScreenWith(t, desk, opts, 120, 30).shows("1 of 10", "[1 Queue]").lacks("not known")
}

// A place that cannot be written is told, and leaves no file behind.
func TestThePlaceCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "state.json")
	if err := os.MkdirAll(filepath.Join(file, "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := openScreen(t, newDesk(t), 80, 24)
	s.model.opts.StateFile = file
	if err := s.model.leave(); err == nil || !strings.Contains(err.Error(), "not where you were") {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Columns are chosen by a dialog or by name, and kept with a view and over a restart.
func TestColumns(t *testing.T) {
	desk := newDesk(t)
	opts := Options{DBPath: "/tmp/visto.db", Env: []string{"TERM=xterm-256color"},
		StateFile: filepath.Join(t.TempDir(), "console.json")}
	s := openScreenWith(t, desk, opts, 100, 30).lacks("      flag")
	s.keys("L").shows("╭─ Columns").keys("j", "j", "space", "j", "space").shows("      flag                url",
		"host   ").keys("esc").lacks("      flag")
	s.keys("L", "j", "j", "space", "j", "j", "space", "enter").shows("      flag                url", " host",
		"sede.ejemplo.gob.es")
	s.keys("v", "type:save", "enter", "type:by host", "enter")
	s.keys(":", "type:columns url, field", "enter").shows("    url ", "field").lacks("flag   ")
	s.keys(":", "type:columns colour", "enter").shows(`there is no column "colour"`, "    url ")
	if err := s.model.leave(); err != nil {
		t.Fatal(err)
	}
	s = openScreenWith(t, desk, opts, 100, 30).shows("    url ", "field").lacks("flag   ")
	s.keys("v", "type:waiting", "enter").shows("    url ", "field") // a built-in view has none of its own
	s.keys("v", "type:by host", "enter").shows("      flag                url", " host")
	s.keys(":", "type:columns usual", "enter").lacks("      flag")

	opts.Columns = []review.Column{{Name: "file", Width: 14}, {Name: "url"}}
	opts.StateFile = ""
	s = openScreenWith(t, desk, opts, 100, 30).shows("    file           url", "registry.yaml")
	s.keys("L", "x").shows("    file           url").keys("L", "space", "esc").shows("    file           url")
	if s.model.queue.chosen != nil {
		t.Error("esc makes the columns of the configuration the reviewer's own")
	}
	s.keys("L", "space", "enter").lacks("    file").shows("    url")
	s.clickOn("plaza=sur").at(2)
}
