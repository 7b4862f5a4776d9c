package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A command that is given again, because it was killed behind its commit, says in which batch it is done.
func TestGivenAgainSaysAlreadyDone(t *testing.T) {
	p := newProgram(t)
	file := filepath.Join(t.TempDir(), "u.txt")
	write(t, file, "https://sede.gob.es/?plaza=1\nhttps://www.sepe.es/\n")
	p.run(0, nil, "add", file)
	ok(t, os.Remove(file))
	p.run(0, nil, "forget", "--yes", file)
	out, _ := p.run(0, nil, "forget", "--yes", file)
	if !strings.HasPrefix(out, "already done by ") || !strings.HasSuffix(out, ": forget u.txt (batch 2)\n") {
		t.Error(out)
	}
	p.run(0, nil, "undo", "2")
	if _, text := p.run(1, nil, "undo", "2"); !strings.Contains(text, "batch 2 is undone already: forget u.txt") {
		t.Error(text)
	}
	p.run(0, nil, "forget", "--yes", file)
	if out, _ = p.run(0, nil, "forget", "--yes", file); !strings.HasSuffix(out, "(batch 3)\n") {
		t.Error(out)
	}
}

// An undo or a redo given again takes no further batch: it says which one is done. An undo of one's own goes on behind a
// redo or another batch.
func TestRevertGivenAgain(t *testing.T) {
	p := newProgram(t)
	p.run(0, strings.NewReader("https://sede.gob.es/?plaza=1\nhttps://sede.gob.es/a/b/c?plaza=1\n"), "add", "-")
	p.ok("approve", "1")
	p.ok("reject", "2", "--note", "no page")
	p.ok("undo")
	for range 2 {
		_, text := p.run(1, nil, "undo")
		if !strings.Contains(text, "batch 3 is undone already: reject URL 2") ||
			!strings.Contains(text, "hint: visto undo --yes goes on with batch 2: approve URL 1") {
			t.Error(text)
		}
	}
	if got := p.ok("list", "--status", "approved", "--ids"); got != "1\n" {
		t.Errorf("approved: %q", got)
	}
	if out := p.ok("undo", "--yes"); !strings.HasPrefix(out, "undid batch 2: ") {
		t.Error(out)
	}
	if _, text := p.run(1, nil, "undo"); !strings.Contains(text, "batch 2 is undone already: approve URL 1") {
		t.Error(text)
	}
	p.ok("redo")
	_, text := p.run(1, nil, "redo")
	if !strings.Contains(text, "batch 2 is in force again already: approve URL 1") ||
		!strings.Contains(text, "hint: visto redo --yes goes on with batch 3: reject URL 2") {
		t.Error(text)
	}
	if out := p.ok("undo"); !strings.HasPrefix(out, "undid batch 2: ") {
		t.Error(out)
	}
	p.ok("approve", "2")
	if out := p.ok("undo"); !strings.HasPrefix(out, "undid batch 4: ") {
		t.Error(out)
	}
	p.ok("defer", "1", "--reviewer", "berta")
	if _, text := p.run(1, nil, "undo"); !strings.Contains(text, "batch 4 is undone already: ") {
		t.Error(text)
	}
}

// Without a name the policy of the database is shown, where there is one.
func TestPolicyShowOfTheDatabase(t *testing.T) {
	p := newProgram(t)
	if out, _ := p.run(0, nil, "policy", "show"); !strings.Contains(out, "name: clara\n") {
		t.Errorf("%.200s", out)
	}
	own := filepath.Join(t.TempDir(), "own.yaml")
	write(t, own, "name: own\nextends: clara\nblocklist:\n  foro.example: forum\n")
	p.run(0, strings.NewReader("https://sede.gob.es/\n"), "add", "--policy", own, "-")
	out, _ := p.run(0, nil, "policy", "show")
	if !strings.Contains(out, "foro.example") {
		t.Errorf("%.200s", out)
	}
	if out, _ = p.run(0, nil, "policy", "show", "clara"); strings.Contains(out, "foro.example") {
		t.Errorf("%.200s", out)
	}
}

// A URL that is cut where a shell cuts it without quotes is unknown, and why is said.
func TestUnknownURLMayBeCut(t *testing.T) {
	p := newProgram(t)
	p.run(0, strings.NewReader("https://sede.gob.es/?a=1&b=2\n"), "add", "-")
	for name, hinted := range map[string]bool{"https://sede.gob.es/?a=1": true, "https://sede.gob.es/x": false} {
		for _, cmd := range []string{"show", "approve", "probe"} {
			_, text := p.run(1, nil, cmd, name)
			if strings.Contains(text, "put the URL in quotes") != hinted || !strings.Contains(text, "hint: ") {
				t.Errorf("%s %s: %s", cmd, name, text)
			}
		}
	}
}
