package sqlite_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"visto/review"
	"visto/store/rows"
)

// The lease of a process that was killed is free at once, on the same machine.
func TestLeaseOfEndedProcess(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "visto.db"))
	self, err := os.Executable()
	must(t, err)
	cmd := exec.Command(self, "-test.run=^$")
	must(t, cmd.Run())
	ended, now := cmd.Process.Pid, time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	here := rows.ThisProcess()
	lease := func(h review.Holder) error {
		want := review.Lease{Reviewer: "ana", Holder: h, Since: now, Until: now.Add(time.Minute)}
		return s.Lease(t.Context(), want, now)
	}
	for _, test := range []struct {
		held review.Holder
		free bool
	}{
		{review.Holder{Machine: here.Machine, PID: ended}, true},
		{review.Holder{Machine: "not-" + here.Machine, PID: ended}, false},
		{here, false},
	} {
		must(t, lease(test.held))
		err := lease(review.Holder{Machine: "other", PID: 1})
		var held *review.LeaseError
		if (err == nil) != test.free || err != nil && (!errors.As(err, &held) || held.Held.Holder != test.held) {
			t.Errorf("held by %v: %v", test.held, err)
		}
		must(t, s.EndLease(t.Context(), review.Lease{Holder: test.held, Since: now}))
		must(t, s.EndLease(t.Context(), review.Lease{Holder: review.Holder{Machine: "other", PID: 1}, Since: now}))
	}
}
