// Package suite decides how much of the tests runs. It stands below canon because the tests of every package use it.
//
// There are three sizes of one list of tests:
//
//	go test ./...                  every kind of test once: each step, command, key, error, screen and script, each
//	                               promise of a store on both databases, a first round of each fault
//	VISTO_TEST=all go test ./...   repetition besides: further rounds of faults and load, variants of the conformance
//	                               suite, screens in further sizes, hours of random keys, large corpora; for .ci/run
//	go test -short ./...           what the race detector can see: no long work of a single goroutine
//
// A test that the plain run leaves out calls Repeats, and its skip names the variable. A test that has more rounds when
// all tests run asks Rounds. A test that no other one stands for calls neither.
package suite

import (
	"fmt"
	"os"
	"testing"
)

// variable is the name of the environment variable that asks for repetition.
const variable = "VISTO_TEST"

// All reports whether repetition runs too.
func All() bool {
	switch value := os.Getenv(variable); value {
	case "all":
		return true
	case "":
		return false
	default:
		panic(fmt.Sprintf("%s=%s: it knows the value all, or none", variable, value))
	}
}

// Repeats skips a test that repeats what another one shows, unless all tests run. by names that other test, and what
// it leaves out.
func Repeats(t testing.TB, by string) {
	t.Helper()
	if !All() {
		t.Skipf("%s=all runs it; without it: %s", variable, by)
	}
}

// Rounds returns the number of rounds of a test: few, or many if all tests run.
func Rounds(few, many int) int {
	if All() {
		return many
	}
	return few
}
