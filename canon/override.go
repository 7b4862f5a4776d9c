package canon

// Override is a reviewer's rule for one host, a host pattern, or a path on any host (seed 001 section 3). Empty fields
// have no effect. Parameter names are compared percent-decoded and case-insensitively; a "*" at the end makes a name a
// prefix.
type Override struct {
	Match               Match      `json:"match"`
	DropQueryParams     []string   `json:"drop_query_params,omitempty"`
	KeepQueryParams     []string   `json:"keep_query_params,omitempty"`
	PaginationParams    []string   `json:"pagination_params,omitempty"`
	NotPaginationParams []string   `json:"not_pagination_params,omitempty"`
	Scheme              string     `json:"scheme,omitempty"`         // "http": the host has no HTTPS
	TrailingSlash       string     `json:"trailing_slash,omitempty"` // "keep": a trailing slash stays
	CanonicalHost       string     `json:"canonical_host,omitempty"`
	Spanish             *Prefixes  `json:"spanish,omitempty"` // from the prefix of another language to the Spanish one
	RewriteRules        []Prefixes `json:"rewrite_rules,omitempty"`
	Accept              []string   `json:"accept,omitempty"` // codes of flags that are fine here
	Note                string     `json:"note,omitempty"`
}

// Match selects the URLs of an override. Host is an ASCII host name, a suffix pattern such as "*.gencat.cat" (which
// does not match gencat.cat itself), or, with a PathPrefix, "*". PathPrefix is compared with the normalized path at
// segment boundaries: "/sta" matches "/sta" and "/sta/x", but not "/star".
type Match struct {
	Host       string `json:"host"`
	PathPrefix string `json:"path_prefix,omitempty"`
}

// Prefixes maps one prefix to another. In rewrite_rules both are prefixes of whole URLs. In spanish they are prefixes
// of whole URLs, or, with a leading "/", of paths on the same host.
type Prefixes struct {
	From string `json:"from_prefix"`
	To   string `json:"to_prefix"`
}
