package file

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
)

// Open is os.OpenFile that fails as soon as ctx is done, even while a named pipe waits for somebody at its other end.
func Open(ctx context.Context, name string, flag int) (*os.File, error) {
	return await(ctx, func() (*os.File, error) { return os.OpenFile(name, flag, 0o666) })
}

// writeWaiting writes to a pipe or a device. It fails as soon as ctx is done, even while a pipe waits for somebody who
// opens its other end, or who reads.
func writeWaiting(ctx context.Context, name string, write func(io.Writer) error) error {
	f, err := Open(ctx, name, os.O_WRONLY)
	if err != nil {
		return err
	}
	return errors.Join(write(waitingWriter{ctx, f}), f.Close())
}

// waitingWriter writes to a file until ctx is done. Its descriptor tells whether it is a terminal.
type waitingWriter struct {
	ctx context.Context
	f   *os.File
}

func (w waitingWriter) Fd() uintptr { return w.f.Fd() }

func (w waitingWriter) Write(p []byte) (int, error) {
	data := bytes.Clone(p) // the caller may use p again while the write that it no longer waits for goes on
	return await(w.ctx, func() (int, error) { return w.f.Write(data) })
}

// await returns the results of fn, or the error of ctx if that is done before. Then fn goes on by itself.
func await[T any](ctx context.Context, fn func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := fn()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
