// Visto is a terminal program in which a reviewer decides the URLs that a canonicalizer was not sure about.
//
// The folders, each with a package document of its own:
//
//	canon     the engine: pure, without I/O
//	review    intake, queue, decisions, overrides and their effect, log, export; it owns the store's interface.
//	          review/probe requests URLs and returns evidence, review/health follows links over time
//	store     the stores on SQLite and on PostgreSQL, their schemas, and the conformance suite for stores
//	ui        the commands (cli), the console and its parts, its settings, and the guard of the terminal (term)
//	testdata  golden archives of each step, scripts of commands, screens, the JSON schema of results; bench, a module
//	          of its own, compares canon with other programs
//
// Imports go one way: ui to review, review to its own probe, read and health, all of them to canon; store to review and
// canon; only ui/cli imports store. A test keeps this.
//
// # Before a change lands
//
// go test ./... runs every kind of test once, in minutes. VISTO_TEST=all adds repetition: further rounds, sizes and
// corpora (package visto/canon/suite decides). .ci/run has to pass: format, vet, staticcheck, all tests, the tests under
// the race detector, and a short run of every fuzz target. These longer runs are by hand:
//
//	go test ./ui/cli -run 'TestFaults$' -v -timeout 0 -rounds 500      kills the program at random moments of any
//	                                                                   write, fills the disk, flips bits, locks the
//	                                                                   file, restores backups; then looks for every
//	                                                                   entry that was ever confirmed
//	VISTO_HISTORIES=500 go test ./ui/cli -run 'TestHistories$' -v -timeout 0
//	                                                                   random histories of 200 steps, on the program and
//	                                                                   on that of an earlier commit (.ci/reference)
//	go test ./ui/console -run TwoConsoles -v -minute 1m                two consoles decide at random on one database
//	go test ./ui/console -run TestKeysOfTheDemo -v                     counts the keys of a review (testdata/keys)
//	go test ./review/suggest -run TestReport -update                   writes review/suggest/testdata/REPORT.md: mined
//	                                                                   rules against planted ones
//	go -C testdata/bench run .                                         writes testdata/bench/REPORT.md
//	go run ./review/probe/testnet/serve                                a test internet on loopback, to probe by hand
//
// # Golden files and pictures
//
// testdata/README.md has the command that writes each of them. The golden screens are written anew with
//
//	VISTO_TEST=all go test ./ui/console -update
//
// and the pictures of the README, which are drawn from the console at work on the demo, with
//
//	go test ./ui/cli -run TestPictures -update
//
// The tests fail when the console shows other screens than these.
//
// # Releases
//
// A tag such as v1.2.0 makes a release on GitHub: .goreleaser.yaml has its archives and packages. The Go toolchain
// records the tag as the version that visto --version prints.
package main

import (
	"os"

	"visto/ui/cli"
)

func main() { os.Exit(cli.Main()) }
