package dialog

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// Prompt asks for a line of text. It offers texts to choose from.
type Prompt struct {
	Title   string
	About   string // the subject, such as a URL; untrusted
	Hint    string
	Empty   string   // the error for an empty text; "" allows it
	Yes     string   // names the effect of enter
	Key     string   // identifies the draft; "": the text is not kept
	Choices []string // texts that a digit answers with; untrusted
	Recent  []string // texts that only the arrows reach; untrusted
	Do      func(text string) Action

	in     widget.Input
	from   string // the initial text
	failed string
	list   widget.List // of the typed text and the offered ones
	typed  string      // the text before an offered one took its place
	shown  [2]int      // the offered texts on screen; a digit answers with none that is not
}

// With sets the initial text and returns the prompt.
func (p *Prompt) With(text string) *Prompt {
	p.in, p.from, p.typed = widget.NewInput(text), text, text
	p.Recent = slices.DeleteFunc(slices.Clone(p.Recent), func(r string) bool { return slices.Contains(p.Choices, r) })
	p.list.Resize(1+len(p.offered()), 1+len(p.offered()))
	return p
}

// offered returns the texts to choose from.
func (p *Prompt) offered() []string { return slices.Concat(p.Choices, p.Recent) }

// Draft returns the typed text.
func (p *Prompt) Draft() (key string, draft any, changed bool) {
	return p.Key, p.in.Value(), p.in.Value() != p.from
}

// Typing returns true: letters are text.
func (p *Prompt) Typing() bool { return true }

// Fail shows why the action failed. The text stays.
func (p *Prompt) Fail(why string) { p.failed = why }

// Update takes a key or a paste.
func (p *Prompt) Update(msg tea.Msg) Action {
	if motion, ok := motionOf(msg); ok && len(p.offered()) > 0 {
		p.list.Move(motion)
		p.offer(p.list.Cursor)
		return nil
	}
	if i, ok := p.digit(msg); ok {
		p.list.To(i + 1)
		p.offer(i + 1)
		return p.Do(p.Choices[i])
	}
	switch {
	case isKey(msg, "esc"):
		return Close{}
	case isKey(msg, "enter"):
		text := strings.TrimSpace(p.in.Value())
		if text == "" && p.Empty != "" {
			p.failed = p.Empty
			return nil
		}
		return p.Do(text)
	}
	if p.in.Update(msg) {
		p.failed, p.typed = "", p.in.Value()
		p.list.To(0)
	}
	return nil
}

// maxDigits is the number of texts that a digit answers with.
const maxDigits = 9

// Answers reports whether a key is a digit that answers with a text.
func (p *Prompt) Answers(msg tea.Msg) bool {
	_, ok := p.digit(msg)
	return ok
}

// digit returns the text that a digit chooses. A digit in a text is part of that; a space may begin it.
func (p *Prompt) digit(msg tea.Msg) (i int, ok bool) {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok || p.in.Value() != "" || len(key.Text) != 1 {
		return 0, false
	}
	i = int(key.Text[0]) - '1'
	return i, i >= p.shown[0] && i < min(p.shown[1], maxDigits, len(p.Choices))
}

// offer puts the text in a row of the list into the input; row 0 is the typed one.
func (p *Prompt) offer(row int) {
	text := p.typed
	if row > 0 {
		text = p.offered()[row-1]
	}
	p.in, p.failed = widget.NewInput(text), ""
}

// Pick puts an offered text into the input, or answers with it if it is there.
func (p *Prompt) Pick(row int) Action {
	if row == p.list.Cursor {
		return p.Do(p.offered()[row-1])
	}
	p.list.To(row)
	p.offer(row)
	return nil
}

// View draws the prompt.
func (p *Prompt) View(th *theme.Theme, width, height int) View {
	s := newSheet(th, width, 76)
	if p.About != "" {
		about := term.Wrap(term.Safe(term.Clip(p.About, 1024)), s.width)
		s.add(about[:min(len(about), 4)]...)
		s.add("")
	}
	s.input(&p.in, "", true)
	if p.Hint != "" {
		s.dim(p.Hint)
	}
	failure := &sheet{th: th, width: s.width}
	failure.fail(p.failed)
	p.choices(s, height-len(failure.lines))
	s.append(failure)
	keys := []string{"enter", p.Yes, "esc", "cancel"}
	if n := len(p.offered()); n > 0 {
		keys = slices.Concat([]string{"↑↓", "take a text"}, keys)
	}
	if n := min(p.shown[1], maxDigits, len(p.Choices)); n > 0 {
		digits := "1"
		if n > 1 {
			digits = fmt.Sprintf("1-%d", n)
		}
		keys = slices.Concat([]string{digits, p.Yes + " at once"}, keys)
	}
	s.keysLine(keys...)
	return s.view(p.Title, height, 0, 2)
}

// choices adds the offered texts that fit, with their digits.
func (p *Prompt) choices(s *sheet, height int) {
	offered, room := p.offered(), height-len(s.lines)-5 // the frame, a blank line above, and the keys
	p.shown = [2]int{}
	if len(offered) == 0 || room < 1 {
		return
	}
	s.add("")
	shown := widget.List{Cursor: max(0, p.list.Cursor-1)}
	shown.Resize(len(offered), min(len(offered), room))
	p.shown[0], p.shown[1] = shown.Visible()
	s.list(&shown, func(i, width int) string {
		s.zones = append(s.zones, Zone{Y: len(s.lines), To: width, Row: i + 1})
		number := " "
		if i < min(maxDigits, len(p.Choices)) {
			number = fmt.Sprint(i + 1)
		}
		text := term.Truncate(term.Safe(term.Clip(offered[i], 1024)), width-5)
		if i == p.list.Cursor-1 {
			return s.th.Selected.Render(term.Pad("▌ "+number+"  "+text, width))
		}
		return "  " + s.th.Key.Render(number) + "  " + text
	})
}
