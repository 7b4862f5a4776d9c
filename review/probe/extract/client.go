package extract

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// The time that a document may take. The first document of a child may take startFactor times as long, because the
// child starts its reader then: PDFium takes 4 s of processor time to compile if the cache is empty, which may be long
// on a slow or busy machine.
const (
	DefaultLimit = time.Minute     // for a PDF file
	PageLimit    = 5 * time.Second // for a page, which takes some milliseconds
)

const startFactor = 5

// pageChildren is the number of children that read pages. One reads more pages a second than a prober may fetch from
// 200 hosts, if they are small; two use both processors of a small machine if they are large.
const pageChildren = 2

// fileChildren is the number of children that read PDF files, so that one file of a minute does not hold up those of
// other hosts: a host is asked for one at a time. A child is started only if all others are at work.
const fileChildren = 3

// Client reads documents in child processes. Pages have children of their own: none waits until PDFium is started. A
// Client is safe for concurrent use; documents wait for each other if all children are at work.
type Client struct {
	pages, files *readers
}

// NewClient returns a Client without children. Its children run the command, a program that calls Serve; the Client
// sets the streams. limit is the time for one document; zero means DefaultLimit. A page gets PageLimit at most.
func NewClient(command func() (*exec.Cmd, error), limit time.Duration) *Client {
	if limit == 0 {
		limit = DefaultLimit
	}
	return &Client{
		pages: newReaders(pageChildren, command, min(limit, PageLimit)), files: newReaders(fileChildren, command, limit),
	}
}

// PDF reads a PDF file, or the beginning of one, and up to text bytes of the text on its first pages. It fails if the
// file cannot be read within the limits of time and memory; the next call starts afresh.
func (c *Client) PDF(ctx context.Context, body []byte, text int) (Document, error) {
	head := requestHeader{Kind: pdfKind, Text: uint32(min(text, MaxText))}
	return c.files.read(ctx, request{requestHeader: head, body: body})
}

// HTML reads a page. contentType is the header field of the answer, url the URL of the page, to which its links are
// relative. It fails as PDF does.
func (c *Client) HTML(ctx context.Context, body []byte, contentType, url string) (Document, error) {
	head := requestHeader{Kind: htmlKind}
	return c.pages.read(ctx, request{requestHeader: head, contentType: contentType, url: url, body: body})
}

// Close ends the children, each after its current document. A later document starts another child, so several users
// may share a Client, and each may close it.
func (c *Client) Close() error {
	c.pages.close()
	c.files.close()
	return nil
}

// readers are some readers of documents.
type readers struct {
	free *semaphore.Weighted
	size int64

	lock sync.Mutex
	idle []*reader // as many as are free; the last was used last, so it has a child if any has
}

func newReaders(size int64, command func() (*exec.Cmd, error), limit time.Duration) *readers {
	r := &readers{free: semaphore.NewWeighted(size), size: size}
	for range size {
		r.idle = append(r.idle, &reader{command: command, limit: limit})
	}
	return r
}

// read reads a document with the next free reader.
func (rs *readers) read(ctx context.Context, r request) (Document, error) {
	if err := rs.free.Acquire(ctx, 1); err != nil {
		return Document{}, context.Cause(ctx)
	}
	defer rs.free.Release(1)
	at := rs.take()
	defer rs.put(at)
	return at.read(ctx, r)
}

// take returns an idle reader. The caller holds one place of free.
func (rs *readers) take() *reader {
	rs.lock.Lock()
	defer rs.lock.Unlock()
	last := len(rs.idle) - 1
	at := rs.idle[last]
	rs.idle = rs.idle[:last]
	return at
}

func (rs *readers) put(at *reader) {
	rs.lock.Lock()
	defer rs.lock.Unlock()
	rs.idle = append(rs.idle, at)
}

// close waits until no document is read, and ends the children.
func (rs *readers) close() {
	if rs.free.Acquire(context.Background(), rs.size) != nil {
		return // the context does not end
	}
	defer rs.free.Release(rs.size)
	for _, at := range rs.idle {
		_ = at.end() // it was killed, so its exit status is no news
	}
}

// reader reads one document at a time in a child process.
type reader struct {
	command func() (*exec.Cmd, error)
	limit   time.Duration
	child   *process // nil: none runs
}

func (at *reader) read(ctx context.Context, r request) (Document, error) {
	limit, err := at.ensureChild()
	if err != nil {
		return Document{}, fmt.Errorf("starting the reader of documents: %w", err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("reading it took longer than %v", limit))
	defer cancel()
	answer, err := at.child.exchange(ctx, r)
	switch {
	case err != nil && ctx.Err() != nil:
		_ = at.end() // it was killed, so its exit status is no news
		return Document{}, err
	case err != nil:
		return Document{}, errors.Join(err, at.end())
	case answer.Error != "":
		return Document{}, errors.New(answer.Error)
	}
	return answer.Document, nil
}

// ensureChild starts a child if none runs, and returns the time that its next document may take.
func (at *reader) ensureChild() (time.Duration, error) {
	if at.child != nil && !at.child.ended() {
		return at.limit, nil
	}
	_ = at.end() // its document, if it had one, has been reported
	cmd, err := at.command()
	if err != nil {
		return 0, err
	}
	at.child, err = start(cmd)
	return startFactor * at.limit, err
}

// end ends the child, if one runs, and returns the reason why it ended.
func (at *reader) end() error {
	if at.child == nil {
		return nil
	}
	err := at.child.end()
	at.child = nil
	return err
}
