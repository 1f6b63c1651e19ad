package planspec

import (
	"strings"
	"testing"
)

func TestEncodeJSON(t *testing.T) {
	p := parse(t, "# t\nGoal: g <&>\n1. n [subtask] s → o | r | Progress: 1/2\n  > ← i\n  > d\n  1.1. [>] [act] c | Progress: 3")
	data := EncodeJSON(p)
	equal(t, "json", string(data), fixture(t, "plan.json"))
}

func TestParseJSON(t *testing.T) {
	cases := []struct{ text, want, found string }{
		{`{}`, ``, ""},
		{"\ufeff {\"goal\":\"g\",\"title\":null,\"steps\":[{\"step_id\":\"1\"}]}\n", "Goal: g\n## Steps\n1. []\n", ""},
		{`{"steps":[{"children":[{"step_id":"1.1","status":"done","total_count":null}],"step_id":"1"}]}`, "## Steps\n1. []\n  1.1. [x] []\n", ""},
		{`[]`, "", "1:1: error: this is no object"},
		{`{"steps":{}}`, "", "1:10: error: this is no list"},
		{`{"steps":[null]}`, "", "1:11: error: this is no object\n1:11: error: `step_id` is no number of a step: \"\""},
		{`{"title":1,"goal":["g"],"constraints":"c","goal_detail":[1]}`, "Goal:\n>\n",
			"1:10: error: this is no string\n1:19: error: this is no string\n1:39: error: this is no list\n1:58: error: this is no string"},
		{`{"title":"a","Title":"b","title":"c"}`, "# Plan: a\n", "1:14: error: the key \"Title\" is not known\n1:26: error: the key \"title\" is there twice"},
		{"{\"goal\":\"中文\",\"steps\":[\n {\"step_id\":\"1\",\n  \"status\":\"open\",\"done_count\":-1,\"total_count\":1.5,\"no\":0}]}", "Goal: 中文\n## Steps\n1. []\n",
			"3:12: error: unknown status \"open\"\n3:32: error: this is no whole number, 0 or more\n3:49: error: this is no whole number, 0 or more\n3:53: error: the key \"no\" is not known"},
		{`{"steps":[{"step_id":"1"},{"step_id":"1"},{"step_id":"2.1"},{"step_id":"x"},{"step_id":3}]}`, "## Steps\n1. []\n",
			"1:27: error: step 1 is there twice\n1:43: error: step 2.1 is not where its number says\n1:61: error: `step_id` is no number of a step: \"x\"\n" +
				"1:88: error: this is no string\n1:77: error: `step_id` is no number of a step: \"\""},
		{`{"title":" a","goal":"a\u3000","goal_detail":[" a","b "],"constraints":["c\r"]}`, "Goal:\n>  a\n>\nConstraints:\n-\n",
			"1:10: error: this has a line break, or white space around it\n1:22: error: this has a line break, or white space around it\n1:52: error: this has a line break, or white space around it\n1:73: error: this has a line break, or white space around it"},
		{`{"steps":[{"step_id":"1","step_name":"a b","step_type":"a b","description":"a\nb","inputs":["a,b",""],"outputs":["a\u00a0b"],"detail":["a\n"]}]}`, "## Steps\n1. []\n  >\n",
			"1:38: error: \"a b\" is no name\n1:56: error: \"a b\" is no name\n1:76: error: this has a line break, or white space around it\n1:93: error: \"a,b\" is no name\n" +
				"1:99: error: \"\" is no name\n1:114: error: \"a b\" is no name\n1:136: error: this has a line break, or white space around it"},
		{``, "", "1:1: error: bad JSON: the file ends too early"},
		{`{"title":"a"`, "", "1:13: error: bad JSON: the file ends too early"},
		{"{\"title\":\n \"a\",}", "", "2:6: error: bad JSON: invalid character '}' looking for beginning of object key string"},
		{"{\"title\": \n\n tru}", "", "3:5: error: bad JSON: invalid character '}' in literal true (expecting 'e')"},
		{"{\"title\": \n\n \"中\x01\"}", "", "3:4: error: bad JSON: invalid character '\\x01' in string literal"},
		{"{\"title\": \"a\"\n \"goal\": 1}", "", "2:2: error: bad JSON: invalid character '\"' after object key:value pair"},
		{"{\"title\": \"a\n\n", "", "1:13: error: bad JSON: invalid character '\\n' in string literal"},
		{`{} {}`, "", "1:4: error: something follows the object"},
		{`{} x`, "", "1:4: error: something follows the object"},
		{"{\"title\":\"\xff\"}", "", "1:11: error: the text is no valid UTF-8"},
		{strings.Repeat(" ", MaxText+1), "", "1:1: error: the text is 4194305 bytes, over the limit of 4194304"},
		{"[" + strings.Repeat("1,", 400_000) + "1]", "", "1:800002: error: more than 400000 items of lists"},
		{strings.Repeat("[", 20_000), "", "1:10002: error: nested deeper than 10000 levels"},
	}
	for _, c := range cases {
		p, found := ParseJSON(c.text)
		what := quoteShort(c.text)
		equal(t, what, told(found), c.found)
		equal(t, what, written(t, p), c.want)
	}
}
