package cli_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"visto/review/probe/testnet"
)

// Spec 15: visto candidates ID [--record ID] [--json] prints an object a line with url, score and why, best first. It
// stores no page, with --no-content or without, and names the records where several cite the URL.
func TestCandidatesCommand(t *testing.T) {
	t.Parallel()
	p := newProcess(t, internet(t, testnet.Town(), testnet.Options{}))
	records := testnet.TownRecords()[:2]
	for _, r := range records {
		file := filepath.Join(t.TempDir(), r.ID+".json")
		write(t, file, string(r.File()))
		p.ok("add", file)
	}
	_, errs := p.run(1, nil, "candidates", "1")
	for _, r := range records {
		if !strings.Contains(errs, r.ID) || !strings.Contains(errs, "--record") {
			t.Errorf("without a record: %s", errs)
		}
	}
	_, errs = p.run(1, nil, "candidates", "1", "--record", "none")
	if !strings.Contains(errs, `0 records called "none"`) {
		t.Errorf("an unknown record: %s", errs)
	}
	for _, r := range records {
		var best struct {
			URL, Title string
			Score      float64
			Why        []string
		}
		out := lines(p.candidates(t, "1", "--record", r.ID, "--json", "--no-content"))
		decode(t, out[0], &best)
		if best.URL != r.Truth || best.Score <= 0 || !slices.Contains(best.Why, "in Spanish") {
			t.Errorf("%s: %s", r.ID, out[0])
		}
		for _, line := range out {
			last := best.Score
			if err := json.Unmarshal([]byte(line), &best); err != nil || best.Score > last {
				t.Errorf("not best first: %s", line)
			}
		}
	}
	if text := p.candidates(t, "1", "--record", records[0].ID); !strings.Contains(text, records[0].Truth+"\n") ||
		!strings.Contains(text, "in Spanish; headings of a procedure") {
		t.Errorf("as text:\n%s", text)
	}
	if all := lines(p.ok("list", "--status", "all", "--limit", "0")); len(all) != 1 {
		t.Errorf("stored: %q", all)
	}
}

// candidates runs visto candidates on the test internet.
func (p *process) candidates(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(p.visto, slices.Concat([]string{"candidates", "--rate", "0"}, p.flags, args)...)
	cmd.Env = p.env
	return must(t, cmd)
}
