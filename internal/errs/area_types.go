package errs

// InvalidText is text that is not a value of the type.
var InvalidText = register(Entry{
	Code: "TM-TY-001", SQLState: "22P02", Class: User,
	Message:  "invalid input syntax for type {type}: \"{value}\"",
	Meaning:  "the text can not be read as a value of the type",
	When:     "a literal, parameter, COPY field or cast from text holds something else than the type's notation",
	Remedies: []string{"correct the text; one that may be missing is written NULL, as in `SELECT NULL::integer;`"},
	Related:  []string{"TM-TY-002", "TM-TY-003"},
})

// InvalidDatetime is text that is not a date, time or interval.
var InvalidDatetime = register(Entry{
	Code: "TM-TY-002", SQLState: "22007", Class: User,
	Message:  "invalid input syntax for type {type}: \"{value}\"",
	Meaning:  "the text can not be read as a date, time or interval",
	When:     "a literal, parameter, COPY field or cast from text does not follow any notation that PostgreSQL knows",
	Remedies: []string{"write it in ISO form, as in `SELECT timestamp '2024-02-29 12:30:00', interval '1 day 02:00:00';`"},
	Related:  []string{"TM-TY-004"},
})

// TextOutOfRange is text of a number that the type can not hold.
var TextOutOfRange = register(Entry{
	Code: "TM-TY-003", SQLState: "22003", Class: User,
	Message:  "value \"{value}\" is out of range for type {type}",
	Meaning:  "the text is a number, but larger or smaller than the type's values",
	When:     "a literal, parameter or COPY field is too large for the column",
	Remedies: []string{"use a wider type, as in `SELECT 99999999999::bigint;`"},
	Related:  []string{"TM-TY-005"},
})

// DatetimeField is a date or time with an impossible field.
var DatetimeField = register(Entry{
	Code: "TM-TY-004", SQLState: "22008", Class: User,
	Message:  "date/time field value out of range: \"{value}\"",
	Meaning:  "a month, day, hour, minute or second does not exist",
	When:     "text such as 2023-02-30 or 25:00 is read as a date or time",
	Remedies: []string{"check the order of the fields; year-month-day is never ambiguous, as in `SELECT date '2024-02-29';`"},
	Related:  []string{"TM-TY-002", "TM-TY-007"},
})

// OutOfRange is a result that its type can not hold.
var OutOfRange = register(Entry{
	Code: "TM-TY-005", SQLState: "22003", Class: User,
	Message:  "{type} out of range",
	Meaning:  "the result of a computation or cast is outside of the type's values",
	When:     "an addition, multiplication or cast overflows",
	Remedies: []string{"compute in a wider type, as in `SELECT 2000000000::bigint + 2000000000;`"},
	Related:  []string{"TM-TY-003"},
})

// FloatTextOutOfRange is text of a floating-point number that would become infinite or zero.
var FloatTextOutOfRange = register(Entry{
	Code: "TM-TY-006", SQLState: "22003", Class: User,
	Message:  "\"{value}\" is out of range for type {type}",
	Meaning:  "the number is too large, or too close to zero, for the floating-point type",
	When:     "text such as 1e400 is read as double precision",
	Remedies: []string{"use numeric, which has no such bound: `SELECT 1e400::numeric;`"},
})

// DatetimeOutOfRange is a date, time or timestamp outside of the years that the type covers.
var DatetimeOutOfRange = register(Entry{
	Code: "TM-TY-007", SQLState: "22008", Class: User,
	Message:  "{what}",
	Meaning:  "the result lies outside of the type's years (dates: 4713 BC to 5874897, timestamps: 4713 BC to 294276)",
	When:     "text or arithmetic gives a date or timestamp too far away",
	Remedies: []string{"use infinity for an open end: `SELECT 'infinity'::timestamp;`"},
	Related:  []string{"TM-TY-004"},
})

// IntervalField is an interval with a field that is too large.
var IntervalField = register(Entry{
	Code: "TM-TY-008", SQLState: "22015", Class: User,
	Message:  "interval field value out of range: \"{value}\"",
	Meaning:  "a field of the interval is larger than an interval can hold",
	When:     "text such as '9999999999 days' is read as an interval",
	Remedies: []string{"write a smaller amount; months and days have 32 bits: `SELECT interval '2147483647 days';`"},
})

// UnknownTimeZone is a name that no time zone has.
var UnknownTimeZone = register(Entry{
	Code: "TM-TY-009", SQLState: "22023", Class: User,
	Message:  "time zone \"{name}\" not recognized",
	Meaning:  "the name is in no list of time zones",
	When:     "a timestamp with time zone or AT TIME ZONE names a zone that does not exist",
	Remedies: []string{"use a name of the IANA database or an offset: `SELECT now() AT TIME ZONE 'Europe/Berlin';`"},
})

// ZoneDisplacement is an offset from UTC that is too large.
var ZoneDisplacement = register(Entry{
	Code: "TM-TY-010", SQLState: "22009", Class: User,
	Message:  "time zone displacement out of range: \"{value}\"",
	Meaning:  "offsets from UTC are less than 16 hours",
	When:     "text such as '12:00+99' is read as a time with zone",
	Remedies: []string{"correct the offset, as in `SELECT timestamptz '2024-01-01 12:00+02';`"},
})

// DivisionByZero is a division by zero.
var DivisionByZero = register(Entry{
	Code: "TM-TY-011", SQLState: "22012", Class: User,
	Message:  "division by zero",
	Meaning:  "the divisor is zero; in a running view the row's result is NULL",
	When:     "the right operand of / or % is zero",
	Remedies: []string{"make the divisor NULL where it is zero, as in `SELECT 1 / nullif(0, 0);`"},
})

// NumericFieldOverflow is a number with too many digits for numeric(p,s).
var NumericFieldOverflow = register(Entry{
	Code: "TM-TY-012", SQLState: "22003", Class: User,
	Message:  "numeric field overflow",
	Detail:   "A field with precision {precision}, scale {scale} {bound}.",
	Meaning:  "the number has more digits before the point than the column's precision allows",
	When:     "a value is stored in or cast to numeric(p,s)",
	Remedies: []string{"widen the type, as in `SELECT 12345.67::numeric(10, 2);`"},
})

// NumericOverflow is a number beyond all of numeric.
var NumericOverflow = register(Entry{
	Code: "TM-TY-013", SQLState: "22003", Class: User,
	Message:  "value overflows numeric format",
	Meaning:  "numeric holds up to 131072 digits before the point and 16383 after it",
	When:     "text or a computation gives a longer number",
	Remedies: []string{"compute with double precision, as in `SELECT 10::float8 ^ 300;`"},
})

// TooLong is text longer than varchar(n) or char(n) holds.
var TooLong = register(Entry{
	Code: "TM-TY-014", SQLState: "22001", Class: User,
	Message:  "value too long for type {type}",
	Meaning:  "the text has more characters than the column allows",
	When:     "a value is stored in varchar(n) or char(n); only trailing blanks are cut silently",
	Remedies: []string{"cut it on purpose by a cast, or use text: `SELECT 'abcdef'::varchar(3);`"},
})

// MalformedArray is text that is not an array.
var MalformedArray = register(Entry{
	Code: "TM-TY-015", SQLState: "22P02", Class: User,
	Message:  "malformed array literal: \"{value}\"",
	Detail:   "{problem}",
	Meaning:  "the text does not follow the notation of arrays",
	When:     "braces, commas or quotes are missing or misplaced",
	Remedies: []string{"write it as in `SELECT '{1,2,NULL}'::integer[], ARRAY['a', 'b'];`"},
})

// MalformedRecord is text that is not a struct.
var MalformedRecord = register(Entry{
	Code: "TM-TY-016", SQLState: "22P02", Class: User,
	Message:  "malformed record literal: \"{value}\"",
	Detail:   "{problem}",
	Meaning:  "the text does not follow the notation of structs",
	When:     "parentheses, commas or quotes are missing or misplaced, or the number of fields differs",
	Remedies: []string{"build it by ROW, as in `SELECT ROW(1, 'a');`"},
})

// InvalidJSON is text that is not JSON.
var InvalidJSON = register(Entry{
	Code: "TM-TY-017", SQLState: "22P02", Class: User,
	Message:  "invalid input syntax for type json",
	Detail:   "{problem}",
	Meaning:  "the text is not JSON",
	When:     "a quote, comma or bracket is missing, or single quotes stand where JSON wants double quotes",
	Remedies: []string{"correct it, as in `SELECT '{\"a\": [1, null]}'::jsonb;`"},
	Related:  []string{"TM-TY-018"},
})

// UnsupportedUnicode is a JSON escape that has no place in text.
var UnsupportedUnicode = register(Entry{
	Code: "TM-TY-018", SQLState: "22P05", Class: User,
	Message:  "unsupported Unicode escape sequence",
	Detail:   "\\u0000 cannot be converted to text.",
	Meaning:  "jsonb can not hold the character U+0000",
	When:     "a JSON string has the escape \\u0000",
	Remedies: []string{"remove the character before storing, or keep the document as text: `SELECT '{}'::text;`"},
})

// InvalidHex is bytea text with wrong hexadecimal digits.
var InvalidHex = register(Entry{
	Code: "TM-TY-019", SQLState: "22023", Class: User,
	Message:  "{problem}",
	Meaning:  "after \\x a bytea has pairs of hexadecimal digits",
	When:     "a digit is missing or is not one of 0-9, a-f",
	Remedies: []string{"write pairs of digits, as in `SELECT '\\xdeadbeef'::bytea;`"},
})

// InvalidBytea is bytea text with a wrong escape.
var InvalidBytea = register(Entry{
	Code: "TM-TY-020", SQLState: "22P02", Class: User,
	Message:  "invalid input syntax for type bytea",
	Meaning:  "a backslash in the escape form is followed by three octal digits or another backslash",
	When:     "text with backslashes is read as bytea",
	Remedies: []string{"use the hexadecimal form, as in `SELECT '\\xdeadbeef'::bytea;`"},
	Related:  []string{"TM-TY-019"},
})

// InvalidBinary is a parameter in binary format with the wrong bytes.
var InvalidBinary = register(Entry{
	Code: "TM-TY-021", SQLState: "22P03", Class: User,
	Message:  "incorrect binary data format for type {type}",
	Meaning:  "the bytes are not what the type's binary format has",
	When:     "a driver sends a parameter or COPY field in binary format as another type than the statement expects",
	Remedies: []string{"cast the parameter to the type that is sent, as in `SELECT $1::bigint;`, or send text"},
})

// UndefinedType is a type that does not exist.
var UndefinedType = register(Entry{
	Code: "TM-TY-022", SQLState: "42704", Class: User,
	Message:  "type \"{name}\" does not exist",
	Meaning:  "no type has this name",
	When:     "a column definition or cast names a type that is misspelt or not provided",
	Remedies: []string{"`SELECT typname FROM pg_type;` lists the types"},
})

// TypeModifier is a length or precision that the type does not take.
var TypeModifier = register(Entry{
	Code: "TM-TY-023", SQLState: "22023", Class: User,
	Message:  "{problem}",
	Meaning:  "the number in parentheses is not one that the type takes",
	When:     "a length is zero or too large, or a precision outside of its bounds",
	Remedies: []string{"choose another modifier, as in `SELECT 1.5::numeric(10, 2), 'a'::varchar(20);`"},
})

// ArrayLowerBound is an array that would reach the greatest subscript there is.
var ArrayLowerBound = register(Entry{
	Code: "TM-TY-024", SQLState: "54000", Class: User,
	Message:  "array lower bound is too large: {lower}",
	Meaning:  "the subscript after the last element would not be an integer",
	When:     "an array literal has such bounds, or an array that starts high grows",
	Remedies: []string{"use lower bounds that leave room, as in `SELECT '[0:1]={a,b}'::text[];`"},
})

// ArrayBound is a bound of an array literal that is no subscript.
var ArrayBound = register(Entry{
	Code: "TM-TY-025", SQLState: "54000", Class: User,
	Message:  "array bound is out of integer range",
	Meaning:  "subscripts of arrays are integers",
	When:     "an array literal begins with such bounds",
	Remedies: []string{"use bounds between -2147483648 and 2147483646, as in `SELECT '[0:1]={a,b}'::text[];`"},
	Related:  []string{"TM-TY-024"},
})
