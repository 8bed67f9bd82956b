package settings

import "strings"

// foreignNames are RisingWave's settings that have no meaning here and do not begin with one of its prefixes, with the
// value that SHOW gives before one is set.
const foreignNames = `
	auto_locality_backfill_min_size= bypass_cluster_limits=off cdc_source_wait_streaming_start_timeout=30
	create_compaction_group_for_mv=off datafusion_prefer_hash_join=on disable_purify_definition=off dml_rate_limit=default
	dml_wait_persistence=off enable_datafusion_engine=off enable_index_selection=on enable_join_ordering=on
	enable_locality_backfill=off enable_mv_selection=off enable_serverless_backfill=off enable_share_plan=on
	enable_two_phase_agg=on force_split_distinct_agg=off force_two_phase_agg=off iceberg_engine_connection=
	iceberg_query_storage_mode=auto locality_backfill_mode= max_split_range_gap=8 query_epoch=0 query_mode=auto
	sink_decouple=default sink_rate_limit=default slow_ddl_notification_secs=60
	streaming_max_parallelism=256 streaming_use_arrangement_backfill=on streaming_use_snapshot_backfill=off
	unsafe_enable_storage_retention_for_non_append_only_tables=off upsert_dml=off visibility_mode=default
	barrier_interval_ms=1000 checkpoint_frequency=1 max_concurrent_creating_streaming_jobs=1 pause_on_next_bootstrap=off
	enable_tracing=off time_travel_retention_ms=600000 per_database_isolation=on enforce_secret=off license_key=
	backup_storage_url= backup_storage_directory= streaming_enable_delta_join=false adaptive_parallelism_strategy=auto`

func foreignDefs() []Def {
	return listed(foreignNames, Def{Kind: String, Category: categoryForeign, Foreign: true, Doc: "Accepted for scripts written for RisingWave."})
}

// postgresNames are PostgreSQL's settings that programs set as a matter of course and that change nothing here.
const postgresNames = `
	array_nulls=on backslash_quote=safe_encoding check_function_bodies=on client_connection_check_interval=0 commit_delay=0
	constraint_exclusion=partition cursor_tuple_fraction=0.1 default_statistics_target=100 default_table_access_method=heap
	default_tablespace= default_text_search_config=pg_catalog.simple default_toast_compression=pglz
	effective_cache_size=524288 enable_bitmapscan=on enable_hashagg=on enable_hashjoin=on enable_indexonlyscan=on
	enable_indexscan=on enable_material=on enable_mergejoin=on enable_nestloop=on enable_parallel_append=on
	enable_parallel_hash=on enable_partition_pruning=on enable_partitionwise_aggregate=off enable_partitionwise_join=off
	enable_seqscan=on enable_sort=on escape_string_warning=on from_collapse_limit=8 geqo=on
	gin_fuzzy_search_limit=0 gin_pending_list_limit=4096 idle_session_timeout=0 jit=off join_collapse_limit=8
	lc_messages=C lc_monetary=C lc_numeric=C lc_time=C log_min_duration_statement=-1 log_statement=none
	maintenance_work_mem=65536 max_parallel_maintenance_workers=2 max_parallel_workers=8 max_parallel_workers_per_gather=2
	parallel_leader_participation=on plan_cache_mode=auto quote_all_identifiers=off random_page_cost=4 seq_page_cost=1
	session_replication_role=origin synchronous_commit=on tcp_keepalives_count=0 tcp_keepalives_idle=0
	tcp_keepalives_interval=0 temp_buffers=1024 temp_file_limit=-1 temp_tablespaces= timezone_abbreviations=Default
	track_activities=on transform_null_equals=off vacuum_cost_delay=0 wal_compression=off work_mem=4096 xmlbinary=base64`

func postgresDefs() []Def {
	return listed(postgresNames, Def{Kind: String, Category: categoryIdle, Doc: "Accepted for PostgreSQL's clients."})
}

// listed makes a definition for each name=default of a list.
func listed(list string, like Def) []Def {
	var out []Def
	for _, pair := range strings.Fields(list) {
		d := like
		d.Name, d.Default, _ = strings.Cut(pair, "=")
		out = append(out, d)
	}
	return out
}
