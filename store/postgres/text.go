package postgres

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"visto/review"
)

// textCodec lets a bytea be a string of Go: it may hold NUL and bytes that are not UTF-8, which no text of PostgreSQL
// may. A value that is scanned into any is a string too.
type textCodec struct{ pgtype.ByteaCodec }

// PlanEncode is pgtype.Codec's.
func (c textCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(string); ok && format == pgtype.BinaryFormatCode {
		return encodeText{}
	}
	return c.ByteaCodec.PlanEncode(m, oid, format, value)
}

// PlanScan is pgtype.Codec's.
func (c textCodec) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if _, ok := target.(*string); ok && format == pgtype.BinaryFormatCode {
		return scanText{}
	}
	return c.ByteaCodec.PlanScan(m, oid, format, target)
}

// DecodeValue is pgtype.Codec's.
func (c textCodec) DecodeValue(m *pgtype.Map, oid uint32, format int16, src []byte) (any, error) {
	if src == nil || format != pgtype.BinaryFormatCode {
		return c.ByteaCodec.DecodeValue(m, oid, format, src)
	}
	return string(src), nil
}

type encodeText struct{}

// Encode is pgtype.EncodePlan's.
func (encodeText) Encode(value any, buf []byte) ([]byte, error) {
	return append(buf, value.(string)...), nil
}

type scanText struct{}

// Scan is pgtype.ScanPlan's.
func (scanText) Scan(src []byte, target any) error {
	if src == nil {
		return fmt.Errorf("cannot read NULL as a text")
	}
	*target.(*string) = string(src)
	return nil
}

// useTexts registers the codec on a new connection.
func useTexts(_ context.Context, conn *pgx.Conn) error {
	text := &pgtype.Type{Name: "bytea", OID: pgtype.ByteaOID, Codec: textCodec{}}
	conn.TypeMap().RegisterType(text)
	conn.TypeMap().RegisterType(&pgtype.Type{Name: "_bytea", OID: pgtype.ByteaArrayOID,
		Codec: &pgtype.ArrayCodec{ElementType: text}})
	return nil
}

// bound returns the arguments as the driver takes them: it would send a string as the text form of a bytea.
func bound(args []any) []any {
	out := args
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			if &out[0] == &args[0] {
				out = append([]any(nil), args...)
			}
			out[i] = []byte(text)
		}
	}
	return out
}

// The characters of a searchable text that stand for no byte between 1 and 255.
const (
	searchNUL = 'Ā' // the byte 0, which no text of PostgreSQL may hold
	searchEnd = 'ā' // the end of one of several texts
)

// searchable is a value of a column of the type text.
type searchable string

// searchText writes the folds of texts so that LIKE finds each part of one of them, byte for byte: every byte is the
// character of that number.
func searchText(texts ...string) searchable {
	var out []byte
	for _, text := range texts {
		folded := review.Fold(text)
		for i := range len(folded) {
			out = utf8.AppendRune(out, searchRune(folded[i]))
		}
		out = utf8.AppendRune(out, searchEnd)
	}
	return searchable(out)
}

func searchRune(c byte) rune {
	if c == 0 {
		return searchNUL
	}
	return rune(c)
}
