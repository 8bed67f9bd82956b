package pgcdc

import (
	"context"
	"regexp"
	"strings"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/types"
)

// keyOrder is how the upstream sorts a column of a key.
type keyOrder int

const (
	otherOrder    keyOrder = iota // in a way that we do not reproduce
	ourOrder                      // as types.Compare does
	languageOrder                 // text, by the rules of a language
)

// orderedTypes is the closed list of types that both sort alike whatever the collation; each is read from a real server in
// the tests of capture.
var orderedTypes = map[string]bool{"smallint": true, "integer": true, "bigint": true, "oid": true, "numeric": true, "real": true,
	"double precision": true, "boolean": true, "uuid": true, "date": true, "time without time zone": true,
	"timestamp without time zone": true, "timestamp with time zone": true, "interval": true, "bytea": true}

// modifiers are the digits and fields that a type's name may have.
var modifiers = regexp.MustCompile(`\([0-9,-]+\)|^(interval) .*`)

// orderOfKey tells how the upstream sorts a key's column of a type and collation.
func orderOfKey(c connector.Column, native, collation string) keyOrder {
	base := strings.TrimSpace(modifiers.ReplaceAllString(native, "$1"))
	if orderedTypes[base] {
		return ourOrder
	}
	bytewise := collation == "C" || collation == "POSIX"
	switch {
	case base != "text" && base != "character varying" && base != "character" && base != "name":
		return otherOrder
	case bytewise:
		return ourOrder
	case c.Type.Kind == types.KindBpchar:
		return otherOrder // its blanks at the end count in a comparison of bytes
	}
	return languageOrder
}

// versionIncluded is the first version whose indexes tell the columns that they sort from others.
const versionIncluded = 110000

// bytewiseIndex reports whether an index serves reading ranges of a key in the order of its bytes: it begins with the
// columns of the key, each sorted upwards, the texts under C.
func (s *session) bytewiseIndex(ctx context.Context, table, key string) (bool, error) {
	if version, err := s.serverVersion(ctx); err != nil || version < versionIncluded {
		return false, err
	}
	row, err := s.one(ctx, "SELECT EXISTS (SELECT FROM pg_index k JOIN pg_index i ON i.indrelid = k.indrelid AND i.indisvalid AND i.indpred IS NULL"+
		" JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam AND m.amname = 'btree'"+
		" WHERE k.indexrelid = "+key+" AND i.indrelid = "+table+" AND i.indnkeyatts >= k.indnkeyatts AND NOT EXISTS ("+
		" SELECT FROM generate_series(0, k.indnkeyatts - 1) n JOIN pg_opclass o ON o.oid = i.indclass[n] LEFT JOIN pg_collation l ON l.oid = i.indcollation[n]"+
		" WHERE i.indkey[n] <> k.indkey[n] OR i.indoption[n] <> 0 OR NOT o.opcdefault OR coalesce(l.collcollate NOT IN ('C', 'POSIX'), i.indcollation[n] <> 0)))")
	if err != nil {
		return false, err
	}
	return string(row[0]) == "t", nil
}
