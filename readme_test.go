package tidemark_test

import (
	"os"
	"strings"
	"testing"
)

// The lines of Go in the README stand in examples, which are compiled and run.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	examples, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(readme), "```go\n")
	block, _, found := strings.Cut(block, "```")
	if !found {
		t.Fatal("no Go in the README")
	}
	for _, line := range strings.Split(strings.TrimSpace(block), "\n") {
		code, _, _ := strings.Cut(line, " // ")
		if !strings.Contains(string(examples), code) {
			t.Errorf("no example has %s", code)
		}
	}
}
