package probe_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"visto/review/probe"
	"visto/review/probe/extract"
	"visto/review/probe/testnet"
)

// newVirtualWorld returns a world in the virtual time of testing/synctest, which begins as the other worlds do.
func newVirtualWorld(t *testing.T, sites []testnet.Site) *world {
	t.Helper()
	time.Sleep(time.Until(testnet.Begin))
	w := newDirectWorld(t, sites, testnet.Options{InMemory: true})
	var err error
	if w.config.ConnectTo, err = probe.ParseConnectTo(w.net.ConnectTo()...); err != nil {
		t.Fatal(err)
	}
	w.config.Dial, w.config.Clock, w.config.Timeout = w.net.Dial, probe.SystemClock{}, probe.DefaultTimeout
	return w
}

// outside reads documents outside of the bubble of testing/synctest, in which time stands still while a child process
// lives.
type outside struct {
	probe.DocumentReader
	mu    sync.Mutex
	calls chan func()
	done  chan struct{}
}

// newOutside returns a reader that works until its calls are closed.
func newOutside(reader probe.DocumentReader) *outside {
	o := &outside{DocumentReader: reader, calls: make(chan func()), done: make(chan struct{})}
	go func() {
		for call := range o.calls {
			call()
			o.done <- struct{}{}
		}
	}()
	return o
}

func (o *outside) run(call func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.calls <- call
	<-o.done
}

func (o *outside) HTML(_ context.Context, body []byte, contentType, url string) (doc extract.Document, err error) {
	o.run(func() { doc, err = o.DocumentReader.HTML(context.Background(), body, contentType, url) })
	return doc, err
}

func (o *outside) PDF(_ context.Context, body []byte, text int) (doc extract.Document, err error) {
	o.run(func() { doc, err = o.DocumentReader.PDF(context.Background(), body, text) })
	return doc, err
}

func (o *outside) Close() error { return nil }
