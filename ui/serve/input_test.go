package serve

import (
	"strings"
	"testing"
	"time"
)

// Each key begins the time without one anew.
func TestKeysResetTheIdleTimer(t *testing.T) {
	idle := time.NewTimer(time.Hour)
	idle.Stop()
	in := input{Reader: strings.NewReader("k"), idle: idle, wait: time.Hour}
	if n, err := in.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if !idle.Stop() {
		t.Error("the timer does not run")
	}
}
