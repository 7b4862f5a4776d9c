// Package lazyregexp makes regular expressions that are compiled on first use. Reading pages and files needs dozens of
// them, and most commands read none. Compiling them all at the start took a fifth of the time of a short command.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that compiles text when it is first called, and panics if text is no regular expression. It
// may be called from several goroutines.
func New(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
