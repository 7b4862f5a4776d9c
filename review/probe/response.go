package probe

import "net/http"

// Response is an answer of a server, read as far as the limits go.
type Response struct {
	URL       string // that was asked
	Method    string // GET or HEAD
	Status    int
	Header    http.Header
	Body      []byte // decoded (Content-Encoding), in the charset in which it came; nil after HEAD
	Truncated bool   // the body was longer than the limit
}
