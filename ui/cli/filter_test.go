package cli_test

import (
	"strings"
	"testing"
)

func TestFilterValuesMatchWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	p := newProgram(t)
	p.run(0, strings.NewReader("https://web.gencat.cat/ca/tramits\nhttps://www.boe.es/buscar\n"), "add", "-")
	const catalan, unknown = "https://web.gencat.cat/ca/tramits", "https://www.boe.es/buscar"
	for language, want := range map[string]string{
		"ca": catalan, "CA": catalan, "none": unknown, "None": unknown, "ca,none": catalan + " " + unknown,
		"noneca": "", "nonenone": "", "c": "",
	} {
		list := p.ok("list", "--status", "all", "--language", language)
		for _, url := range []string{catalan, unknown} {
			if got := strings.Contains(list, url); got != strings.Contains(want, url) {
				t.Errorf("--language %s: lists %s: %v\n%s", language, url, got, list)
			}
		}
	}
}

func TestWrongStatusSaysWhy(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	p := newProgram(t)
	p.run(0, strings.NewReader("https://www.boe.es/buscar\n"), "add", "-")
	const names = "pending, accepted, approved, rejected, deferred"
	for _, c := range []struct{ flag, value, message string }{
		{"--status", "pending,open", "--status: open cannot be combined with other values"},
		{"--status", "all,pending", "--status: all cannot be combined with other values"},
		{"--status", "waiting", `--status: "waiting" is none of open, all, ` + names},
		{"--status", "pending,waiting", `--status: "waiting" is none of open, all, ` + names},
		{"--not-status", "open", `--not-status: "open" is none of ` + names},
	} {
		_, stderr := p.run(2, strings.NewReader(""), "list", c.flag, c.value)
		if first, _, _ := strings.Cut(stderr, "\n"); first != "visto: "+c.message {
			t.Errorf("%s %s: %s, want %s", c.flag, c.value, first, c.message)
		}
	}
	for _, value := range []string{"open", "all", "pending,deferred"} {
		p.ok("list", "--status", value)
	}
}
