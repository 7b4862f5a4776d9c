package extract

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
)

// Serve does the whole work of a child process. It answers the requests from in, one after the other, and returns at
// the end of in, even in the middle of a document; the process must end then. Serve limits the memory of the process.
func Serve(in io.Reader, out io.Writer) error {
	limitMemory()
	pages, files := newPageReader(), &pdfReader{cacheDir: cacheDir(), maxMemory: maxPDFMemory}
	return serve(in, out, func(r request) response {
		switch r.Kind {
		case htmlKind:
			return response{Document: pages.read(r.body, r.contentType, r.url)}
		case pdfKind:
			doc, err := files.read(r.body, int(r.Text))
			debug.FreeOSMemory() // the child may be idle for long, and PDFium takes much
			if err != nil {
				return response{Error: err.Error()}
			}
			return response{Document: doc}
		}
		return response{Error: fmt.Sprintf("documents of kind %d are not read", r.Kind)}
	})
}

// serve is Serve with another answer function.
func serve(in io.Reader, out io.Writer, answer func(request) response) error {
	requests, ended := make(chan request), make(chan error, 2)
	go func() { ended <- receive(in, requests) }()
	go func() { ended <- answerAll(requests, out, answer) }()
	return <-ended
}

// receive passes on the requests. It keeps reading during an answer, to notice the end of the parent.
func receive(in io.Reader, requests chan<- request) error {
	for {
		r, err := readRequest(in)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("reading a request: %w", err)
		}
		requests <- r
	}
}

func answerAll(requests <-chan request, out io.Writer, answer func(request) response) error {
	for r := range requests {
		if err := writeResponse(out, answer(r)); err != nil {
			return fmt.Errorf("writing an answer: %w", err)
		}
	}
	return nil
}

// cacheDir returns the directory of the compilation cache, or nothing if the environment names none.
func cacheDir() string {
	dir := os.Getenv("XDG_CACHE_HOME")
	if !filepath.IsAbs(dir) {
		var err error
		if dir, err = os.UserCacheDir(); err != nil {
			return ""
		}
	}
	return filepath.Join(dir, "visto")
}
