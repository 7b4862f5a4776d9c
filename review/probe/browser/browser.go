package browser

import (
	"context"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

// Page is a page to draw: the answer of its server, which is not requested again.
type Page struct {
	URL    string
	Header http.Header // of the answer
	Body   []byte      // decoded (Content-Encoding), in the charset of the header or its own
	Limit  int         // bytes of the drawing

	UserAgent, AcceptLanguage string // headers of the requests that scripts make

	// RootCAs are the authorities that certificates of servers are verified by; nil: those of the browser.
	RootCAs *x509.CertPool

	// Admit is asked before each request of a script, whether it may be made; nil: every one may, up to the limit.
	Admit func() bool

	// Dial opens the connections of the page. It decides which addresses and ports may be asked.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Drawing is a page as its scripts drew it.
type Drawing struct {
	HTML      []byte // the document in UTF-8; at most Page.Limit bytes
	Truncated bool   // the document was longer
	SentTo    string // the last URL that scripts wanted to go to from here; not asked; empty: none
}

// limits are the times that the parts of the work may take.
type limits struct {
	start  time.Duration // of the browser, until it answers
	settle time.Duration // of a page, from its beginning until it is taken as it is
	page   time.Duration // of a page in all
}

var defaultLimits = limits{start: time.Minute, settle: 10 * time.Second, page: 20 * time.Second}

// Browser draws pages in a browser that it starts when a page needs it. It is safe for concurrent use; pages wait for
// each other.
type Browser struct {
	// NewFolder makes the folder for the profile and the temporary files of one run; remove removes it. Set it before
	// the first page. It is one of os.MkdirTemp at first, which stays if the program is killed.
	NewFolder func() (path string, remove func() error, err error)

	path   string
	limits limits
	idle   chan struct{} // holds a token while no page is drawn; its holder owns child
	child  *process      // nil: none runs

	unsandboxed atomic.Bool
}

// New returns a Browser that runs the program at a path. It starts nothing.
func New(path string) *Browser {
	b := &Browser{NewFolder: newFolder, path: path, limits: defaultLimits, idle: make(chan struct{}, 1)}
	b.idle <- struct{}{}
	return b
}

func newFolder() (string, func() error, error) {
	path, err := os.MkdirTemp("", "visto-")
	return path, func() error { return os.RemoveAll(path) }, err
}

// Draw returns a page as its scripts draw it. It fails if the browser does not start, dies, or takes too long; the
// next page then gets another one.
func (b *Browser) Draw(ctx context.Context, page Page) (Drawing, error) {
	select {
	case <-b.idle:
		defer b.release()
	case <-ctx.Done():
		return Drawing{}, context.Cause(ctx)
	}
	if err := b.ensureChild(ctx); err != nil {
		return Drawing{}, fmt.Errorf("starting %s: %w", b.path, err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, b.limits.page,
		fmt.Errorf("drawing it took longer than %v", b.limits.page))
	defer cancel()
	d, err := b.child.draw(ctx, page, b.limits.settle)
	if err != nil {
		b.end()
		return Drawing{}, err
	}
	return d, nil
}

// Unsandboxed reports whether a browser was started without its sandbox, as for root.
func (b *Browser) Unsandboxed() bool { return b.unsandboxed.Load() }

// ensureChild starts a browser if none runs. Chromium crashes now and then while it starts, so it has a second try.
func (b *Browser) ensureChild(ctx context.Context) error {
	if b.child != nil && !b.child.ended() {
		return nil
	}
	b.end()
	ctx, cancel := context.WithTimeoutCause(ctx, b.limits.start,
		fmt.Errorf("it gave no answer within %v", b.limits.start))
	defer cancel()
	isRoot := os.Geteuid() == 0
	var err error
	if b.child, err = b.start(ctx, isRoot); err != nil && ctx.Err() == nil {
		b.child, err = b.start(ctx, isRoot)
	}
	if err == nil && isRoot {
		b.unsandboxed.Store(true)
	}
	return err
}

// Close ends the browser, after the present page. A later page starts another one.
func (b *Browser) Close() {
	<-b.idle
	defer b.release()
	b.end()
}

func (b *Browser) release() { b.idle <- struct{}{} }

// end kills the browser, if one runs, and removes its profile.
func (b *Browser) end() {
	if b.child != nil {
		b.child.stop()
		b.child = nil
	}
}
