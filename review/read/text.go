package read

import (
	"fmt"
	"strings"
)

// text reads one URL a line. It ignores blank lines and lines that begin with "#".
func (in *input) text() error {
	return in.eachLine(in.unlessLong(func(l line) error {
		url := in.trimmed(l.text, l.number)
		if strings.HasPrefix(url, "#") {
			return nil
		}
		at := strings.Index(l.text, url)
		begin := l.begin + int64(at)
		return in.found(Found{URL: url, Place: Place{Path: fmt.Sprintf("%d:%d", l.number, at+1), Line: l.number,
			Column: at + 1, Begin: begin, End: begin + int64(len(url))}})
	}))
}
