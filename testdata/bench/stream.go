package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"visto/canon"
)

// million is the number of lines in the stream.
const million = 1_000_000

// writeLines writes a file of n lines: the URLs of the set gov over and over.
func writeLines(name string, n int) error {
	policy, err := canon.Builtin(canon.DefaultPolicy)
	if err != nil {
		return err
	}
	urls := named(sets(policy), "gov").urls
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for i := range n {
		w.WriteString(urls[i%len(urls)])
		w.WriteByte('\n')
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// filter runs the program as a filter from one file to another.
func filter(ctx context.Context, visto, in, out string) (*os.ProcessState, error) {
	stdin, err := os.Open(in)
	if err != nil {
		return nil, err
	}
	defer stdin.Close()
	stdout, err := os.Create(out)
	if err != nil {
		return nil, err
	}
	defer stdout.Close()
	cmd := exec.CommandContext(ctx, visto, "canon")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("running visto canon: %w", err)
	}
	return cmd.ProcessState, nil
}

// use is the peak memory of a run.
type use struct {
	lines int
	peak  int64 // bytes
}

// peakMemory runs the program on inputs of different length. It needs a small process of its own, because a child
// process starts with the peak of its parent.
func peakMemory(ctx context.Context, visto, dir string) ([]use, error) {
	var uses []use
	for _, n := range []int{million / 10, million, 4 * million} {
		in := filepath.Join(dir, "lines.txt")
		if err := writeLines(in, n); err != nil {
			return nil, err
		}
		state, err := filter(ctx, visto, in, os.DevNull)
		if err != nil {
			return nil, err
		}
		kilobytes := state.SysUsage().(*syscall.Rusage).Maxrss
		uses = append(uses, use{n, int64(kilobytes) << 10})
	}
	return uses, nil
}
