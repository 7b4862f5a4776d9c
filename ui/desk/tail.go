package desk

import (
	"strings"

	"visto/ui/dialog"
)

// withTails labels files by the shortest tails of their paths that tell them apart.
func withTails(files []dialog.Facet) []dialog.Facet {
	count := map[string]int{} // the files with a tail
	for _, f := range files {
		for tail := f.Value; ; {
			count[tail]++
			_, rest, ok := strings.Cut(tail, "/")
			if !ok {
				break
			}
			tail = rest
		}
	}
	for i := range files {
		files[i].Label = shortestTail(files[i].Value, count)
	}
	return files
}

// shortestTail returns the shortest tail of a path, from a slash on, that no other path has.
func shortestTail(path string, count map[string]int) string {
	for end := len(path); ; {
		slash := strings.LastIndexByte(path[:end], '/')
		if tail := path[slash+1:]; slash < 0 || tail != "" && count[tail] == 1 {
			return tail
		}
		end = slash
	}
}
