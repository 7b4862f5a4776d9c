package read

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Found is a URL that an input holds.
type Found struct {
	URL    string
	Title  string
	Source Source
}

// Source is the place of a URL.
type Source struct {
	File     string
	Field    string // such as portal_url; empty in plain text
	Position string // line, or row of a query
}

// Skip is a part of an input that could not be read.
type Skip struct {
	File string
	Line int // 0: not known
	Why  string
}

// Options says how an input is read.
type Options struct {
	Format string   // text, csv, tsv, json, jsonl or yaml; empty: by the name's extension, else by the content
	Fields []string // fields taken besides the known ones
}

// knownFields are the names under which structured inputs hold URLs. They are compared without case.
var knownFields = []string{
	"url", "fuente_url", "source_url", "source_urls", "portal_url", "sede_url", "catalogo_url", "api_url", "link", "href",
}

// maxLine is how many bytes a line, a row or a JSON string may have. What is longer is skipped without being held in memory.
const maxLine = 1 << 20

// Takes reports whether strings under the field are read as URLs.
func (o Options) Takes(field string) bool {
	return slices.ContainsFunc(slices.Concat(knownFields, o.Fields), func(known string) bool {
		return strings.EqualFold(known, strings.TrimSpace(field))
	})
}

// URLs reads every URL of an input: in text a URL a line, in a structured one every string under a known field.
// What cannot be read is reported to skip, with its line, and the rest goes on. An error means that the input as a whole
// could not be read (or that yield failed).
func URLs(
	ctx context.Context, name string, r io.Reader, opt Options, yield func(Found) error, skip func(Skip),
) error {
	in := &input{ctx: ctx, name: name, r: bufio.NewReaderSize(r, sniffed), fields: map[string]string{}, yield: yield, skip: skip}
	for _, f := range slices.Concat(knownFields, opt.Fields) {
		in.fields[strings.ToLower(f)] = f
	}
	head, err := in.head()
	if err != nil || len(head) == 0 {
		return err
	}
	format := opt.Format
	if format == "" {
		format = in.detect(head)
	}
	for _, f := range formats {
		if f.name == format {
			return f.read(in)
		}
	}
	return in.failf("no format %q: there is text, csv, tsv, json, jsonl and yaml", format)
}

// input is one input while it is read.
type input struct {
	ctx    context.Context
	name   string
	r      *bufio.Reader
	fields map[string]string // in lower case, to the name as it is reported
	yield  func(Found) error
	skip   func(Skip)
}

// field returns the name of the known field that the key is, or "".
func (in *input) field(key string) string {
	return in.fields[strings.ToLower(strings.TrimSpace(key))]
}

// found hands a URL on, unless there is nothing in it.
func (in *input) found(url, title, field string, line int) error {
	if err := in.ctx.Err(); err != nil {
		return err
	}
	url = strings.TrimFunc(url, func(r rune) bool { return r <= ' ' || r == 0x7f })
	if url == "" {
		return nil
	}
	if len(url) > maxLine {
		in.skipf(line, "a URL of %d bytes: at most %d are read", len(url), maxLine)
		return nil
	}
	// Clones, for a cell of a long row would keep the whole of it in memory as long as the URL waits to be added.
	return in.yield(Found{URL: strings.Clone(url), Title: strings.Clone(title), Source: Source{File: in.name, Field: field, Position: strconv.Itoa(line)}})
}

func (in *input) skipf(line int, format string, args ...any) {
	in.skip(Skip{File: in.name, Line: line, Why: fmt.Sprintf(format, args...)})
}

// failf is the error for an input that cannot be read as a whole.
func (in *input) failf(format string, args ...any) error {
	return fmt.Errorf("reading %s: %w", in.name, fmt.Errorf(format, args...))
}
