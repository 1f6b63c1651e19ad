package graph

import (
	"fmt"
	"strings"
)

// rule is how elements of a class look. Values that begin with `$` are names of
// colours.
type rule struct{ class, props string }

// rules gives the style, later rules above earlier ones. Each is for one class,
// so that it can be written as attributes, too.
func rules() []rule {
	return []rule{
		{"pg", "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;font-size:12.5px"},
		{"pg-page", "fill:$page"},
		{"pg-frame", "fill:$muted;fill-opacity:.07;stroke:$line;stroke-width:1"},
		{"pg-box", "fill:$box;stroke:$line;stroke-width:1.25"},
		{"pg-done", "fill:$done-box;stroke:$done"},
		{"pg-active", "fill:$active-box;stroke:$active;stroke-width:2.75"},
		{"pg-blocked", "fill:$blocked-box;stroke:$blocked;stroke-width:1.75"},
		{"pg-failed", "fill:$failed-box;stroke:$failed;stroke-width:1.75"},
		{"pg-skipped", "fill:$skipped-box;stroke:$line;stroke-dasharray:5 4"},
		{"pg-plain", "fill:$box;stroke:$line;stroke-width:1.25"},
		{"pg-added", "fill:$done-box;stroke:$done;stroke-width:2"},
		{"pg-removed", "fill:$failed-box;stroke:$failed;stroke-width:1.5;stroke-dasharray:6 4"},
		{"pg-changed", "fill:$blocked-box;stroke:$blocked;stroke-width:2"},
		{"pg-moved", "fill:$active-box;stroke:$active;stroke-width:1.5"},
		{"pg-strip", "fill:$chain"},
		{"pg-title", "fill:$text"},
		{"pg-strong", "fill:$text;font-weight:600"},
		{"pg-head", "fill:$text;font-weight:600;font-size:15px"},
		{"pg-meta", "fill:$muted;font-size:11px"},
		{"pg-gone", "fill:$muted;text-decoration:line-through"},
		{"pg-halo", "stroke:$page;stroke-width:4;stroke-opacity:.85;stroke-linejoin:round;paint-order:stroke"},
		{"pg-kind", "fill:$muted;font-size:10.5px;font-style:italic"},
		{"pg-ring", "fill:none;stroke:$line;stroke-width:1.5"},
		{"pg-ring-ready", "fill:none;stroke:$active;stroke-width:1.75"},
		{"pg-ring-skipped", "fill:none;stroke:$muted;stroke-width:1.5;stroke-dasharray:3 2.4"},
		{"pg-dot-done", "fill:$done"},
		{"pg-dot-active", "fill:$active"},
		{"pg-dot-blocked", "fill:$blocked"},
		{"pg-dot-failed", "fill:$failed"},
		{"pg-dot-moved", "fill:$active"},
		{"pg-dot-info", "fill:$muted"},
		{"pg-sign", "fill:none;stroke:$page;stroke-width:2;stroke-linecap:round;stroke-linejoin:round"},
		{"pg-sign-full", "fill:$page"},
		{"pg-sign-muted", "fill:none;stroke:$muted;stroke-width:1.75;stroke-linecap:round"},
		{"pg-sign-text", "fill:$page;font-weight:700;font-size:11px"},
		{"pg-edge", "fill:none;stroke:$edge;stroke-width:1.4"},
		{"pg-edge-flow", "fill:none;stroke:$flow;stroke-width:1.6;stroke-dasharray:6 4"},
		{"pg-edge-order", "fill:none;stroke:$edge;stroke-width:1.8;stroke-dasharray:1.5 4;stroke-linecap:round"},
		{"pg-edge-chain", "fill:none;stroke:$chain;stroke-width:3"},
		{"pg-edge-back", "fill:none;stroke:$failed;stroke-width:1.8;stroke-dasharray:3 3"},
		{"pg-edge-added", "fill:none;stroke:$done;stroke-width:2.6"},
		{"pg-edge-removed", "fill:none;stroke:$failed;stroke-width:1.6;stroke-dasharray:7 5"},
		{"pg-tip", "fill:$edge"},
		{"pg-tip-order", "fill:$edge"},
		{"pg-tip-flow", "fill:$page;stroke:$flow;stroke-width:1.4"},
		{"pg-tip-chain", "fill:$chain"},
		{"pg-tip-back", "fill:$failed"},
		{"pg-tip-added", "fill:$done"},
		{"pg-tip-removed", "fill:$page;stroke:$failed;stroke-width:1.4"},
	}
}

// colour gives a colour by its name: for a light page and for a dark one.
func colour(name string, dark bool) string {
	pair := map[string][2]string{
		"page": {"#ffffff", "#0d1117"}, "box": {"#ffffff", "#161b22"}, "text": {"#1f2328", "#e6edf3"}, "muted": {"#59636e", "#9198a1"},
		"line": {"#818b98", "#7d8590"}, "edge": {"#818b98", "#8b949e"}, "chain": {"#8250df", "#b083f0"}, "flow": {"#0f7b83", "#39c5cf"},
		"done": {"#1a7f37", "#3fb950"}, "done-box": {"#e9f9ee", "#10231a"}, "active": {"#0969da", "#58a6ff"}, "active-box": {"#e3f2ff", "#12253c"},
		"blocked": {"#9a6700", "#d29922"}, "blocked-box": {"#fff7d6", "#2a2312"}, "failed": {"#cf222e", "#f85149"}, "failed-box": {"#ffebe9", "#2d1718"},
		"skipped-box": {"#f3f5f8", "#12161c"},
	}[name]
	if dark {
		return pair[1]
	}
	return pair[0]
}

// painted replaces the names of colours.
func painted(props string, dark bool) string {
	all := strings.Split(props, ";")
	for i, prop := range all {
		if name, value, _ := strings.Cut(prop, ":"); strings.HasPrefix(value, "$") {
			all[i] = name + ":" + colour(value[1:], dark)
		}
	}
	return strings.Join(all, ";")
}

// CSS is the style sheet for pictures that are drawn with [StylePage]. It is
// light or dark as the reader prefers, and touches nothing else: the names of
// its classes begin with `pg`.
func CSS() string {
	var light, dark strings.Builder
	for _, r := range rules() {
		fmt.Fprintf(&light, ".%s{%s}\n", r.class, painted(r.props, false))
		if only := coloured(r.props); only != "" {
			fmt.Fprintf(&dark, ".%s{%s}\n", r.class, painted(only, true))
		}
	}
	return light.String() + "@media (prefers-color-scheme:dark){\n" + dark.String() + "}\n"
}

// coloured gives the properties that are colours.
func coloured(props string) string {
	var out []string
	for prop := range strings.SplitSeq(props, ";") {
		if strings.Contains(prop, ":$") {
			out = append(out, prop)
		}
	}
	return strings.Join(out, ";")
}

// pen writes elements.
type pen struct {
	b     strings.Builder
	style Style
	props map[string]string // of each class, made at its first use
}

// class writes the classes of an element, the last one of which counts most,
// with a blank before them.
func (p *pen) class(names ...string) string {
	if p.style != StyleAttributes {
		return ` class="` + strings.Join(names, " ") + `"`
	}
	if p.props == nil {
		p.props = map[string]string{}
		for _, r := range rules() {
			p.props[r.class] = painted(r.props, false)
		}
	}
	var order []string
	value := map[string]string{}
	for _, class := range names {
		for prop := range strings.SplitSeq(p.props[class], ";") {
			name, v, _ := strings.Cut(prop, ":")
			if _, had := value[name]; !had {
				order = append(order, name)
			}
			value[name] = v
		}
	}
	var b strings.Builder
	for _, name := range order {
		fmt.Fprintf(&b, ` %s="%s"`, name, value[name])
	}
	return b.String()
}
