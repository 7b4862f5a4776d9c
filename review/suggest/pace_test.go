package suggest_test

import (
	"fmt"
	"runtime"
	"testing"

	"visto/review"
	"visto/review/suggest"
)

// largeHost returns so many pages of one host: pairs with and without a parameter, some of them redirects.
func largeHost(n int) (pages []suggest.Page) {
	for i := range n / 2 {
		bare := fmt.Sprintf("%s/s%d/t/p%d", host, i%40, i)
		p := suggest.Page{URL: fmt.Sprintf("%s?id=%d&p%d=1", bare, i, i%30), SHA256: bare}
		if i%3 == 0 {
			p.Final = fmt.Sprintf("%s?id=%d", bare, i)
		}
		pages = append(pages, p, suggest.Page{URL: fmt.Sprintf("%s?id=%d", bare, i), SHA256: bare})
	}
	return pages
}

// TestLargeHost checks that the work for a host grows with its pages, not with their square. The values made count it.
func TestLargeHost(t *testing.T) {
	work := func(n int) float64 {
		pages := largeHost(n)
		return testing.AllocsPerRun(1, func() {
			if len(suggest.Find(pages, nil)) == 0 {
				t.Fatal("no suggestion")
			}
		})
	}
	if one, four := work(500), work(2000); four > 5*one {
		t.Errorf("%.0f values for 500 pages, %.0f for 2000", one, four)
	}
}

// TestGiveWay mines on one processor, beside somebody who waits for it.
func TestGiveWay(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	d := newDesk(t)
	var found []review.Found
	for _, p := range largeHost(300) {
		found = append(found, review.Found{URL: p.URL})
	}
	d.add(found...)
	for _, test := range []struct {
		name string
		mine func()
		want int
	}{
		{"pages", func() { suggest.Find(largeHost(600), nil) }, 200},
		{"items", func() {
			_, err := suggest.Offer(t.Context(), d, review.Filter{}, nil)
			d.must(err)
		}, 6},
	} {
		done, turns := make(chan struct{}), make(chan int)
		go func() {
			n := 0
			for {
				select {
				case <-done:
					turns <- n
					return
				default:
					n++
					runtime.Gosched()
				}
			}
		}()
		test.mine()
		close(done)
		if n := <-turns; n < test.want {
			t.Errorf("%s: %d turns for others, not %d", test.name, n, test.want)
		}
	}
}
