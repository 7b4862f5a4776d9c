package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"visto/store/file"
)

// Of a line longer than maxLine only the first longStart bytes are kept: enough to reject it.
const (
	maxLine   = 1 << 20
	blockSize = 128 << 10
	longStart = 2048
)

// chunk is a run of whole input lines, or the start of one line that is too long to hold.
type chunk struct {
	text  string
	first int   // number of the first line, from 1
	long  int64 // length of the line in bytes if it is too long, else 0
}

// readChunks splits an input into chunks, in order. It yields the whole lines of each read, so that a filter at the end
// of a slow pipe answers each line as it comes, and it never holds more than maxLine bytes. A byte order mark before
// the first line is dropped.
func readChunks(r io.Reader, yield func(chunk) error) error {
	buf := make([]byte, blockSize)
	held, line := 0, 1
	for {
		n, readErr := r.Read(buf[held:])
		whole := 0
		if end := bytes.LastIndexByte(buf[held:held+n], '\n'); end >= 0 {
			whole = held + end + 1
		}
		held += n
		if readErr == io.EOF {
			whole = held
		}
		if whole > 0 {
			text := string(buf[:whole])
			if line == 1 {
				text = strings.TrimPrefix(text, "\ufeff")
			}
			if err := yield(chunk{text: text, first: line}); err != nil {
				return err
			}
			line += strings.Count(text, "\n")
			held = copy(buf, buf[whole:held])
		}
		switch {
		case readErr == io.EOF:
			return nil
		case readErr != nil:
			return readErr
		case held == maxLine:
			var err error
			if held, err = skipLong(r, buf, line, yield); err != nil {
				return err
			}
			line++
		case held == len(buf):
			buf = append(buf, make([]byte, len(buf))...)
		}
	}
}

// skipLong reads to the end of a line that fills the buffer, yields its start, and leaves in the buffer the bytes read
// after it.
func skipLong(r io.Reader, buf []byte, line int, yield func(chunk) error) (held int, err error) {
	start, length := string(buf[:longStart]), int64(len(buf))
	for {
		n, err := r.Read(buf)
		end := bytes.IndexByte(buf[:n], '\n')
		if end < 0 && err == nil {
			length += int64(n)
			continue
		}
		if end < 0 {
			length, end = length+int64(n), n
		} else {
			length, end = length+int64(end), end+1
		}
		if yieldErr := yield(chunk{text: start, first: line, long: length}); yieldErr != nil {
			return 0, yieldErr
		}
		if err == io.EOF {
			err = nil
		}
		return copy(buf, buf[end:n]), err
	}
}

// interruptible returns a reader that fails as soon as ctx is done, even while r waits for input.
func interruptible(ctx context.Context, r io.Reader) io.Reader {
	pr, pw := io.Pipe()
	go func() {
		_, err := io.Copy(pw, r)
		pw.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { pw.CloseWithError(ctx.Err()) })
	return pr
}

// openInput opens a file, or a pipe, but no directory. It fails as soon as ctx is done, even while a pipe waits for
// somebody who writes to it, and so does reading from a pipe.
func openInput(ctx context.Context, name string) (io.ReadCloser, error) {
	f, err := file.Open(ctx, name, os.O_RDONLY)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, file.Reason(err))
	}
	return input(ctx, f)
}

// readFile is os.ReadFile that fails as soon as ctx is done, as openInput does.
func readFile(ctx context.Context, name string) ([]byte, error) {
	f, err := file.Open(ctx, name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(interruptible(ctx, f))
}

// input returns the open file as an input.
func input(ctx context.Context, f *os.File) (io.ReadCloser, error) {
	info, err := f.Stat()
	switch {
	case err == nil && info.IsDir():
		err = withHint(fmt.Errorf("reading %s: it is a directory", f.Name()), "name the files in it")
	case err == nil && !info.Mode().IsRegular():
		return struct {
			io.Reader
			io.Closer
		}{interruptible(ctx, f), f}, nil
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
