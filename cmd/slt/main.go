// Command slt runs sqllogictest scripts against Tidemark, PostgreSQL or any server of its protocol; see internal/slt.
package main

import (
	"os"

	"github.com/tidemark-db/tidemark/internal/slt"
)

func main() { os.Exit(slt.Main(os.Args[1:], os.Stdout, os.Stderr)) }
