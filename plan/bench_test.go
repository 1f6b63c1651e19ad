package plan

import (
	"fmt"
	"strings"
	"testing"
)

// typicalTask is a task as agents write it.
const typicalTask = `---
id: implement-service
title: Implement the service
type: feature
status: pending
depends_on: [create-schema]
priority: high
estimate: 4h
tags: [backend, api]
context_hints:
  - Read ` + "`internal/store/store.go`" + ` first, the service calls only Open and Close
  - "Errors: wrap with %w, never panic"
relevant_file_paths:
  - internal/service/service.go
  - internal/service/service_test.go
creates:
  - internal/service/service.go
acceptance_criteria:
  - every exported function has a test
inputs: [schema]
outputs: [service]
---

# Implement the service

The service answers queries on what the store holds. It keeps no state of its
own, so that two of them can run side by side.

- list, get, put, delete
- one transaction a request
`

func BenchmarkReadTask(b *testing.B) {
	b.SetBytes(int64(len(typicalTask)))
	for b.Loop() {
		if d, found := parseDocument(taskDoc, "tasks/01-a.md", []byte(typicalTask)); !d.Readable || len(found) > 0 {
			b.Fatal(found)
		}
	}
}

func BenchmarkSetStatus(b *testing.B) {
	d, _ := parseDocument(taskDoc, "tasks/01-a.md", []byte(typicalTask))
	for b.Loop() {
		if _, err := d.Set("status", Value("done")); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadPlan(b *testing.B) {
	files := fileList()
	for i := range 50 {
		text := strings.ReplaceAll(typicalTask, "implement-service", fmt.Sprintf("task-%d", i))
		files = append(files, File{Path: fmt.Sprintf("tasks/%02d-a.md", i), Data: []byte(text)})
	}
	for b.Loop() {
		if p, found := Read("p", "", files); len(p.All()) != 50 || len(found) > 0 {
			b.Fatal(found)
		}
	}
}

// BenchmarkReadParsed reads a task that the flat reader leaves to the parser.
func BenchmarkReadParsed(b *testing.B) {
	text := strings.Replace(typicalTask, "tags: [backend, api]\n", "tags: [backend, api]\nresult: |\n  Done.\n  See the log.\n", 1)
	for b.Loop() {
		if d, found := parseDocument(taskDoc, "tasks/01-a.md", []byte(text)); !d.Readable || len(found) > 0 {
			b.Fatal(found)
		}
	}
}

func BenchmarkGraph(b *testing.B) {
	p := build(b, crowd(8900, "")...)
	b.ReportAllocs()
	for b.Loop() {
		p.graph = nil
		p.Ready()
		p.Graph().Cycles()
	}
}
