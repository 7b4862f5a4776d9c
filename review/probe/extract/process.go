package extract

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
)

// process is a running child.
type process struct {
	cmd       *exec.Cmd
	requests  io.Writer
	responses *json.Decoder
	unread    *io.LimitedReader // under responses; bounds the next one
	waited    chan error        // holds the result of waiting for the child once it has ended
}

// start starts a child. A goroutine waits for it, so that it leaves no zombie even if it dies between two documents.
func start(cmd *exec.Cmd) (*process, error) {
	in, inErr := cmd.StdinPipe()
	out, outErr := cmd.StdoutPipe()
	if err := errors.Join(inErr, outErr); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	unread := &io.LimitedReader{R: out}
	p := &process{cmd, in, json.NewDecoder(unread), unread, make(chan error, 1)}
	go func() { p.waited <- cmd.Wait() }()
	return p, nil
}

// ended reports whether the child has ended by itself.
func (p *process) ended() bool { return len(p.waited) > 0 }

// exchange sends a document and receives the answer. The end of ctx kills the child.
func (p *process) exchange(ctx context.Context, r request) (answer response, err error) {
	stop := context.AfterFunc(ctx, p.kill)
	p.unread.N = maxResponse
	if err = writeRequest(p.requests, r); err == nil {
		err = p.responses.Decode(&answer)
	}
	if !stop() { // the child is killed, whether or not it answered in time
		return answer, context.Cause(ctx)
	}
	return answer, err
}

func (p *process) kill() { _ = p.cmd.Process.Kill() }

// end kills the child, waits for it, and returns the reason of its end. It closes the pipes, too.
func (p *process) end() error {
	p.kill()
	return <-p.waited
}
