package extract

import (
	"context"
	"os"
	"os/exec"
)

// process is a running child.
type process struct {
	cmd    *exec.Cmd
	in     *os.File // its standard input
	out    *os.File // its standard output
	waited chan struct{}
	err    error // of waiting for it; set before waited is closed
}

// start starts a child. A goroutine waits for it, so that it leaves no zombie even if it dies between two documents.
func start(cmd *exec.Cmd) (*process, error) {
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer childIn.Close()
	out, childOut, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, err
	}
	defer childOut.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = childIn, childOut, nil
	if err := cmd.Start(); err != nil {
		in.Close()
		out.Close()
		return nil, err
	}
	p := &process{cmd: cmd, in: in, out: out, waited: make(chan struct{})}
	go func() {
		p.err = cmd.Wait()
		close(p.waited)
	}()
	return p, nil
}

// ended reports whether the child has ended by itself.
func (p *process) ended() bool {
	select {
	case <-p.waited:
		return true
	default:
		return false
	}
}

// exchange sends a document and receives the answer. The end of ctx kills the child.
func (p *process) exchange(ctx context.Context, r request) (answer response, err error) {
	stop := context.AfterFunc(ctx, p.kill)
	if err = writeRequest(p.in, r); err == nil {
		err = readHeader(p.out, &answer)
	}
	if !stop() { // the child is killed, whether or not it answered in time
		return answer, context.Cause(ctx)
	}
	return answer, err
}

func (p *process) kill() { _ = p.cmd.Process.Kill() }

// end kills the child, waits for it, and returns the reason of its end.
func (p *process) end() error {
	p.in.Close()
	p.kill()
	<-p.waited
	p.out.Close()
	return p.err
}
