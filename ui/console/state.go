package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/wording"
)

// state is the place of the reviewer in the console. A state file keeps it over restarts.
type state struct {
	View  json.RawMessage `json:"view"` // filter and order, as review.View writes them
	Cause string          `json:"cause,omitempty"`
	URL   int64           `json:"url,omitempty"` // under the cursor
	Tab   string          `json:"tab,omitempty"`
}

// saver writes the state file.
type saver struct {
	kept state // as the file has it; no View: the first page of the queue has not come
	sync.Mutex
	left bool // the last place is written
}

// temporary begins the name of a state file that is being written.
const temporary = ".console-"

// readState reads a state file. A missing file is no error.
func readState(path string) (s state, err error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		if err = json.Unmarshal(data, &s); err != nil {
			err = fmt.Errorf("reading %s: %w", path, err)
		}
	}
	return s, err
}

// write replaces the state file as a whole.
func (s state) write(path string) error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, temporary+"*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // once it is renamed there is nothing to remove
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// sweep removes the files of consoles that were killed while they wrote one, which takes far less than a minute.
func sweep(dir string, now time.Time) {
	list, _ := os.ReadDir(dir) // on the first start there is no folder
	for _, e := range list {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), temporary) && now.Sub(info.ModTime()) > time.Minute {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// state is the present state.
func (m *Model) state() state {
	shown := m.queue.lasting()
	view := review.View{Query: shown.query, Today: shown.today, Columns: m.queue.chosen}
	s := state{View: view.JSON(), Cause: shown.cause}
	if it := m.queue.pane.Current(); it != nil {
		s.URL = it.ID
	}
	for _, t := range tabs {
		if t.scope == m.scope {
			s.Tab = t.name
		}
	}
	return s
}

// restore returns to the place in a state file. It reports a broken file and goes on without it.
func (m *Model) restore(path string) {
	if path == "" {
		return
	}
	sweep(filepath.Dir(path), m.opts.clock.now())
	s, err := readState(path)
	if err == nil && s.View != nil {
		var v review.View
		if v, err = review.ReadView(s.View, m.who.Reviewer(), m.opts.clock.now()); err == nil {
			m.queue.set(request{query: v.Query, cause: s.Cause, today: v.Today})
			m.queue.setColumns(v.Columns)
			m.queue.resume = s.URL
		}
	}
	if err != nil {
		m.warn("where you were is not known, its file cannot be read: " + wording.Error(err))
		return
	}
	for _, t := range tabs {
		if t.name == s.Tab {
			m.scope = t.scope
		}
	}
}

// beginPlace notes where the console begins: a second one of the same reviewer changes nothing by being opened.
func (m *Model) beginPlace() {
	if m.saver.kept.View == nil && m.queue.isRead() {
		m.saver.kept = m.state()
	}
}

// keepPlace writes the state file if the place has changed, for a console that is killed. An error is told when the
// console is left.
func (m *Model) keepPlace() tea.Cmd {
	if m.opts.StateFile == "" || m.lookup != nil || !m.queue.isRead() {
		return nil
	}
	now := m.state()
	if reflect.DeepEqual(now, m.saver.kept) {
		return nil
	}
	m.saver.kept = now
	return func() tea.Msg {
		m.saver.Lock()
		defer m.saver.Unlock()
		if !m.saver.left {
			_ = now.write(m.opts.StateFile)
		}
		return nil
	}
}

// leave writes the state file.
func (m *Model) leave() error {
	if m.lookup != nil { // a search that is still being typed is not kept
		m.lookup.restore()
	}
	if m.opts.StateFile == "" {
		return nil
	}
	m.saver.Lock()
	defer m.saver.Unlock()
	m.saver.left = true
	if err := m.state().write(m.opts.StateFile); err != nil {
		return fmt.Errorf("all decisions are stored, but not where you were: %w", err)
	}
	return nil
}
