// Package cli is the command line of visto, and the one place where everything is wired together.
//
// [Main] runs one command line. root.go holds the table of commands; each command has a file of its own, named
// after it (the four that decide share decide.go), with a constructor that takes the app: the streams, the
// environment and the global flags. A command reads its flags, asks a review.Desk, which app.go opens, and prints.
//
// What commands share stands in few files:
//
//	filter.go        the filter flags, as a review.Filter
//	policy_flag.go   what --policy names; evidence.go, what --evidence names; rule.go, a rule
//	lines.go         long inputs, in chunks; canon_stream.go, the pipeline of visto canon over them
//	network.go       the flags about the network, and the prober that they describe; probe_screen.go, how far a probe is
//	effect.go        what a change of the rules does; explain.go, what a result says, for people
//	print.go         what reaches a terminal (escaped) and what reaches a pipe (as it is)
//	failure.go       errors: exit statuses and hints, added here once
//	complete.go      what the shell completes; topics.go, the pages of help that belong to no command
//
// The folder demo holds the samples of visto demo. Data goes to stdout and everything else to stderr. The exit
// status is 0 when all is done, 1 when something failed, 2 for wrong usage, and 3 when all is done but some input lines
// could not be read.
package cli
