package read

import (
	"io"
	"strings"
)

// text reads one URL a line. It ignores blank lines and lines that begin with "#".
func (in *input) text() error {
	lines := lines{r: in.r}
	for {
		l, err := lines.next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return in.failf("line %d: %w", l.number, err)
		case l.long():
			in.skipf(l.number, "%s", l.why())
			continue
		case strings.HasPrefix(strings.TrimSpace(l.text), "#"):
			continue
		}
		if err := in.found(l.text, "", "", l.number); err != nil {
			return err
		}
	}
}
