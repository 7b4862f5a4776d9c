package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestBrowsers(t *testing.T) {
	const url = "https://www.boe.es/a?b=c&d"
	for env, want := range map[string][][]string{
		"firefox":              {{"firefox", url}},
		"lynx:firefox -new":    {{"lynx", url}, {"firefox", "-new", url}},
		"open --url=%s --wait": {{"open", "--url=" + url, "--wait"}},
		" : w3m ":              {{"w3m", url}},
	} {
		got := browsers(env, url)
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%q: %q, want %q", env, got, want)
		}
	}
	if got := browsers("", url); len(got) != 1 || got[0][len(got[0])-1] != url {
		t.Errorf("without $BROWSER: %q", got)
	}
}

// $BROWSER comes first. One that is not there, or fails, is passed over, and the last failure is told once.
func TestBrowserOfTheEnvironment(t *testing.T) {
	dir := t.TempDir()
	seen := filepath.Join(dir, "seen")
	script := "#!/bin/sh\nprintf %s \"$1\" > " + seen + "\n"
	if err := os.WriteFile(filepath.Join(dir, "mine"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":/bin:/usr/bin")
	t.Setenv("BROWSER", "no-such-browser:false:mine")
	const url = "https://www.boe.es/a?b=$(c)"
	if err := openBrowser(url); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(seen); string(got) != url {
		t.Errorf("it got %q, %v", got, err)
	}
	t.Setenv("BROWSER", "no-such-browser:false")
	err := openBrowser(url)
	if err == nil || strings.Count(err.Error(), "opening the browser") != 1 ||
		!strings.Contains(err.Error(), "no-such-browser") || !strings.Contains(err.Error(), "; false: exit status 1") {
		t.Errorf("failed with %v", err)
	}
}
