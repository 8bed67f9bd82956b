-- A scalar is an array of itself to -> and ->> with a number, but not to a path.
CREATE TABLE t (j jsonb);
CREATE MATERIALIZED VIEW v AS SELECT j -> 0 AS a, j ->> -1 AS b, j -> 1 AS c, j #> '{0}' AS d FROM t;
INSERT INTO t VALUES ('"a"'), ('1'), ('null'), ('[3]'), ('{"a": 4}');
-- compare;
