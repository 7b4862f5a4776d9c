package review

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"visto/canon"
)

// cleanText trims a text that a person wrote, makes it valid UTF-8, for the log is JSON, and masks user and password of
// each URL in it.
func cleanText(s string) string {
	return canon.MaskUsers(strings.ToValidUTF8(strings.TrimSpace(s), "\uFFFD"))
}

// maxNote is the largest size of a note, in bytes.
const maxNote = 64 << 10

// checkNote refuses a note that nobody wrote by hand: it would be copied into the log for each of its items.
func checkNote(text string) error {
	if len(text) > maxNote {
		return fmt.Errorf("the note has %d bytes: at most %d are kept", len(text), maxNote)
	}
	return nil
}

// masked returns a stored item without user and password of any URL. An earlier program may have stored them.
func masked(it Item) Item {
	it.Original, it.Title = canon.MaskUser(it.Original), canon.MaskUsers(it.Title)
	it.Occurrences = maskedOccurrences(it.Occurrences)
	if it.Decision != nil {
		decision := maskedDecision(*it.Decision)
		it.Decision = &decision
	}
	it.ByRecord = mapped(it.ByRecord, func(r RecordDecision) RecordDecision {
		if r.Decision != nil {
			decision := maskedDecision(*r.Decision)
			r.Decision = &decision
		}
		return r
	})
	return it
}

func maskedDecision(d Decision) Decision {
	d.Note = canon.MaskUsers(d.Note)
	if d.CanonicalOf != nil {
		d.CanonicalOf = &Reference{d.CanonicalOf.ID, canon.MaskUser(d.CanonicalOf.Original)}
	}
	return d
}

func maskedNote(n Note) Note {
	n.Text = canon.MaskUsers(n.Text)
	return n
}

// encode marshals a value to JSON without escaping "&", "<" and ">".
func encode(v any) ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), err
}
