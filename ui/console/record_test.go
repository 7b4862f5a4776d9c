package console

import (
	"path/filepath"
	"testing"
)

// Spec 10: b shows the other URLs of the same record, in the queue and on the page of a URL, and esc comes back.
func TestURLsOfTheRecord(t *testing.T) {
	desk := openDesk(t, filepath.Join(t.TempDir(), "visto.db"), "ana")
	addCited(t, desk)
	s := openScreen(t, desk, 120, 30).shows("Ayuntamiento", "+1")
	s.keys("j", "j", "b").shows("the URLs of local-villa: Ayuntamiento de Villainventada", "▽ all, the same record",
		"3 of 3").keys("k").shows("2 of 3")
	s.keys("esc").shows("▽ waiting").at(3)
	s.keys("b", "b").shows("▽ waiting").at(3)

	s.keys("enter").shows("pending  URL 3").keys("b").shows("pending  URL 1", "two records cite this URL")
	s.keys("b").shows("pending  URL 2").keys("esc").shows("pending  URL 3")
	s.keys("b", "b", "b").shows("pending  URL 3", "this is where you began").keys("esc").shows("[1 Queue]")
}
