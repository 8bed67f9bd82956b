-- NULLIF has the type that = gives its first argument.
CREATE TABLE t (k int, r real, v varchar);
CREATE MATERIALIZED VIEW a AS SELECT nullif(v, 'x') AS a, nullif(k, 2.5) AS b, nullif(2.5, 1::float8) AS c, nullif(r, 1::float8) AS d, nullif(k, 1::bigint) AS e FROM t;
INSERT INTO t VALUES (1, 1, 'x'), (2, 0.5, 'y');
-- compare;
