package console

import (
	"strings"
	"testing"
)

func TestSnapshot(t *testing.T) {
	s, err := Snapshot(t.Context(), newDesk(t), Options{}, 80, 24, "j", "enter")
	if err != nil || !strings.Contains(s, "URL 2") {
		t.Errorf("%v: %s", err, s)
	}
	if _, err := Snapshot(t.Context(), newDesk(t), Options{}, 80, 24, "no such key"); err == nil {
		t.Error("no error for a key that there is not")
	}
}
