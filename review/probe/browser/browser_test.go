package browser

import (
	"context"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
)

// realBrowser returns a Browser, or skips the test where there is none.
func realBrowser(t *testing.T) *Browser {
	t.Helper()
	path, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	if path == "" {
		t.Skip("there is no Chromium to draw pages with")
	}
	b := New(path)
	t.Cleanup(b.Close)
	return b
}

// html is the header of a page in HTML.
func html() http.Header { return http.Header{"Content-Type": {"text/html; charset=utf-8"}} }

// refuse is a network in which nothing answers.
func refuse(context.Context, string, string) (net.Conn, error) { return nil, os.ErrPermission }

// draw draws a page at https://app.example/ that cannot ask anybody.
func draw(t *testing.T, b *Browser, body string) (Drawing, error) {
	t.Helper()
	return b.Draw(t.Context(), Page{
		URL: "https://app.example/tramites/cita", Header: html(), Body: []byte(body), Limit: 1 << 20,
		UserAgent: "visto/1.0 (compatible)", AcceptLanguage: "es-ES,es;q=0.9", Dial: refuse,
	})
}

// long is enough text for a page.
var long = strings.Repeat("El plazo es de tres meses. ", 10)

// TestDraw draws pages by scripts of many kinds.
func TestDraw(t *testing.T) {
	t.Parallel()
	b := realBrowser(t)
	for name, tt := range map[string]struct{ body, want string }{
		"at once":      {"<script>document.write('<h1>Cita</h1>" + long + "')</script>", "<h1>Cita</h1>El plazo"},
		"after a time": {"<script>setTimeout(() => document.body.append('" + long + "'), 900)</script>", "El plazo"},
		"who asks": {"<script>document.write(navigator.userAgent, navigator.language, location, '" + long +
			"')</script>", "visto/1.0 (compatible)es-EShttps://app.example/tramites/cita"},
		"no images": {"<img src=/x onerror='document.body.append(\"" + long + "\")'>", "El plazo"},
	} {
		d, err := draw(t, b, tt.body)
		if err != nil || !strings.Contains(string(d.HTML), tt.want) || d.Truncated || d.SentTo != "" {
			t.Errorf("%s: %+v, %v:\n%s", name, d.SentTo, err, d.HTML)
		}
	}
}
