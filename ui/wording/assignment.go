package wording

import (
	"fmt"
	"strings"

	"visto/review"
)

// Names splits the names of reviewers that commas separate.
func Names(text string) []string {
	names := strings.Split(text, ",")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	return names
}

// Portions says what each reviewer gets, a line each. The names are untrusted.
func Portions(s *review.Shares) (lines []string) {
	for _, p := range s.Portions {
		lines = append(lines, fmt.Sprintf("%s: %s, %d of them new", p.Reviewer, URLs(p.URLs), p.New))
	}
	return lines
}

// Sharing says what a sharing would do, to ask about it.
func Sharing(s *review.Shares) string {
	if len(s.Portions) == 0 {
		return "Take back the assignments of " + URLs(s.Changed)
	}
	return "Assign " + URLs(s.Changed)
}

// Shared says what a sharing did: it assigned n items.
func Shared(s *review.Shares, n int) string {
	if len(s.Portions) == 0 {
		return "took back the assignments of " + URLs(n)
	}
	var list []string
	for _, p := range s.Portions {
		list = append(list, fmt.Sprintf("%s %d", Safe(p.Reviewer), p.New))
	}
	text := fmt.Sprintf("assigned: %s (%s)", URLs(n), strings.Join(list, ", "))
	if others := s.Changed - n; others > 0 {
		text += fmt.Sprintf(", without %d that others assigned meanwhile", others)
	}
	return text
}

// TakenBack says which sharing was taken back, and that so many of its items stay as others assigned them since.
func TakenBack(shared string, stay int) string {
	if stay <= 0 {
		return shared
	}
	return fmt.Sprintf("%s, but %s as others assigned them since", shared, plural(stay, "URL stays", "URLs stay"))
}

// NothingToAssign says why a sharing changes nothing.
func NothingToAssign(s *review.Shares) string {
	switch {
	case len(s.Portions) == 0:
		return "nothing is assigned here"
	case s.Kept > 0:
		return fmt.Sprintf("%s assigned already: none takes that back", plural(s.Kept, "URL is", "URLs are"))
	}
	return "no URL waits here"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
