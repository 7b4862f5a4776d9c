package canon

// Evidence is what the network said about one URL, recorded earlier: Canonicalize itself never asks.
// The zero value, and nil, mean that nothing is known. In JSON it is one object; unset fields are absent.
type Evidence struct {
	URL string `json:"url,omitempty"` // the URL it belongs to: an original as it came, or a canonical URL

	// Redirects (seed 000 rule 7). Hop i is the i-th redirect: its status and the URL it led to.
	Hops     []Hop  `json:"hops,omitempty"`
	FinalURL string `json:"final_url,omitempty"` // where the chain ended; the last hop's URL when empty
	Status   int    `json:"status,omitempty"`    // HTTP status of the last answer
	Error    string `json:"error,omitempty"`     // why there was no answer at all

	HTTPS         *bool  `json:"https,omitempty"`          // whether the host answers over HTTPS; nil: not known
	PreferredHost string `json:"preferred_host,omitempty"` // the host that the domain redirects to (rule 5)

	Title        string            `json:"title,omitempty"`
	Language     string            `json:"language,omitempty"`      // html lang of the page
	LangVariants map[string]string `json:"lang_variants,omitempty"` // hreflang: language tag to URL
	RelCanonical string            `json:"rel_canonical,omitempty"`
	TotalPages   int               `json:"total_pages,omitempty"` // pages of a paginated list; 0: not known

	ContentType  string `json:"content_type,omitempty"`
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
	SHA256       string `json:"sha256,omitempty"` // of the body, lower-case hex
	Robots       string `json:"robots,omitempty"` // "allowed" or "blocked"
	ArchiveURL   string `json:"archive_url,omitempty"`
	ArchiveDate  string `json:"archive_date,omitempty"`
	FetchedAt    string `json:"fetched_at,omitempty"` // RFC 3339, UTC
	Method       string `json:"method,omitempty"`     // how it was fetched: head, get, headless, archive

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
