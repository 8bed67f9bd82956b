package session

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// indexOptions are options that tune how others store an index and change nothing here: the storage parameters of
// PostgreSQL's kinds of index, then RisingWave's.
var indexOptions = []string{
	"fillfactor", "deduplicate_items", "buffering", "fastupdate", "gin_pending_list_limit", "pages_per_range", "autosummarize",

	"distance_type", "m", "ef_construction", "max_level", "resource_group", "cloud.serverless_backfill_enabled",
}

// indexSettings are those of the job that an index is: the session's, and what WITH says.
func (s *Session) indexSettings(st *ast.CreateIndex) (settings map[string]string, err error) {
	settings = s.jobSettings(catalog.KindIndex)
	if err := s.takeOptions(settings, st.Options, indexOptions); err != nil {
		return nil, err
	}
	settings[engine.TallySetting], err = s.stateHash(st.Options)
	return settings, err
}
