package canon

import "cmp"

// Evidence holds the answers of the network about one URL. They were recorded earlier: Canonicalize itself never asks.
// The zero value and nil mean that nothing is known. In JSON it is one object without the unset fields.
type Evidence struct {
	URL string `json:"url,omitempty"` // the URL it is about: an original, or a canonical URL

	// Redirects (seed 000 rule 7). Hop i is the i-th redirect: its status and its target. A hop of status 2xx is a page
	// that sends browsers on by a refresh. The chain ends early if it is too long, runs in a circle, or leads to a
	// forbidden place. A URL that was asked again for a cookie is no hop.
	Asked    string `json:"asked,omitempty"` // the URL of the first request, which the first hop answers
	Hops     []Hop  `json:"hops,omitempty"`
	FinalURL string `json:"final_url,omitempty"` // the end of the chain; empty: the URL of the last hop
	Status   int    `json:"status,omitempty"`    // HTTP status of the last answer
	Error    string `json:"error,omitempty"`     // why there was no answer at all

	// Alternative is another URL that shows the page, which is gone from its own. Status and Error are those of its
	// own.
	Alternative string `json:"alternative,omitempty"`

	// TLSError is the reason why the certificate or the handshake of an HTTPS server was refused: "expired",
	// "not-yet-valid", "wrong-host", "unknown-authority", "invalid" or "handshake". Error holds the words. HTTPS stays
	// unknown, because such a host is neither safe nor "HTTP only" (seed 000 rule 1).
	TLSError   string `json:"tls_error,omitempty"`
	RetryAfter string `json:"retry_after,omitempty"` // RFC 3339, UTC: no request before this time (429, 503)

	// PutOff is the number of runs of a probe in which the server answered this URL with 429, if it never answered
	// anything else, at most MaxPutOff. 0 is as good as 1 for a Status of 429.
	PutOff int `json:"put_off,omitempty"`

	// Blocked is the reason why the server withholds the content: "login", "payment" (402), "forbidden" (403),
	// "region" or "rate-limited" (429); or the kind of ErrorPage that it shows, and Title names it. Empty: it does not
	// (seed 003, special page types).
	Blocked string `json:"blocked,omitempty"`

	// TrailingSlash is "keep" if the path without its trailing slash is another page, or no page. FinalURL then has
	// the slash (seed 000 rule 2, exception).
	TrailingSlash string `json:"trailing_slash,omitempty"`

	HTTPS         *bool  `json:"https,omitempty"`          // whether the host answers over HTTPS; nil: not known
	PreferredHost string `json:"preferred_host,omitempty"` // the name that the domain prefers (rule 5)
	Reached       Reach  `json:"reached,omitzero"`         // how it was found

	Title        string            `json:"title,omitempty"`
	Language     string            `json:"language,omitempty"`      // html lang of the page
	LangVariants map[string]string `json:"lang_variants,omitempty"` // hreflang: language tag to URL
	RelCanonical string            `json:"rel_canonical,omitempty"`
	RelNext      string            `json:"rel_next,omitempty"` // next and previous page of a list
	RelPrev      string            `json:"rel_prev,omitempty"`
	MetaRefresh  string            `json:"meta_refresh,omitempty"` // target of the page's refresh, if it is no hop
	TotalPages   int               `json:"total_pages,omitempty"`  // pages of a paginated list; 0: not known
	PDFPages     int               `json:"pdf_pages,omitempty"`    // pages of a PDF; 0: not known
	NoContent    bool              `json:"no_content,omitempty"`   // no text came, or scripts draw it and no browser could

	ContentType  string `json:"content_type,omitempty"`
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
	SHA256       string `json:"sha256,omitempty"`    // of the body as read, lower-case hex
	Size         int64  `json:"size,omitempty"`      // bytes of the decoded body as read, or Content-Length
	Truncated    bool   `json:"truncated,omitempty"` // the body was longer than the limit (seed 003: 1 MB)
	Robots       string `json:"robots,omitempty"`    // "allowed" or "blocked"
	ArchiveURL   string `json:"archive_url,omitempty"`
	ArchiveDate  string `json:"archive_date,omitempty"` // RFC 3339, UTC: when the copy was made
	FetchedAt    string `json:"fetched_at,omitempty"`   // RFC 3339, UTC: last fetch, confirmation (304) or failure
	TTLHours     int    `json:"ttl_hours,omitempty"`    // how long the fetch is fresh (seed 003, freshness rules)

	// Method is the way of fetching: "head", "get", "headless" or "archive"; or the reason for none: "blocked" or
	// "robots_blocked" (seed 003, extraction_method).
	Method  string   `json:"method,omitempty"`
	Caveats []string `json:"caveats,omitempty"` // warnings in sentences: truncation, archive copy

	// Hosts is the evidence about hosts: that of this URL and those it leads to.
	Hosts Hosts `json:"hosts,omitempty"`

	// Answers holds the answers of other URLs that were asked before they could be cited, by URL: the Spanish version,
	// the same path on a preferred host, or over http where the certificate is another site's. A URL that it lacks was
	// not asked, and is not cited. Nil: the evidence has no such record, because it is from a file or from before there
	// was one; the versions that it names count as answered then.
	Answers map[string]Answer `json:"answers,omitzero"`

	// before holds the preferred hosts, by host, of evidence of its own that was stored without a Reach. It is set by
	// SetHosts.
	before map[string]string
	trusts bool // see Trusting
}

// Hop is one redirect: the status of the answer and its target.
type Hop struct {
	Status int    `json:"status"`
	URL    string `json:"url"`
}

// Hosts holds host evidence by ASCII host name in lower case.
type Hosts map[string]HostEvidence

// HostEvidence holds for every URL of a host.
type HostEvidence struct {
	HTTPS         *bool  `json:"https,omitempty"`
	PreferredHost string `json:"preferred_host,omitempty"`
	Reached       Reach  `json:"reached,omitzero"` // of PreferredHost
}

// Reach is the record of how a preferred host was found: by a request for the home page of the domain. It is zero in
// evidence from before there was a record.
type Reach struct {
	By       ReachedBy `json:"by"`
	URL      string    `json:"url,omitempty"`       // where the request ended; its scheme is the one that answered
	Status   int       `json:"status,omitempty"`    // HTTP status there
	TLSError string    `json:"tls_error,omitempty"` // as Evidence.TLSError, of the preferred host
}

// ReachedBy is the way to a preferred host.
type ReachedBy string

// The ways to a preferred host.
const (
	ByRedirect ReachedBy = "redirect" // another name of the domain redirects to it
	ByAnswer   ReachedBy = "answer"   // it answered, as other names of the domain may too
	ByFile     ReachedBy = "file"     // a file says so
)

// Answer is the answer of a URL that was asked before it could be cited.
type Answer struct {
	Status   int    `json:"status,omitempty"`    // HTTP status; 0: no answer
	Error    string `json:"error,omitempty"`     // why there was none
	PutOff   bool   `json:"put_off,omitempty"`   // it could not be asked now: robots.txt, 429, a pause of its host
	FinalURL string `json:"final_url,omitempty"` // where its redirects ended, or the first one led
	Title    string `json:"title,omitempty"`
	Language string `json:"language,omitempty"` // html lang of the page
	Hreflang string `json:"hreflang,omitempty"` // under which the page lists its own URL
}

// MaxPutOff is the number of runs with nothing but 429 after which a URL is flagged.
const MaxPutOff = 3

const tooManyRequests = 429 // HTTP status

// IsPutOff reports whether the URL got nothing but 429 so far, and may be asked again before a person has to look.
func (ev *Evidence) IsPutOff() bool {
	return ev != nil && ev.Error == "" && ev.Status == tooManyRequests && ev.PutOff < MaxPutOff
}

// SetHosts puts host evidence in the place of that of the evidence. Callers give all that is stored. Preferred hosts that
// the evidence had without a Reach go on to move this URL, as they did before there was a record.
func (ev *Evidence) SetHosts(hosts Hosts) {
	for host, own := range ev.Hosts {
		ev.remember(host, own)
	}
	ev.Hosts = hosts
}

func (ev *Evidence) remember(host string, h HostEvidence) {
	if h.PreferredHost == "" || h.Reached.By != "" || ev.Answers != nil {
		return
	}
	if ev.before == nil {
		ev.before = map[string]string{}
	}
	ev.before[host] = h.PreferredHost
}

// Trusting returns a copy of the evidence that moves its URL to a preferred host as evidence did before there was a
// Reach: without a request for the path there. It is nil if the URL was probed since: its own answers count then.
func (ev *Evidence) Trusting() *Evidence {
	if ev == nil || ev.Answers != nil {
		return nil
	}
	trusting := *ev
	trusting.trusts = true
	return &trusting
}

// OwnHost returns the host evidence of the URL's own host.
func (ev *Evidence) OwnHost() HostEvidence {
	return HostEvidence{ev.HTTPS, ev.PreferredHost, ev.Reached}
}

// Update returns the host evidence h with the values that newer holds in place of its own. A preferred host without a
// record takes none back.
func (h HostEvidence) Update(newer HostEvidence) HostEvidence {
	h.HTTPS = cmp.Or(newer.HTTPS, h.HTTPS)
	if newer.PreferredHost != "" && (newer.PreferredHost != h.PreferredHost || newer.Reached.By != "") {
		h.PreferredHost, h.Reached = newer.PreferredHost, newer.Reached
	}
	return h
}

// Same reports whether both hold the same values.
func (h HostEvidence) Same(other HostEvidence) bool {
	if h.PreferredHost != other.PreferredHost || h.Reached != other.Reached {
		return false
	}
	if h.HTTPS == nil || other.HTTPS == nil {
		return h.HTTPS == other.HTTPS
	}
	return *h.HTTPS == *other.HTTPS
}
