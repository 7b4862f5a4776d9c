package sqlite

import (
	"database/sql"
	"sync"
)

// statements are those of the writing connection, prepared once: a decision needs some thirty, and preparing them was a third of its
// work.
type statements struct {
	mu      sync.Mutex
	byQuery map[string]*sql.Stmt
}

func newStatements() *statements { return &statements{byQuery: map[string]*sql.Stmt{}} }

// get returns the statement for a query, nil if none is kept.
func (k *statements) get(query string) *sql.Stmt {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.byQuery[query]
}

// lacks returns the queries of which no statement is kept.
func (k *statements) lacks(used map[string]*sql.Stmt) (list []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for query := range used {
		if k.byQuery[query] == nil {
			list = append(list, query)
		}
	}
	return list
}

// keep keeps statements for what a transaction has used. It is done beside the work: the connection may be in use again.
func (s *Store) keep(used map[string]*sql.Stmt) {
	list := s.kept.lacks(used)
	if len(list) == 0 {
		return
	}
	s.background.Go(func() {
		for _, query := range list {
			st, err := s.write.PrepareContext(s.working, query)
			if err != nil {
				return // it is prepared where it is used, and fails there if it fails
			}
			s.kept.put(query, st)
		}
	})
}

func (k *statements) put(query string, st *sql.Stmt) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.byQuery[query] != nil {
		st.Close()
		return
	}
	k.byQuery[query] = st
}
