package cli

import (
	"context"
	"fmt"

	"visto/review"
	"visto/store/postgres"
	"visto/store/rows"
	"visto/store/sqlite"
)

// database is an open store of either kind.
type database interface {
	review.Store
	rows.Source
	rows.Target

	// Name returns the absolute path of the file, or the URL without the password.
	Name() string

	// Settle waits until the large changes that this program began are applied. Else another program has to end them.
	Settle(ctx context.Context)

	Close() error
}

// open opens the database of that name.
func (a *app) open(ctx context.Context, name string, need access) (database, error) {
	if onServer(name) {
		return opened(postgres.Open(ctx, name,
			postgres.Options{ReadOnly: a.readOnly, Create: need == creates, Now: a.clock.Now}))
	}
	return opened(sqlite.Open(ctx, name,
		sqlite.Options{ReadOnly: a.readOnly, Create: need == creates, Now: a.clock.Now}))
}

// opened keeps a nil pointer from becoming a database that is not nil.
func opened[S database](store S, err error) (database, error) {
	if err != nil {
		return nil, err
	}
	return store, nil
}

// databaseFile returns the path of the database for a command that works on a file alone. On PostgreSQL it refuses,
// with a hint to what is used there.
func (g *globalFlags) databaseFile(doing, instead string) (string, error) {
	name, err := g.databaseName()
	if err == nil && onServer(name) {
		err = withHint(fmt.Errorf("%s: the database is on a PostgreSQL server, not in a file", doing), "%s", instead)
	}
	return name, err
}
