package rows

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Table is a table that every store has, as far as the stores agree on its columns.
type Table struct {
	Name    string
	Columns []Column
	Given   bool // a new store has a row of it already
}

// Column is a column of a Table.
type Column struct {
	Name string
	Kind Kind
}

// Kind is the kind of the values of a column. A value that is missing is nil.
type Kind uint8

// The kinds, with the types of their values.
const (
	Int  Kind = iota // int64
	Bool             // bool
	Text             // string
	Blob             // []byte
)

// ErrNotEmpty says that a store has rows already.
var ErrNotEmpty = errors.New("it is not empty")

// Source is a store to copy from. Dump calls fn, which may read the tables one by one, all from one snapshot.
type Source interface {
	Dump(ctx context.Context, fn func(Reading) error) error
}

// Reading calls fn for each row of a table, with the values of its columns.
type Reading func(table *Table, fn func(row []any) error) error

// Target is a store to copy to. Fill writes the rows of another store, all or none. Error: ErrNotEmpty.
type Target interface {
	Fill(ctx context.Context, from Source) error
}

// Tables are the tables to copy: after those that they refer to. They lack what makes up for a store's own ways, such
// as an index of its search, and a lease, which a running program has.
var Tables = tables(
	"host: id int, name text",
	"file: id int, name text",
	"field: id int, name text",
	"policy: id int, name text, digest text, yaml blob",
	"*meta: id int, policy_id int, gen int, rules_gen int, hosts_gen int",
	"log: seq int, at int, reviewer text, action text, batch_id int, summary text, body blob, prev blob, hash blob",
	"batch: id int, seq int, reviewer text, at int, action text, summary text, undone_seq int, undone_by text, "+
		"confirms int",
	"*place_set: id int, members text",
	"place_set_member: set_id int, file_id int, field_id int",
	"item: id int, rev int, original_key blob, original text, file_id int, field_id int, position text, title text, "+
		"canonical text, page_key blob, verdict int, reason int, flags int, unknown text, in_host_id int, "+
		"host_id int, link_type int, language text, via text, status int, batch_id int, settled_by int, "+
		"approved text, notes int, "+
		"was_open bool, open bool, seal int, title_seal int, place_set_id int, link int",
	"item_count: host_id int, in_host_id int, place_set_id int, verdict int, status int, open bool, was_open bool, "+
		"flags int, n int",
	"record: id int, file_id int, match int, is_record bool, path text, key text, name text, attributes text, seal int",
	"place: id int, field_id int, path text",
	"occurrence: id int, item_id int, record_id int, place_id int, line int, col int, gone int",
	"decision: item_id int, batch_id int, kind int, canonical text, seen text, note text, record_id int, confirms int",
	"note: id int, item_id int, batch_id int, text text",
	"override: id int, host text, path text, field text, rule text, reviewer text, at int, batch_id int",
	"batch_rule: id int, batch_id int, before text, after text",
	"saved_view: name text, body text, reviewer text, at int",
	"assignment: item_id int, reviewer text, assigned_by text, at int",
	"evidence: item_id int, body text, due int, gen int, seal int",
	"host_evidence: host_id int, https bool, preferred text, gen int, propagated bool",
	"postponed: item_id int, until int, why text",
	"robots: origin text, at int, status int, body blob",
	"probed_host: host text, at int, https bool, preferred text, not_before int",
	"content: id int, hash blob, body blob",
	"item_content: item_id int, number int, at int, content_id int",
	"link_history: item_id int, body blob",
	"link_report: filter text, at int",
	"mined: id int, seq int, at int, body blob",
	"dismissed: id text, pages int, reviewer text, at int",
)

// tables reads tables from their names, with a star for Given, and columns.
func tables(list ...string) []Table {
	kinds := map[string]Kind{"int": Int, "bool": Bool, "text": Text, "blob": Blob}
	all := make([]Table, len(list))
	for i, line := range list {
		name, columns, _ := strings.Cut(line, ": ")
		all[i].Name, all[i].Given = strings.CutPrefix(name, "*")
		for _, column := range strings.Split(columns, ", ") {
			name, kind, _ := strings.Cut(column, " ")
			all[i].Columns = append(all[i].Columns, Column{name, kinds[kind]})
		}
	}
	return all
}

// Names returns the names of the columns.
func (t *Table) Names() []string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return names
}

// Query returns the query for all rows, as Normalize takes them.
func (t *Table) Query() string { return "SELECT " + strings.Join(t.Names(), ", ") + " FROM " + t.Name }

// Normalize gives the values of a row, as a driver read them, the types of their kinds.
func (t *Table) Normalize(row []any) error {
	for i, c := range t.Columns {
		switch value := row[i].(type) {
		case int64:
			if c.Kind == Bool {
				row[i] = value != 0
			} else if c.Kind != Int {
				return fmt.Errorf("%s.%s is a number", t.Name, c.Name)
			}
		case string:
			if c.Kind == Blob {
				row[i] = []byte(value)
			}
		case []byte:
			if c.Kind == Text {
				row[i] = string(value)
			}
		}
	}
	return nil
}
