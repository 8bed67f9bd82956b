package lint

import "testing"

func TestMachinePaths(t *testing.T)   { report(t, MachinePaths(repo(t))) }
func TestPackageNames(t *testing.T)   { report(t, PackageNames(repo(t))) }
func TestForbiddenCalls(t *testing.T) { report(t, ForbiddenCalls(repo(t))) }
func TestPurity(t *testing.T)         { report(t, Purity(repo(t))) }

func TestWordsFindEachFault(t *testing.T) {
	r := tree(t, map[string]string{
		"README.md":                "see `/" + "home/me/x`\nhttps://a.b/" + "home/x\nCGO /" + "usr/bin\n",
		"internal/util/u.go":       "package util\n",
		"internal/state/s.go":      "// Package state is documented.\npackage state\nimport \"time\"\nfunc f() { go f(); _ = time.Now() }\n",
		"internal/engine/e.go":     "// Package engine is documented.\npackage engine\nimport (\"time\"; \"os\")\nfunc f() { time.Sleep(1); os.Exit(1); panic(1); go f() }\n",
		"internal/invariant/i.go":  "// Package invariant is documented.\npackage invariant\nfunc f() { panic(1) }\n",
		"cmd/x/main.go":            "// Command x is documented.\npackage main\nimport \"os\"\nfunc main() { os.Exit(1) }\n",
		"internal/state/s_test.go": "package state\nfunc g() { panic(1) }\n",
	})
	wantProblems(t, MachinePaths(r), "README.md:1: a path of one machine")
	wantProblems(t, PackageNames(r), "internal/util: the name says nothing", "internal/util: the package has no doc")
	wantProblems(t, ForbiddenCalls(r), "internal/engine/e.go:4: time.Sleep; use a timer", "internal/engine/e.go:4: os.Exit; return", "internal/engine/e.go:4: panic; return")
	wantProblems(t, Purity(r), "internal/state/s.go:4: a goroutine", "internal/state/s.go:4: time.Now")
}
