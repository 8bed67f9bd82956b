package errs

// UnknownSetting: no setting has the name.
var UnknownSetting = register(Entry{
	Code: "TM-SET-001", SQLState: "42704", Class: User,
	Message:  "unrecognized configuration parameter \"{name}\"",
	Meaning:  "neither Tidemark nor PostgreSQL nor RisingWave has a setting of this name",
	When:     "SET, SHOW, a start-up option, a flag or the configuration file names it",
	Remedies: []string{"`SHOW ALL;` lists every setting; docs/configuration.md explains them"},
})

// SettingIgnored is the notice for a setting of RisingWave that has no meaning here.
var SettingIgnored = register(Entry{
	Code: "TM-SET-002", SQLState: "01000", Class: User,
	Message:  "setting \"{name}\" is accepted but has no effect",
	Meaning:  "the name belongs to RisingWave; Tidemark keeps the value, so that SHOW returns it, and does not act on it",
	When:     "a script written for RisingWave sets it; this is a notice, the statement runs",
	Remedies: []string{"nothing is needed; `SHOW ALL;` lists the settings that have an effect"},
	Related:  []string{"TM-SET-001"},
})

// SettingValue: the value is not one of the setting.
var SettingValue = register(Entry{
	Code: "TM-SET-003", SQLState: "22023", Class: User,
	Message:  "invalid value for parameter \"{name}\": \"{value}\"",
	Detail:   "{why}",
	Meaning:  "the text is not a value of the setting",
	When:     "a number, unit or word is misspelt, or the setting takes other words",
	Remedies: []string{"`SHOW ALL;` tells what each setting is for, `RESET ALL;` goes back to the defaults"},
	Related:  []string{"TM-SET-004", "TM-SET-005"},
})

// SettingBoolean: the value is neither on nor off.
var SettingBoolean = register(Entry{
	Code: "TM-SET-004", SQLState: "22023", Class: User,
	Message:  "parameter \"{name}\" requires a Boolean value",
	Meaning:  "the setting is a switch",
	When:     "SET gives it something else than on, off, true, false, yes, no, 1 or 0",
	Remedies: []string{"write on or off, as in `SET background_ddl = on;`"},
	Related:  []string{"TM-SET-003"},
})

// SettingRange: the number is outside of the setting's bounds.
var SettingRange = register(Entry{
	Code: "TM-SET-005", SQLState: "22023", Class: User,
	Message:  "{value} is outside the valid range for parameter \"{name}\" ({min} .. {max})",
	Meaning:  "the setting has a smallest and a largest value, and this is beyond them",
	When:     "SET, a flag, a TIDEMARK_ variable or the configuration file gives the value",
	Remedies: []string{"choose a value inside the bounds; `SHOW ALL;` explains the setting"},
	Related:  []string{"TM-SET-003"},
})

// SettingFixed: the setting only tells something.
var SettingFixed = register(Entry{
	Code: "TM-SET-006", SQLState: "55P02", Class: User,
	Message:  "parameter \"{name}\" cannot be changed",
	Meaning:  "the setting reports a property of this build",
	When:     "a statement tries to set it",
	Remedies: []string{"remove the SET; `SHOW server_version;` and its like only read"},
})

// SettingRestart: the setting is read when the server starts.
var SettingRestart = register(Entry{
	Code: "TM-SET-007", SQLState: "55P02", Class: User,
	Message:  "parameter \"{name}\" cannot be changed without restarting the server",
	Meaning:  "the setting is read once, when the server starts",
	When:     "SET or ALTER SYSTEM SET names it while the server runs",
	Remedies: []string{"give it when the server starts: a flag of `tidemark serve`, a TIDEMARK_ variable or a line in tidemark.toml; docs/configuration.md names them"},
	Related:  []string{"TM-SET-008"},
})

// SettingServer: the setting belongs to the server, not to a session.
var SettingServer = register(Entry{
	Code: "TM-SET-008", SQLState: "55P02", Class: User,
	Message:  "parameter \"{name}\" cannot be changed now",
	Meaning:  "the setting holds for the whole server and not for one session",
	When:     "SET names a setting that only ALTER SYSTEM SET changes",
	Remedies: []string{"`ALTER SYSTEM SET log_level = 'debug';` with the setting's name and value"},
	Related:  []string{"TM-SET-007"},
})

// ConfigFile: the configuration file can not be read.
var ConfigFile = register(Entry{
	Code: "TM-SET-009", SQLState: "F0000", Class: User,
	Message:  "configuration file \"{file}\" cannot be read: {what}",
	Meaning:  "the file is missing, is not TOML, or holds something that is no setting",
	When:     "the server starts with --config or TIDEMARK_CONFIG",
	Remedies: []string{"mend the line named; each setting is one line `name = value`, and docs/configuration.md lists them"},
	Related:  []string{"TM-SET-001", "TM-SET-003"},
})
