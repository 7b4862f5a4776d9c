package console

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Snapshot runs a console without a terminal and returns the screen after some keys, with its styling. It waits for the
// effects of each key before it presses the next one. Keys are written as in bindings ("a", "ctrl+r", "enter");
// "type:text" types a text.
func Snapshot(ctx context.Context, desk Desk, opts Options, width, height int, keys ...string) (string, error) {
	d := newDriver(ctx, desk, opts, width, height)
	for _, k := range keys {
		if err := d.press(k); err != nil {
			return "", err
		}
	}
	return d.model.View().Content, nil
}

// driver runs a model synchronously. Its clock goes on by a second with each key.
type driver struct {
	model *Model
	now   time.Time
	quit  bool
	sent  []tea.Msg // messages for Bubble Tea itself, such as the clipboard's
}

func newDriver(ctx context.Context, desk Desk, opts Options, width, height int) *driver {
	d := &driver{now: time.Unix(0, 0)}
	opts.clock.now = func() time.Time { return d.now }
	opts.clock.after = func(_ time.Duration, msg tea.Msg) tea.Cmd { return send(msg) }
	d.model = newModel(ctx, desk, opts)
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
	d.run(d.model.Init())
	return d
}

// send gives the model a message and runs the commands that follow.
func (d *driver) send(msg tea.Msg) {
	_, cmd := d.model.Update(msg)
	d.run(cmd)
}

func (d *driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case tea.QuitMsg:
		d.quit = true
	case answer, polled, wrote, changed, settled:
		d.send(msg)
	default:
		d.sent = append(d.sent, msg)
	}
}

// press sends a key, or the letters of a text after "type:".
func (d *driver) press(key string) error {
	d.now = d.now.Add(time.Second)
	if text, ok := strings.CutPrefix(key, "type:"); ok {
		for _, r := range text {
			d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		return nil
	}
	msg, err := keyPress(key)
	if err == nil {
		d.send(msg)
	}
	return err
}

// named are the keys with a name.
var named = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp,
	"pgdown": tea.KeyPgDown, "delete": tea.KeyDelete, "backspace": tea.KeyBackspace, "insert": tea.KeyInsert,
	"f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4, "f5": tea.KeyF5, "f6": tea.KeyF6,
	"f7": tea.KeyF7, "f8": tea.KeyF8, "f9": tea.KeyF9, "f10": tea.KeyF10, "f11": tea.KeyF11, "f12": tea.KeyF12,
}

// mods are the keys that change others.
var mods = map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "shift": tea.ModShift, "alt": tea.ModAlt}

// keyPress is the message of a key that is written as in a binding.
func keyPress(key string) (tea.KeyPressMsg, error) {
	var msg tea.KeyPressMsg
	for mod, rest, ok := strings.Cut(key, "+"); ok && mods[mod] != 0; mod, rest, ok = strings.Cut(key, "+") {
		key, msg.Mod = rest, msg.Mod|mods[mod]
	}
	runes := []rune(key)
	switch code, ok := named[key]; {
	case ok:
		msg.Code = code
	case key == "space":
		msg.Code, msg.Text = ' ', " "
	case len(runes) == 1:
		msg.Code = runes[0]
		if msg.Mod == 0 {
			msg.Text = key
		}
	default:
		return msg, fmt.Errorf("pressing %q: there is no such key", key)
	}
	return msg, nil
}
