package desk

import (
	"visto/review"
	"visto/ui/dialog"
)

// withTails labels files by the shortest tails of their paths that tell them apart.
func withTails(files []dialog.Facet) []dialog.Facet {
	names := make([]string, len(files))
	for i := range files {
		names[i] = files[i].Value
	}
	short := review.ShortNames(names)
	for i := range files {
		files[i].Label = short[files[i].Value]
	}
	return files
}
