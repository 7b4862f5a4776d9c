package read_test

import (
	"strings"
	"testing"

	"visto/review/read"
)

// Markdown that would take very long, if a link or a tag were looked for to the end of the file again and again.
func TestMarkdownHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	const n = 1 << 18
	for name, part := range map[string]string{
		"links": "[a](//a.es/)", "bare": "https://a.es/ ", "brackets": "[", "links in brackets": "[[a](//a.es)",
		"no hosts": "http://", "parentheses": "http://a.es/))))))))", "entities": "http://a.es/&a;&a;&a;",
		"tags": "<a x=\"", "titles": "[](x \"", "quotes": ">", "lists": "+ ", "backquotes": "` `` ``` ",
	} {
		data := strings.Repeat(part, n/len(part))
		if _, err := read.URLs(t.Context(), "x.md", strings.NewReader(data), read.Options{},
			func(read.Found) error { return nil }, func(read.Skip) {}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
