package pgcdc

import (
	"testing"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/errs"
)

// A read that finds the server gone keeps no session that the reader would close: the process died of that.
func TestReadOfAServerThatIsGone(t *testing.T) {
	r := &reader{o: &options{host: "127.0.0.1", port: 1, user: "u", database: "d", sslMode: "disable"}}
	if _, err := r.Read(t.Context(), connector.Range{}, nil); !errs.Of(err, errs.UpstreamUnreachable) || r.reads != nil {
		t.Errorf("%v, session %v", err, r.reads)
	}
}
