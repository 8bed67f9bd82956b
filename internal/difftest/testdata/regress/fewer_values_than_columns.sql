-- INSERT ... VALUES with fewer values than columns read the others beside the row: '' as a numeric was 0.
CREATE TABLE t (k0 text, k1 numeric, k2 jsonb);
CREATE MATERIALIZED VIEW v AS SELECT k0, k1, k2 FROM t;
INSERT INTO t VALUES ('');
-- compare;
