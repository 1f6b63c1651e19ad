package graph

import "regexp"

// sheet is the style of pictures, later rules above earlier ones. What begins
// with `$` names a colour.
const sheet = `.pg{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;font-size:12.5px}
.pg-page{fill:$page}
.pg-frame{fill:$muted;fill-opacity:.07;stroke:$line;stroke-width:1}
.pg-box{fill:$box;stroke:$line;stroke-width:1.25}
.pg-plain{fill:$box}
.pg-done{fill:$done-box;stroke:$done}
.pg-active{fill:$active-box;stroke:$active;stroke-width:2.75}
.pg-blocked{fill:$blocked-box;stroke:$blocked;stroke-width:1.75}
.pg-failed{fill:$failed-box;stroke:$failed;stroke-width:1.75}
.pg-skipped{fill:$skipped-box;stroke:$line;stroke-dasharray:5 4}
.pg-added{fill:$done-box;stroke:$done;stroke-width:2}
.pg-removed{fill:$failed-box;stroke:$failed;stroke-width:1.5;stroke-dasharray:6 4}
.pg-changed{fill:$blocked-box;stroke:$blocked;stroke-width:2}
.pg-moved{fill:$active-box;stroke:$active;stroke-width:1.5}
.pg-strip{fill:$chain}
.pg-title{fill:$text}
.pg-strong{fill:$text;font-weight:600}
.pg-head{fill:$text;font-weight:600;font-size:15px}
.pg-meta{fill:$muted;font-size:11px}
.pg-gone{fill:$muted;text-decoration:line-through}
.pg-halo{stroke:$page;stroke-width:4;stroke-opacity:.85;stroke-linejoin:round;paint-order:stroke}
.pg-kind{fill:$muted;font-size:10.5px;font-style:italic}
.pg-ring{fill:none;stroke:$line;stroke-width:1.5}
.pg-ring-ready{fill:none;stroke:$active;stroke-width:1.75}
.pg-ring-skipped{fill:none;stroke:$muted;stroke-width:1.5;stroke-dasharray:3 2.4}
.pg-dot-done{fill:$done}
.pg-dot-active{fill:$active}
.pg-dot-blocked{fill:$blocked}
.pg-dot-failed{fill:$failed}
.pg-dot-info{fill:$muted}
.pg-sign{fill:none;stroke:$page;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.pg-sign-full{fill:$page}
.pg-sign-muted{fill:none;stroke:$muted;stroke-width:1.75;stroke-linecap:round}
.pg-edge{fill:none;stroke:$edge;stroke-width:1.4}
.pg-edge-flow{stroke:$flow;stroke-width:1.6;stroke-dasharray:6 4}
.pg-edge-order{stroke-width:1.8;stroke-dasharray:1.5 4;stroke-linecap:round}
.pg-edge-chain{stroke:$chain;stroke-width:3}
.pg-edge-back{stroke:$failed;stroke-width:1.8;stroke-dasharray:3 3}
.pg-edge-added{stroke:$done;stroke-width:2.6}
.pg-edge-removed{stroke:$failed;stroke-width:1.6;stroke-dasharray:7 5}
.pg-tip{fill:$edge}
.pg-tip-order{fill:$edge}
.pg-tip-flow{fill:$page;stroke:$flow;stroke-width:1.4}
.pg-tip-chain{fill:$chain}
.pg-tip-back{fill:$failed}
.pg-tip-added{fill:$done}
.pg-tip-removed{fill:$page;stroke:$failed;stroke-width:1.4}
`

// colour gives a colour by its name: for a light page or for a dark one.
func colour(name string, dark bool) string {
	pair := map[string][2]string{
		"page": {"#ffffff", "#0d1117"}, "box": {"#ffffff", "#161b22"}, "text": {"#1f2328", "#e6edf3"}, "muted": {"#59636e", "#9198a1"},
		"line": {"#818b98", "#7d8590"}, "edge": {"#818b98", "#8b949e"}, "chain": {"#8250df", "#b083f0"}, "flow": {"#0f7b83", "#39c5cf"},
		"done": {"#1a7f37", "#3fb950"}, "done-box": {"#e9f9ee", "#10231a"}, "active": {"#0969da", "#58a6ff"}, "active-box": {"#e3f2ff", "#12253c"},
		"blocked": {"#9a6700", "#d29922"}, "blocked-box": {"#fff7d6", "#2a2312"}, "failed": {"#cf222e", "#f85149"}, "failed-box": {"#ffebe9", "#2d1718"},
		"skipped": {"#818b98", "#7d8590"}, "skipped-box": {"#f3f5f8", "#12161c"},
	}[name]
	if dark {
		return pair[1]
	}
	return pair[0]
}

// tone names the colour of a class: what changed has that of a status.
func tone(class string) string {
	if to, ok := map[string]string{"added": "done", "removed": "failed", "changed": "blocked", "moved": "active"}[class]; ok {
		return to
	}
	return class
}

// changeColour is a change, and what a reader of a flowchart calls its colour.
type changeColour struct {
	change Change
	word   string
}

func changeColours() []changeColour {
	return []changeColour{{Added, "green"}, {Removed, "red"}, {Changed, "yellow"}, {Moved, "blue"}}
}

// CSS is the style sheet for pictures that are drawn for a page. It is light or
// dark as the reader prefers, and touches nothing else: the names of its classes
// begin with `pg`.
func CSS() string {
	painted := func(dark bool) string {
		return regexp.MustCompile(`\$[a-z-]+`).ReplaceAllStringFunc(sheet, func(name string) string { return colour(name[1:], dark) })
	}
	return painted(false) + "@media (prefers-color-scheme:dark){\n" + painted(true) + "}\n"
}
