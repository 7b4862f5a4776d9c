// Package cli is the command line of visto, and the one place where everything is wired together.
//
// [Main] runs one command line. root.go holds the table of commands; each command has a file of its own, named
// after it (the four that decide share decide.go), with a constructor that takes the app: the streams, the
// environment and the global flags. A command reads its flags, asks a review.Desk, which app.go opens, and prints.
//
// The commands share these files:
//
//	global_flags.go  the flags that every command takes, and the environment behind them
//	filter.go        the filter flags, as a review.Filter; order.go, the order and length of a list
//	policy_flag.go   the policy of --policy; evidence.go, the file of --evidence; rule.go, the flags of a rule
//	lines.go         long inputs, in chunks; canon_stream.go, the pipeline of visto canon over them
//	network.go       the prober of a desk; network_flags.go, its settings; probe_screen.go, the progress of a probe
//	effect.go        the effect of a change of the rules, and explain.go, a result, for people
//	lint_source.go   the decisions of visto lint; lint_format.go and lint_sarif.go, its findings;
//	                 lint_fix.go and lint_diff.go, its changes
//	print.go         output: escaped for a terminal, unchanged for a pipe
//	failure.go       errors: exit statuses and hints, added here once
//	complete.go      shell completion; help.go and topics.go, visto help and the pages that belong to no command
//
// The folder demo holds the samples of visto demo, help the text of each command and topics that of each topic of
// visto help. Data goes to stdout and everything else to stderr. The exit status is 0 when all is done, 1 when
// something failed, 2 for wrong usage, and 3 when all is done but some input lines could not be read.
package cli
