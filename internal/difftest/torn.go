package difftest

import (
	"context"
	"fmt"
	"runtime"
)

// torn kills the database while a statement runs. If the statement was acknowledged before, all of it must be there; if
// not, all of it or nothing. PostgreSQL then follows suit.
func (p *Pair) torn(ctx context.Context, s Step) error {
	p.Count.Crashes++
	ended := make(chan error, 1)
	go func() {
		_, err := p.Subject.Exec(ctx, s.SQL)
		ended <- err
	}()
	for range s.Delay {
		runtime.Gosched()
	}
	acknowledged := len(ended) > 0
	left := p.Subject.store.Crash()
	gotErr := <-ended
	if err := p.Subject.restart(ctx, left); err != nil {
		return &Failure{Kind: failCrash, What: err.Error()}
	}
	if _, err := p.Oracle.Exec(ctx, "BEGIN"); err != nil {
		return err
	}
	_, wantErr := p.Oracle.Exec(ctx, s.SQL)
	if f := sameErrors(s, gotErr, wantErr); f != nil {
		return f
	}
	return p.settle(ctx, s, acknowledged && gotErr == nil)
}

// settle ends PostgreSQL's transaction as it ended in the database under test.
func (p *Pair) settle(ctx context.Context, s Step, acknowledged bool) error {
	with, err := p.differentTable(ctx)
	if err != nil {
		return err
	}
	if with == "" {
		p.Count.Statements++
		p.retracted = p.retracted || retracts(s.SQL)
		_, err := p.Oracle.Exec(ctx, "COMMIT")
		return err
	}
	if _, err := p.Oracle.Exec(ctx, "ROLLBACK"); err != nil {
		return err
	}
	without, err := p.differentTable(ctx)
	switch {
	case err != nil:
		return err
	case acknowledged:
		return &Failure{Kind: failCrash, Code: "lost", What: fmt.Sprintf("acknowledged and lost: %s\n%s", s.SQL, with)}
	case without != "":
		return &Failure{Kind: failCrash, Code: "torn", What: fmt.Sprintf("neither done nor undone: %s\nwith it: %s\nwithout: %s", s.SQL, with, without)}
	}
	p.Count.Undone++
	return nil
}

// differentTable compares the tables and tells of the first that differs, "" if none does. A transaction that failed has
// changed nothing.
func (p *Pair) differentTable(ctx context.Context) (string, error) {
	for _, name := range p.tables {
		want, err := p.Oracle.Exec(ctx, "SELECT * FROM "+name)
		if sqlState(err) == failedBlock {
			if _, err = p.Oracle.Exec(ctx, "ROLLBACK"); err == nil {
				want, err = p.Oracle.Exec(ctx, "SELECT * FROM "+name)
			}
		}
		if err != nil {
			return "", err
		}
		got, err := p.Subject.Exec(ctx, "SELECT * FROM "+name)
		if err != nil {
			return "", &Failure{Kind: failError, Code: state(err), What: fmt.Sprintf("%s: %v", name, err)}
		}
		if d := got.Differs(want, nil); d != "" {
			return name + ": " + d, nil
		}
	}
	return "", nil
}

// failedBlock is the SQLSTATE of whatever is asked in a transaction that failed.
const failedBlock = "25P02"
