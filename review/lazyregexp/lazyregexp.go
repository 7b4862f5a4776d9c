// Package lazyregexp makes regular expressions that are compiled on first use. A command that reads no page starts
// without compiling the hundred forms of what pages say, which took it a third of its start.
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
