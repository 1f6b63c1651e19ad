package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// MaxLine is how many bytes a line of a client may have.
const MaxLine = 8 << 20

// LongLineError occurs where a line of a client is longer than [MaxLine]. What
// it asked for cannot be known, so nobody could be answered: the session ends.
type LongLineError struct{}

func (*LongLineError) Error() string {
	return fmt.Sprintf("a line of the client has more than %d bytes: send less at once", MaxLine)
}

// lockedWriter writes whole lines for several at once.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.w.Write(p)
}

func (w *lockedWriter) Close() error { return nil }

// lines lets through the lines of a client that are messages, and answers the
// others: one line of garbage would end the session otherwise.
type lines struct {
	in   *bufio.Reader
	out  io.Writer
	rest []byte // of the line that is being read
}

func newLines(in io.Reader, out io.Writer) *lines {
	return &lines{in: bufio.NewReaderSize(in, 64<<10), out: out}
}

func (l *lines) Close() error { return nil }

// Read gives what is left of a line, or the beginning of the next.
func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.line()
		if err != nil {
			return 0, err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if code, why := unfit(line); code != 0 {
			if err := l.refuse(idIn(line), code, why); err != nil {
				return 0, err
			}
			continue
		}
		l.rest = append(line, '\n')
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// line reads a line. The last one may lack its end.
func (l *lines) line() ([]byte, error) {
	var line []byte
	for {
		part, err := l.in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > MaxLine:
			_ = l.refuse(nil, jsonrpc.CodeInvalidRequest, (&LongLineError{}).Error()) // it ends in any case
			return nil, &LongLineError{}
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		}
		return line, err
	}
}

// unfit says why a line is no message, 0 where it is one, or a list of them.
func unfit(line []byte) (code int, why string) {
	if !json.Valid(line) {
		return jsonrpc.CodeParseError, "the line is no JSON: send one JSON-RPC message on each line"
	}
	messages := []json.RawMessage{line}
	if line[0] == '[' {
		messages = nil
		if err := json.Unmarshal(line, &messages); err != nil || len(messages) == 0 {
			return jsonrpc.CodeInvalidRequest, "the list is empty: send JSON-RPC messages"
		}
	}
	for _, m := range messages {
		if _, err := jsonrpc.DecodeMessage(m); err != nil {
			return jsonrpc.CodeInvalidRequest, "the line is no JSON-RPC message, or nests too deep"
		}
	}
	return 0, ""
}

// idIn gives the id that somebody waits with for an answer to a line, or nil.
func idIn(line []byte) any {
	var m struct {
		ID any `json:"id"`
	}
	if json.Unmarshal(line, &m) != nil {
		return nil
	}
	switch m.ID.(type) {
	case string, float64:
		return m.ID
	}
	return nil
}

// refuse answers a line that is no message.
func (l *lines) refuse(id any, code int, why string) error {
	answer, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": why},
	})
	if err == nil {
		_, err = l.out.Write(append(answer, '\n'))
	}
	return err
}
