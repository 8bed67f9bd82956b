-- A fragment without an upstream got the barrier at which its job attaches twice: as part of an attached job and as part of
-- an attaching one. The next fragment then aligned two different barriers.
CREATE TABLE t (k int, g text);
CREATE MATERIALIZED VIEW a AS SELECT g, count(*) FROM t CROSS JOIN generate_series(1, 2) AS s(v) WHERE v = k GROUP BY g;
CREATE MATERIALIZED VIEW b AS SELECT k FROM t UNION SELECT 1;
INSERT INTO t VALUES (1, 'x'), (2, 'x'), (3, 'y');
-- compare;
DELETE FROM t WHERE k = 1;
-- compare;
