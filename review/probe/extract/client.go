package extract

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// DefaultLimit is the time that a document may take. The first document of a child may take startFactor times as long,
// because the child starts its reader then: PDFium takes 4 s of processor time to compile if the cache is empty, which
// may be long on a slow or busy machine.
const DefaultLimit = time.Minute

const startFactor = 5

// MaxText is the upper bound of the text that a Client asks for, in bytes.
const MaxText = 64 << 10

// Document holds the contents of a document.
type Document struct {
	Title    string
	Language string // as the document states it, not checked
	Pages    int    // 0: not known
	Locked   bool   // a password is needed to read it; nothing else is known then
	Text     string // of the first pages
}

// Client reads documents in a child process. It is safe for concurrent use; documents wait for each other.
type Client struct {
	command func() (*exec.Cmd, error)
	limit   time.Duration
	idle    chan struct{} // holds a token while no document is read; its holder owns child
	child   *process      // nil: none runs
}

// NewClient returns a Client without a child. Its children run the command, a program that calls Serve; the Client
// sets the streams. limit is the time for one document; zero means DefaultLimit.
func NewClient(command func() (*exec.Cmd, error), limit time.Duration) *Client {
	if limit == 0 {
		limit = DefaultLimit
	}
	c := &Client{command: command, limit: limit, idle: make(chan struct{}, 1)}
	c.idle <- struct{}{}
	return c
}

// PDF reads a PDF file, or the beginning of one, and up to text bytes of the text on its first pages. It fails if the
// file cannot be read within the limits of time and memory; the next call starts afresh.
func (c *Client) PDF(ctx context.Context, body []byte, text int) (Document, error) {
	select {
	case <-c.idle:
		defer c.release()
	case <-ctx.Done():
		return Document{}, context.Cause(ctx)
	}
	limit, err := c.ensureChild()
	if err != nil {
		return Document{}, fmt.Errorf("starting the reader of documents: %w", err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("reading it took longer than %v", limit))
	defer cancel()
	answer, err := c.child.exchange(ctx, request{requestHeader{Text: uint32(min(text, MaxText))}, body})
	switch {
	case err != nil && ctx.Err() != nil:
		_ = c.end() // it was killed, so its exit status is no news
		return Document{}, err
	case err != nil:
		return Document{}, errors.Join(err, c.end())
	case answer.Error != "":
		return Document{}, errors.New(answer.Error)
	}
	return answer.Document, nil
}

// ensureChild starts a child if none runs, and returns the time that its next document may take.
func (c *Client) ensureChild() (time.Duration, error) {
	if c.child != nil && !c.child.ended() {
		return c.limit, nil
	}
	_ = c.end() // its document, if it had one, has been reported
	cmd, err := c.command()
	if err != nil {
		return 0, err
	}
	c.child, err = start(cmd)
	return startFactor * c.limit, err
}

// Close ends the child, after the current document. A later document starts another child, so several users may share
// a Client, and each may close it.
func (c *Client) Close() error {
	<-c.idle
	defer c.release()
	_ = c.end() // it was killed, so its exit status is no news
	return nil
}

func (c *Client) release() { c.idle <- struct{}{} }

// end ends the child, if one runs, and returns the reason why it ended.
func (c *Client) end() error {
	if c.child == nil {
		return nil
	}
	err := c.child.end()
	c.child = nil
	return err
}
