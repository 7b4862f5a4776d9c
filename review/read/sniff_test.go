package read_test

import (
	"strings"
	"testing"

	"visto/review/read"
)

// A text may hold one control character in twenty bytes. Beyond that the input is binary, or UTF-16 if a quarter of
// it is zero and the zeros alternate with few other control characters.
func TestSniffRatios(t *testing.T) {
	latin := strings.Repeat("a\x00", 8)
	for _, test := range []struct {
		name, input string
		err         string
	}{
		{"a control in 20 bytes", strings.Repeat("a", 38) + "\x01\x01", ""},
		{"a control in 19 bytes", strings.Repeat("a", 37) + "\x01\x01", "it is binary data"},
		{"one control in few bytes", "a.es/\x01", ""},
		{"white space", "a.es\r\n\t\v\fb.es\x1b", ""},
		{"a zero in four bytes", latin + strings.Repeat("a", 16), "it is binary data"},
		{"more than a zero in four bytes", latin + strings.Repeat("a", 15), "it looks like UTF-16"},
		{"few other controls", latin + "\x01", "it looks like UTF-16"},
		{"many other controls", latin + "\x01\x01", "it is binary data"},
		{"zeros that do not alternate", "a\x00\x00aa\x00a\x00a\x00", "it is binary data"},
		{"fewer than four zeros", "a\x00a\x00a\x00", "it is binary data"},
		{"too short for UTF-16", "\x00a\x00", "it is binary data"},
	} {
		got := readFrom("x.txt", strings.NewReader(test.input), read.Options{Format: "list"})
		switch {
		case test.err == "" && (got.err != nil || len(got.found) == 0):
			t.Errorf("%s: %q, %v", test.name, got.found, got.err)
		case test.err != "" && (got.err == nil || !strings.Contains(got.err.Error(), test.err)):
			t.Errorf("%s: %q, %v; want %s", test.name, got.found, got.err, test.err)
		}
	}
}
