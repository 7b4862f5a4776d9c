package probe

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"visto/review/probe/extract"
	"visto/review/probe/testnet"
)

// slowReader reads one document after the other, each in a minute, and counts the bodies that wait for it.
type slowReader struct {
	idle      chan struct{}
	held, max atomic.Int64 // bytes
}

func (r *slowReader) PDF(_ context.Context, body []byte, _ int) (extract.Document, error) {
	held := r.held.Add(int64(len(body)))
	defer r.held.Add(-int64(len(body)))
	if held > r.max.Load() {
		r.max.Store(held) // under no lock: time does not pass meanwhile
	}
	r.idle <- struct{}{}
	defer func() { <-r.idle }()
	time.Sleep(time.Minute)
	return extract.Document{Title: "T", Pages: 1}, nil
}

func (r *slowReader) HTML(context.Context, []byte, string, string) (extract.Document, error) {
	return extract.Document{}, nil
}

func (r *slowReader) Close() error { return nil }

// The bodies of the answers of many hosts do not pile up while one document is read after the other (spec 7), and no
// host runs into the limit of time because it waits for others.
func TestRunHoldsFewBodies(t *testing.T) {
	const hosts, size = 40, 1 << 20
	for _, sends := range []string{"with its length", "without it"} {
		synctest.Test(t, func(t *testing.T) {
			body := append(testnet.PDF("T", 1), bytes.Repeat([]byte{'\n'}, size)...)[:size]
			network := newPipes(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/robots.txt" {
					http.NotFound(w, r)
					return
				}
				w.Header().Set("Content-Type", "application/pdf")
				if sends == "with its length" {
					w.Header().Set("Content-Length", fmt.Sprint(size))
				}
				w.Write(body)
			}))
			reader := &slowReader{idle: make(chan struct{}, 1)}
			p := proberFor(t, Config{Policy: keepsHTTP(t), Clock: SystemClock{}, Resolver: anyName{},
				Dial: network.Dial, Cache: knownHosts{NewMemoryCache()}, Documents: reader, MaxPDF: size,
				MaxBody: size / 8})
			read := 0
			err := p.Run(t.Context(), targetsOn(hosts, hosts), func(r Report) error {
				if ev := r.Evidence; ev.Error == "" && ev.PDFPages == 1 && ev.Size == size && len(ev.Caveats) == 0 {
					read++
				} else {
					t.Errorf("%s, %s: %+v", sends, r.Target.URL, ev)
				}
				return nil
			})
			p.Close()
			close(network.done)
			if max := reader.max.Load(); err != nil || read != hosts || max > 4*size {
				t.Errorf("%s: %v, %d of %d are read, %d bytes were held at a time", sends, err, read, hosts, max)
			}
		})
	}
}
