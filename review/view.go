package review

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"visto/canon"
	"visto/review/health"
)

// View is a filter and an order with a name. Saved views are stored for all reviewers. They change no item, so the
// log does not hold them.
type View struct {
	Name     string
	Query    Query
	Today    bool      // only items decided today; sets Query.Filter.Since
	Columns  []Column  // of the list; none: the usual ones
	Reviewer string    // who saved it; empty: built in
	At       time.Time // of saving
}

// StoredView is a View in its stored form.
type StoredView struct {
	Name     string
	Body     []byte // JSON: see viewJSON
	Reviewer string
	At       time.Time
}

// BuiltinViews returns the built-in views. now determines the current day, in UTC.
func BuiltinViews(reviewer string, now time.Time) []View {
	today := Query{Sort: ByDecided, Desc: true, Filter: Filter{Since: startOfDay(now)}}
	mine := today
	mine.Filter.Reviewers = []string{reviewer}
	return []View{
		{Name: "waiting", Query: Query{Filter: Filter{Open: true}}},
		{Name: "assigned to me", Query: Query{Filter: Filter{Open: true, Assigned: []string{Mine}, Me: reviewer}}},
		{Name: "deferred by me",
			Query: Query{Filter: Filter{Statuses: []Status{Deferred}, Reviewers: []string{reviewer}}}},
		{Name: "changed since approval",
			Query: Query{Filter: Filter{Open: true, Flags: canon.SetOf(canon.ChangedSinceApproval)}}},
		{Name: "links", Query: Query{Filter: Filter{Open: true, Flags: health.Flags}}},
		{Name: "decided today", Query: today, Today: true},
		{Name: "decided today by me", Query: mine, Today: true},
		{Name: "gone", Query: Query{Filter: Filter{Presence: Gone}}},
	}
}

func startOfDay(now time.Time) time.Time { return now.UTC().Truncate(24 * time.Hour) }

// Views returns the saved views by name. It leaves out views that this program cannot read, such as those of a newer
// one.
func (d queueDesk) Views(ctx context.Context, now time.Time) ([]View, error) {
	stored, err := d.store.Views(ctx)
	if err != nil {
		return nil, err
	}
	var list []View
	for _, s := range stored {
		if v, err := ReadView(s.Body, d.reviewer, now); err == nil {
			v.Name, v.Reviewer, v.At = s.Name, s.Reviewer, s.At
			list = append(list, v)
		}
	}
	return list, nil
}

// SaveView saves a view and replaces one with the same name.
func (d queueDesk) SaveView(ctx context.Context, v View) error {
	name, err := viewName(v.Name)
	if err != nil {
		return err
	}
	return d.store.SaveView(ctx, StoredView{Name: name, Body: v.JSON(), Reviewer: d.reviewer})
}

// RenameView gives a saved view another name.
func (d queueDesk) RenameView(ctx context.Context, from, to string) error {
	to, err := viewName(to)
	if err != nil {
		return err
	}
	return d.store.RenameView(ctx, from, to)
}

// DeleteView deletes a saved view.
func (d queueDesk) DeleteView(ctx context.Context, name string) error {
	return d.store.DeleteView(ctx, name)
}

func viewName(name string) (string, error) {
	name = strings.Join(strings.Fields(cleanText(name)), " ")
	switch {
	case name == "":
		return "", errors.New("a view needs a name")
	case len(name) > 100:
		return "", errors.New("the name of a view has at most 100 bytes")
	}
	return name, nil
}

// viewJSON is the stored form of a view. It holds names, not numbers, which may differ between programs.
type viewJSON struct {
	Open   bool       `json:"open,omitempty"`
	With   valuesJSON `json:"with,omitzero"`
	Not    valuesJSON `json:"not,omitzero"`
	Path   string     `json:"path,omitempty"`
	AtHost oneOrMore  `json:"at_host,omitempty"`
	Search string     `json:"search,omitempty"`
	Regexp string     `json:"regexp,omitempty"`
	Today  bool       `json:"today,omitempty"`
	Sort   string     `json:"sort"`
	Desc   bool       `json:"desc,omitempty"`
	Gone   bool       `json:"gone,omitempty"`

	Columns []Column `json:"columns,omitempty"`
}

// oneOrMore is a list in JSON, or its only text: programs that knew one host read that.
type oneOrMore []string

func (list oneOrMore) MarshalJSON() ([]byte, error) {
	if len(list) == 1 {
		return encode(list[0])
	}
	return encode([]string(list))
}

func (list *oneOrMore) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*list = oneOrMore{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(list))
}

// valuesJSON are Values with the names of the flags.
type valuesJSON struct {
	Values
	Flags []string `json:"flags,omitempty"`
}

// JSON returns the view without its name. Marked items are not part of it.
func (v View) JSON() []byte {
	f, with := v.Query.Filter, v.Query.Filter.Values()
	text, err := encode(viewJSON{
		Open: f.Open, With: valuesJSON{with, with.flags()}, Not: valuesJSON{f.Not, f.Not.flags()}, Path: f.Path,
		AtHost: f.AtHosts, Search: canon.MaskUsers(f.Search), Regexp: f.Regexp, Today: v.Today,
		Sort: v.Query.Sort.String(), Desc: v.Query.Desc, Gone: f.Presence == Gone, Columns: v.Columns,
	})
	if err != nil {
		panic(err) // cannot happen: JSON can represent the types above
	}
	return text
}

// ReadView reads a view written by JSON. reviewer is the one who opens it, and now determines the current day, in UTC.
func ReadView(body []byte, reviewer string, now time.Time) (v View, err error) {
	defer annotate(&err, "reading a view")
	var j viewJSON
	if err := json.Unmarshal(body, &j); err != nil {
		return v, err
	}
	sort, ok := ParseSort(j.Sort)
	if !ok {
		return v, fmt.Errorf("there is no order %q", j.Sort)
	}
	_, errRegexp := ParsePattern(j.Regexp)
	if err := cmp.Or(errRegexp, j.With.setFlags(), j.Not.setFlags()); err != nil {
		return v, err
	}
	f := Filter{Open: j.Open, Path: j.Path, AtHosts: j.AtHost, Search: j.Search, Regexp: j.Regexp, Me: reviewer}
	f = f.WithValues(j.With.Values, j.Not.Values)
	if j.Gone {
		f.Presence = Gone
	}
	if j.Today {
		f.Since = startOfDay(now)
	}
	return View{Query: Query{Filter: f, Sort: sort, Desc: j.Desc}, Today: j.Today, Columns: j.Columns}, nil
}

// Column is a column of a list of items.
type Column struct {
	Name  string // one of ColumnNames, or AttributeColumn and the name of an attribute
	Width int    // in cells; 0: the usual one
}

// ColumnNames are the columns besides those of attributes. The URL has the room that the others leave.
var ColumnNames = []string{"flag", "url", "record", "field", "host", "file"}

// AttributeColumn begins the name of a column with an attribute of the records.
const AttributeColumn = "attr:"

// The least and the greatest width of a column.
const (
	MinColumn = 4
	MaxColumn = 200
)

// ParseColumn reads a column as [Column.String] writes it.
func ParseColumn(text string) (Column, error) {
	c := Column{Name: strings.TrimSpace(text)}
	if name, width, ok := cutLast(c.Name, " "); ok {
		if n, err := strconv.Atoi(width); err == nil {
			c = Column{strings.TrimSpace(name), n}
			if n < MinColumn || n > MaxColumn {
				return c, fmt.Errorf("%s: a column has %d to %d cells, not %d", c.Name, MinColumn, MaxColumn, n)
			}
		}
	}
	attribute, isAttribute := strings.CutPrefix(c.Name, AttributeColumn)
	switch {
	case isAttribute && attribute == "":
		return c, fmt.Errorf("which attribute? %sNAME", AttributeColumn)
	case !isAttribute && !slices.Contains(ColumnNames, c.Name):
		return c, fmt.Errorf("there is no column %q: %s, %sNAME", c.Name, strings.Join(ColumnNames, ", "),
			AttributeColumn)
	case c.Name == "url" && c.Width > 0:
		return c, errors.New("the column url takes no width: it has the room that the others leave")
	}
	return c, nil
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// String returns the name and, if it is not the usual one, the width.
func (c Column) String() string {
	if c.Width == 0 {
		return c.Name
	}
	return fmt.Sprintf("%s %d", c.Name, c.Width)
}

// MarshalText writes the column as String does.
func (c Column) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the column as ParseColumn does.
func (c *Column) UnmarshalText(text []byte) (err error) {
	*c, err = ParseColumn(string(text))
	return err
}

// ParseColumns reads columns with commas between them. No column may be there twice.
func ParseColumns(text string) (list []Column, err error) {
	for part := range strings.SplitSeq(text, ",") {
		c, err := ParseColumn(part)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(other Column) bool { return other.Name == c.Name }) {
			return nil, fmt.Errorf("the column %s is there twice", c.Name)
		}
		list = append(list, c)
	}
	return list, nil
}

// flags returns the names of the flags.
func (v Values) flags() []string { return mapped(v.Flags.Codes(), canon.Code.String) }

// setFlags sets Values.Flags from their names.
func (j *valuesJSON) setFlags() error {
	for _, name := range j.Flags {
		c, ok := canon.ParseCode(name)
		if !ok {
			return fmt.Errorf("there is no flag %q", name)
		}
		j.Values.Flags = j.Values.Flags.With(c)
	}
	return nil
}
