package console

import (
	"context"
	"strings"

	"github.com/charmbracelet/x/ansi"

	uidesk "visto/ui/desk"
)

// Keyboard is the driver of the console, for tests outside of the package.
type Keyboard struct{ d *driver }

// NewKeyboard opens a console without a terminal.
func NewKeyboard(ctx context.Context, desk Desk, width, height int) Keyboard {
	return Keyboard{newDriver(ctx, desk, Options{}, width, height)}
}

// NewKeyboardWith opens a console with a network.
func NewKeyboardWith(ctx context.Context, desk Desk, prober uidesk.Prober, width, height int) Keyboard {
	return Keyboard{newDriver(ctx, desk, Options{Prober: prober}, width, height)}
}

// Press presses a key, or after "type:" one for each character of a text, and returns their number.
func (k Keyboard) Press(key string) (n int, err error) {
	text, typed := strings.CutPrefix(key, "type:")
	if !typed {
		return 1, k.d.press(key)
	}
	return len([]rune(text)), k.d.press(key)
}

// Screen returns the screen without styling.
func (k Keyboard) Screen() string { return ansi.Strip(k.d.model.View().Content) }
