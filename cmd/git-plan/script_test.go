package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptCommands are what scripts have beyond testscript's own commands.
func scriptCommands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"exits":   cmdExits,
		"json":    cmdJSON,
		"extract": cmdExtract,
		"replace": cmdReplace,
		"append":  cmdAppend,
		"capture": cmdCapture,
		"same":    cmdSame,
		"mask":    cmdMask,
		"clock":   cmdClock,
		"tty":     cmdTTY,
		"asked":   cmdAsked,
		"serve":   cmdServe,
	}
}

// exits STATUS COMMAND ARG… runs a command that must end with that status.
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits status command [arg…]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("%s ended with status %d, not %s", strings.Join(args[1:], " "), got, args[0])
	}
}

// json PATH [WANT] looks at the JSON document on the last standard output.
// PATH is keys and indexes joined by dots, such as plans.0.id; "#" counts a
// list or object. Without WANT the value must be there. Strings are compared
// as they are, anything else as JSON.
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: json path [want]")
	}
	var doc any
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	dec.UseNumber()
	if err := dec.Decode(&doc); err != nil {
		ts.Fatalf("standard output is no JSON: %v", err)
	}
	if dec.More() {
		ts.Fatalf("standard output holds more than one JSON document")
	}
	got, err := lookUp(doc, args[0])
	found := err == nil && (len(args) == 1 || got == args[1])
	if found == neg {
		ts.Fatalf("%s is %s (%v)", args[0], got, err)
	}
}

// extract PATH FILE writes the text at PATH of the JSON document on the last
// standard output to a file, as an agent does that is told to.
func cmdExtract(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: extract path file")
	}
	var doc any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &doc))
	text, err := lookUp(doc, args[0])
	ts.Check(err)
	ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(args[1])), 0o777))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o666))
}

func lookUp(doc any, path string) (string, error) {
	for _, key := range strings.Split(path, ".") {
		switch v := doc.(type) {
		case map[string]any:
			if key == "#" {
				return strconv.Itoa(len(v)), nil
			}
			next, ok := v[key]
			if !ok {
				return "", fmt.Errorf("there is no key %q", key)
			}
			doc = next
		case []any:
			if key == "#" {
				return strconv.Itoa(len(v)), nil
			}
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(v) {
				return "", fmt.Errorf("there is no item %q of %d", key, len(v))
			}
			doc = v[i]
		default:
			return "", fmt.Errorf("nothing is below %q", key)
		}
	}
	if s, ok := doc.(string); ok {
		return s, nil
	}
	data, err := json.Marshal(doc)
	return string(data), err
}

// replace FILE OLD NEW replaces the one place where OLD stands in a file;
// \n in both is a line feed.
func cmdReplace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace file old new")
	}
	file := ts.MkAbs(args[0])
	data, err := os.ReadFile(file)
	ts.Check(err)
	before, after := strings.ReplaceAll(args[1], `\n`, "\n"), strings.ReplaceAll(args[2], `\n`, "\n")
	if n := strings.Count(string(data), before); n != 1 {
		ts.Fatalf("%q stands %d times in %s", before, n, args[0])
	}
	ts.Check(os.WriteFile(file, []byte(strings.Replace(string(data), before, after, 1)), 0o666))
}

// append FILE TEXT adds text to a file, which may be new; \n is a line feed.
func cmdAppend(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: append file text")
	}
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	ts.Check(err)
	_, err = f.WriteString(strings.ReplaceAll(args[1], `\n`, "\n"))
	ts.Check(err)
	ts.Check(f.Close())
}

// capture NAME [PATTERN] sets a variable to the last standard output without
// its line feed, or to the first group of a pattern found in it.
func cmdCapture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: capture name [pattern]")
	}
	text := strings.TrimRight(ts.ReadFile("stdout"), "\n")
	if len(args) == 2 {
		m := regexp.MustCompile(args[1]).FindStringSubmatch(text)
		if len(m) < 2 {
			ts.Fatalf("no match for %s in %q", args[1], text)
		}
		text = m[1]
	}
	ts.Setenv(args[0], text)
}

// same A B compares two words.
func cmdSame(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: same a b")
	}
	if (args[0] == args[1]) == neg {
		ts.Fatalf("%q and %q", args[0], args[1])
	}
}

// mask writes the last standard output to $WORK/out and the last standard
// error to $WORK/err, without what differs from run to run: the script's folder
// becomes $WORK and the name of a commit its place in the order of appearance,
// <commit-1>, or <hash> where it is cut short. A JSON document is indented, so
// that a comparison shows every key of it.
func cmdMask(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: mask")
	}
	for from, to := range map[string]string{"stdout": "out", "stderr": "err"} {
		text := strings.ReplaceAll(ts.ReadFile(from), ts.Getenv("WORK"), "$WORK")
		text = maskNames(indentJSON(text))
		ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), to), []byte(text), 0o666))
	}
}

func indentJSON(text string) string {
	var b bytes.Buffer
	if !strings.HasPrefix(text, "{") || json.Indent(&b, []byte(text), "", "  ") != nil {
		return text
	}
	return b.String()
}

var (
	wholeName = regexp.MustCompile(`\b[0-9a-f]{40}\b`)
	shortName = regexp.MustCompile(`\b[0-9a-f]{10,12}\b`)
	changeID  = regexp.MustCompile(`(Plan-Change: )[a-z0-9]+`)
)

func maskNames(text string) string {
	seen := map[string]string{}
	text = changeID.ReplaceAllString(text, "${1}<change>")
	text = wholeName.ReplaceAllStringFunc(text, func(name string) string {
		if seen[name] == "" {
			seen[name] = fmt.Sprintf("<commit-%d>", len(seen)+1)
		}
		return seen[name]
	})
	return shortName.ReplaceAllString(text, "<hash>")
}

// clock TIME sets the time of git and of the program under test.
func cmdClock(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: clock time")
	}
	for _, name := range []string{nowVariable, "GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"} {
		ts.Setenv(name, args[0])
	}
}
