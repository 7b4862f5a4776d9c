package read

import "slices"

// format is a format of inputs.
type format struct {
	name       string
	extensions []string // each belongs to one format
	read       func(*input) error
	// parts yields all parts of an input, and write returns the bytes for a value in the place of raw. Both are for
	// Rewrite.
	parts func(in *input, yield func(part) error) error
	write func(old part, raw, value string) (string, error)
}

// formats returns the table of formats.
func formats() []format {
	return []format{
		{"list", nil, (*input).list, (*input).listParts, writeList},
		{"prose", nil, (*input).prose, (*input).proseParts, writeProse},
		{"csv", []string{".csv"}, (*input).csv, (*input).csvParts, writeCell},
		{"tsv", []string{".tsv", ".tab"}, (*input).tsv, (*input).tsvParts, writeCell},
		{"json", []string{".json"}, (*input).json, (*input).jsonParts, writeJSON},
		{"jsonl", []string{".jsonl", ".ndjson"}, (*input).jsonl, (*input).jsonlParts, writeJSON},
		{"yaml", []string{".yaml", ".yml"}, (*input).yaml, (*input).yamlParts, writeYAML},
		{"html", []string{".html", ".htm", ".xhtml"}, (*input).html, (*input).htmlParts, writeHTML},
		{"markdown", []string{".md", ".markdown"}, (*input).markdown, (*input).markdownParts, writeMarkdown},
		{"sitemap", []string{".xml"}, (*input).sitemap, (*input).sitemapParts, writeXML},
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

// textExtensions are those of texts, which are lists or prose.
var textExtensions = []string{".txt", ".text", ".list", ".urls", ".adoc", ".asciidoc", ".asc", ".rst", ".rest", ".bib",
	".org", ".tex", ".ltx", ".wiki", ".textile", ".rtx", ".pod", ".log"}

// Formats returns the names of all formats. A text is a list or prose.
func Formats() []string {
	names := []string{formatText}
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}
