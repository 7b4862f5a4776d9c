package console

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// TestEveryDialogAndTabHasAScene finds the types and titles of dialogs in the source, and looks for each of them
// in the scenes: no golden screen draws a dialog without a scene. The same holds for tabs.
func TestEveryDialogAndTabHasAScene(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	opened, shown, texts := map[string]bool{}, map[scope]bool{}, ""
	eachScene(t, func(_ *testing.T, _ string, s *screen) {
		m := s.model
		texts += s.text()
		shown[m.scope] = true
		if m.dialog != nil {
			opened[reflect.TypeOf(m.dialog).Elem().Name()] = true
		}
	})
	types, titles := dialogTypes(t), dialogTitles(t)
	if len(types) < 8 || len(titles) < 10 {
		t.Errorf("dialogs found: %q, called %q", types, titles)
	}
	for _, title := range titles {
		if !strings.Contains(texts, "╭─ "+title) {
			t.Errorf("no scene shows the dialog %q", title)
		}
	}
	for _, name := range types {
		if !opened[name] {
			t.Errorf("no scene opens a dialog.%s", name)
		}
	}
	for _, tab := range tabs {
		if !shown[tab.scope] {
			t.Errorf("no scene shows the tab %s", tab.name)
		}
	}
	if !shown[inDetail] {
		t.Error("no scene shows an opened URL")
	}
}

// dialogTypes returns the types of package dialog that are dialogs.
func dialogTypes(t *testing.T) (names []string) {
	t.Helper()
	for _, match := range matches(t, "../dialog/*.go", `func \(\w+ \*(\w+)\) Typing\(\) bool`) {
		names = append(names, match[1])
	}
	return names
}

// dialogTitles returns the constant titles of the console's dialogs.
func dialogTitles(t *testing.T) (titles []string) {
	t.Helper()
	for _, match := range matches(t, "*.go", `Title: "([^"]+)"`) {
		titles = append(titles, match[1])
	}
	return titles
}

// matches finds a pattern in the source without its tests.
func matches(t *testing.T, files, pattern string) (list [][]string) {
	t.Helper()
	names, err := filepath.Glob(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1)...)
	}
	return list
}
