// Command bench measures the engine and visto canon against their peers, and writes REPORT.md:
//
//	go -C testdata/bench run .
//
// It is a module of its own, so that the peers are no dependencies of visto.
//
// The measurements are the Go benchmarks of this module. They run in rounds, each in its own process. A ratio compares
// two times of the same round, and so of the same machine. The report gives the median of the rounds, with the least
// and the greatest. So the ratios hold even while other programs disturb the machine, which times alone would not.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r := &runner{}
	flag.IntVar(&r.rounds, "rounds", 10, "number of rounds")
	flag.StringVar(&r.benchtime, "benchtime", "100ms", "least duration of each measurement")
	out := flag.String("o", "REPORT.md", "the `file` to write")
	flag.Parse()
	if err := r.run(ctx, *out); err != nil {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		os.Exit(1)
	}
}

// root is the repository, seen from the directory of this module.
const root = "../.."

// runner builds the program and the benchmarks, and runs them.
type runner struct {
	rounds    int
	benchtime string
	visto     string // the program
	benchmark string // the benchmarks, compiled
}

func (r *runner) run(ctx context.Context, out string) error {
	dir, err := os.MkdirTemp("", "visto-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := r.build(ctx, dir); err != nil {
		return err
	}
	all := samples{}
	for round := range r.rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, r.rounds)
		if err := r.round(ctx, all); err != nil {
			return err
		}
	}
	memory, err := peakMemory(ctx, r.visto, dir)
	if err != nil {
		return err
	}
	machine, err := thisMachine(ctx)
	if err != nil {
		return err
	}
	text, err := report{all, r.rounds, memory, machine}.markdown()
	if err != nil {
		return err
	}
	return replace(out, text)
}

func (r *runner) build(ctx context.Context, dir string) error {
	r.visto, r.benchmark = filepath.Join(dir, "visto"), filepath.Join(dir, "bench.test")
	for _, args := range [][]string{
		{"-C", root, "build", "-o", r.visto, "."},
		{"test", "-c", "-o", r.benchmark, "."},
	} {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("building in testdata/bench: go %v: %w", args, err)
		}
	}
	return nil
}

// round runs every benchmark once: the peers on one processor, so that each pays for its own garbage collection, and
// the stream on all processors.
func (r *runner) round(ctx context.Context, all samples) error {
	for _, args := range [][]string{
		{"-test.bench=^BenchmarkPeers$", "-test.cpu=1", "-test.benchtime=" + r.benchtime},
		{"-test.bench=^BenchmarkStream$", "-test.benchtime=1x", "-visto=" + r.visto},
	} {
		cmd := exec.CommandContext(ctx, r.benchmark, append(args, "-test.run=^$")...)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("running the benchmarks: %w\n%s", err, out)
		}
		if err := all.add(string(out)); err != nil {
			return err
		}
	}
	return nil
}

// replace writes a file whole or not at all.
func replace(name, text string) error {
	temporary := name + ".new"
	if err := os.WriteFile(temporary, []byte(text), 0o644); err != nil {
		return err
	}
	return os.Rename(temporary, name)
}
