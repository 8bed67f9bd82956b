-- The text of a view was printed without the parentheses that IS after IS DISTINCT FROM needs, and could not be read again.
CREATE TABLE t (k int, j int);
CREATE MATERIALIZED VIEW a AS SELECT DISTINCT k, j FROM t;
CREATE MATERIALIZED VIEW v AS SELECT a.k, d.x FROM a LEFT JOIN LATERAL (SELECT (t.k IS NOT DISTINCT FROM -2) IS NOT UNKNOWN AS x FROM t WHERE t.k = a.j) AS d ON true;
INSERT INTO t VALUES (1, 1), (-2, 1), (NULL, -2);
-- compare;
