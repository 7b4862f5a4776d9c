package canon

// Evidence is what the network said about one URL, recorded earlier: Canonicalize itself never asks.
// The zero value, and nil, mean that nothing is known. In JSON it is one object; unset fields are absent.
type Evidence struct {
	URL string `json:"url,omitempty"` // the URL it belongs to: an original as it came, or a canonical URL

	// Redirects (seed 000 rule 7). Hop i is the i-th redirect: its status and the URL it led to. The last hops are not
	// followed where there are too many, where they run in a circle, or where they lead somewhere forbidden.
	Asked    string `json:"asked,omitempty"` // the URL that was asked first, to which the first hop is the answer
	Hops     []Hop  `json:"hops,omitempty"`
	FinalURL string `json:"final_url,omitempty"` // where the chain ended; the last hop's URL when empty
	Status   int    `json:"status,omitempty"`    // HTTP status of the last answer
	Error    string `json:"error,omitempty"`     // why there was no answer at all

	// TLSError says why the certificate or the handshake of a server that does speak HTTPS was refused: "expired",
	// "not-yet-valid", "wrong-host", "unknown-authority", "invalid" or "handshake". Error has the words. HTTPS is not
	// known then: such a host is neither safe nor "HTTP only" (seed 000 rule 1).
	TLSError   string `json:"tls_error,omitempty"`
	RetryAfter string `json:"retry_after,omitempty"` // RFC 3339, UTC: the server asks not to be asked before (429, 503)

	// Blocked says why a server that answered keeps the content to itself: "login", "payment" (402), "forbidden" (403), "region",
	// "rate-limited" (429). Empty: it does not (seed 003, special page types).
	Blocked string `json:"blocked,omitempty"`

	// TrailingSlash is "keep" where the form without the slash at the end of the path is another page, or none: FinalURL has
	// the slash then (seed 000 rule 2, exception).
	TrailingSlash string `json:"trailing_slash,omitempty"`

	HTTPS         *bool  `json:"https,omitempty"`          // whether the host answers over HTTPS; nil: not known
	PreferredHost string `json:"preferred_host,omitempty"` // the host that the domain redirects to (rule 5)

	Title        string            `json:"title,omitempty"`
	Language     string            `json:"language,omitempty"`      // html lang of the page
	LangVariants map[string]string `json:"lang_variants,omitempty"` // hreflang: language tag to URL
	RelCanonical string            `json:"rel_canonical,omitempty"`
	RelNext      string            `json:"rel_next,omitempty"` // the next page of a list, and the one before
	RelPrev      string            `json:"rel_prev,omitempty"`
	MetaRefresh  string            `json:"meta_refresh,omitempty"` // URL that the page itself goes on to; recorded, not followed
	TotalPages   int               `json:"total_pages,omitempty"`  // pages of a paginated list; 0: not known
	PDFPages     int               `json:"pdf_pages,omitempty"`    // pages of a PDF; 0: not known

	ContentType  string `json:"content_type,omitempty"`
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
	SHA256       string `json:"sha256,omitempty"`    // of the body as far as it was read, lower-case hex
	Size         int64  `json:"size,omitempty"`      // bytes of the decoded body as far as it was read; without one, Content-Length
	Truncated    bool   `json:"truncated,omitempty"` // the body was longer than what is read (seed 003: 1 MB)
	Robots       string `json:"robots,omitempty"`    // "allowed" or "blocked"
	ArchiveURL   string `json:"archive_url,omitempty"`
	ArchiveDate  string `json:"archive_date,omitempty"` // RFC 3339, UTC: when the copy was made
	FetchedAt    string `json:"fetched_at,omitempty"`   // RFC 3339, UTC: when it was last asked: the fetch, its confirmation (304), or the failure
	TTLHours     int    `json:"ttl_hours,omitempty"`    // how long the fetch counts as fresh (seed 003, freshness rules)

	// Method is how it was fetched: "head", "get", "headless", "archive"; or why it was not: "blocked", "robots_blocked" (seed 003,
	// extraction_method).
	Method  string   `json:"method,omitempty"`
	Caveats []string `json:"caveats,omitempty"` // what to know before trusting it, in sentences: truncation, archive copy

	// Hosts holds what is known of hosts, this URL's and those it leads to, by ASCII host name.
	Hosts Hosts `json:"hosts,omitempty"`
}

// Hop is one redirect: the status of the answer and the URL that it named.
type Hop struct {
	Status int    `json:"status"`
	URL    string `json:"url"`
}

// Hosts is host evidence by ASCII host name in lower case.
type Hosts map[string]HostEvidence

// HostEvidence is what holds for every URL of a host.
type HostEvidence struct {
	HTTPS         *bool  `json:"https,omitempty"`
	PreferredHost string `json:"preferred_host,omitempty"`
}
