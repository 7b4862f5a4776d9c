package health

import (
	"cmp"
	"math/bits"
	"strings"
	"time"
)

// Kind is a kind of trouble with a link or a domain.
type Kind uint8

// The kinds: first those of domains.
const (
	DomainDark      Kind = iota // no URL of the domain has answered for 14 days
	DomainFailing               // more than half of its URLs fail
	DomainExpired               // its certificate ended 7 days ago or earlier
	LeavesAllowlist             // URLs redirect to a host off the allowlist
	Down                        // the URL fails
	OldTLS                      // the URL fails: its host speaks no TLS of version 1.2 or newer
	AnswersAgain                // an inactive URL answers: a person may end that state
	RedirectNew                 // the flag redirect-changed
	CertificateEnds             // the certificate ends soon
	ContentNew                  // the flag content-changed
	OtherCanonical              // the flag canonical-conflict
	Slow                        // the last answer took longer than SlowAnswer
	kindCount
)

var kindNames = [kindCount]string{"domain-dark", "domain-failing", "domain-certificate-expired",
	"off-allowlist-redirect", "down", "old-tls", "answers-again", "redirect-changed", "certificate-expiring",
	"content-changed", "canonical-conflict", "slow"}

func (k Kind) String() string { return kindNames[k] }

// MarshalText writes the kind's name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// kinds is a set of kinds.
type kinds uint16

func (s kinds) has(k Kind) bool   { return s&(1<<k) != 0 }
func (s kinds) with(k Kind) kinds { return s | 1<<k }

// list returns the kinds in their order.
func (s kinds) list() (list []Kind) {
	for ; s != 0; s &= s - 1 {
		list = append(list, Kind(bits.TrailingZeros16(uint16(s))))
	}
	return list
}

// failed are the kinds that an issue of the whole domain stands for.
const failed kinds = 1<<Down | 1<<OldTLS

// Severity tells how much an issue matters.
type Severity uint8

// The severities. The link-checking document of Clara's team has the conditions of each.
const (
	Notice  Severity = iota // for the record: one failure, a slow answer
	Review                  // a person should look: the page changed
	Warning                 // 2 failures in a row, a certificate that ends soon
	Alert                   // 3 failures in a row, a redirect that changed, a whole domain
	severityCount
)

func (s Severity) String() string { return [...]string{"notice", "review", "warning", "alert"}[s] }

// MarshalText writes the severity's name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Severities returns all severities, the worst first.
func Severities() []Severity { return []Severity{Alert, Warning, Review, Notice} }

// warningAfter is the number of failures in a row that make a warning.
const warningAfter = 2

// severity returns the severity of an issue of a link.
func (k Kind) severity(m *moment) Severity {
	switch {
	case k <= LeavesAllowlist, k == RedirectNew, failed.has(k) && (m.state != Active || m.failures >= degradedAfter):
		return Alert
	case k == CertificateEnds, failed.has(k) && m.failures >= warningAfter:
		return Warning
	case k == AnswersAgain, k == ContentNew, k == OtherCanonical:
		return Review
	}
	return Notice
}

// Issue is trouble with a link, or with a whole domain.
type Issue struct {
	Kind     Kind
	Severity Severity
	ID       int64     // Link.ID; 0: it is about several URLs of the domain
	Domain   string    // Link.Domain
	Path     string    // of the link; empty for several
	Since    time.Time // zero: not known
	URLs     int       // it is about so many

	// Of the last check, and the state, where the issue is about one URL.
	Status   int
	Error    string
	Failures int
	State    State

	Certificate time.Time // CertificateEnds and DomainExpired: the end of the certificate
	Stray       string    // LeavesAllowlist: the host
}

// compareIssues orders by severity, the worst first, then by kind, domain and path.
func compareIssues(a, b Issue) int {
	return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Domain, b.Domain),
		cmp.Compare(a.Path, b.Path), cmp.Compare(a.ID, b.ID))
}

// oldTLS reports whether a handshake failed because the server speaks only versions of TLS before 1.2, by the words of
// Go's crypto/tls (the alert protocol_version of RFC 8446 section 6.2, or the version in the server's hello), and of
// OpenSSL.
func oldTLS(text string) bool {
	text = strings.ToLower(text)
	for _, words := range []string{"protocol version not supported", "unsupported protocol", "unsupported_protocol",
		"tlsv1 alert protocol version", "tlsv1_alert_protocol_version"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}
