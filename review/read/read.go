package read

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"visto/canon"
)

// Found is a URL in an input.
type Found struct {
	URL    string
	Title  string
	Place  Place
	Record *Record // shared by the URLs of one record; nil: none

	// Versions are the language versions that a sitemap names for the URL: language tag in lower case to URL.
	Versions map[string]string
}

// Place is a place where a URL stands.
type Place struct {
	File  string
	Field string // such as portal_url; empty in plain text
	// Path is an RFC 6901 pointer (JSON, YAML), row:column (CSV, TSV, rows of a query) or line:byte (text,
	// HTML, Markdown, sitemaps).
	Path         string
	Part         int   // of a value that holds several URLs: 2 for its second, and so on; 0 for its first or only one
	Line, Column int   // from 1, Column in bytes; 0: not known
	Begin, End   int64 // the bytes of the value in the input, quotes and all; both 0: not known
}

// Skip is a part of an input that could not be read.
type Skip struct {
	File string
	Line int // 0: not known
	Why  string
}

// Options control how an input is read.
type Options struct {
	Format string   // one of Formats; empty: by the extension, else by the content
	Fields []string // fields that hold URLs, besides the known ones
}

// knownFields are the names under which structured inputs hold URLs. They are compared without case.
var knownFields = []string{
	"url", "fuente_url", "source_url", "source_urls", "portal_url", "sede_url", "catalogo_url", "api_url", "link",
	"href",
}

// maxLine is the largest size of a line, a row or a JSON string, in bytes. Longer ones are skipped and never held in
// memory.
const maxLine = 1 << 20

// Takes reports whether strings under the field are read as URLs.
func (o Options) Takes(field string) bool {
	return slices.ContainsFunc(slices.Concat(knownFields, o.Fields), func(known string) bool {
		return strings.EqualFold(known, strings.TrimSpace(field))
	})
}

// URLs reads every URL of an input, in order. A list has one URL a line, prose has them anywhere; in a structured
// input, every string under a known field is a URL, or several. URLs calls skip for each part that it cannot read, and
// continues. It returns an error if the input as a whole cannot be read, or if yield fails; the summary is then that of
// the part before it.
func URLs(
	ctx context.Context, name string, r io.Reader, opt Options, yield func(Found) error, skip func(Skip),
) (Summary, error) {
	in := &input{ctx: ctx, name: name, r: bufio.NewReaderSize(r, sniffSize), yield: yield, skip: skip}
	in.fields = opt.fields()
	err := in.read(opt.Format)
	in.summary.Untaken = in.untaken.list()
	return in.summary, err
}

func (in *input) read(format string) error {
	head, err := in.head()
	if err != nil || len(head) == 0 {
		return err
	}
	if in.summary.Format = cmp.Or(format, in.detect(head)); in.summary.Format == formatText {
		in.summary.Format = in.kindOfText(head)
	}
	if f := formatOf(in.summary.Format); f != nil {
		return cmp.Or(f.read(in), in.refused())
	}
	return in.failf("no format %q: there is %s", format, strings.Join(Formats(), ", "))
}

// refused returns an error for prose without a URL: it is probably something else.
func (in *input) refused() error {
	s := &in.summary
	if s.Format != "prose" || s.Found+s.Relative+s.Other+s.Placeholders+s.Glued+in.skips > 0 {
		return nil
	}
	return in.failf("there is no URL in this text: the formats are %s", strings.Join(Formats(), ", "))
}

// formatText stands for list or prose, whichever the text is.
const formatText = "text"

// fields returns the fields that hold URLs: the name in lower case to the name as it is reported.
func (o Options) fields() map[string]string {
	fields := map[string]string{}
	for _, f := range slices.Concat(knownFields, o.Fields) {
		fields[strings.ToLower(f)] = f
	}
	return fields
}

// input is the state of reading one input.
type input struct {
	ctx     context.Context
	name    string
	r       *bufio.Reader
	packed  bool              // r unpacks a gzip file
	base    int64             // bytes of a byte order mark before the part that r reads
	fields  map[string]string // as Options.fields
	yield   func(Found) error
	skip    func(Skip)
	summary Summary
	untaken untaken
	skips   int
	judge   *canon.Canonicalizer // of takesURL
}

// field returns the known field with the key as its name, or "".
func (in *input) field(key string) string { return in.fields[strings.ToLower(strings.TrimSpace(key))] }

// trimmed returns a URL as it is reported. It returns "" for a blank one, for one that is too long, which it skips, and
// for one with a placeholder of a template, which it counts.
// A cell shares the memory of its row: without a clone a short URL would keep a long row in memory.
func (in *input) trimmed(url string, line int) string {
	if url = canon.Trim(url); len(url) > maxLine {
		in.skipf(line, "a URL of %d bytes: at most %d are read", len(url), maxLine)
		return ""
	}
	if hasPlaceholder(url) {
		in.summary.Placeholders++
		return ""
	}
	return strings.Clone(url)
}

// found passes a URL to yield, unless it is blank. The bytes of its place count from where in.r began.
func (in *input) found(f Found) error {
	if err := in.ctx.Err(); err != nil || f.URL == "" {
		return err
	}
	f.Place.File = in.name
	if in.packed {
		f.Place.Begin, f.Place.End = 0, 0
	}
	if f.Place.End > 0 {
		f.Place.Begin, f.Place.End = f.Place.Begin+in.base, f.Place.End+in.base
	}
	in.summary.Found++
	return in.yield(f)
}

func (in *input) skipf(line int, format string, args ...any) {
	in.skips++
	in.skip(Skip{File: in.name, Line: line, Why: fmt.Sprintf(format, args...)})
}

// failf returns the error for an input that cannot be read as a whole.
func (in *input) failf(format string, args ...any) error {
	return fmt.Errorf("reading %s: %w", in.name, fmt.Errorf(format, args...))
}
