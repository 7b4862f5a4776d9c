package main

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"visto/canon"
)

var visto = flag.String("visto", "", "the program that BenchmarkStream measures")

// BenchmarkStream compares visto canon, a process from start to end, with the engine alone, which has the same lines in
// memory and shares them out among all processors.
func BenchmarkStream(b *testing.B) {
	if *visto == "" {
		b.Skip("needs -visto FILE")
	}
	dir := b.TempDir()
	in := filepath.Join(dir, "in.txt")
	gov, err := procedures()
	if err != nil {
		b.Fatal(err)
	}
	if err := gov.write(in, million); err != nil {
		b.Fatal(err)
	}
	b.Run("engine", func(b *testing.B) { engineAlone(b, in) })
	b.Run("nowhere", func(b *testing.B) { wholeProgram(b, in, os.DevNull) })
	b.Run("file", func(b *testing.B) { wholeProgram(b, in, filepath.Join(dir, "out.txt")) })
}

func engineAlone(b *testing.B, in string) {
	data, err := os.ReadFile(in)
	if err != nil {
		b.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	policy, workers := clara(b), runtime.GOMAXPROCS(0)
	begin := processorTime(b)
	for b.Loop() {
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				c := canon.New(policy, nil)
				for _, line := range lines[w*len(lines)/workers : (w+1)*len(lines)/workers] {
					c.Canonicalize(line, nil)
				}
			})
		}
		wg.Wait()
	}
	b.ReportMetric(float64(processorTime(b)-begin)/float64(b.N), processor)
}

func wholeProgram(b *testing.B, in, out string) {
	var used time.Duration
	for b.Loop() {
		state, err := filter(b.Context(), *visto, in, out)
		if err != nil {
			b.Fatal(err)
		}
		used += state.UserTime() + state.SystemTime()
	}
	b.ReportMetric(float64(used)/float64(b.N), processor)
}
