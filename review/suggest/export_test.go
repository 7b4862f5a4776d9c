package suggest

// Derive returns the templates that make b of a, each with its parameters to drop.
func Derive(a, b string) (list []Suggestion) {
	x, okX := parse(a)
	y, okY := parse(b)
	if !okX || !okY {
		return nil
	}
	for _, t := range derive(x, y) {
		list = append(list, newSuggestion(t, scoped{votes: []Vote{{For: true, URL: a, Other: b, path: x.path()}}}))
	}
	return list
}
