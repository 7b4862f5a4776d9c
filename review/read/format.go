package read

// formats is the table of readers. An extension belongs to one format.
var formats = []struct {
	name       string
	extensions []string
	read       func(*input) error
}{
	{"text", []string{".txt", ".text", ".list", ".urls"}, (*input).text},
	{"csv", []string{".csv"}, (*input).csv},
	{"tsv", []string{".tsv", ".tab"}, (*input).tsv},
	{"json", []string{".json"}, (*input).json},
	{"jsonl", []string{".jsonl", ".ndjson"}, (*input).jsonl},
	{"yaml", []string{".yaml", ".yml"}, (*input).yaml},
}

// Formats returns the names of all formats.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}
