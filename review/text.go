package review

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
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

// SplitCanonical returns the host of a canonical URL, and the rest after host and port.
func SplitCanonical(canonical string) (host, path string) {
	_, host, _ = strings.Cut(canonical, "://")
	if start := strings.IndexByte(host, '/'); start >= 0 {
		host, path = host[:start], host[start:]
	}
	if port := strings.LastIndexByte(host, ':'); port > strings.IndexByte(host, ']') { // not a colon of an IPv6 address
		host = host[:port]
	}
	return host, path
}

// PathOf returns the path of a canonical URL without trailing slashes, so that it ends where a segment does.
func PathOf(canonical string) string {
	_, path := SplitCanonical(canonical)
	if end := strings.IndexAny(path, "?#"); end >= 0 {
		path = path[:end]
	}
	return strings.TrimRight(path, "/")
}

// PrefixPair returns the path prefixes in which a URL and its Spanish counterpart differ: up to and including the last
// segment that differs. It is empty if no segment differs, or if the numbers of segments do.
func PrefixPair(from, to string) canon.Prefixes {
	a, b := strings.Split(PathOf(from), "/"), strings.Split(PathOf(to), "/")
	if len(a) != len(b) {
		return canon.Prefixes{}
	}
	for i := 1; i < len(a); i++ {
		if a[i] != b[i] && slices.Equal(a[i+1:], b[i+1:]) {
			return canon.Prefixes{From: strings.Join(a[:i+1], "/") + "/", To: strings.Join(b[:i+1], "/") + "/"}
		}
	}
	return canon.Prefixes{}
}

// IsSpanish reports whether a language tag is one of Spanish, of any country.
func IsSpanish(tag string) bool {
	lang, _, _ := strings.Cut(strings.ToLower(tag), "-")
	return lang == "es"
}
