package review

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
)

// csv reads a table with a header. What separates the cells is what gives a known column: a comma, or else a semicolon (as
// spreadsheets write it where the comma is the decimal sign), or a tab.
func (in *input) csv() error { return in.table(0) }

// tsv reads a table whose cells tabs separate.
func (in *input) tsv() error { return in.table('\t') }

func (in *input) table(comma rune) error {
	rows := &rows{in: in, lines: lines{r: in.r}}
	header, err := rows.next()
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
	if comma == 0 {
		if comma = in.separator(header.text); comma == 0 {
			comma = ','
		}
	}
	rows.comma = comma
	names, err := cells(header.text, comma)
	if err != nil {
		return in.failf("line %d: the header: %w", header.number, err)
	}
	cols := in.columns(names)
	if len(cols.urls) == 0 {
		return in.failf("none of the columns %q is known to hold URLs: name it with --field", names)
	}
	return in.rows(rows, cols)
}

// separator returns what separates the cells of the header, if any way to read it gives a known column.
func (in *input) separator(header string) rune {
	for _, comma := range []rune{',', ';', '\t'} {
		if names, err := cells(header, comma); err == nil && len(in.columns(names).urls) > 0 {
			return comma
		}
	}
	return 0
}

// table columns: where the URLs are, and the title.
type tableColumns struct {
	n     int
	urls  map[int]string // to the field's name
	title int            // -1: there is none
}

func (in *input) columns(names []string) tableColumns {
	cols := tableColumns{n: len(names), urls: map[int]string{}, title: -1}
	for i, name := range names {
		if field := in.field(name); field != "" {
			cols.urls[i] = field
		}
		if slices.Contains([]string{"title", "titulo", "título"}, strings.ToLower(strings.TrimSpace(name))) {
			cols.title = i
		}
	}
	return cols
}

func (in *input) rows(rows *rows, cols tableColumns) error {
	for {
		row, err := rows.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := in.row(row, cols); err != nil {
			return err
		}
	}
}

func (in *input) row(row row, cols tableColumns) error {
	if len(row.cells) != cols.n {
		in.skipf(row.number, "the row has %d cells, the header %d", len(row.cells), cols.n)
		return nil
	}
	title := ""
	if cols.title >= 0 {
		title = strings.TrimSpace(row.cells[cols.title])
	}
	for i, cell := range row.cells {
		if field, ok := cols.urls[i]; ok {
			if err := in.found(cell, title, field, row.number); err != nil {
				return err
			}
		}
	}
	return nil
}

// rows reads row after row. A row is a line, or several where a quoted cell goes over their ends.
type rows struct {
	in     *input
	lines  lines
	comma  rune   // 0 for the header, whose cells are not parsed yet
	pushed []line // read already, to be read again
}

type row struct {
	line
	cells []string
}

// next returns the next row that can be read. Of one that cannot, only the first line is skipped, so that a quote that is
// never closed does not swallow what follows.
func (r *rows) next() (row, error) {
	for {
		first, err := r.line()
		if err != nil {
			return row{}, err
		}
		if first.long() {
			r.in.skipf(first.number, "%s", first.why())
			continue
		}
		if first.text == "" {
			continue
		}
		text, more, err := r.unquoted(first)
		if err == nil && r.comma == 0 {
			first.text = text
			return row{line: first}, nil
		}
		var list []string
		if err == nil {
			list, err = cells(text, r.comma)
		}
		if err == nil {
			return row{line: first, cells: list}, nil
		}
		r.pushed = append(more, r.pushed...)
		r.in.skipf(first.number, "%v", err)
	}
}

// line returns the next line, of those to be read again first.
func (r *rows) line() (line, error) {
	if len(r.pushed) > 0 {
		l := r.pushed[0]
		r.pushed = r.pushed[1:]
		return l, nil
	}
	if err := r.in.ctx.Err(); err != nil {
		return line{}, err
	}
	l, err := r.lines.next()
	if err != nil && err != io.EOF {
		err = r.in.failf("line %d: %w", l.number, err)
	}
	return l, err
}

var errOpenQuote = errors.New(`a quote (") that is never closed`)

// unquoted returns the text of the row that begins with the line: with the lines behind it, up to where all quotes are
// closed. It returns these lines too.
func (r *rows) unquoted(first line) (string, []line, error) {
	quotes := strings.Count(first.text, `"`)
	if quotes%2 == 0 {
		return first.text, nil, nil
	}
	var text strings.Builder
	text.WriteString(first.text)
	var more []line
	for {
		l, err := r.line()
		if err != nil && err != io.EOF {
			return "", more, err
		}
		if err == io.EOF || l.long() || text.Len()+l.size > maxLine {
			if err == nil {
				more = append(more, l)
			}
			return "", more, errOpenQuote
		}
		more = append(more, l)
		text.WriteString("\n" + l.text)
		if quotes += strings.Count(l.text, `"`); quotes%2 == 0 {
			return text.String(), more, nil
		}
	}
}

// cells parses a row. Most have no quote, and no need for more than to be cut.
func cells(text string, comma rune) ([]string, error) {
	if !strings.Contains(text, `"`) {
		return strings.Split(text, string(comma)), nil
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord = comma, -1
	list, err := r.Read()
	var broken *csv.ParseError
	if errors.As(err, &broken) {
		err = broken.Err
	}
	if errors.Is(err, csv.ErrBareQuote) || errors.Is(err, csv.ErrQuote) {
		err = errors.New(`a quote (") that neither opens nor closes a cell: inside a cell it has to be doubled`)
	}
	return list, err
}
