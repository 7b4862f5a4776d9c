package canon

import (
	"strconv"
	"testing"
)

// TestMemoIsBounded fills a memo far beyond its bound. It never holds more, and it returns each value that it holds.
func TestMemoIsBounded(t *testing.T) {
	var m memo[int]
	for i := range 3 * maxMemo {
		text := strconv.Itoa(i)
		m.put(text, &i)
		if got := m.get([]byte(text)); got == nil || *got != i {
			t.Fatalf("%d: got %v", i, got)
		}
		if len(m.all) > maxMemo {
			t.Fatalf("%d texts are held, the bound is %d", len(m.all), maxMemo)
		}
	}
	if m.get([]byte("0")) != nil {
		t.Error("the first text is still held")
	}
	if len(m.all) != maxMemo {
		t.Errorf("%d texts are held at the end of a round, not %d", len(m.all), maxMemo)
	}
}

// TestMemoOfEmptyText tells an empty text that was never put from one that was.
func TestMemoOfEmptyText(t *testing.T) {
	var m memo[int]
	if got := m.get(nil); got != nil {
		t.Errorf("got %v from an empty memo", *got)
	}
	one := 1
	m.put("", &one)
	for range 2 { // from the map, then from the recent entries
		if got := m.get(nil); got != &one {
			t.Errorf("got %v", got)
		}
	}
}
