package config

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// named maps each name of a named key to the name in a key press.
var named = map[string]string{
	"enter": "enter", "return": "enter", "tab": "tab", "space": "space", "backspace": "backspace",
	"esc": "esc", "escape": "esc", "up": "up", "down": "down", "left": "left", "right": "right",
	"home": "home", "end": "end", "pgup": "pgup", "pageup": "pgup", "pgdown": "pgdown", "pagedown": "pgdown",
	"insert": "insert", "delete": "delete", "del": "delete",
	"f1": "f1", "f2": "f2", "f3": "f3", "f4": "f4", "f5": "f5", "f6": "f6",
	"f7": "f7", "f8": "f8", "f9": "f9", "f10": "f10", "f11": "f11", "f12": "f12",
}

// same maps the combinations that a terminal sends like another key to that key.
var same = map[string]string{"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc"}

// ParseKey reads the name of a key as a person writes it and returns the name of its key press: "a", "A", "*",
// "ctrl+r", "alt+x", "shift+tab", "f5", "pgdown", "space". Case matters only for single letters.
func ParseKey(s string) (string, error) {
	rest, mods := s, ""
	for _, mod := range []string{"ctrl+", "alt+", "shift+"} { // the order in which a key press names them
		if i := strings.Index(strings.ToLower(rest), mod); i >= 0 && len(rest) > i+len(mod) {
			rest = rest[:i] + rest[i+len(mod):]
			mods += mod
		}
	}
	key, err := bareKey(rest)
	if err != nil {
		const examples = "a letter or sign, or such as ctrl+r, alt+x, shift+tab, f5, enter, space, pgdown"
		return "", fmt.Errorf("there is no key %q: %s", s, examples)
	}
	if utf8.RuneCountInString(key) == 1 {
		return letter(s, mods, key)
	}
	return mods + key, nil
}

// bareKey returns the name of a key without modifiers.
func bareKey(s string) (string, error) {
	if name, ok := named[strings.ToLower(s)]; ok {
		return name, nil
	}
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case s == " ":
		return "space", nil
	case n == 0, n < len(s), r == utf8.RuneError, !unicode.IsGraphic(r), unicode.IsSpace(r), unicode.IsMark(r):
		return "", fmt.Errorf("no key")
	}
	return s, nil
}

// letter returns the name of a letter or sign with modifiers. Shift makes another sign, and ctrl loses the case.
func letter(written, mods, key string) (string, error) {
	if strings.Contains(mods, "shift+") {
		return "", fmt.Errorf("there is no key %q: write the sign that it gives, such as A for shift+a", written)
	}
	if strings.Contains(mods, "ctrl+") {
		key = strings.ToLower(key)
	}
	switch {
	case mods+key == "ctrl+c":
		return "", fmt.Errorf("ctrl+c always quits: choose another key")
	case same[mods+key] != "":
		return "", fmt.Errorf("%s is %s to a terminal: choose another key", mods+key, same[mods+key])
	}
	return mods + key, nil
}
