package render

import (
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/term"
)

func BenchmarkList(b *testing.B) {
	var rows []Summary
	for i := range 10000 {
		rows = append(rows, Summary{ID: fmt.Sprint("plan-", i), Title: "The title of a plan that is not short", Status: "in_progress", Ready: 1, Updated: time.Now()})
	}
	for b.Loop() {
		if err := List(io.Discard, rows, time.Now(), &term.Page{Columns: 80, Palette: term.NewPalette(nil)}); err != nil {
			b.Fatal(err)
		}
	}
}
