package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/pane"
)

// state is what a console keeps over restarts: where the reviewer was. Nothing is lost with it but that.
type state struct {
	View  json.RawMessage `json:"view"` // filter and order, as review.View writes them
	Cause string          `json:"cause,omitempty"`
	URL   int64           `json:"url,omitempty"` // under the cursor
	Tab   string          `json:"tab,omitempty"`
}

// readState reads a state file. That there is none is no error.
func readState(path string) (s state, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return s, err
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return state{}, fmt.Errorf("reading %s: %w", path, err)
	}
	return s, nil
}

// write writes the state whole or not at all.
func (s state) write(path string) error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".console-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// state is where the reviewer is now.
func (m *Model) state() state {
	shown := m.shownQuery()
	s := state{View: review.View{Query: shown.query, Today: shown.today}.JSON(), Cause: shown.cause}
	if it := m.queue.Current(); it != nil {
		s.URL = it.ID
	}
	for _, t := range tabs {
		if t.scope == m.scope {
			s.Tab = t.name
		}
	}
	return s
}

// restore goes back to where the reviewer was. A state that cannot be read is told, and left out.
func (m *Model) restore(path string) {
	if path == "" {
		return
	}
	s, err := readState(path)
	if err == nil && s.View != nil {
		var v review.View
		if v, err = review.ReadView(s.View, m.opts.clock.now()); err == nil {
			m.ask(v.Query, s.Cause, v.Today)
			m.resume = s.URL
		}
	}
	if err != nil {
		m.warn("where you were is not known, its file cannot be read: " + plainError(err))
		return
	}
	for _, t := range tabs {
		if t.name == s.Tab {
			m.scope = t.scope
		}
	}
}

// firstPage loads the queue around the URL where the reviewer was, or from its start.
func (m *Model) firstPage() tea.Cmd {
	if m.resume == 0 {
		return m.loadPage(pane.Place{})
	}
	id := m.resume
	return func() tea.Msg {
		d, err := m.desk.Detail(m.ctx, id)
		if err != nil {
			return resumed{}
		}
		return resumed{pane.Place{Anchor: &d.Item, Jump: true}}
	}
}

type resumed struct{ place pane.Place }

func (a resumed) take(m *Model) tea.Cmd { return m.loadPage(a.place) }
