package browser

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"math/big"
	"net"
	"time"
)

// identity is the certificate by which the proxy answers Chromium in the place of servers whose own certificates it has
// verified. Chromium accepts its key alone, whatever the name of the server is.
type identity struct {
	certificate tls.Certificate
	pin         string // SHA-256 of the public key, in base64
}

func newIdentity() (*identity, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	year := 365 * 24 * time.Hour
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-year),
		NotAfter: time.Now().Add(year)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return nil, err
	}
	pin := sha256.Sum256(public)
	return &identity{tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
		base64.StdEncoding.EncodeToString(pin[:])}, nil
}

// beginTLS verifies the server of a tunnel by the authorities of the page and answers Chromium in its place, if
// Chromium begins TLS. Both connections are then those behind TLS.
func (p *proxy) beginTLS(ctx context.Context, in, out net.Conn, host string) (_, _ net.Conn, err error) {
	peeked := &peekedConn{Conn: in, r: bufio.NewReader(in)}
	first, err := peeked.r.Peek(1)
	if err != nil || first[0] != tlsHandshake {
		return peeked, out, err
	}
	server := tls.Client(out, &tls.Config{RootCAs: p.roots, ServerName: host, NextProtos: []string{"http/1.1"},
		MinVersion: tls.VersionTLS12})
	if err := server.HandshakeContext(ctx); err != nil {
		return nil, nil, err
	}
	browser := tls.Server(peeked, &tls.Config{Certificates: []tls.Certificate{p.identity.certificate},
		NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12})
	return browser, server, browser.HandshakeContext(ctx)
}

// tlsHandshake is the first byte of a TLS connection (RFC 8446 section 5.1).
const tlsHandshake = 22

// peekedConn is a connection of which the beginning was looked at.
type peekedConn struct {
	net.Conn
	r *bufio.Reader
}

func (c *peekedConn) Read(b []byte) (int, error) { return c.r.Read(b) }
