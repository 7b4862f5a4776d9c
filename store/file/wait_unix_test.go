//go:build unix

package file_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"visto/store/file"
)

// Open and Write end with their context while a pipe has nobody at its other end, and Write while nobody reads.
func TestCanceledAtPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	must(t, syscall.Mkfifo(pipe, 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	failures := make(chan error)
	go func() {
		_, err := file.Open(ctx, pipe, os.O_RDONLY)
		failures <- err
	}()
	cancel()
	if err := <-failures; !errors.Is(err, context.Canceled) {
		t.Errorf("opening to read: %v", err)
	}
	if err := file.Write(ctx, pipe, text("x")); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("opening to write: %v", err)
	}

	ctx, cancel = context.WithCancel(t.Context())
	go func() { failures <- file.Write(ctx, pipe, text(strings.Repeat("x", 1<<20))) }() // more than a pipe holds
	reader, err := os.Open(pipe)
	must(t, err)
	defer reader.Close()
	cancel()
	if err := <-failures; !errors.Is(err, context.Canceled) {
		t.Errorf("writing: %v", err)
	}
}
