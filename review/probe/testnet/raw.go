package testnet

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// The handlers in this file imitate broken and hostile servers. They go on until the client leaves or the test
// internet closes.

// seize takes the connection from the server and lets answer write to it.
func seize(answer func(net.Conn, *http.Request)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return // the client is gone
		}
		defer conn.Close()
		leave := make(chan struct{})
		defer close(leave)
		go func() { // the server does not close hijacked connections
			select {
			case <-r.Context().Done():
				conn.Close()
			case <-leave:
			}
		}()
		answer(conn, r)
	})
}

// Reset cuts the connection, so that the client sees a reset, or the end of a connection in memory.
func Reset() http.Handler {
	return seize(func(conn net.Conn, _ *http.Request) {
		if under, ok := conn.(interface{ NetConn() net.Conn }); ok {
			conn = under.NetConn()
		}
		if socket, ok := conn.(*net.TCPConn); ok {
			socket.SetLinger(0)
		}
		conn.Close()
	})
}

// Empty closes the connection without an answer.
func Empty() http.Handler { return seize(func(net.Conn, *http.Request) {}) }

// SlowHeaders sends one byte of a header at a time.
func SlowHeaders(pause time.Duration) http.Handler {
	return seize(func(conn net.Conn, r *http.Request) {
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nX-Slow: ")
		drip(conn, r, pause)
	})
}

// SlowBody sends one byte of a page at a time.
func SlowBody(pause time.Duration) http.Handler {
	return seize(func(conn net.Conn, r *http.Request) {
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000000\r\n\r\n")
		if r.Method != http.MethodHead {
			drip(conn, r, pause)
		}
	})
}

func drip(conn net.Conn, r *http.Request, pause time.Duration) {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
		if _, err := io.WriteString(conn, "x"); err != nil {
			return
		}
	}
}

// Mute reads the request and never answers.
func Mute() http.Handler {
	return seize(func(conn net.Conn, _ *http.Request) { io.Copy(io.Discard, conn) })
}

// EndlessHeaders sends headers without end.
func EndlessHeaders() http.Handler {
	return seize(func(conn net.Conn, _ *http.Request) {
		_, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\n")
		for i := 0; err == nil; i++ {
			_, err = fmt.Fprintf(conn, "X-Header-%d: %s\r\n", i, strings.Repeat("x", 100))
		}
	})
}

// HugeHeader sends one header of size bytes, then a page.
func HugeHeader(size int, page Page) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Huge", strings.Repeat("x", size))
		page.ServeHTTP(w, r)
	})
}

// BrokenBody sends a part of a body that a header announces whole, then closes the connection.
func BrokenBody(header, part string) http.Handler {
	return seize(func(conn net.Conn, _ *http.Request) {
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n"+header+"\r\n"+part)
	})
}

// EndlessBody sends a page without end, in chunks.
func EndlessBody(page Page) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", page.contentType())
		_, err := w.Write(page.Bytes())
		for err == nil && r.Method != http.MethodHead && r.Context().Err() == nil {
			_, err = w.Write(filler)
		}
	})
}

// filler is a kilobyte of a long page.
var filler = bytes.Repeat([]byte("<p>lorem ipsum</p>\n"), 54)

// Long returns the page, with bytes after its end up to a size.
func Long(page Page, size int) []byte {
	b := page.Bytes()
	for len(b) < size {
		b = append(b, filler...)
	}
	return b[:size]
}

// Bomb is the page followed by megabytes of filler, compressed with gzip to a thousandth. The data never ends
// properly, but no client should get there.
func Bomb(page Page, megabytes int) http.Handler {
	packed := bomb(page.Bytes(), bytes.Repeat([]byte(" "), 1<<20), megabytes)
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		send(w, page.contentType(), packed)
	})
}

// bomb compresses a beginning and many times the same unit with gzip, without an end. The unit has 32 KiB or more.
func bomb(begin, unit []byte, times int) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	z.Write(begin)
	last := 0
	for range 2 { // a flush after a unit makes data that can be repeated
		z.Flush()
		last = b.Len()
		z.Write(unit)
	}
	z.Flush()
	return append(b.Bytes(), bytes.Repeat(b.Bytes()[last:], times-2)...)
}

// Generated streams a document of many units, until the client leaves.
func Generated(contentType, begin string, unit func(i int) string, times int, end string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contentType)
		if r.Method == http.MethodHead {
			return
		}
		out := bufio.NewWriterSize(w, 64<<10)
		_, err := out.WriteString(begin)
		for i := 0; i < times && err == nil; i++ {
			_, err = out.WriteString(unit(i))
		}
		out.WriteString(end)
		out.Flush()
	})
}

// Compressed is the page in gzip.
func Compressed(page Page) http.Handler {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(page.Bytes())
	z.Close()
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		send(w, page.contentType(), b.Bytes())
	})
}

// Garbage answers with bytes that are no HTTP.
func Garbage() http.Handler {
	return seize(func(conn net.Conn, _ *http.Request) { io.WriteString(conn, "SSH-2.0-OpenSSH_9.6\r\n") })
}
