package extract

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
)

// BenchmarkClientHTML reads the pages of testdata/pages in children, several at a time, as a prober does. pages/s is
// their number in a second; child-MB is the highest memory of one child.
func BenchmarkClientHTML(b *testing.B) {
	names, err := filepath.Glob("testdata/pages/*.html")
	if err != nil || len(names) == 0 {
		b.Fatal("no pages: ", err)
	}
	var bodies [][]byte
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		bodies = append(bodies, body)
	}
	c := NewClient(command("serve"), 0)
	var next atomic.Int64
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := c.HTML(b.Context(), bodies[int(next.Add(1))%len(bodies)], "text/html", pageURL); err != nil {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pages/s")
	b.ReportMetric(float64(childMemory(c))/(1<<20), "child-MB")
	c.Close()
}

// childMemory returns the highest memory that one of the children of c has used, in bytes; 0 if it is not known.
func childMemory(c *Client) (most int64) {
	for _, at := range c.pages.idle {
		if at.child != nil {
			p := at.child
			_ = at.end()
			most = max(most, p.cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss<<10)
		}
	}
	return most
}
