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

// Open is sqlite.Open with opt.Create. A new file is a copy of an empty database, because making the schema would take
// longer than most tests.
func Open(ctx context.Context, path string, opt sqlite.Options) (*sqlite.Store, error) {
	data, err := blank()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return nil, err
		}
	}
	opt.Create = true
	return sqlite.Open(ctx, path, opt)
}
