package extract

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
)

var background = context.Background()

// fakeClient returns a Client with a fake child.
func fakeClient(t *testing.T, limit time.Duration) *Client {
	t.Helper()
	c := NewClient(command("fake"), limit)
	t.Cleanup(func() { c.Close() })
	return c
}

// order sends a document to the fake child, which does not fail, and returns its process number.
func order(t *testing.T, c *Client, document string) int {
	t.Helper()
	doc, err := c.PDF(t.Context(), []byte(document), 0)
	if err != nil {
		t.Fatalf("%q: %v", document, err)
	}
	return doc.Pages
}

// waitForEnd waits until there is no such process, not even a zombie.
func waitForEnd(t *testing.T, pid int) {
	t.Helper()
	for range 500 {
		if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); errors.Is(err, os.ErrNotExist) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d is still there", pid)
}

func needProc(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc and RLIMIT_DATA")
	}
}

func TestClientKeepsItsChild(t *testing.T) {
	c := fakeClient(t, 0)
	first := order(t, c, "")
	if second := order(t, c, strings.Repeat("x", 8<<20)); second != first || first == os.Getpid() {
		t.Errorf("read by processes %d and %d, the test is %d", first, second, os.Getpid())
	}
	if _, err := c.PDF(t.Context(), []byte("refuse"), 0); err == nil ||
		err.Error() != "this is no document" {
		t.Errorf("an error of the child came as %v", err)
	}
	if third := order(t, c, ""); third != first {
		t.Error("a document that cannot be read cost the child its life")
	}
}

// TestClientStartsAgain loses children in every way. Each time the loss is reported, and the next document is read.
func TestClientStartsAgain(t *testing.T) {
	needProc(t)
	tests := []struct{ document, want string }{
		{"crash", "exit status 3"},
		{"talk", "invalid character"},
		{"flood", "EOF"},
		{"hang", "longer than"},
		{"eat", "exit status"}, // 2 of the Go runtime, 66 of the race detector
	}
	for _, tt := range tests {
		limit := 5 * time.Minute // no other document may end by its limit
		if tt.document == "hang" {
			limit = time.Second
		}
		c := fakeClient(t, limit)
		first := order(t, c, "")
		_, err := c.PDF(t.Context(), []byte(tt.document), 0)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.document, err, tt.want)
		}
		waitForEnd(t, first)
		if order(t, c, "") == first {
			t.Errorf("%s: the child lives on", tt.document)
		}
	}
}

// TestClientReplacesTheDead kills a child while nobody asks it.
func TestClientReplacesTheDead(t *testing.T) {
	needProc(t)
	c := fakeClient(t, 0)
	first := order(t, c, "")
	p, err := os.FindProcess(first)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
	waitForEnd(t, first)
	if order(t, c, "") == first {
		t.Error("read by a dead process")
	}
}

func TestClientCancel(t *testing.T) {
	needProc(t)
	c := fakeClient(t, 0)
	first := order(t, c, "")
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(200*time.Millisecond, func() { cancel(why) })
	if _, err := c.PDF(ctx, []byte("hang"), 0); !errors.Is(err, why) {
		t.Errorf("cancelled: %v", err)
	}
	waitForEnd(t, first)
	order(t, c, "")
}

// TestClientCancelWaiting gives up a document that waits for another.
func TestClientCancelWaiting(t *testing.T) {
	c := fakeClient(t, 0)
	order(t, c, "")
	if err := c.files.free.Acquire(t.Context(), fileChildren-1); err != nil { // all readers but one are at work
		t.Fatal(err)
	}
	defer c.files.free.Release(fileChildren - 1)
	hang, stop := context.WithCancelCause(t.Context())
	why, hanging := errors.New("enough"), make(chan error)
	go func() {
		_, err := c.PDF(hang, []byte("hang"), 0)
		hanging <- err
	}()
	for c.files.free.TryAcquire(1) { // until the other one has it
		c.files.free.Release(1)
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.PDF(ctx, nil, 0); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waited for the other: %v", err)
	}
	stop(why)
	if err := <-hanging; !errors.Is(err, why) {
		t.Errorf("the one that was read: %v", err)
	}
}

func TestClientClose(t *testing.T) {
	needProc(t)
	c := fakeClient(t, 0)
	first := order(t, c, "")
	for range 2 {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	waitForEnd(t, first)
	order(t, c, "")
}

func TestClientCannotStart(t *testing.T) {
	none := func() (*exec.Cmd, error) { return nil, errors.New("none") }
	missing := func() (*exec.Cmd, error) { return exec.Command("/nonexistent/visto"), nil }
	for _, command := range []func() (*exec.Cmd, error){none, missing} {
		c := NewClient(command, 0)
		if _, err := c.PDF(t.Context(), nil, 0); err == nil || !strings.Contains(err.Error(), "starting") {
			t.Errorf("started: %v", err)
		}
		c.Close()
	}
}

// TestParentEnds kills a program whose child waits, and one whose child is in the middle of a document. The child
// ends.
func TestParentEnds(t *testing.T) {
	needProc(t)
	for _, document := range []string{"", "hang"} {
		parent, err := command("parent", document)()
		if err != nil {
			t.Fatal(err)
		}
		out, err := parent.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := parent.Start(); err != nil {
			t.Fatal(err)
		}
		var child int
		if _, err := fmt.Fscan(bufio.NewReader(out), &child); err != nil {
			t.Error(err)
		}
		time.Sleep(100 * time.Millisecond) // the document is on its way
		if err := parent.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = parent.Wait()
		waitForEnd(t, child)
	}
}

// TestServeRefuses sends requests that are none. The child ends instead of answering.
func TestServeRefuses(t *testing.T) {
	const small, large, wanted = "\x00\x00\x00\x02", "\xFF\xFF\xFF\xFF", "\x00\x00\x00\x00"
	for _, text := range []string{
		"\x00", "\x00\x01\x00\x00\x00\x00" + small + wanted + "x", "\x00\x01\x00\x03\x00\x03" + small + wanted + "x",
		"\x00\x01\x00\x00\x00\x00" + large + wanted + "x", "\x00\x01\xFF\xFF\x00\x00" + small + wanted + "x",
	} {
		var out bytes.Buffer
		err := serve(strings.NewReader(text), &out, func(request) response { return response{} })
		if err == nil || out.Len() > 0 {
			t.Errorf("%q: answered %q, error %v", text, out.String(), err)
		}
	}
}

// TestClientPDF reads files by the real child: whole and broken.
func TestClientPDF(t *testing.T) {
	c := NewClient(command("serve"), 0)
	defer c.Close()
	body, err := os.ReadFile("testdata/r6-aes-256.pdf")
	if err != nil {
		t.Fatal(err)
	}
	want := Document{Title: "Guía de la prestación", Pages: 3}
	for range 2 {
		if got, err := c.PDF(t.Context(), body, 0); !reflect.DeepEqual(got, want) || err != nil {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
		got, err := c.PDF(t.Context(), []byte("%PDF-1.4"), MaxText)
		if !reflect.DeepEqual(got, Document{}) || err != nil {
			t.Errorf("an empty file: %+v, %v", got, err)
		}
	}
}
