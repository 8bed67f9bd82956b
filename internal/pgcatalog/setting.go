package pgcatalog

// settingsFamily is the settings as the session has them.
var settingsFamily = map[string]rows{
	"pg_catalog.pg_settings":       settingRows,
	"pg_catalog.pg_timezone_names": zoneRows,
	"tm_catalog.tm_settings":       tidemarkSettingRows,
}

func settingRows(s *scan) {
	for _, v := range s.info.Settings {
		s.add(row{
			"name": v.Name, "setting": v.Setting, "unit": orNull(v.Unit), "category": v.Category, "short_desc": v.Doc,
			"context": v.Context, "vartype": v.Vartype, "source": v.Source, "min_val": orNull(v.Min), "max_val": orNull(v.Max),
			"enumvals": v.Words, "boot_val": v.Boot, "reset_val": v.Reset, "pending_restart": v.PendingRestart,
		})
	}
}

func tidemarkSettingRows(s *scan) {
	for _, v := range s.info.Settings {
		s.add(row{
			"name": v.Name, "value": v.Shown, "unit": orNull(v.Unit), "category": v.Category, "description": v.Doc,
			"context": v.Context, "type": v.Vartype, "source": v.Source, "min": orNull(v.Min), "max": orNull(v.Max),
			"words": v.Words, "default_value": v.Boot, "reset_value": v.Reset, "pending_restart": v.PendingRestart,
		})
	}
}
