package cli

import "strings"

// The escapes of ClickHouse (TabSeparated), PostgreSQL (COPY, text format) and MySQL (LOAD DATA), which keep a value of
// any bytes on one line. escapes are read; a backslash before any other character stands for that character. escaper
// writes only those that a line needs.
var (
	escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f', 'v': '\v', '0': 0}
	escaper = strings.NewReplacer("\\", `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`)
)

// noValue is SQL's NULL in these formats.
const noValue = `\N`

func escape(s string) string { return escaper.Replace(s) }

func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' && i+1 < len(s) {
			i++
			c = s[i]
			if plain, ok := escapes[c]; ok {
				c = plain
			}
		}
		b = append(b, c)
	}
	return string(b)
}
