package review

import (
	"slices"
	"strings"
)

// Takes reports whether strings under the field are read as URLs.
func (o ReadOptions) Takes(field string) bool {
	return slices.ContainsFunc(slices.Concat(knownFields, o.Fields), func(known string) bool {
		return strings.EqualFold(known, strings.TrimSpace(field))
	})
}
