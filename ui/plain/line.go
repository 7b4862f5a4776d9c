package plain

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// maxLine is the longest line in bytes.
const maxLine = 1 << 20

// line returns the next line without the space around it, or io.EOF after the last one. A line that is longer than
// maxLine is refused with a message, and counts as an empty one, which is no command and no answer.
func (p *prompts) line() (string, error) {
	var text []byte
	size := 0
	for {
		part, err := p.in.ReadSlice('\n')
		if size += len(part); size <= maxLine {
			text = append(text, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (err != io.EOF || size == 0):
			return "", err
		case size > maxLine:
			p.out.printf("Not done: the line has %d bytes, and at most %d are read.\n", size, maxLine)
			return "", nil
		}
		return strings.TrimSpace(string(text)), nil
	}
}

// ended returns the error that ended the input: nil at its end.
func ended(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}
