package ast

import "strings"

// KeywordClass says where PostgreSQL's grammar lets a keyword stand as a name.
type KeywordClass uint8

// The classes of keywords.
const (
	NotKeyword   KeywordClass = iota
	Unreserved                // any name
	ColName                   // columns and tables, not functions and types
	TypeFuncName              // functions and types, not columns and tables
	Reserved                  // none, but a label after AS
)

// The lists are PostgreSQL 15's (pg_get_keywords). Words of RisingWave's dialect and ours are not keywords at all: they
// are ordinary names that the parser looks at where its grammar wants them, so no column name is lost to them.
const (
	unreservedWords = `
	abort absolute access action add admin after aggregate also alter always asensitive assertion
	assignment at atomic attach attribute backward before begin breadth by cache call called cascade
	cascaded catalog chain characteristics checkpoint class close cluster columns comment comments commit
	committed compression configuration conflict connection constraints content continue conversion copy
	cost csv cube current cursor cycle data database day deallocate declare defaults deferred definer
	delete delimiter delimiters depends depth detach dictionary disable discard document domain double drop
	each enable encoding encrypted enum escape event exclude excluding exclusive execute explain expression
	extension external family filter finalize first following force forward function functions generated
	global granted groups handler header hold hour identity if immediate immutable implicit import include
	including increment index indexes inherit inherits inline input insensitive insert instead invoker
	isolation key label language large last leakproof level listen load local location lock locked logged
	mapping match matched materialized maxvalue merge method minute minvalue mode month move name names new
	next nfc nfd nfkc nfkd no normalized nothing notify nowait nulls object of off oids old operator option
	options ordinality others over overriding owned owner parallel parameter parser partial partition
	passing password plans policy preceding prepare prepared preserve prior privileges procedural procedure
	procedures program publication quote range read reassign recheck recursive ref referencing refresh
	reindex relative release rename repeatable replace replica reset restart restrict return returns revoke
	role rollback rollup routine routines rows rule savepoint schema schemas scroll search second security
	sequence sequences serializable server session set sets share show simple skip snapshot sql stable
	standalone start statement statistics stdin stdout storage stored strict strip subscription support
	sysid system tables tablespace temp template temporary text ties transaction transform trigger truncate
	trusted type types uescape unbounded uncommitted unencrypted unknown unlisten unlogged until update
	vacuum valid validate validator value varying version view views volatile whitespace within without
	work wrapper write xml year yes zone
`
	colNameWords = `
	between bigint bit boolean char character coalesce dec decimal exists extract float greatest grouping
	inout int integer interval least national nchar none normalize nullif numeric out overlay position
	precision real row setof smallint substring time timestamp treat trim values varchar xmlattributes
	xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable
`
	typeFuncWords = `
	authorization binary collation concurrently cross current_schema freeze full ilike inner is isnull join
	left like natural notnull outer overlaps right similar tablesample verbose
`
	reservedWords = `
	all analyse analyze and any array as asc asymmetric both case cast check collate column constraint
	create current_catalog current_date current_role current_time current_timestamp current_user default
	deferrable desc distinct do else end except false fetch for foreign from grant group having in
	initially intersect into lateral leading limit localtime localtimestamp not null offset on only or
	order placing primary references returning select session_user some symmetric table then to trailing
	true union unique user using variadic when where window with
`
	// asLabelWords may be an output column's label only after AS.
	asLabelWords = `
	array as char character create day except fetch filter for from grant group having hour intersect into 
	isnull limit minute month notnull offset on order over overlaps precision returning second to union 
	varying where window with within without year
`
)

// keywords and labelsNeedAs are built once and only read.
var keywords, labelsNeedAs = buildKeywords()

func buildKeywords() (map[string]KeywordClass, map[string]bool) {
	classes := map[string]KeywordClass{}
	for class, words := range map[KeywordClass]string{
		Unreserved: unreservedWords, ColName: colNameWords, TypeFuncName: typeFuncWords, Reserved: reservedWords,
	} {
		for _, w := range strings.Fields(words) {
			classes[w] = class
		}
	}
	labels := map[string]bool{}
	for _, w := range strings.Fields(asLabelWords) {
		labels[w] = true
	}
	return classes, labels
}

// Keyword returns the class of a word in lower case.
func Keyword(word string) KeywordClass { return keywords[word] }

// BareLabel reports whether a word in lower case may follow an output column without AS.
func BareLabel(word string) bool { return !labelsNeedAs[word] }

// QuoteIdent returns the identifier as it must be written, in double quotes only when it needs them.
func QuoteIdent(name string) string {
	if plainIdent(name) && (keywords[name] == NotKeyword || keywords[name] == Unreserved) {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// plainIdent reports whether the name survives unquoted: lower-case letters, digits and _, not beginning with a digit.
func plainIdent(name string) bool {
	for i := range len(name) {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c == '_'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// QuoteString returns the text as a string constant.
func QuoteString(text string) string {
	quoted := "'" + strings.ReplaceAll(text, "'", "''") + "'"
	if strings.Contains(text, `\`) {
		return "E" + strings.ReplaceAll(quoted, `\`, `\\`)
	}
	return quoted
}
