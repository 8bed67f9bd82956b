package errs

// Entries of the binder: names and types that do not fit. Messages are PostgreSQL's.

var UndefinedTable = register(Entry{
	Code: "TM-SQL-101", SQLState: "42P01", Class: User,
	Message:  "relation \"{name}\" does not exist",
	Meaning:  "no table, view or source of this name is on the search path",
	When:     "the name is mistyped, in another schema, or the object was dropped",
	Remedies: []string{"`SHOW TABLES;` and `SHOW MATERIALIZED VIEWS;` list what is there; qualify the name with its schema"},
})

var UndefinedColumn = register(Entry{
	Code: "TM-SQL-102", SQLState: "42703", Class: User,
	Message:  "column {name} does not exist",
	Meaning:  "no relation of the FROM clause has such a column",
	When:     "the name is mistyped, or needs double quotes because it has upper-case letters",
	Remedies: []string{"`DESCRIBE t;` lists the columns of a relation"},
})

var AmbiguousColumn = register(Entry{
	Code: "TM-SQL-103", SQLState: "42702", Class: User,
	Message:  "column reference \"{name}\" is ambiguous",
	Meaning:  "more than one relation of the FROM clause has a column of this name",
	When:     "a column is named without its table in a join",
	Remedies: []string{"put the table's name or alias before the column: `SELECT a.id FROM t a JOIN t b ON a.id = b.id;`"},
})

var MissingFrom = register(Entry{
	Code: "TM-SQL-104", SQLState: "42P01", Class: User,
	Message:  "missing FROM-clause entry for table \"{name}\"",
	Meaning:  "a column is qualified with a table that the FROM clause does not have",
	When:     "a table is named by its name although it has an alias, or was forgotten",
	Remedies: []string{"add the table to FROM, or use its alias"},
})

var NotGrouped = register(Entry{
	Code: "TM-SQL-105", SQLState: "42803", Class: User,
	Message:  "column \"{name}\" must appear in the GROUP BY clause or be used in an aggregate function",
	Meaning:  "the query groups rows, and this column may differ within a group",
	When:     "a column is selected beside aggregates",
	Remedies: []string{"add the column to GROUP BY, or wrap it: `SELECT max(b) FROM t GROUP BY a;`"},
})

var AggregateMisplaced = register(Entry{
	Code: "TM-SQL-106", SQLState: "42803", Class: User,
	Message:  "aggregate functions are not allowed in {where}",
	Meaning:  "rows are not grouped yet at this place",
	When:     "an aggregate stands in WHERE, JOIN conditions or GROUP BY",
	Remedies: []string{"use HAVING for conditions on groups: `SELECT a FROM t GROUP BY a HAVING count(*) > 1;`"},
})

var WrongType = register(Entry{
	Code: "TM-SQL-107", SQLState: "42804", Class: User,
	Message:  "{what} must be type {want}, not type {have}",
	Meaning:  "an expression has another type than its place needs",
	When:     "WHERE, HAVING or ON get something that is not boolean, or LIMIT something that is not a number",
	Remedies: []string{"compare or cast the value: `SELECT 1 WHERE 1 = 1;`"},
})

var ColumnTypeMismatch = register(Entry{
	Code: "TM-SQL-108", SQLState: "42804", Class: User,
	Message:  "column \"{column}\" is of type {want} but expression is of type {have}",
	Meaning:  "a value cannot be stored in the column without an explicit cast",
	When:     "INSERT or UPDATE gives a value of another type",
	Remedies: []string{"cast the value: `SELECT CAST('1' AS integer);`"},
})

var ColumnCount = register(Entry{
	Code: "TM-SQL-109", SQLState: "42601", Class: User,
	Message:  "{what}",
	Meaning:  "two lists that belong together have different lengths",
	When:     "INSERT has more expressions than columns, set operations have different column counts, and the like",
	Remedies: []string{"give both lists the same length"},
})

var DuplicateColumn = register(Entry{
	Code: "TM-SQL-110", SQLState: "42701", Class: User,
	Message:  "column \"{name}\" specified more than once",
	Meaning:  "a list of columns names one twice",
	When:     "CREATE TABLE, INSERT or a view's output has two columns of one name",
	Remedies: []string{"rename one of them with AS"},
})

var DuplicateAlias = register(Entry{
	Code: "TM-SQL-111", SQLState: "42712", Class: User,
	Message:  "table name \"{name}\" specified more than once",
	Meaning:  "two items of FROM have the same name",
	When:     "a table is joined with itself without an alias",
	Remedies: []string{"give an alias: `SELECT 1 FROM t a, t b;`"},
})

var OrdinalRange = register(Entry{
	Code: "TM-SQL-112", SQLState: "42P10", Class: User,
	Message:  "{clause} position {n} is not in select list",
	Meaning:  "a number in ORDER BY or GROUP BY names an output column, and there are fewer",
	When:     "the number is too large",
	Remedies: []string{"use the column's name"},
})

var SubqueryColumns = register(Entry{
	Code: "TM-SQL-113", SQLState: "42601", Class: User,
	Message:  "subquery {what}",
	Meaning:  "a subquery used as a value has the wrong number of columns",
	When:     "it selects more than one column",
	Remedies: []string{"select just the column that is compared"},
})

var NoUniqueConstraint = register(Entry{
	Code: "TM-SQL-114", SQLState: "42P10", Class: User,
	Message:  "there is no unique or exclusion constraint matching the ON CONFLICT specification",
	Meaning:  "ON CONFLICT can only name the columns of the primary key",
	When:     "the columns are not exactly those of the primary key, or the table has none",
	Remedies: []string{"name the key's columns, or leave them out: `INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING;`"},
})

var UndefinedParameter = register(Entry{
	Code: "TM-SQL-115", SQLState: "42P02", Class: User,
	Message:  "could not determine data type of parameter ${n}",
	Meaning:  "nothing around the parameter tells its type",
	When:     "a prepared statement uses a parameter on its own",
	Remedies: []string{"cast it: `SELECT $1::integer;`"},
})

var InvalidColumnRef = register(Entry{
	Code: "TM-SQL-116", SQLState: "42P10", Class: User,
	Message:  "{what}",
	Meaning:  "an expression of ORDER BY must be an output column here",
	When:     "SELECT DISTINCT or a set operation is ordered by something that it does not output",
	Remedies: []string{"order by an output column, or add the expression to the select list"},
})

var WrongObject = register(Entry{
	Code: "TM-SQL-117", SQLState: "42809", Class: User,
	Message:  "{what}",
	Meaning:  "the object is of another kind than the statement needs",
	When:     "a view is written to, or a table is dropped with DROP VIEW",
	Remedies: []string{"`SHOW TABLES;` and `SHOW MATERIALIZED VIEWS;` tell what an object is"},
})

var NegativeCount = register(Entry{
	Code: "TM-SQL-118", SQLState: "2201W", Class: User,
	Message:  "{clause} must not be negative",
	Meaning:  "a number of rows cannot be less than none",
	When:     "LIMIT or OFFSET is negative",
	Remedies: []string{"give a number from 0 on: `SELECT 1 LIMIT 1;`"},
})

var SubqueryRows = register(Entry{
	Code: "TM-SQL-119", SQLState: "21000", Class: User,
	Message:  "more than one row returned by a subquery used as an expression",
	Meaning:  "a subquery in the place of a value has several rows, so there is no one value",
	When:     "the subquery's condition does not pick a single row",
	Remedies: []string{"add a condition, an aggregate or a limit: `SELECT (SELECT max(a) FROM t);`"},
})

var DuplicateTable = register(Entry{
	Code: "TM-SQL-120", SQLState: "42P07", Class: User,
	Message:  "relation \"{name}\" already exists",
	Meaning:  "the schema has an object of this name",
	When:     "CREATE is run twice, or two objects get the same name",
	Remedies: []string{"use IF NOT EXISTS, another name, or drop the old one first: `DROP TABLE IF EXISTS t;`"},
})

var InvalidTableDefinition = register(Entry{
	Code: "TM-SQL-121", SQLState: "42P16", Class: User,
	Message:  "{what}",
	Meaning:  "the definition of a table contradicts itself",
	When:     "there are two primary keys, or a key column that does not exist",
	Remedies: []string{"mend the definition: `CREATE TABLE t (a int PRIMARY KEY, b text);`"},
})

var WindowMisplaced = register(Entry{
	Code: "TM-SQL-122", SQLState: "42P20", Class: User,
	Message:  "window functions are not allowed in {where}",
	Meaning:  "window functions are computed over the rows that WHERE, GROUP BY and HAVING leave, so they cannot be part of these",
	When:     "a call with OVER stands in a clause other than the select list and ORDER BY",
	Remedies: []string{"compute it in a subquery and filter outside: `SELECT * FROM (SELECT a, row_number() OVER (ORDER BY a) AS n FROM t) s WHERE n = 1;`"},
})

var NotWindowFunction = register(Entry{
	Code: "TM-SQL-123", SQLState: "42809", Class: User,
	Message:  "OVER specified, but {name} is not a window function nor an aggregate function",
	Meaning:  "only aggregates and window functions are computed over a window of rows",
	When:     "OVER follows an ordinary function",
	Remedies: []string{"leave OVER away, or use an aggregate: `SELECT sum(a) OVER (ORDER BY a) FROM t;`"},
})

var OverRequired = register(Entry{
	Code: "TM-SQL-124", SQLState: "42809", Class: User,
	Message:  "window function {name} requires an OVER clause",
	Meaning:  "the function has a value only relative to other rows",
	When:     "row_number, rank, lag and their kin are called without OVER",
	Remedies: []string{"say over which rows: `SELECT row_number() OVER (ORDER BY a) FROM t;`"},
})

var UndefinedWindow = register(Entry{
	Code: "TM-SQL-125", SQLState: "42704", Class: User,
	Message:  "window \"{name}\" does not exist",
	Meaning:  "OVER names a window that the WINDOW clause does not define, or defines later",
	When:     "the name is mistyped",
	Remedies: []string{"define it: `SELECT sum(a) OVER w FROM t WINDOW w AS (ORDER BY a);`"},
})

var WindowOverride = register(Entry{
	Code: "TM-SQL-126", SQLState: "42P20", Class: User,
	Message:  "cannot override {what} of window \"{name}\"",
	Meaning:  "a window that builds on another one may only add what that one does not have",
	When:     "OVER (w PARTITION BY ...) or a second ORDER BY",
	Remedies: []string{"write the whole definition in place"},
})

var FrameInvalid = register(Entry{
	Code: "TM-SQL-127", SQLState: "42P20", Class: User,
	Message:  "{what}",
	Meaning:  "the frame of a window is not a range of rows from an earlier to a later one",
	When:     "frame ends are swapped, or the mode needs an ORDER BY",
	Remedies: []string{"`SELECT sum(a) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t;` is a valid frame"},
})

var FrameOffset = register(Entry{
	Code: "TM-SQL-128", SQLState: "22013", Class: User,
	Message:  "frame {which} offset must not be {fault}",
	Meaning:  "an offset says how far a frame reaches and cannot be NULL or less than nothing",
	When:     "a frame has such an offset",
	Remedies: []string{"use PRECEDING for rows before and FOLLOWING for rows after, with numbers from 0 on"},
})

var UngroupedOuter = register(Entry{
	Code: "TM-SQL-129", SQLState: "42803", Class: User,
	Message:  "subquery uses ungrouped column \"{name}\" from outer query",
	Meaning:  "the query groups rows, and this column may differ within a group",
	When:     "a subquery in the select list or HAVING refers to a column that is not grouped by",
	Remedies: []string{"add the column to GROUP BY of the outer query"},
})

var NestedAggregate = register(Entry{
	Code: "TM-SQL-130", SQLState: "42803", Class: User,
	Message:  "aggregate function calls cannot be nested",
	Meaning:  "the argument of an aggregate is computed for each row, before there are groups",
	When:     "an aggregate is an argument of another one",
	Remedies: []string{"aggregate in a subquery first: `SELECT max(n) FROM (SELECT count(*) AS n FROM t GROUP BY a) s;`"},
})

var GroupingArgument = register(Entry{
	Code: "TM-SQL-131", SQLState: "42803", Class: User,
	Message:  "arguments to GROUPING must be grouping expressions of the associated query level",
	Meaning:  "GROUPING tells which of the grouping expressions a row is not grouped by",
	When:     "an argument is not in GROUP BY",
	Remedies: []string{"`SELECT a, grouping(a), count(*) FROM t GROUP BY ROLLUP (a);` uses it as intended"},
})

var TooManyGroupingSets = register(Entry{
	Code: "TM-SQL-132", SQLState: "54001", Class: Limit,
	Message:  "too many grouping sets present (maximum {max})",
	Meaning:  "every grouping set is an aggregation of its own",
	When:     "CUBE has many columns, or several CUBE and ROLLUP are combined",
	Remedies: []string{"list the sets that are needed with GROUPING SETS"},
})

var SetMisplaced = register(Entry{
	Code: "TM-SQL-133", SQLState: "0A000", Class: User,
	Message:  "set-returning functions are not allowed in {where}",
	Meaning:  "a function that returns rows changes how many rows there are, which this clause cannot",
	When:     "generate_series, unnest and their kin stand in WHERE, HAVING or an argument of an aggregate",
	Remedies: []string{"call it in FROM: `SELECT 1 FROM generate_series(1, 3) AS g WHERE g > 1;`"},
})

var AmbiguousOutput = register(Entry{
	Code: "TM-SQL-134", SQLState: "42702", Class: User,
	Message:  "{clause} \"{name}\" is ambiguous",
	Meaning:  "several output columns have this name",
	When:     "ORDER BY names an output column whose name another one has, too",
	Remedies: []string{"order by position: `SELECT 1 AS a, 2 AS b ORDER BY 1;`"},
})

var NegativeOffset = register(Entry{
	Code: "TM-SQL-135", SQLState: "2201X", Class: User,
	Message:  "OFFSET must not be negative",
	Meaning:  "a number of rows to leave out cannot be less than none",
	When:     "OFFSET is negative",
	Remedies: []string{"give a number from 0 on: `SELECT 1 OFFSET 0;`"},
})

var LateralKind = register(Entry{
	Code: "TM-SQL-136", SQLState: "42P10", Class: User,
	Message:  "invalid reference to FROM-clause entry for table \"{name}\"",
	Detail:   "The combining JOIN type must be INNER or LEFT for a LATERAL reference.",
	Meaning:  "a RIGHT or FULL JOIN keeps right rows that no left row goes with, so the right side cannot be computed from a left row",
	When:     "LATERAL or a function in FROM refers to the left side of a RIGHT or FULL JOIN",
	Remedies: []string{"use LEFT JOIN LATERAL"},
})

var HiddenByAlias = register(Entry{
	Code: "TM-SQL-137", SQLState: "42P01", Class: User,
	Message:  "invalid reference to FROM-clause entry for table \"{name}\"",
	Meaning:  "a table with an alias is known by the alias only",
	When:     "a column is qualified with the name of a table that FROM renames",
	Remedies: []string{"use the alias: `SELECT x.a FROM t x;`"},
})

var UsingColumn = register(Entry{
	Code: "TM-SQL-138", SQLState: "42703", Class: User,
	Message:  "column \"{name}\" specified in USING clause does not exist in {side} table",
	Meaning:  "USING joins by columns that both sides have",
	When:     "the name is mistyped, or the sides name the column differently",
	Remedies: []string{"join with ON: `SELECT 1 FROM t JOIN u ON t.a = u.b;`"},
})

var MultipleAssignments = register(Entry{
	Code: "TM-SQL-139", SQLState: "42601", Class: User,
	Message:  "multiple assignments to same column \"{column}\"",
	Meaning:  "an update gives a column more than one value",
	When:     "SET names a column twice",
	Remedies: []string{"leave one of the assignments away"},
})

var GeneratedColumn = register(Entry{
	Code: "TM-SQL-140", SQLState: "428C9", Class: User,
	Message:  "cannot insert a non-DEFAULT value into column \"{column}\"",
	Detail:   "Column \"{column}\" is a generated column.",
	Meaning:  "the value of a generated column follows from the other columns",
	When:     "INSERT or UPDATE gives such a column a value",
	Remedies: []string{"leave the column out, or give DEFAULT"},
})

var GeneratedUpdate = register(Entry{
	Code: "TM-SQL-190", SQLState: "428C9", Class: User,
	Message:  "column \"{column}\" can only be updated to DEFAULT",
	Detail:   "Column \"{column}\" is a generated column.",
	Meaning:  "the value of a generated column follows from the other columns",
	When:     "UPDATE or ON CONFLICT DO UPDATE gives such a column a value",
	Remedies: []string{"change the columns that it is computed from, and leave it out"},
})

var WindowInAggregate = register(Entry{
	Code: "TM-SQL-141", SQLState: "42803", Class: User,
	Message:  "aggregate function calls cannot contain window function calls",
	Meaning:  "window functions are computed over the groups, after the aggregates",
	When:     "a call with OVER is an argument of an aggregate",
	Remedies: []string{"compute it in a subquery first: `SELECT sum(n) FROM (SELECT row_number() OVER () AS n FROM t) s;`"},
})

var NestedWindow = register(Entry{
	Code: "TM-SQL-142", SQLState: "42P20", Class: User,
	Message:  "window function calls cannot be nested",
	Meaning:  "all window functions of a query are computed over the same rows",
	When:     "a call with OVER is part of another one",
	Remedies: []string{"compute the inner one in a subquery first"},
})

var WindowOption = register(Entry{
	Code: "TM-SQL-143", SQLState: "0A000", Class: User,
	Message:  "{what}",
	Meaning:  "this modifier of an aggregate cannot be combined with OVER",
	When:     "DISTINCT, ORDER BY or FILTER stands in a window function that does not take it",
	Remedies: []string{"compute the aggregate in a subquery and join it"},
})

const compareWithTime = "compare with the time in WHERE: `CREATE MATERIALIZED VIEW recent AS SELECT * FROM t WHERE at > now() - interval '1 day';`, or store it: `CREATE TABLE t (id int PRIMARY KEY, at timestamptz DEFAULT now());`"

// NotMaintainable is a call that a materialized view cannot hold.
var NotMaintainable = register(Entry{
	Code: "TM-SQL-145", SQLState: "0A000", Class: User,
	Message:  "function {function}() cannot be used in a materialized view",
	Meaning:  "its value depends on the clock, the session or chance, so what a row was when it came is not what it would be when it leaves, and the view could not be kept right; a condition may look at the time where it compares a value of the row with now(), plus or minus an interval",
	When:     "CREATE MATERIALIZED VIEW calls now() outside of such a comparison, or current_user, random() or the like",
	Remedies: []string{"store the value in the table when the row comes: `CREATE TABLE t (id int PRIMARY KEY, made_by text DEFAULT current_user);`", "leave it to those who read the view: `SELECT *, current_user FROM v;`"},
	Instead: []Substitute{{"now", compareWithTime}, {"current_timestamp", compareWithTime}, {"localtimestamp", compareWithTime},
		{"current_date", compareWithTime}, {"current_time", compareWithTime}, {"localtime", compareWithTime},
		{"clock_timestamp", compareWithTime}, {"statement_timestamp", compareWithTime}, {"transaction_timestamp", compareWithTime},
		{"proctime", compareWithTime}, {"timeofday", compareWithTime}},
})

var RangeDistance = register(Entry{
	Code: "TM-SQL-144", SQLState: "0A000", Class: User,
	Message:  "RANGE with offset PRECEDING/FOLLOWING is not supported for column type {type}",
	Meaning:  "a RANGE frame adds its offset to the order column, which this type has no addition for",
	When:     "the window is ordered by text or another type without distances",
	Remedies: []string{"count rows instead: `SELECT sum(a) OVER (ORDER BY c ROWS 1 PRECEDING) FROM t;`"},
})
