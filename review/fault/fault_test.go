package fault_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"visto/review/fault"
)

//go:noinline
func cell(row []string, at int) string { return row[at] }

func TestDo(t *testing.T) {
	err := fault.Do(func() error {
		_ = cell(nil, 3)
		return nil
	})
	text := err.Error()
	for _, want := range []string{"index out of range [3] with length 0 (fault_test.cell fault_test.go:13 < ",
		" < fault.Do fault.go:", " < fault_test.TestDo fault_test.go:16 < "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
	if strings.ContainsAny(text, "\n\t") || strings.Contains(text, " runtime.") {
		t.Errorf("%q", text)
	}
	if err := fault.Do(func() error { panic(io.EOF) }); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	if err := fault.Do(func() error { return io.EOF }); err != io.EOF {
		t.Error(err)
	}
	if err := fault.Do(func() error { return nil }); err != nil {
		t.Error(err)
	}
}
