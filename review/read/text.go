package read

import (
	"fmt"
	"strings"

	"visto/canon"
)

// text reads one URL a line. It ignores blank lines and lines that begin with "#".
func (in *input) text() error {
	return in.eachLine(in.unlessLong(func(l line) error {
		if strings.HasPrefix(canon.Trim(l.text), "#") {
			return nil
		}
		return in.found(l.text, "", Place{Path: fmt.Sprintf("%d:1", l.number), Line: l.number, Column: 1})
	}))
}
