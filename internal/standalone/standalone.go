// Package standalone has what pages of ours have in common that stand alone, with
// no script and no file beside them: one that is printed may be saved, mailed or
// opened from disk. [Source] makes a template of what a page shows.
package standalone

// Source gives the source of a page for html/template. The title and the body
// are sources as well; rules are those of style that only this page has. They
// may use the colours of the page, which are light or dark as the reader prefers.
func Source(title, rules, body string) string {
	return head + title + "</title>\n<style>\n" + style + rules + "</style>\n</head>\n<body>\n" + body + "</body>\n</html>\n"
}

const head = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>`

const style = `:root { --page: #fff; --text: #1f2328; --soft: #59636e; --line: #d1d9e0; --done: #1a7f37; --failed: #cf222e; --active: #9a6700; --accent: #0969da; --add: #dafbe1; --del: #ffebe9; }
@media (prefers-color-scheme: dark) {
:root { --page: #0d1117; --text: #e6edf3; --soft: #9198a1; --line: #3d444d; --done: #3fb950; --failed: #f85149; --active: #d29922; --accent: #58a6ff; --add: #12351d; --del: #4d1a1c; }
}
html { background: var(--page); }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: var(--text); overflow-wrap: anywhere; }
h1 { font-size: 1.3rem; }
a { color: var(--accent); }
summary { cursor: pointer; }
.picture { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; margin: .6rem 0; }
.picture svg { display: block; margin: 0 auto; }
`
