package serve

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/charmbracelet/keygen"
	gossh "golang.org/x/crypto/ssh"
)

// hostKey returns the private key in a file. A key that is not there is made, with mode 0600; one that others
// may read or replace is refused, and so is a weak one.
func hostKey(path string) (gossh.Signer, error) {
	pem, err := hostKeyText(path)
	if err != nil {
		return nil, err
	}
	key, err := gossh.ParsePrivateKey(pem)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := checkKey(key.PublicKey()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return withoutSHA1(key)
}

func hostKeyText(path string) ([]byte, error) {
	if err := CheckOwners(path); err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		pair, err := keygen.New(path, keygen.WithKeyType(keygen.Ed25519), keygen.WithWrite())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return pair.RawPrivateKey(), nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular(): // a pipe would wait for its writer
		return nil, fmt.Errorf("%s is no regular file", path)
	case info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("others may read %s: chmod 600 it", path)
	}
	return os.ReadFile(path)
}
