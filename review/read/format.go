package read

import "slices"

// format is a format of inputs.
type format struct {
	name       string
	extensions []string // each belongs to one format
	read       func(*input) error
}

// formats returns the table of formats.
func formats() []format {
	return []format{
		{"text", []string{".txt", ".text", ".list", ".urls"}, (*input).text},
		{"csv", []string{".csv"}, (*input).csv},
		{"tsv", []string{".tsv", ".tab"}, (*input).tsv},
		{"json", []string{".json"}, (*input).json},
		{"jsonl", []string{".jsonl", ".ndjson"}, (*input).jsonl},
		{"yaml", []string{".yaml", ".yml"}, (*input).yaml},
	}
}

// formatOf returns the format with the name, or nil.
func formatOf(name string) *format {
	all := formats()
	if i := slices.IndexFunc(all, func(f format) bool { return f.name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// Formats returns the names of all formats.
func Formats() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}
