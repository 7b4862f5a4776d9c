package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// machine holds the properties of the machine that affect the ratios a little.
type machine struct {
	cpu, goVersion string
	processors     int
	versions       map[string]string // of the peers' modules
}

func thisMachine(ctx context.Context) (machine, error) {
	m := machine{cpu: cpuModel(), goVersion: runtime.Version(), processors: runtime.GOMAXPROCS(0),
		versions: map[string]string{}}
	list, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Path}} {{.Version}}", "all").Output()
	if err != nil {
		return machine{}, fmt.Errorf("asking for the versions of the peers: %w", err)
	}
	for line := range strings.Lines(string(list)) {
		path, version, _ := strings.Cut(strings.TrimSpace(line), " ")
		m.versions[path] = version
	}
	m.versions["visto"] = "this one"
	return m, nil
}

// cpuModel returns the processor's own name, if the system tells it.
func cpuModel() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	_, model, _ := strings.Cut(string(info), "model name")
	model, _, _ = strings.Cut(model, "\n")
	if model = strings.TrimLeft(model, "\t :"); model == "" {
		return runtime.GOARCH
	}
	return model
}
