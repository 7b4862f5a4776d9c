package cli

import "strings"

// Escapes are how ClickHouse (TabSeparated), PostgreSQL (COPY, text format) and MySQL (LOAD DATA) write a value of any bytes in
// one line. These are read; a backslash before any other character stands for that character. Those that keep a line whole
// are written.
var (
	escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f', 'v': '\v', '0': 0}
	escaper = strings.NewReplacer("\\", `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`)
)

// noValue is how they write SQL's NULL.
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
