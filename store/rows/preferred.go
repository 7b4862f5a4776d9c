package rows

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"visto/canon"
)

// preferredText returns a preferred host as it is stored: the name and, if it is known, how it was reached, as in
// `www.boe.es {"by":"redirect","url":"https://www.boe.es/","status":200}`. Both are one value, replaced together.
func preferredText(host string, reached canon.Reach) string {
	if host == "" || reached.By == "" {
		return host
	}
	record, err := json.Marshal(reached)
	if err != nil {
		panic(err) // cannot happen: it holds strings and a number
	}
	return host + " " + string(record)
}

// Preferred scans the column of a preferred host.
func Preferred(host *string, reached *canon.Reach) sql.Scanner { return preferred{host, reached} }

type preferred struct {
	host    *string
	reached *canon.Reach
}

// Scan is sql.Scanner's.
func (p preferred) Scan(value any) error {
	var text string
	switch value := value.(type) {
	case string:
		text = value
	case []byte:
		text = string(value)
	default:
		return fmt.Errorf("a preferred host is stored as %v", value)
	}
	*p.host, *p.reached = text, canon.Reach{}
	host, record, ok := strings.Cut(text, " {")
	var reached canon.Reach
	if ok && json.Unmarshal([]byte("{"+record), &reached) == nil {
		*p.host, *p.reached = host, reached
	}
	return nil
}
