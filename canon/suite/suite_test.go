package suite_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"visto/canon/suite"
)

// recorder notes whether a test is skipped, and why.
type recorder struct {
	testing.TB
	skipped string
}

func (r *recorder) Helper() {}

func (r *recorder) Skipf(format string, args ...any) { r.skipped = fmt.Sprintf(format, args...) }

func TestPlainRunLeavesRepetitionOut(t *testing.T) {
	t.Setenv("VISTO_TEST", "")
	var r recorder
	suite.Repeats(&r, "TestOther shows one size")
	if !strings.Contains(r.skipped, "VISTO_TEST=all runs it") || suite.Rounds(2, 9) != 2 {
		t.Errorf("skipped with %q, %d rounds", r.skipped, suite.Rounds(2, 9))
	}
}

func TestAllRunsRepetition(t *testing.T) {
	t.Setenv("VISTO_TEST", "all")
	var r recorder
	suite.Repeats(&r, "TestOther shows one size")
	if r.skipped != "" || suite.Rounds(2, 9) != 9 {
		t.Errorf("skipped with %q, %d rounds", r.skipped, suite.Rounds(2, 9))
	}
}

func TestUnknownSizeIsAnError(t *testing.T) {
	t.Setenv("VISTO_TEST", "al")
	defer func() {
		if recover() == nil {
			t.Error("VISTO_TEST=al is taken for a size")
		}
	}()
	suite.All()
}

// asked is tests that note the temporary folder.
type asked struct{ folder string }

func (a *asked) Run() int {
	a.folder = os.TempDir()
	return 3
}

func TestChosenTemporaryFolderStays(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	var a asked
	if status := (suite.InMemory{Tests: &a}).Run(); status != 3 || a.folder != dir {
		t.Errorf("status %d, temporary files in %s, want %s", status, a.folder, dir)
	}
}
