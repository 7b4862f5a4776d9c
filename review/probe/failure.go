package probe

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"time"
)

// failureKind is the kind of trouble that prevented an answer.
type failureKind uint8

const (
	broken     failureKind = iota // the connection broke, or the answer was not HTTP: may pass
	timedOut                      // no answer in time: may pass
	closed                        // nothing listens at the port: may pass
	noTLS                         // the server does not speak TLS
	badTLS                        // the server speaks TLS, but cannot be trusted or agrees on no parameters
	noSuchHost                    // the name does not exist
	notPublic                     // the address must not be dialled
	notAsked                      // the URL must not be requested: port, form
	oversized                     // the headers exceed the limit
	noStatus                      // the answer has a status that answers no request for a page
	noNetwork                     // the machine may have no network: may pass
)

// failure is the reason for a missing answer.
type failure struct {
	kind   failureKind
	silent bool   // nothing was heard of the host, as if there were no network
	tls    string // canon.Evidence.TLSError
	text   string // for people

	certificate time.Time // Exchange.Certificate
}

func (f *failure) Error() string { return f.text }

// passing reports whether the trouble may be gone seconds later (seed 003: "5xx, timeout, network").
func (f *failure) passing() bool { return f.kind <= closed || f.kind == noNetwork }

// withoutHTTPS reports whether the trouble at port 443 is that of a host without HTTPS. A host that speaks TLS has
// HTTPS, however bad its certificate.
func (f *failure) withoutHTTPS() bool {
	return f.kind == closed || f.kind == noTLS || f.kind == timedOut || f.kind == broken
}

// statusError is an answer with the status 101, which begins another protocol, or with one below 100. It has no page.
type statusError int

func (e statusError) Error() string {
	return fmt.Sprintf("answered %03d, which is no answer to a request for a page", int(e))
}

// failed converts an error of an exchange. limit is the time that the exchange had.
func failed(host string, err error, limit time.Duration) *failure {
	if handshake, ok := errors.AsType[*handshakeError](err); ok {
		return failedTLS(host, handshake.err, limit)
	}
	var dns *net.DNSError
	var status statusError
	switch {
	case errors.As(err, &status):
		return &failure{kind: noStatus, text: host + " " + status.Error()}
	case errors.Is(err, errNotPublic):
		return &failure{kind: notPublic, text: fmt.Sprintf("refused to connect to %s: %s", host, lastText(err))}
	case offline(err):
		return &failure{kind: noNetwork, silent: true,
			text: fmt.Sprintf("no network to reach %s by: %s", host, lastText(err))}
	case errors.As(err, &dns) && dns.IsNotFound:
		return &failure{kind: noSuchHost, silent: true, text: fmt.Sprintf("no such host: %s", host)}
	case errors.As(err, &dns):
		return &failure{kind: broken, silent: true, text: fmt.Sprintf("looking up %s: %s", host, dns.Err)}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &failure{kind: closed, text: fmt.Sprintf("%s refuses the connection", host)}
	case isTimeout(err):
		return &failure{kind: timedOut, silent: true, text: fmt.Sprintf("%s did not answer within %s", host, limit)}
	case strings.Contains(err.Error(), "server response headers exceeded"):
		return &failure{kind: oversized, text: fmt.Sprintf("%s sends headers without end", host)}
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET):
		return &failure{kind: broken, text: fmt.Sprintf("%s broke off the connection", host)}
	}
	return &failure{kind: broken, silent: errors.Is(err, syscall.EHOSTUNREACH),
		text: fmt.Sprintf("asking %s: %s", host, lastText(err))}
}

// failedTLS converts an error of the handshake.
func failedTLS(host string, err error, limit time.Duration) *failure {
	var header tls.RecordHeaderError
	switch {
	case errors.As(err, &header):
		return &failure{kind: noTLS, text: fmt.Sprintf("%s does not speak TLS", host)}
	case isTimeout(err):
		return &failure{kind: timedOut, silent: true,
			text: fmt.Sprintf("%s did not answer the TLS handshake within %s", host, limit)}
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET):
		return &failure{kind: broken, text: fmt.Sprintf("%s broke off the TLS handshake", host)}
	}
	code, why := certificateTrouble(err)
	fail := &failure{kind: badTLS, tls: code, text: fmt.Sprintf("HTTPS of %s: %s", host, why)}
	if invalid, ok := errors.AsType[x509.CertificateInvalidError](err); ok && invalid.Cert != nil {
		fail.certificate = invalid.Cert.NotAfter
	}
	return fail
}

// certificateTrouble returns why a handshake was given up.
func certificateTrouble(err error) (code, why string) {
	var invalid x509.CertificateInvalidError
	var name x509.HostnameError
	var authority x509.UnknownAuthorityError
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired && invalid.Cert != nil:
		if from := invalid.Cert.NotBefore; strings.Contains(invalid.Detail, "is before") {
			return "not-yet-valid", "the certificate is not valid before " + from.UTC().Format(time.DateOnly)
		}
		return "expired", "the certificate expired on " + invalid.Cert.NotAfter.UTC().Format(time.DateOnly)
	case errors.As(err, &invalid):
		return "invalid", "the certificate is not valid: " + lastText(invalid)
	case errors.As(err, &name):
		return "wrong-host", "the certificate is for " + namesOf(name.Certificate)
	case errors.As(err, &authority):
		return "unknown-authority", "the certificate is signed by nobody known here"
	}
	return "handshake", lastText(err)
}

// namesOf lists the first few names of a certificate.
func namesOf(c *x509.Certificate) string {
	names := c.DNSNames
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	switch {
	case len(names) == 0:
		return "no host at all"
	case len(names) > 3:
		return strings.Join(names[:3], ", ") + " and others"
	}
	return strings.Join(names, ", ")
}

func isTimeout(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	return errors.Is(err, context.DeadlineExceeded) || ok && timeout.Timeout()
}

// lastText returns the innermost text of an error. The outer texts name addresses and operations of no use here.
func lastText(err error) string {
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err.Error()
	}
	return err.Error()
}
