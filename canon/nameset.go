package canon

import (
	"bytes"
	"strings"
)

// nameSet is a set of parameter names and prefixes of names, in lower case.
type nameSet struct {
	names    map[string]bool
	prefixes []string
}

func newNameSet(list []string) (s nameSet) {
	for _, name := range list {
		name = strings.ToLower(name)
		if prefix, ok := strings.CutSuffix(name, "*"); ok {
			s.prefixes = append(s.prefixes, prefix)
			continue
		}
		if s.names == nil {
			s.names = map[string]bool{}
		}
		s.names[name] = true
	}
	return s
}

func (s nameSet) has(name []byte) bool {
	if s.names[string(name)] {
		return true
	}
	for _, prefix := range s.prefixes {
		if bytes.HasPrefix(name, []byte(prefix)) {
			return true
		}
	}
	return false
}
