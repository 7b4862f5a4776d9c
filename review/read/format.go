package read

// formats are the readers, and the extensions that call for them.
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

// Formats lists the names of the formats that URLs knows.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}
