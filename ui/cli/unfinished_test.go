package cli_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/store/sqlite"
)

// TestUnfinished: each command says how many URLs do not follow a change that a program left, and those that need them
// fail where they may not write. The next command that may write goes on, and export waits for that.
func TestUnfinished(t *testing.T) {
	t.Parallel()
	const n = 600
	p := newProgram(t)
	var urls strings.Builder
	for i := range n {
		fmt.Fprintf(&urls, "https://www.boe.es/tramite/alta/%d?plaza=1\n", i)
	}
	p.run(0, strings.NewReader(urls.String()), "add", "-")
	leaveUnfinished(t, p.db)

	const left = "600 URLs do not follow a change of many URLs yet"
	for _, step := range []struct {
		args      string
		status    int
		out, errs string
	}{
		{"stats --read-only", 0, "unfinished  600 ", ""},
		{"stats --read-only --json", 0, `"unfinished":600`, ""},
		{"log --read-only", 0, "drop plaza", left},
		{"check --read-only", 0, "not compared: 600 URLs that do not follow a change of many yet", ""},
		{"check --read-only --json", 0, `"unfinished":600`, ""},
		{"check --replay --read-only", 1, "", left},
		{"lint -", 1, "", left + "\nhint: open it where it can be written"},
		{"recanon --policy clara --read-only", 1, "", left},
		{"export --status all --read-only", 3, "tramite/alta/7?plaza=1\"", left},
		{"export --status all", 0, "\"https://www.boe.es/tramite/alta/7\"", ""},
		{"stats --json", 0, `"total":600,"open"`, ""},
		{"check --replay --read-only", 0, "sound", ""},
	} {
		out, errs := p.run(step.status, strings.NewReader("https://boe.es/x\n"), strings.Fields(step.args)...)
		if !strings.Contains(out, step.out) || !strings.Contains(errs, step.errs) {
			t.Errorf("%s: %.300s\n%s\nwant %q and %q", step.args, out, errs, step.out, step.errs)
		}
	}
}

// leaveUnfinished writes a rule for all URLs of a database by a program that cannot have them follow.
func leaveUnfinished(t *testing.T, db string) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), db, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := review.Open(t.Context(), s, "ana", nil)
	if err == nil {
		s.UseRules(func(context.Context) (review.Computing, error) {
			return review.Computing{}, errors.New("the rules cannot be read")
		})
		rule := canon.Override{Match: canon.Match{Host: "www.boe.es"}, DropQueryParams: []string{"plaza"}}
		_, _, err = d.SaveOverrides(t.Context(), []review.OverrideChange{{After: &rule}}, "drop plaza")
	}
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
}
