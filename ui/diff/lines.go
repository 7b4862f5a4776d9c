package diff

import "github.com/aymanbagabas/go-udiff/lcs"

// Lines compares two texts line by line, and returns the places where they differ. Each span of a place is a line:
// those that were removed come before those that were added, and up to around lines that are the same stand before and
// after them. The lines may be any text.
func Lines(before, after []string, around int) (places [][]Span) {
	edits := lcs.DiffLines(before, after)
	shown := 0 // lines of before up to the end of the last place
	for i, e := range edits {
		from := max(shown, e.Start-around)
		if i == 0 || from > shown {
			places = append(places, nil)
		}
		next := len(before)
		if i+1 < len(edits) {
			next = edits[i+1].Start
		}
		shown = min(e.End+around, next)
		place := &places[len(places)-1]
		*place = lines(*place, before[from:e.Start], Same)
		*place = lines(*place, before[e.Start:e.End], Removed)
		*place = lines(*place, after[e.ReplStart:e.ReplEnd], Added)
		*place = lines(*place, before[e.End:shown], Same)
	}
	return places
}

func lines(place []Span, list []string, k Kind) []Span {
	for _, line := range list {
		place = append(place, Span{line, k})
	}
	return place
}
