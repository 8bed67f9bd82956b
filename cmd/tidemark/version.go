package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the build of a release.
var version = "devel"

func versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := versionOf(debug.ReadBuildInfo())
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), v)
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), v)
			return err
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// buildVersion says what this binary was made of.
type buildVersion struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Time     string `json:"time,omitempty"` // of the revision
	Modified bool   `json:"modified"`       // there were changes beside the revision
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func versionOf(info *debug.BuildInfo, ok bool) buildVersion {
	v := buildVersion{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if !ok {
		return v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// revisionLen is how much of a revision people read.
const revisionLen = 12

func (v buildVersion) String() string {
	s := "tidemark " + v.Version
	if v.Revision != "" {
		s += " " + v.Revision[:min(revisionLen, len(v.Revision))]
		if v.Modified {
			s += "+"
		}
	}
	return s + " " + v.Go + " " + v.Platform
}
