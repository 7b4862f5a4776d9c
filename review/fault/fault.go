// Package fault turns a panic of a goroutine into an error of the job that the goroutine works for. A program that does
// many jobs, such as visto serve, loses that job alone.
package fault

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// Error is a panic.
type Error struct {
	Value any      // of the panic
	Stack []string // the calls that led to it, the innermost first, at most maxStack: "extract.cell table.go:12"
}

// maxStack is the number of calls that an Error has. Its text has to fit into one message.
const maxStack = 12

// Error tells the value and the stack in one line.
func (e *Error) Error() string {
	return fmt.Sprintf("a fault in visto, please report it: %v (%s)", e.Value, strings.Join(e.Stack, " < "))
}

// Unwrap returns the value if it is an error.
func (e *Error) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Do calls fn. A panic of fn is an *Error.
func Do(fn func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &Error{value, stack()}
		}
	}()
	return fn()
}

// stack returns the calls that led to the panic which the caller has recovered.
func stack() (calls []string) {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	panicked := false
	for more := true; more && len(calls) < maxStack; {
		var f runtime.Frame
		f, more = frames.Next()
		ofRuntime := strings.HasPrefix(f.Function, "runtime.")
		if panicked && !ofRuntime {
			calls = append(calls, fmt.Sprintf("%s %s:%d", path.Base(f.Function), path.Base(f.File), f.Line))
		}
		panicked = panicked || f.Function == "runtime.gopanic"
	}
	return calls
}
