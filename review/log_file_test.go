package review_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"visto/review"
)

// exported returns an exported log with decisions, a rule, an undo and a note.
func exported(t *testing.T, d *desk) string {
	t.Helper()
	d.save(rules["drop"])
	_, _, err := d.Undo(t.Context(), 0)
	d.must(err)
	_, err = d.Note(t.Context(), "nota <b> & \"ñ\" \u2028", 1)
	d.must(err)
	return d.exportLog()
}

func (d *desk) exportLog() string {
	d.Helper()
	var file bytes.Buffer
	head, err := d.ExportLog(d.Context(), &file)
	d.must(err)
	if n := strings.Count(file.String(), "\n"); head.Entries != int64(n) {
		d.Errorf("%d lines, %d entries", n, head.Entries)
	}
	return file.String()
}

func TestLogFile(t *testing.T) {
	d := town(t)
	file := exported(t, d)
	head, err := review.VerifyLog(strings.NewReader(file))
	d.must(err)
	list, err := d.Log(t.Context(), 0, 1)
	d.must(err)
	last, err := d.Entry(t.Context(), list[0].Seq)
	d.must(err)
	if head.Entries != last.Seq || head.Hash != last.Hash {
		t.Errorf("head %+v, and the last entry is %d", head, last.Seq)
	}
	d.decide(review.Reject, d.items(review.Filter{})[0].Original)
	there, own, err := d.CompareLog(t.Context(), strings.NewReader(file))
	if err != nil || there != head || own.Entries != head.Entries+1 {
		t.Errorf("exported %+v, own %+v, %v", there, own, err)
	}
	more := strings.Replace(file, `{"seq":1,`, `{"more":1,"seq":1,`, 1)
	if _, err := review.VerifyLog(strings.NewReader(more)); err == nil ||
		!strings.Contains(err.Error(), `line 1: json: unknown field "more"`) {
		t.Errorf("a field that no entry has: %v", err)
	}
	longer := d.exportLog()
	other := town(t)
	for name, file := range map[string]string{"of another store": file, "of a later state": longer} {
		if _, _, err := other.CompareLog(t.Context(), strings.NewReader(file)); !errors.Is(err, review.ErrOtherLog) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A flipped bit in an exported log is detected, or changes no entry.
// endlessText is a text without an end, and counts the bytes that were read of it.
type endlessText struct{ read int }

func (e *endlessText) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	e.read += len(p)
	return len(p), nil
}

// Spec 8, hostile input: input of strangers is refused before it fills the memory.
func TestLogFileEndlessLine(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	var text endlessText
	_, err := review.VerifyLog(io.MultiReader(strings.NewReader(`{"seq":1,"summary":"`), &text))
	if err == nil || !strings.Contains(err.Error(), "line 1: the entry is larger than 32 MiB") || text.read > 33<<20 {
		t.Errorf("%v after %d bytes", err, text.read)
	}
}

func TestLogFileFlipped(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a file again for each of its bytes")
	}
	file := exported(t, town(t))
	read := func(text []byte) (entries []string, err error) {
		_, err = review.VerifyLog(bytes.NewReader(text))
		for line := range bytes.Lines(text) {
			var e review.Entry
			if e.UnmarshalJSON(line) == nil {
				line, _ = e.MarshalJSON()
			}
			entries = append(entries, string(line))
		}
		return entries, err
	}
	before, err := read([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		text, at := []byte(file), random.IntN(len(file))
		text[at] ^= 1 << random.IntN(8)
		if after, err := read(text); err == nil && strings.Join(after, "\n") != strings.Join(before, "\n") {
			t.Errorf("byte %d, now %q, is not found:\n%s", at, text[at], text)
		}
	}
}
