package read

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// csv reads a table with a header. The separator is the first of comma, semicolon and tab that gives a known column.
// Spreadsheets write a semicolon where the comma is the decimal sign.
func (in *input) csv() error { return in.table(commas) }

const commas = ",;\t"

// tsv reads a table with cells separated by tabs.
func (in *input) tsv() error { return in.table("\t") }

func (in *input) table(separators string) error {
	return in.eachRow(separators, in.row)
}

// eachRow calls fn for each row of a table but the header.
func (in *input) eachRow(separators string, fn func(row, tableColumns) error) error {
	rows := &rows{in: in, lines: lines{r: in.r}}
	header, err := rows.next()
	if err != nil {
		return ended(err)
	}
	if rows.comma = separatorOf(header.text); rows.comma != 0 {
		rows.n, rows.comma, separators = 0, 0, string(rows.comma)
		if header, err = rows.next(); err != nil {
			return ended(err)
		}
	}
	rows.comma, _ = in.separator(header.text, separators)
	names, err := cells(header.text, rows.comma)
	if err != nil {
		return in.failf("line %d: the header: %w", header.number, err)
	}
	cols := in.columns(texts(names))
	if cols.comma = rows.comma; len(cols.urls) == 0 {
		return in.failf("none of the columns %s is known to hold URLs: name it with --field", quoted(cols.names))
	}
	for {
		row, err := rows.next()
		if err == nil {
			err = fn(row, cols)
		}
		if err != nil {
			return ended(err)
		}
	}
}

// separatorOf returns the separator that Excel writes as the first line of a file, such as sep=; or 0.
func separatorOf(line string) rune {
	text, ok := strings.CutPrefix(strings.Trim(line, `"`), "sep=")
	if !ok || len(text) != 1 || strings.Contains("\"\r\n", text) {
		return 0
	}
	return rune(text[0])
}

// ended returns the error that ended the reading of a table: nil at the end of the input.
func ended(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// quoted returns the first few names in quotes.
func quoted(names []string) string {
	const shown, width = 20, 40
	var short []string
	for _, name := range names[:min(len(names), shown)] {
		short = append(short, fmt.Sprintf("%.*s", width, name))
	}
	return fmt.Sprintf("%q", short)
}

// separator returns the first separator that gives a known column in the header. If none does, it returns the first.
func (in *input) separator(header, separators string) (comma rune, known bool) {
	for _, comma := range separators {
		if names, err := cells(header, comma); err == nil && len(in.columns(texts(names)).urls) > 0 {
			return comma, true
		}
	}
	return rune(separators[0]), false
}

// tableColumns are the columns of a table.
type tableColumns struct {
	names []string
	urls  map[int]string // column to field
	title int            // -1: none
	comma rune
}

func (in *input) columns(names []string) tableColumns {
	cols := tableColumns{names: make([]string, len(names)), urls: map[int]string{}, title: -1}
	for i, name := range names {
		cols.names[i] = strings.TrimSpace(name)
		if field := in.field(name); field != "" {
			cols.urls[i] = field
		}
		if slices.Contains([]string{"title", "titulo", "título"}, strings.ToLower(cols.names[i])) {
			cols.title = i
		}
	}
	return cols
}

func (in *input) row(row row, cols tableColumns) error {
	if len(row.cells) != len(cols.names) {
		in.skipf(row.number, "the row has %d cells, the header %d", len(row.cells), len(cols.names))
		return nil
	}
	title := ""
	if cols.title >= 0 {
		title = strings.Clone(strings.TrimSpace(row.cells[cols.title].value()))
	}
	var record *Record
	for i, cell := range row.cells {
		field, ok := cols.urls[i]
		if !ok {
			if isURL(cell.text) {
				in.untaken.add(cols.names[i])
			}
			continue
		}
		for _, p := range row.pieces(cell) {
			url := in.value(p.text, p.line)
			if url == "" {
				continue
			}
			if record == nil {
				record = row.record(cols)
			}
			place := Place{Field: field, Path: fmt.Sprintf("%d:%d", row.index, i+1), Part: p.number, Line: p.line,
				Column: p.column, Begin: p.begin, End: p.end}
			if err := in.found(Found{URL: url, Title: title, Place: place, Record: record}); err != nil {
				return err
			}
		}
	}
	return nil
}

// scalar returns a cell as a scalar, without the quote of Guard.
func (r *row) scalar(c cell) scalar {
	s := scalar{kind: kindText, text: c.value(), line: r.number + c.line, column: c.column,
		span: span{r.begin + int64(c.begin), r.begin + int64(c.end)}}
	if s.raw, s.unit = r.text[c.begin:c.end], plainUnit; strings.HasPrefix(s.raw, `"`) {
		s.quote, s.unit = '"', doubled('"')
	}
	if c.latin {
		s.unit = latinUnit(s.unit)
	}
	if len(s.text) < len(c.text) {
		s.unit = guardedUnit(s.raw, s.unit)
	}
	return s
}

// pieces returns the URLs of a cell.
func (r *row) pieces(c cell) []piece {
	s := r.scalar(c)
	if list := s.pieces(); list != nil {
		return list
	}
	return []piece{{s.text, 0, s.span, s.line, s.column}}
}

// record returns the row as a record. Its ID is the number of the row unless a column holds one.
func (r *row) record(cols tableColumns) *Record {
	path := strconv.Itoa(r.index)
	o := &object{key: path, record: Record{Path: path}}
	for i, cell := range r.cells {
		if text := cell.value(); cols.urls[i] == "" && !isURL(text) {
			o.scalar(cols.names[i], text)
		}
	}
	return o.give()
}

// rows reads the rows of a table. A row has several lines if a quoted cell contains line ends.
type rows struct {
	in    *input
	lines lines
	comma rune   // 0 for the header, whose cells are not parsed yet
	ahead []line // lines of the current row, then lines that an earlier row with an open quote has read
	at    int    // index in ahead of the next line
	n     int    // rows so far
}

type row struct {
	line
	index int // from 1, the header; blank rows count, as in a spreadsheet
	cells []cell
}

// next returns the next readable row. It skips only the first line of an unreadable row, so that a quote that is never
// closed does not hide the rows after it.
func (r *rows) next() (row, error) {
	for {
		r.ahead, r.at = r.ahead[r.at:], 0 // drops the lines of the last row
		first, err := r.line()
		r.n++
		switch {
		case err != nil:
			return row{}, err
		case first.long() && r.comma == 0: // the next row is no header
			return row{}, r.in.failf("line %d: the header: %s", first.number, first.why())
		case first.long():
			r.in.skipf(first.number, "%s", first.why())
			continue
		case first.text == "":
			continue
		}
		one, err := r.row(first)
		broken, ok := errors.AsType[*unreadable](err)
		if !ok {
			one.index = r.n
			return one, err
		}
		r.in.skipf(first.number, "%v", broken)
		r.at = 1
	}
}

// line returns the next line.
func (r *rows) line() (line, error) {
	if r.at == len(r.ahead) {
		if err := r.in.ctx.Err(); err != nil {
			return line{}, err
		}
		l, err := r.lines.next()
		if err == io.EOF {
			return l, err
		}
		if err != nil {
			return l, r.in.failf("line %d: %w", l.number, err)
		}
		r.ahead = append(r.ahead, l)
	}
	r.at++
	return r.ahead[r.at-1], nil
}

// row returns the row that begins with the line. It joins lines until all quotes are closed.
func (r *rows) row(first line) (one row, err error) {
	one.line = first
	if strings.Count(first.text, `"`)%2 == 1 {
		if one.text, err = r.quoted(first); err != nil {
			return one, err
		}
	}
	if r.comma == 0 {
		return one, nil
	}
	if one.cells, err = cells(one.text, r.comma); err != nil {
		err = &unreadable{err}
	}
	return one, err
}

var errOpenQuote = &unreadable{errors.New(`a quote (") that is never closed`)}

// quoted returns the text of a row with an open quote in its first line.
func (r *rows) quoted(first line) (string, error) {
	var text strings.Builder
	text.WriteString(first.text + first.end)
	for {
		l, err := r.line()
		if err == io.EOF || err == nil && (l.long() || text.Len()+l.size > maxLine) {
			return "", errOpenQuote
		}
		if err != nil {
			return "", err
		}
		text.WriteString(l.text)
		if strings.Count(l.text, `"`)%2 == 1 {
			return text.String(), nil
		}
		text.WriteString(l.end)
	}
}

// cell is a cell of a row, with its bytes in the text of the row, quotes and all.
type cell struct {
	text       string
	begin, end int
	line       int  // from 0, of the row
	column     int  // in bytes, from 1
	latin      bool // its bytes are Windows-1252, not UTF-8
}

// value returns the text without the quote of Guard.
func (c cell) value() string { return Unguard(c.text) }

func texts(list []cell) []string {
	texts := make([]string, len(list))
	for i, c := range list {
		texts[i] = c.text
	}
	return texts
}

// cells parses a row.
func cells(text string, comma rune) (list []cell, err error) {
	if strings.Contains(text, `"`) {
		list, err = quotedCells(text, comma)
	} else { // the usual case
		list, err = plainCells(text, comma), nil
	}
	if !utf8.ValidString(text) {
		for i := range list {
			list[i].text, list[i].latin = decodeLatin(list[i].text)
		}
	}
	return list, err
}

func plainCells(text string, comma rune) []cell {
	list := make([]cell, 0, 1+strings.Count(text, string(comma)))
	begin := 0
	for part := range strings.SplitSeq(text, string(comma)) {
		list = append(list, cell{text: part, begin: begin, end: begin + len(part), column: begin + 1})
		begin += len(part) + 1
	}
	return list
}

func quotedCells(text string, comma rune) ([]cell, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord = comma, -1
	texts, err := r.Read()
	if broken, ok := errors.AsType[*csv.ParseError](err); ok {
		err = broken.Err
	}
	if errors.Is(err, csv.ErrBareQuote) || errors.Is(err, csv.ErrQuote) {
		err = errors.New(`a quote (") that neither opens nor closes a cell: inside a cell it has to be doubled`)
	}
	if err != nil {
		return nil, err
	}
	list := make([]cell, len(texts))
	lines := lineStarts(text)
	for i, cellText := range texts {
		line, column := r.FieldPos(i)
		begin := lines[line-1] + column - 1
		list[i] = cell{text: cellText, begin: begin, end: len(text), line: line - 1, column: column}
		if i > 0 {
			list[i-1].end = begin - 1
		}
	}
	return list, nil
}

// lineStarts returns the offsets of the lines of a text.
func lineStarts(text string) []int {
	starts := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// csvParts yields the cells of a table.
func (in *input) csvParts(yield func(part) error) error { return in.tableParts(commas, yield) }

func (in *input) tsvParts(yield func(part) error) error { return in.tableParts("\t", yield) }

// tableParts yields the cells of a table, and a part of another kind for a row that cannot be read.
func (in *input) tableParts(separators string, yield func(part) error) error {
	var failed error
	in.skip = func(s Skip) { failed = cmp.Or(failed, yield(part{kind: kindOther, text: s.Why})) }
	return in.eachRow(separators, func(r row, cols tableColumns) error {
		for i, c := range r.cells {
			p := part{form: cols.comma, latin: c.latin}
			if i < len(cols.names) {
				p.key = string(appendToken(strconv.AppendInt(nil, int64(r.index), 10), cols.names[i]))
			}
			if failed = cmp.Or(failed, r.scalar(c).eachPart(p, yield)); failed != nil {
				return failed
			}
		}
		return yield(part{kind: kindEnd})
	})
}

// writeCell returns the text of a cell. It is quoted if the old one was or if it must be.
func writeCell(old part, raw, value string) (string, error) {
	text, special := value, strings.ContainsAny(value, "\"\r\n"+string(old.form))
	if inner := strings.TrimPrefix(raw, `"`); !old.among && (Unguard(inner) != inner || Unguard(text) != text) {
		text = Guard(value)
	}
	if old.latin {
		encoded, err := charmap.Windows1252.NewEncoder().String(text)
		if err != nil {
			return "", errors.New("the new value has characters that Windows-1252, as the cell is written, has not")
		}
		text = encoded
	}
	doubled := strings.ReplaceAll(text, `"`, `""`)
	switch {
	case old.among && old.quote != 0:
		return doubled, nil
	case old.among && special:
		return "", errors.New(whyForm)
	case !old.among && (special || strings.HasPrefix(raw, `"`)):
		return `"` + doubled + `"`, nil
	}
	return text, nil
}

// formula holds the characters, ASCII and full width, with which a spreadsheet formula begins.
const formula = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"

// Guard puts a quote in front of a cell that a spreadsheet would run as a formula; spreadsheets do not show it. It
// does the same for a cell that begins with a quote, so that Unguard restores every text.
func Guard(cell string) string {
	if r, _ := utf8.DecodeRuneInString(cell); cell != "" && (r == '\'' || strings.ContainsRune(formula, r)) {
		return "'" + cell
	}
	return cell
}

// Unguard removes the quote that Guard has put in front of a cell.
func Unguard(cell string) string {
	if rest, ok := strings.CutPrefix(cell, "'"); ok && Guard(rest) == cell {
		return rest
	}
	return cell
}
