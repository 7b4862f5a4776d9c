package review

import (
	"context"
	"io"
)

// ReadOptions says how an input is read.
type ReadOptions struct {
	Format string   // text, csv, tsv, json, jsonl or yaml; empty: by the name's extension, else by the content
	Fields []string // fields taken besides the known ones
}

// Read reads every URL of an input: in text a URL a line, in a structured one every string under a known field.
// What cannot be read is reported to skip, with its line, and the rest goes on. An error means that the input as a whole
// could not be read (or that yield failed).
func Read(ctx context.Context, name string, r io.Reader, opt ReadOptions, yield func(Found) error, skip func(Skip)) error {
	panic("not yet")
}
