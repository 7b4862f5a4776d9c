// Package cli is the command line of visto, and the one place where everything is wired together.
//
// Main runs one command line. root.go holds the table of commands; each command has a file of its own, named
// after it, with a constructor that takes the app: the streams, the environment and the global flags. A command
// reads its flags, asks a review.Desk (app.go opens it), and prints.
//
// What every command shares stands in few files: filter.go turns the filter flags into a review.Filter,
// policy_flag.go and evidence.go load what --policy and --evidence name, print.go decides what reaches a
// terminal (escaped) and what reaches a pipe (as it is), and failure.go turns errors into exit statuses and hints.
//
// Data goes to stdout and everything else to stderr. The exit status is 0 when all is done, 1 when something
// failed, 2 for wrong usage, and 3 when all is done but some input lines could not be read.
package cli
