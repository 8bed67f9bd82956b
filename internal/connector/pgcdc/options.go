package pgcdc

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/errs"
)

// options are the words of WITH, checked.
type options struct {
	host, user, password      string
	port                      uint16
	database, schema          string
	table                     string // of the form with one table; empty for a source
	slot, publication         string // empty until Prepare has chosen
	sslMode, rootCert         string
	mayPublish                bool // publication.create.enable
	madeSlot, madePublication bool
}

// Options that Prepare adds: what it made, and so what may be dropped with the source.
const (
	slotMade        = "slot.created"
	publicationMade = "publication.created"
)

// known are the options that are taken, here or by the tables. The last ones are RisingWave's and change nothing: transactions are always whole,
// and the size of a read adapts to the rows.
var known = []string{"connector", "hostname", "port", "username", "password", "database.name", "schema.name", "table.name", "slot.name", "columns",
	"publication.name", "publication.create.enable", "sslmode", "sslrootcert", slotMade, publicationMade,
	"backfill_rate_limit", "transactional", "snapshot", "snapshot.interval", "snapshot.batch_size", "auto.schema.change"}

// spellings are other names of options.
var spellings = map[string]string{"ssl.mode": "sslmode", "ssl.root.cert": "sslrootcert", "user": "username", "host": "hostname", "database": "database.name"}

// foreign are prefixes of options for another implementation, which are passed over.
var foreign = []string{"debezium.", "rw.", "cdc."}

// sslModes maps what users write to PostgreSQL's words.
var sslModes = map[string]string{"": "prefer", "disable": "disable", "disabled": "disable", "allow": "allow", "prefer": "prefer",
	"preferred": "prefer", "require": "require", "required": "require", "verify-ca": "verify-ca", "verify-full": "verify-full"}

// slotForm is what PostgreSQL takes as a slot's name.
var slotForm = regexp.MustCompile(`^[a-z0-9_]{1,63}$`)

func invalid(option, problem string) error {
	return errs.OptionInvalid.New("option", option, "connector", Name, "problem", problem)
}

// normal gives options their one spelling.
func normal(o connector.Options) connector.Options {
	out := connector.Options{}
	for k, v := range o {
		if s, ok := spellings[k]; ok {
			k = s
		}
		out[k] = v
	}
	return out
}

// parseOptions checks options and fills defaults.
func parseOptions(in connector.Options) (*options, error) {
	o := normal(in)
	for _, k := range slices.Sorted(maps.Keys(o)) {
		other := slices.ContainsFunc(foreign, func(p string) bool { return strings.HasPrefix(k, p) })
		if !other && !slices.Contains(known, k) {
			return nil, invalid(k, "there is no such option")
		}
	}
	for _, k := range []string{"hostname", "username", "database.name"} {
		if o[k] == "" {
			return nil, errs.OptionMissing.New("option", k, "connector", Name)
		}
	}
	out := &options{host: o["hostname"], user: o["username"], password: o["password"], database: o["database.name"], schema: o["schema.name"],
		table: o["table.name"], slot: o["slot.name"], publication: o["publication.name"], rootCert: o["sslrootcert"],
		mayPublish: o["publication.create.enable"] != "false", madeSlot: o[slotMade] == "true", madePublication: o[publicationMade] == "true"}
	if out.schema == "" {
		out.schema = "public"
	}
	port := o["port"]
	if port == "" {
		port = "5432"
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return nil, invalid("port", strconv.Quote(port)+" is no port")
	}
	out.port = uint16(n)
	if out.slot != "" && !slotForm.MatchString(out.slot) {
		return nil, invalid("slot.name", strconv.Quote(out.slot)+" may only have lower case letters, digits and underscores, at most 63")
	}
	mode, ok := sslModes[strings.ToLower(o["sslmode"])]
	if !ok {
		return nil, invalid("sslmode", strconv.Quote(o["sslmode"])+" is none of disable, allow, prefer, require, verify-ca, verify-full")
	}
	out.sslMode = mode
	return out, nil
}

// tableName returns schema.table of a name that may lack its schema.
func (o *options) tableName(name string) string {
	if strings.Contains(name, ".") {
		return name
	}
	return o.schema + "." + name
}
