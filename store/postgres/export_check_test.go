package postgres

import (
	"context"
	"maps"
	"slices"
	"strings"
)

// SchemaText returns the schema of a database as schema.txt has it.
func SchemaText(ctx context.Context, s *Store) (string, error) {
	parts, err := readSchema(ctx, s.read)
	var b strings.Builder
	for _, part := range slices.Sorted(maps.Keys(parts)) {
		b.WriteString(part + "\t" + parts[part] + "\n")
	}
	return b.String(), err
}
