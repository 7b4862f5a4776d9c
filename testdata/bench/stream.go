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

// lineList is an endless list of lines for the program.
type lineList struct {
	name string
	line func(i int) string
}

// procedures is the set gov over and over.
func procedures() (lineList, error) {
	policy, err := canon.Builtin(canon.DefaultPolicy)
	if err != nil {
		return lineList{}, err
	}
	urls := named(sets(policy), "gov").urls
	return lineList{"links to procedures", func(i int) string { return urls[i%len(urls)] }}, nil
}

// write writes a file of n lines.
func (l lineList) write(name string, n int) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for i := range n {
		w.WriteString(l.line(i))
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
	cmd := exec.CommandContext(ctx, visto, "canon", "--quiet", "--lenient")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("running visto canon: %w", err)
	}
	return cmd.ProcessState, nil
}

// use is the peak memory of a run.
type use struct {
	lines int
	list  string
	peak  int64 // bytes
}

// peakMemory runs the program on inputs of different length, and on a list with half a million hosts. It needs a small
// process of its own, because a child process starts with the peak of its parent.
func peakMemory(ctx context.Context, visto, dir string) (uses []use, err error) {
	gov, err := procedures()
	if err != nil {
		return nil, err
	}
	many := lineList{"every second one on a new host", manyHostsURL}
	for _, input := range []struct {
		list  lineList
		lines int
	}{{gov, million / 10}, {gov, million}, {gov, 4 * million}, {many, million}} {
		in := filepath.Join(dir, "lines.txt")
		if err := input.list.write(in, input.lines); err != nil {
			return nil, err
		}
		state, err := filter(ctx, visto, in, os.DevNull)
		if err != nil {
			return nil, err
		}
		kilobytes := state.SysUsage().(*syscall.Rusage).Maxrss
		uses = append(uses, use{input.lines, input.list.name, int64(kilobytes) << 10})
	}
	return uses, nil
}
