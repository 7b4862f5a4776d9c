package serve

import (
	"crypto/rsa"
	"errors"
	"fmt"
	"slices"
	"strings"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// algorithms are those that a connection may use: none with SHA-1, which the library's own defaults still have for old
// clients.
func algorithms(ssh.Context) *gossh.ServerConfig {
	safe := gossh.SupportedAlgorithms()
	config := &gossh.ServerConfig{PublicKeyAuthAlgorithms: safe.PublicKeyAuths}
	config.Ciphers = safe.Ciphers
	config.KeyExchanges = slices.DeleteFunc(safe.KeyExchanges, hasSHA1)
	config.MACs = slices.DeleteFunc(safe.MACs, hasSHA1)
	return config
}

func hasSHA1(algorithm string) bool { return strings.Contains(algorithm, "sha1") }

// minRSA is the least length of an RSA key in bits: shorter ones can be broken.
const minRSA = 2048

// dsa is the type of DSA keys.
const dsa = "ssh-dss"

// checkKey reports why a key is too weak.
func checkKey(key gossh.PublicKey) error {
	if key.Type() == dsa {
		return errors.New("a DSA key signs with SHA-1: make one with ssh-keygen -t ed25519")
	}
	public, ok := key.(gossh.CryptoPublicKey)
	if !ok {
		return nil
	}
	if k, isRSA := public.CryptoPublicKey().(*rsa.PublicKey); isRSA && k.N.BitLen() < minRSA {
		return fmt.Errorf("an RSA key of %d bits is too short: %d are the least; make one with ssh-keygen -t ed25519",
			k.N.BitLen(), minRSA)
	}
	return nil
}

// withoutSHA1 keeps an RSA key from signatures with SHA-1.
func withoutSHA1(key gossh.Signer) (gossh.Signer, error) {
	signer, ok := key.(gossh.AlgorithmSigner)
	if !ok || key.PublicKey().Type() != gossh.KeyAlgoRSA {
		return key, nil
	}
	return gossh.NewSignerWithAlgorithms(signer, []string{gossh.KeyAlgoRSASHA512, gossh.KeyAlgoRSASHA256})
}
