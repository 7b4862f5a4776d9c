package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// samples are measurements by benchmark and unit, one for each round.
type samples map[key][]float64

type key struct{ benchmark, unit string }

// The reported units.
const (
	clock       = "ns/op"
	processor   = "cpu-ns/op"
	bytesEach   = "B/op"
	allocations = "allocs/URL"
)

// add parses the output of one round of benchmarks.
func (s samples) add(output string) error {
	found := false
	for line := range strings.Lines(output) {
		fields := strings.Fields(line)
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		found = true
		for i := 2; i+1 < len(fields); i += 2 {
			value, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return fmt.Errorf("reading the output of a benchmark: %q: %w", line, err)
			}
			k := key{benchmarkName(fields[0]), fields[i+1]}
			s[k] = append(s[k], value)
		}
	}
	if !found {
		return fmt.Errorf("no benchmark printed anything:\n%s", output)
	}
	return nil
}

// benchmarkName removes the number of processors from the end of a name.
func benchmarkName(printed string) string {
	name := strings.TrimPrefix(printed, "Benchmark")
	if dash := strings.LastIndexByte(name, '-'); dash > 0 {
		if _, err := strconv.Atoi(name[dash+1:]); err == nil {
			return name[:dash]
		}
	}
	return name
}

// spread summarizes several rounds.
type spread struct{ least, median, most float64 }

func spreadOf(values []float64) spread {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return spread{sorted[0], (sorted[(n-1)/2] + sorted[n/2]) / 2, sorted[n-1]}
}

// get returns the measurements of a benchmark.
func (s samples) get(benchmark, unit string) ([]float64, error) {
	values := s[key{strings.ReplaceAll(benchmark, " ", "_"), unit}]
	if len(values) == 0 {
		return nil, fmt.Errorf("benchmark %s gave no %s", benchmark, unit)
	}
	return values, nil
}

// ratio compares two benchmarks, round by round.
func (s samples) ratio(of, to, unit string) (spread, error) {
	left, err := s.get(of, unit)
	if err != nil {
		return spread{}, err
	}
	right, err := s.get(to, unit)
	if err != nil {
		return spread{}, err
	}
	if len(left) != len(right) {
		return spread{}, fmt.Errorf("%s was measured %d times, %s %d times", of, len(left), to, len(right))
	}
	ratios := make([]float64, len(left))
	for i := range left {
		ratios[i] = left[i] / right[i]
	}
	return spreadOf(ratios), nil
}
