package canon_test

import (
	"bufio"
	"os"
	"slices"
	"testing"
)

// TestListedURLs checks the laws under every policy on real URLs: those of the web-platform-tests, and the lines of the
// file that VISTO_URL_LIST names.
func TestListedURLs(t *testing.T) {
	urls := listedURLs(t)
	for _, s := range setups(t) {
		if s.overrides != nil {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			l := newLaws(t, s)
			for _, url := range urls {
				l.check(t, url)
			}
		})
	}
}

func listedURLs(t *testing.T) (urls []string) {
	t.Helper()
	for _, w := range wpt[wptURL](t, "urltestdata.json") {
		urls = append(urls, w.Input, w.Href)
	}
	if name := os.Getenv("VISTO_URL_LIST"); name != "" {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			urls = append(urls, lines.Text())
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return slices.Compact(urls)
}
