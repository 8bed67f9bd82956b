package difftest

import "strings"

// template makes an expression of others: $1, $2, ... stand for its arguments.
type template struct {
	out   Kind
	sql   string
	args  []Kind
	fuzzy bool // the last digits are a matter of the library
}

// kindNames are the kinds as templates write them.
var kindNames = map[string]Kind{"bool": Bool, "int2": Int2, "int4": Int4, "int8": Int8, "float4": Float4, "float8": Float8, "numeric": Numeric,
	"text": Text, "varchar": Varchar, "bpchar": Bpchar, "bytea": Bytea, "date": Date, "time": Time, "timestamp": Timestamp, "timestamptz": Timestamptz,
	"interval": Interval, "uuid": UUID, "jsonb": JSONB, "int4s": Int4s, "texts": Texts, "int8s": Int8s}

// templates reads templateText: exact ones by kind, and those that a library rounds.
func templates() (exact map[Kind][]template, fuzzy []template) {
	exact = map[Kind][]template{}
	for line := range strings.Lines(templateText) {
		parts := strings.Split(strings.TrimSpace(line), " | ")
		if len(parts) != 3 {
			continue
		}
		t := template{sql: parts[1]}
		name, rounded := strings.CutPrefix(parts[0], "~")
		t.out, t.fuzzy = kindNames[name], rounded
		for a := range strings.FieldsSeq(parts[2]) {
			t.args = append(t.args, kindNames[a])
		}
		if t.fuzzy {
			fuzzy = append(fuzzy, t)
		} else {
			exact[t.out] = append(exact[t.out], t)
		}
	}
	return exact, fuzzy
}

// apply puts arguments into the template.
func (t template) apply(args []term) term {
	sql := t.sql
	for i, a := range args {
		sql = strings.ReplaceAll(sql, "$"+string(rune('1'+i)), a.sql)
	}
	return combine(term{sql: sql, kind: t.out, fuzzy: t.fuzzy, varied: t.out.varies()}, args...)
}

// templateText lists kind | expression | kinds of its arguments; ~ marks what a mathematical library rounds. None of them
// fails on the values of the tables.
const templateText = `
bool | ($1 LIKE 'a%') | text
bool | ($1 LIKE '%' || replace($2, '\', '/')) | text text
bool | ($1 ~ '^[a-c]+$') | text
bool | starts_with($1, $2) | text text
bool | ($1 = ANY ($2)) | int4 int4s
bool | ($1 <> ALL ($2)) | text texts
bool | ($1 @> $2) | int4s int4s
bool | ($1 && $2) | texts texts
bool | ($1 @> $2) | jsonb jsonb
bool | ($1 ? 'a') | jsonb
bool | isfinite($1) | date
bool | isfinite($1) | timestamp
bool | ($1 BETWEEN $2 AND $3) | int4 int4 int4
bool | ($1 NOT BETWEEN SYMMETRIC $2 AND $3) | int8 int8 int8
bool | ($1 IS TRUE) | bool
bool | ($1 IS NOT UNKNOWN) | bool
bool | ($1 % 2 = 0) | int4
bool | ($1 = 'NaN') | float8
bool | (($1, $2) < ($3, $4)) | int4 text int4 text
bool | (($1, $2) = ($3, $4)) | int4 text int4 text
bool | ($1 IN ($2, 1, 3)) | int4 int4
bool | ($1 NOT IN ($2, $3)) | text text text
bool | ($1)::bool | int4
int2 | abs($1) | int2
int2 | ($1 / 2::int2) | int2
int2 | ($1 % 3::int2) | int2
int4 | length($1) | text
int4 | octet_length($1) | bytea
int4 | char_length($1) | varchar
int4 | abs($1) | int4
int4 | ($1 + $2) | int4 int4
int4 | ($1 - $2) | int4 int4
int4 | ($1 + $2) | int2 int4
int4 | ($1 / NULLIF($2, 0)) | int4 int4
int4 | ($1 % NULLIF($2, 0)) | int4 int4
int4 | (- $1) | int4
int4 | ($1 & $2) | int4 int4
int4 | ($1 |($2)) | int4 int4
int4 | ($1 # 5) | int4
int4 | (~ $1) | int4
int4 | cardinality($1) | int4s
int4 | array_length($1, 1) | texts
int4 | array_position($1, $2) | int4s int4
int4 | ($1)[1] | int4s
int4 | strpos($1, $2) | text text
int4 | ascii($1) | text
int4 | ($1)::int4 | bool
int4 | ($1)::int4 | int2
int4 | CASE WHEN isfinite($1) AND isfinite($2) THEN $1 - $2 END | date date
int4 | CASE jsonb_typeof($1) WHEN 'array' THEN jsonb_array_length($1) END | jsonb
int4 | CASE jsonb_typeof($1 -> 'a') WHEN 'number' THEN ($1 ->> 'a')::int END | jsonb
int8 | ($1 + $2) | int8 int8
int8 | ($1 - $2) | int8 int4
int8 | ($1 * $2) | int4 int8
int8 | ($1)::int8 | int4
int8 | (abs($1) / 3) | int8
int8 | ($1)[2] | int8s
float4 | ($1)::float4 | int4
float4 | ($1 + $2) | float4 float4
float8 | ($1)::float8 | int4
float8 | ($1)::float8 | float4
float8 | ($1 + $2) | float8 float8
float8 | ($1 * 0.5) | float8
float8 | ($1 / NULLIF($2, 0)) | float8 float8
float8 | abs($1) | float8
float8 | floor($1) | float8
float8 | ceil($1) | float8
float8 | round($1) | float8
float8 | sign($1) | float8
float8 | sqrt(abs($1)) | float8
float8 | ($1)::float8 | numeric
~float8 | exp($1 / 1000.0) | int4
~float8 | cbrt($1) | float8
~float8 | ln(abs($1) + 1.5) | float8
numeric | ($1 + $2) | numeric numeric
numeric | ($1 - $2) | numeric numeric
numeric | ($1 * $2) | numeric numeric
numeric | ($1 / NULLIF($2, 0)) | numeric numeric
numeric | ($1 % NULLIF($2, 0)) | numeric numeric
numeric | div($1, NULLIF($2, 0)) | numeric numeric
numeric | trunc($1, -1) | numeric
numeric | round($1, 30) | numeric
numeric | round($1, 1) | numeric
numeric | trunc($1) | numeric
numeric | abs($1) | numeric
numeric | ceil($1) | numeric
numeric | ($1)::numeric | int8
numeric | ($1 * 1.50) | int4
numeric | CASE WHEN abs($1) < 1e20 THEN $1::numeric(30, 2) END | numeric
numeric | extract(day FROM $1) | timestamp
numeric | extract(year FROM $1) | date
numeric | extract(epoch FROM $1) | interval
numeric | extract(dow FROM $1) | timestamptz
numeric | extract(second FROM $1) | time
numeric | sign($1) | numeric
text | upper($1) | text
text | lower($1) | text
text | initcap($1) | text
text | ($1 || $2) | text text
text | ($1 || '-' || $2) | text int4
text | concat($1, $2, 'x') | text int4
text | concat_ws('/', $1, $2) | text date
text | substr($1, 1, 2) | text
text | substring($1 FROM 2) | text
text | left($1, -1) | text
text | right($1, 2) | text
text | replace($1, 'a', 'b') | text
text | reverse($1) | text
text | lpad($1, 4, '*') | text
text | btrim($1) | text
text | split_part($1, 'b', 1) | text
text | translate($1, 'ab', 'xy') | text
text | md5($1) | text
text | repeat($1, 2) | text
text | coalesce($1, 'none') | text
text | regexp_replace($1, '[a-z]', '#', 'g') | text
text | ($1)::text | int4
text | ($1)::text | numeric
text | ($1)::text | bool
text | ($1)::text | date
text | ($1)::text | timestamptz
text | ($1)::text | interval
text | ($1)::text | jsonb
text | ($1)::text | texts
text | ($1)::text | uuid
text | ($1)::text | float8
text | ($1)::text | varchar
text | to_char($1, 'YYYY-MM-DD HH24:MI:SS') | timestamp
text | to_char($1, 'FM9990.00') | int4
text | ($1 ->> 'a') | jsonb
text | ($1 #>> '{b,0}') | jsonb
text | jsonb_typeof($1) | jsonb
text | array_to_string($1, ',', '*') | texts
text | ($1)[1] | texts
text | encode($1, 'hex') | bytea
text | CASE WHEN $1 THEN 'yes' ELSE $2 END | bool text
text | format('%s-%s', $1, $2) | text int4
varchar | ($1)::varchar | text
varchar | ($1)::varchar(2) | text
bytea | ($1 || $2) | bytea bytea
bytea | substring($1 FROM 1 FOR 1) | bytea
bytea | sha256($1) | bytea
bytea | decode(md5($1), 'hex') | text
date | ($1 + 1) | date
date | ($1 - 7) | date
date | ($1)::date | timestamp
date | ($1)::date | timestamptz
date | make_date(2024, 1 + abs($1 % 12), 3) | int4
time | ($1 + '01:30:00'::interval) | time
time | ($1)::time | timestamp
timestamp | ($1 + '1 mon'::interval) | timestamp
timestamp | ($1 - $2) | timestamp interval
timestamp | date_trunc('month', $1) | timestamp
timestamp | ($1 + $2) | date time
timestamp | ($1)::timestamp | date
timestamp | ($1 AT TIME ZONE 'Europe/Berlin') | timestamptz
timestamptz | ($1 AT TIME ZONE 'America/New_York') | timestamp
timestamptz | date_trunc('day', $1) | timestamptz
timestamptz | ($1 + $2) | timestamptz interval
timestamptz | to_timestamp($1) | int4
interval | ($1 + $2) | interval interval
interval | ($1 * 2) | interval
interval | (- $1) | interval
interval | justify_hours($1) | interval
interval | ($1 - $2) | time time
interval | CASE WHEN isfinite($1) AND isfinite($2) THEN $1 - $2 END | timestamp timestamp
interval | make_interval(0, 0, 0, $1) | int4
interval | age('2024-07-01'::timestamp, '2024-01-31'::timestamp + make_interval(0, 0, 0, abs($1 % 99))) | int4
jsonb | ($1 -> 'a') | jsonb
jsonb | ($1 -> 0) | jsonb
jsonb | ($1 #> '{b,1}') | jsonb
jsonb | to_jsonb($1) | int4
jsonb | to_jsonb($1) | text
jsonb | to_jsonb($1) | texts
jsonb | jsonb_build_object('k', $1, 'v', $2) | text int4
jsonb | jsonb_build_array($1, $2) | int4 text
jsonb | ($1 || $2) | jsonb jsonb
jsonb | jsonb_strip_nulls($1) | jsonb
int4s | ($1 || $2) | int4s int4
int4s | array_cat($1, $2) | int4s int4s
int4s | array_remove($1, $2) | int4s int4
int4s | ARRAY[$1, $2] | int4 int4
int4s | ($1)[1:2] | int4s
texts | ($1 || $2) | texts texts
texts | array_append($1, $2) | texts text
texts | ARRAY[$1] | text
texts | string_to_array($1, 'b') | text
texts | array_replace($1, 'a', 'z') | texts
int8s | ARRAY[$1, $2] | int8 int8
int8s | ($1)::int8[] | int4s
bool | ($1 = $2) | bpchar bpchar
bool | ($1 || '|' = $2) | bpchar text
bool | ($1 < $2) | bpchar varchar
bool | ($1 LIKE 'a%') | bpchar
bool | ($1 ILIKE '%A_') | text
bool | ($1 !~* 'B') | text
bool | ($1 SIMILAR TO '(a|b)%') | text
bool | ($1 < $2) | date timestamptz
bool | ($1 <= $2) | timestamp timestamptz
bool | ($1 > $2) | date timestamp
bool | ($1 = $2) | int4 numeric
bool | ($1 < $2) | int8 float8
bool | ($1 = $2) | float4 float8
bool | ($1 >= $2) | numeric float8
bool | ($1 <@ $2) | jsonb jsonb
bool | ($1 ?| ARRAY['a', 'b']) | jsonb
bool | ($1 ?& $2) | jsonb texts
bool | ($1 @> jsonb_build_object('a', $2)) | jsonb int4
bool | ($1 < $2) | texts texts
bool | ($1 = ANY (ARRAY[$2, $3])) | text text text
bool | ($1 > ALL ($2)) | int4 int4s
bool | (($1, $2) OVERLAPS ($3, $4)) | date date date date
bool | (($1, $2) IS DISTINCT FROM ($3, $4)) | int4 text int4 text
bool | (($1, $2) >= ($3, $4)) | text int4 text int4
bool | isfinite($1) | interval
bool | ($1 > '1 day'::interval * $2) | interval int4
int2 | sign($1)::int2 | int2
int4 | length($1) | bpchar
int4 | octet_length($1) | bpchar
int4 | bit_length($1) | text
int4 | position($1 IN $2) | text text
int4 | width_bucket($1, 0, 10, 5) | int4
int4 | num_nulls($1, $2) | int4 text
int4 | ($1 << 2) | int4
int4 | mod($1, 4) | int4
int4 | ($1)[array_upper($1, 1)] | int4s
int4 | array_ndims($1) | texts
int4 | regexp_count($1, '[ab]') | text
int4 | get_byte($1 || '\x00', 0) | bytea
int4 | scale($1) | numeric
int8 | CASE WHEN isfinite($1) THEN date_part('year', $1)::int8 END | date
int8 | gcd($1, 6::int8) | int8
int8 | extract(epoch FROM date_trunc('hour', make_timestamptz(2024, 1 + abs($1 % 12), 3, 4, 5, 6)))::int8 | int4
float8 | date_part('epoch', $1) | interval
float8 | date_part('dow', $1) | date
float8 | trunc($1) | float8
float8 | ($1 - $2) | float8 float4
numeric | extract(hour FROM $1) | timestamptz
numeric | extract(timezone FROM $1) | timestamptz
numeric | extract(week FROM $1) | date
numeric | extract(isoyear FROM $1) | timestamp
numeric | extract(epoch FROM $1) | timestamptz
numeric | extract(microseconds FROM $1) | time
numeric | extract(month FROM $1) | interval
numeric | extract(quarter FROM $1) | date
numeric | extract(century FROM $1) | date
numeric | extract(doy FROM $1) | timestamptz
numeric | trim_scale($1) | numeric
numeric | ($1 * 1000 / 7) | numeric
numeric | ($1)::numeric | float4
numeric | round($1 / 3.0, 4) | int4
text | ($1)::text | bpchar
text | ($1 || 'x') | bpchar
text | ($1)::text | float4
text | ($1)::text | time
text | ($1)::text | timestamp
text | ($1)::text | bytea
text | ($1)::text | int4s
text | quote_literal($1) | text
text | quote_ident($1) | text
text | quote_nullable($1) | text
text | format('%I %L %5s|%-5s|', coalesce($1, 't'), $1, $2, $2) | text int4
text | to_char($1, 'Dy DD Mon YYYY HH12:MI:SS.MS AM') | timestamp
text | to_char($1, 'IYYY-IW-ID Q DDD J') | timestamp
text | to_char($1, 'YYYY-MM-DD HH24:MI TZ OF') | timestamptz
text | to_char($1, 'S0999.9') | numeric
text | to_char($1, 'DD HH24:MI:SS.US') | interval
text | overlay($1 PLACING 'Z' FROM 1 FOR 1) | text
text | rpad($1, 5, 'xy') | text
text | ltrim($1, 'a ') | text
text | rtrim($1) | text
text | split_part($1, 'a', -1) | text
text | substring($1 FROM 'a(.)') | text
text | (regexp_match($1, '([a-z])$'))[1] | text
text | regexp_replace($1, '(a)(.)', '\2\1') | text
text | array_to_string($1, '/') | int4s
text | chr(65 + abs($1 % 26)) | int4
text | to_hex($1) | int4
text | jsonb_pretty($1) | jsonb
text | ($1 -> 'a' ->> 'c') | jsonb
text | ($1 ->> -1) | jsonb
text | to_json($1)::text | text
text | encode($1, 'base64') | bytea
text | encode($1, 'escape') | bytea
text | concat($1, $2, $3) | bpchar bool date
bpchar | ($1)::char(4) | text
bpchar | lower($1)::char(4) | bpchar
bytea | decode(encode($1, 'base64'), 'base64') | bytea
bytea | convert_to($1, 'UTF8') | text
date | ($1 + '1 mon'::interval)::date | date
date | date_trunc('week', $1)::date | timestamp
time | ($1 - $2) | time interval
time | ($1)::time | interval
time | ($1)::time | timestamptz
timestamp | ($1)::timestamp | timestamptz
timestamp | date_bin('7 days', CASE WHEN isfinite($1) THEN $1 END, '2001-01-01'::timestamp) | timestamp
timestamp | date_trunc('quarter', $1) | timestamp
timestamp | ($1 AT TIME ZONE interval '-05:30') | timestamptz
timestamp | ($1 + $2) | date interval
timestamptz | ($1)::timestamptz | timestamp
timestamptz | ($1)::timestamptz | date
timestamptz | date_trunc('month', $1, 'Asia/Tokyo') | timestamptz
timestamptz | date_trunc('week', $1) | timestamptz
timestamptz | ($1 + '1 day'::interval) | timestamptz
timestamptz | ($1 + '24:00'::interval) | timestamptz
timestamptz | ($1 - '1 mon'::interval) | timestamptz
interval | CASE WHEN isfinite($1) AND isfinite($2) THEN $1 - $2 END | timestamptz timestamptz
interval | CASE WHEN isfinite($1) AND isfinite($2) THEN age($1, $2) END | timestamp timestamp
interval | CASE WHEN isfinite($1) AND isfinite($2) THEN age($1, $2) END | timestamptz timestamptz
interval | ($1 / 3) | interval
interval | ($1 * 1.5) | interval
interval | ($1 - $2) | interval interval
interval | justify_interval($1) | interval
interval | date_trunc('hour', $1) | interval
interval | ($1)::interval | time
jsonb | to_jsonb($1) | timestamptz
jsonb | to_jsonb($1) | bool
jsonb | to_jsonb($1) | int4s
jsonb | jsonb_build_object('d', $1, 'n', $2, 'b', $3) | date int8s bool
jsonb | CASE jsonb_typeof($1) WHEN 'object' THEN jsonb_set($1, '{a}', $2) END | jsonb jsonb
jsonb | CASE jsonb_typeof($1) WHEN 'object' THEN $1 - 'a' WHEN 'array' THEN $1 - 0 END | jsonb
jsonb | CASE jsonb_typeof($1) WHEN 'object' THEN $1 #- '{b,0}' END | jsonb
jsonb | to_jsonb(ROW($1, $2)) | int4 text
jsonb | jsonb_build_array($1, $2, NULL) | bpchar interval
int4s | array_prepend($1, $2) | int4 int4s
int4s | ARRAY[$1, 3] || $2 | int4 int4s
int4s | ($1)::int4[] | int8s
int4s | array_positions($1, $2) | int4s int4
int4s | ($1)[2:] | int4s
int4s | CASE WHEN $1 THEN $2 ELSE '{7,8}' END | bool int4s
texts | ($1)::text[] | int4s
texts | regexp_split_to_array($1, 'a') | text
texts | string_to_array($1, NULL, 'a') | text
texts | array_remove($1, NULL) | texts
texts | ($1)[1:1] | texts
`
