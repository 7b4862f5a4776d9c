// Package sqlitetest makes databases for tests.
package sqlitetest

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"visto/store/sqlite"
	"visto/store/storetest"
)

var blank = storetest.MadeOnce(func(path string) error {
	s, err := sqlite.Open(context.Background(), path, sqlite.Options{Create: true})
	if err != nil {
		return err
	}
	return s.Close()
})

// Blank puts an empty database at the path if there is no file. It is a copy, because making the schema would take
// longer than most tests.
func Blank(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	data, err := blank()
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

// Open is sqlite.Open with opt.Create. A new file is a Blank one.
func Open(ctx context.Context, path string, opt sqlite.Options) (*sqlite.Store, error) {
	if err := Blank(path); err != nil {
		return nil, err
	}
	opt.Create = true
	return sqlite.Open(ctx, path, opt)
}
