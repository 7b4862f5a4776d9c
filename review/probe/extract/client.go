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
	Title    string `json:"title,omitempty"`
	Language string `json:"language,omitempty"` // as the document states it, not checked
	Pages    int    `json:"pages,omitempty"`    // 0: not known
	Locked   bool   `json:"locked,omitempty"`   // a password is needed to read it
	Text     string `json:"text,omitempty"`     // of the first pages
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
	return c.read(ctx, request{requestHeader: requestHeader{Kind: PDF, Text: min(text, MaxText)}, body: body})
}

func (c *Client) read(ctx context.Context, r request) (Document, error) {
	if err := c.take(ctx); err != nil {
		return Document{}, err
	}
	defer c.release()
	limit := c.limit
	if c.child == nil {
		limit *= startFactor
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	answer, err := c.exchange(limited, r)
	switch {
	case err == nil && answer.Error != "":
		return Document{}, errors.New(answer.Error)
	case err == nil:
		return answer.Document, nil
	case ctx.Err() != nil:
		return Document{}, context.Cause(ctx)
	case limited.Err() != nil:
		return Document{}, fmt.Errorf("reading it took longer than %v", limit)
	}
	return Document{}, err
}

// exchange sends a document to the child, which it starts if none runs, and returns the answer. After an error no
// child runs.
func (c *Client) exchange(ctx context.Context, r request) (answer response, err error) {
	if c.child != nil && c.child.ended() {
		c.end()
	}
	if c.child == nil {
		if c.child, err = c.start(); err != nil {
			return answer, fmt.Errorf("starting the reader of documents: %w", err)
		}
	}
	answer, err = c.child.exchange(ctx, r)
	if err != nil {
		err = errors.Join(err, c.end())
	}
	return answer, err
}

func (c *Client) start() (*process, error) {
	cmd, err := c.command()
	if err != nil {
		return nil, err
	}
	return start(cmd)
}

// Close ends the child, after the current document. A later document starts another child, so several users may share
// a Client, and each may close it.
func (c *Client) Close() error {
	<-c.idle
	defer c.release()
	_ = c.end() // it was killed, so its exit status is no news
	return nil
}

// take waits until no other document is being read.
func (c *Client) take(ctx context.Context) error {
	select {
	case <-c.idle:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
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
