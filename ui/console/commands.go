package console

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/review"
	"visto/ui/config"
	"visto/ui/pane"
)

// command is something the palette does with a text that is typed after its name.
type command struct {
	name, args, text string
	in               scope
	run              func(*Model, string) tea.Cmd
}

// commands is the table of them. What also has a key is done by the same code, without the dialog that asks for the text.
func commands() []command {
	return []command{
		{"Reject", "REASON", "reject the URL with this reason", onItem | writes, (*Model).rejectWith},
		{"Correct", "URL", "approve this canonical URL instead", onItem | writes, (*Model).correctTo},
		{"Note", "TEXT", "add this note to the URL", onItem | writes, (*Model).noteWith},
		{"Search", "TEXT", "show only URLs, titles and notes with this text in them", anywhere, (*Model).searchFor},
		{"Sort", "ORDER", "by " + orderWords() + "; - before it turns it round", anywhere, (*Model).sortBy},
		{"Go", "NUMBER", "go to the URL with this number", anywhere, (*Model).goTo},
		{"Theme", "GROUND", "colours for a dark or light terminal; auto asks it", anywhere, (*Model).setTheme},
	}
}

func (m *Model) rejectWith(reason string) tea.Cmd {
	return m.onSeen(func(it review.Item) tea.Cmd {
		return m.decide(decide{choice: review.Choice{Kind: review.Reject, Note: reason}, targets: targetOf(&it)})
	})
}

// correctTo opens the dialog with the URL in it: what it would be stored as is looked at before it is approved.
func (m *Model) correctTo(url string) tea.Cmd {
	return m.onCurrent(func(it review.Item) tea.Cmd { return m.openCorrect(&it, url) })
}

func (m *Model) noteWith(text string) tea.Cmd {
	return m.onCurrent(func(it review.Item) tea.Cmd { return m.note(addNote{text, it.ID}) })
}

func (m *Model) searchFor(text string) tea.Cmd {
	query := m.query
	query.Filter.Search, query.Filter.Regexp = searched(text)
	return m.setQuery(setQuery{query: query, cause: m.cause})
}

// parseOrder reads the word for an order; - before it turns it round.
func parseOrder(word string) (sort review.Sort, desc bool, err error) {
	name, desc := strings.CutPrefix(word, "-")
	sort, ok := review.ParseSort(name)
	if !ok {
		err = fmt.Errorf("there is no order %q: %s", word, orderWords())
	}
	return sort, desc, err
}

// orderWords are the words for the orders.
func orderWords() string {
	var list []string
	for _, s := range review.Sorts() {
		list = append(list, s.String())
	}
	return strings.Join(list, ", ")
}

func (m *Model) sortBy(word string) tea.Cmd {
	query := m.query
	var err error
	if query.Sort, query.Desc, err = parseOrder(word); err != nil {
		m.warn(safeText(err.Error()))
		return nil
	}
	return m.setQuery(setQuery{query: query, cause: m.cause})
}

// goTo goes to a URL by its number, and shows all there are if the filter hides it.
func (m *Model) goTo(text string) tea.Cmd {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		m.warn("a number is wanted, such as go 12")
		return nil
	}
	filter := m.query.Filter
	return func() tea.Msg {
		d, err := m.desk.Detail(m.ctx, id)
		if err != nil {
			return foundAnswer{err: err}
		}
		one := filter
		one.IDs = []int64{id}
		n, err := m.desk.Count(m.ctx, one)
		return foundAnswer{d.Item, n > 0, err}
	}
}

type foundAnswer struct {
	item  review.Item
	shown bool // by the filter
	err   error
}

func (a foundAnswer) take(m *Model) tea.Cmd {
	if a.err != nil {
		m.warn(plainError(a.err))
		return nil
	}
	query, cause := m.query, m.cause
	if !a.shown {
		query.Filter, cause = review.Filter{}, ""
		m.say(fmt.Sprintf("all URLs are shown: the filter hid URL %d", a.item.ID))
	}
	return m.setQuery(setQuery{query: query, cause: cause, place: pane.Place{Anchor: &a.item, Jump: true}})
}

func (m *Model) setTheme(name string) tea.Cmd {
	theme, err := config.ParseTheme(name)
	if err != nil {
		m.warn(safeText(err.Error()))
		return nil
	}
	m.opts.Theme = theme
	m.look(m.terminal)
	m.say("colours for: " + cmp.Or(string(theme), "what the terminal says its ground is"))
	return tea.RequestBackgroundColor
}

// flagsHere are the flags of the URL under the cursor, or of the cause.
func (m *Model) flagsHere() []canon.Flag {
	if m.scope == inCauses {
		if c, ok := m.causes.Current(); ok {
			return []canon.Flag{{Code: c.Flag}}
		}
		return nil
	}
	d := m.detailHere()
	if d == nil {
		return nil
	}
	list := d.Result.Flags
	if d.Item.Computed.Flags.Has(canon.ChangedSinceApproval) {
		list = append(list[:len(list):len(list)], canon.Flag{Code: canon.ChangedSinceApproval})
	}
	return list
}

// detailHere is what is known of the URL under the cursor, if that is what is in view.
func (m *Model) detailHere() *review.Detail {
	it, d := m.subject(), m.detail.Data()
	if m.scope&onItem == 0 || it == nil || d == nil || d.Item.ID != it.ID {
		return nil
	}
	return d
}
