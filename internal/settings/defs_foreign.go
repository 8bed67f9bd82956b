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
	sink_decouple=default sink_rate_limit=default slow_ddl_notification_secs=60 source_rate_limit=default
	streaming_max_parallelism=256 streaming_use_arrangement_backfill=on streaming_use_snapshot_backfill=off
	unsafe_enable_storage_retention_for_non_append_only_tables=off upsert_dml=off visibility_mode=default
	barrier_interval_ms=1000 checkpoint_frequency=1 max_concurrent_creating_streaming_jobs=1 pause_on_next_bootstrap=off
	enable_tracing=off time_travel_retention_ms=600000 per_database_isolation=on enforce_secret=off license_key=
	backup_storage_url= backup_storage_directory=`

func foreignDefs() []Def {
	var out []Def
	for _, pair := range strings.Fields(foreignNames) {
		name, value, _ := strings.Cut(pair, "=")
		out = append(out, Def{Name: name, Kind: String, Default: value, Category: categoryForeign, Foreign: true, Doc: "Accepted for scripts written for RisingWave."})
	}
	return out
}
