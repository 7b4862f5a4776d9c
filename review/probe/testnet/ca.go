package testnet

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"sync"
	"time"
)

// Security is the behaviour of a host at port 443.
type Security uint8

// The kinds of Security.
const (
	Trusted      Security = iota // a certificate of the test authority for the name
	Expired                      // good until 2001
	NotYetValid                  // good from 2090
	OtherName                    // for another name
	SelfSigned                   // without an authority
	PlainText                    // no TLS: an answer in plain text to any bytes
	Silent                       // no TLS: the connection is closed after the first message
	ClosedSecure                 // nothing listens
)

// Validity times of certificates. The clock of a test may be anywhere between the first and the last.
var (
	epoch  = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	past   = time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	future = time.Date(2090, 1, 1, 0, 0, 0, 0, time.UTC)
	doom   = time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)
)

// authority is the certificate authority of a test internet. It makes the certificate of a host on first use.
type authority struct {
	pem  []byte
	cert *x509.Certificate
	key  *ecdsa.PrivateKey // its own, and that of every host: nobody needs to keep it secret

	mu     sync.Mutex
	serial int64
	issued map[string]*tls.Certificate // the last one of each host
}

func newAuthority() (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "visto test internet"},
		NotBefore: epoch, NotAfter: doom,
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return &authority{pem: text, cert: cert, key: key, serial: 1, issued: map[string]*tls.Certificate{}}, nil
}

// certificate returns the certificate of a host, for the names. One that is trusted ends at the given time.
func (a *authority) certificate(host string, names []string, kind Security, ends time.Time) (*tls.Certificate,
	error) {

	a.mu.Lock()
	defer a.mu.Unlock()
	if cert := a.issued[host]; cert != nil && (kind != Trusted || cert.Leaf.NotAfter.Equal(ends)) {
		return cert, nil
	}
	a.serial++
	template := &x509.Certificate{
		SerialNumber: big.NewInt(a.serial), DNSNames: names, NotBefore: epoch, NotAfter: ends,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	parent := a.cert
	switch kind {
	case Expired:
		template.NotAfter = past
	case NotYetValid:
		template.NotBefore = future
	case OtherName:
		template.DNSNames = []string{"hosting-provider.example"}
	case SelfSigned:
		parent = template
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &a.key.PublicKey, a.key)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	cert := &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: a.key, Leaf: leaf}
	a.issued[host] = cert
	return cert, nil
}

// errNoTLS ends a handshake with a site without TLS.
var errNoTLS = errors.New("the site has no TLS")

// greet answers the first message of a TLS handshake as its site does.
func (n *Net) greet(hello *tls.ClientHelloInfo) (*tls.Config, error) {
	n.log.handshake(hello.ServerName)
	kind, names, ends := Trusted, []string{hello.ServerName}, doom
	if site := n.sites[hello.ServerName]; site != nil {
		kind = site.Security
		if site.CertifiedFor != nil {
			names = site.CertifiedFor
		}
		if site.Certified != nil {
			ends = site.Certified()
		}
	}
	switch kind {
	case PlainText:
		hello.Conn.Write([]byte("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\nThis server speaks HTTP " +
			"here.\r\n"))
		hello.Conn.Close()
		return nil, errNoTLS
	case Silent:
		hello.Conn.Close()
		return nil, errNoTLS
	}
	cert, err := n.ca.certificate(hello.ServerName, names, kind, ends)
	if err != nil {
		return nil, err
	}
	return &tls.Config{Certificates: []tls.Certificate{*cert}}, nil
}
