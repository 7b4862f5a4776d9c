package canon_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestImportsLittle limits the dependencies of this package to golang.org/x and the YAML reader.
func TestImportsLittle(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	for _, path := range deps {
		if path != "visto/canon" && path != "go.yaml.in/yaml/v3" && !strings.HasPrefix(path, "golang.org/x/") {
			t.Errorf("canon depends on %s", path)
		}
	}
	if len(deps) < 3 {
		t.Errorf("go list named only %v", deps)
	}
}
