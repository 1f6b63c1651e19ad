package main

import (
	"reflect"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/loop"
)

const agentGuide = "docs/agent-guide.md"

// Every key of the loop's answers is explained in docs/agent-guide.md.
func TestAgentGuideKeys(t *testing.T) {
	page := readRoot(t, agentGuide)
	seen := map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || seen[typ] {
			return
		}
		seen[typ] = true
		for i := range typ.NumField() {
			key, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if !strings.Contains(page, "`"+key+"`") && !strings.Contains(page, "."+key+"`") {
				t.Errorf("%s does not explain the key %s of %s", agentGuide, key, typ)
			}
			visit(typ.Field(i).Type)
		}
	}
	for _, doc := range []any{loop.Document{}, loop.Task{}, loop.Brief{}, startDocument{}, updateDocument{}} {
		visit(reflect.TypeOf(doc))
	}
}
