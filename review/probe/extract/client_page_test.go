package extract

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// TestClientHTML reads a page in a real child.
func TestClientHTML(t *testing.T) {
	c := NewClient(command("serve"), 0)
	defer c.Close()
	for range 2 {
		doc, err := c.HTML(t.Context(), []byte("<title>Pensi\xf3n</title><p>Hola <a href=b>b</a>"),
			"text/html; charset=iso-8859-1", pageURL)
		if err != nil || doc.Title != "Pensión" || doc.Text != "Hola [b](https://www.sede.gob.es/tramites/b)" ||
			len(doc.Links) != 1 {
			t.Errorf("%+v, %v", doc, err)
		}
	}
	long := strings.Repeat("x", 100_000)
	doc, err := c.HTML(t.Context(), []byte("<p>Hola <a href=b>b</a>"), long, "https://"+long)
	if err != nil || doc.Text != "Hola b" {
		t.Errorf("a long type and URL: %+v, %v", doc, err)
	}
}

// TestPagesGoOn reads pages while the reader of PDF files hangs (PDFium takes seconds to start), and while the reader
// of another page hangs.
func TestPagesGoOn(t *testing.T) {
	needProc(t)
	c := fakeClient(t, time.Hour)
	for name, read := range map[string]func(context.Context) error{
		"a file": func(ctx context.Context) error {
			_, err := c.PDF(ctx, []byte("hang"), 0)
			return err
		},
		"a page": func(ctx context.Context) error {
			_, err := c.HTML(ctx, []byte("hang"), "", "")
			return err
		},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		why, ended := errors.New("enough"), make(chan error)
		go func() { ended <- read(ctx) }()
		for range 10 {
			if _, err := c.HTML(t.Context(), nil, "", ""); err != nil {
				t.Errorf("beside %s: %v", name, err)
			}
		}
		cancel(why)
		if err := <-ended; !errors.Is(err, why) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFilesGoOn reads PDF files while two others hang.
func TestFilesGoOn(t *testing.T) {
	needProc(t)
	c := fakeClient(t, time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	for range 2 {
		go func() {
			_, err := c.PDF(ctx, []byte("hang"), 0)
			ended <- err
		}()
	}
	for range 3 {
		if _, err := c.PDF(t.Context(), nil, 0); err != nil {
			t.Error(err)
		}
	}
	cancel()
	for range 2 {
		if err := <-ended; err == nil {
			t.Error("a file that hangs was read")
		}
	}
}

// TestPageLimit gives up a page that hangs, sooner than a file.
func TestPageLimit(t *testing.T) {
	c := NewClient(command("fake"), 0)
	defer c.Close()
	if limit := c.pages.idle[0].limit; limit != PageLimit {
		t.Errorf("a page may take %v", limit)
	}
	c = fakeClient(t, time.Second)
	if _, err := c.HTML(t.Context(), nil, "", ""); err != nil {
		t.Fatal(err)
	}
	_, err := c.HTML(t.Context(), []byte("hang"), "", "")
	if err == nil || !strings.Contains(err.Error(), "longer than 1s") {
		t.Errorf("a page that hangs: %v", err)
	}
	if _, err := c.HTML(t.Context(), nil, "", ""); err != nil {
		t.Errorf("the next page: %v", err)
	}
}

// TestPagesKeepOneChild reads pages one after the other: the second child is not started.
func TestPagesKeepOneChild(t *testing.T) {
	c := fakeClient(t, 0)
	pids := map[int]bool{}
	for range 5 {
		doc, err := c.HTML(t.Context(), nil, "", "")
		if err != nil {
			t.Fatal(err)
		}
		pids[doc.Pages] = true
	}
	if len(pids) != 1 {
		t.Errorf("read by %d processes", len(pids))
	}
}
