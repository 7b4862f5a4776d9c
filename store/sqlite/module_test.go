package sqlite_test

import (
	"encoding/json"
	"os/exec"
	"testing"
)

// The driver is C translated to Go against one version of its C library; another version may corrupt memory. So this
// module must build with the version in the driver's own go.mod.
func TestLibcVersion(t *testing.T) {
	driver := module(t, "list", "-m", "-json", "modernc.org/sqlite")
	var own struct {
		Require []struct{ Path, Version string }
	}
	decode(t, &own, "mod", "edit", "-json", driver.GoMod)
	used := module(t, "list", "-m", "-json", "modernc.org/libc")
	for _, r := range own.Require {
		if r.Path == used.Path && r.Version != used.Version {
			t.Errorf("%s is %s, the driver %s wants %s", used.Path, used.Version, driver.Version, r.Version)
		}
	}
	if len(own.Require) == 0 {
		t.Errorf("%s requires nothing", driver.GoMod)
	}
}

type info struct{ Path, Version, GoMod string }

func module(t *testing.T, args ...string) info {
	t.Helper()
	var m info
	decode(t, &m, args...)
	return m
}

func decode(t *testing.T, into any, args ...string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", args...).Output()
	if err != nil {
		t.Fatalf("go %q: %v", args, err)
	}
	must(t, json.Unmarshal(out, into))
}
