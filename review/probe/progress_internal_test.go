package probe

import (
	"testing"
	"time"
)

// TestTimeLeftWhileDrawing has one host with 10 pages and two with 2, all drawn in 5 s by the one browser. The waits for
// it do not count for each page, and the pages left take it one after the other.
func TestTimeLeftWhileDrawing(t *testing.T) {
	queues := []queue{{targets: make([]Target, 10)}, {targets: make([]Target, 2)}, {targets: make([]Target, 2)}}
	p := newProgress(queues, 8)
	for i, left := range []int{9, 1, 1} {
		waited := time.Duration(i) * 5 * time.Second
		r := result{left: left, took: waited + 6*time.Second}
		r.report.queued = waited
		r.report.Exchanges = []Exchange{{Purpose: "page", Elapsed: time.Second},
			{Purpose: forBrowser, Elapsed: 5 * time.Second}}
		if got := p.finished(r).Left; i == 2 && got != 11*5*time.Second {
			t.Errorf("%v left, want the 55s that 11 pages take the browser", got)
		}
	}
}
