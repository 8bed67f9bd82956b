package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"os"

	"github.com/jackc/pgx/v5/pgproto3"
)

// textOID is the type that all columns are told to have: clients get text.
const textOID = 25

// client is one connection.
type client struct {
	*pgproto3.Backend
	db  *sql.DB
	dir string // for what a COPY brings
}

// serve answers simple queries of one statement until the client leaves.
func serve(ctx context.Context, conn net.Conn, db *sql.DB, dir string) error {
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	c := client{pgproto3.NewBackend(conn, conn), db, dir}
	if _, err := c.ReceiveStartupMessage(); err != nil {
		return err
	}
	c.Send(&pgproto3.AuthenticationOk{})
	for {
		c.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
		if err := c.Flush(); err != nil {
			return err
		}
		m, err := c.Receive()
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch m := m.(type) {
		case *pgproto3.Terminate:
			return nil
		case *pgproto3.Query:
			if err := c.query(ctx, m.String); err != nil {
				c.Send(&pgproto3.ErrorResponse{Severity: "ERROR", SeverityUnlocalized: "ERROR", Code: "XX000", Message: err.Error()})
			}
		default:
			return fmt.Errorf("a client sent %T: only simple queries are served", m)
		}
	}
}

// query runs a statement and sends what it gives.
func (c client) query(ctx context.Context, statement string) error {
	if m := copyFrom.FindStringSubmatch(statement); m != nil {
		return c.copy(ctx, m[1])
	}
	rows, err := c.db.QueryContext(ctx, statement)
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	fields := make([]pgproto3.FieldDescription, len(names))
	for i, name := range names {
		fields[i] = pgproto3.FieldDescription{Name: []byte(name), DataTypeOID: textOID, DataTypeSize: -1, TypeModifier: -1}
	}
	c.Send(&pgproto3.RowDescription{Fields: fields})
	n, err := c.rows(rows, len(names))
	if err != nil {
		return err
	}
	c.Send(&pgproto3.CommandComplete{CommandTag: fmt.Appendf(nil, "SELECT %d", n)})
	return nil
}

// flushRows is how many rows are sent at a time.
const flushRows = 1000

func (c client) rows(rows *sql.Rows, width int) (n int, err error) {
	values, into, texts := make([]any, width), make([]any, width), make([][]byte, width)
	for i := range into {
		into[i], texts[i] = &values[i], []byte{}
	}
	row := pgproto3.DataRow{Values: make([][]byte, width)}
	for ; rows.Next(); n++ {
		if err := rows.Scan(into...); err != nil {
			return n, err
		}
		for i, v := range values {
			if row.Values[i] = nil; v == nil {
				continue
			}
			if texts[i], err = text(texts[i][:0], v); err != nil {
				return n, err
			}
			row.Values[i] = texts[i]
		}
		c.Send(&row)
		if n%flushRows == 0 {
			if err := c.Flush(); err != nil {
				return n, err
			}
		}
	}
	return n, rows.Err()
}

// copy loads a table with what the client sends.
func (c client) copy(ctx context.Context, table string) error {
	c.Send(&pgproto3.CopyInResponse{})
	if err := c.Flush(); err != nil {
		return err
	}
	file, err := spool(c.dir, c.copied)
	if err != nil {
		return err
	}
	defer os.Remove(file)
	n, err := copyFile(ctx, c.db, table, file)
	if err != nil {
		return err
	}
	c.Send(&pgproto3.CommandComplete{CommandTag: fmt.Appendf(nil, "COPY %d", n)})
	return nil
}

// copied is the next data of a COPY, nil after the last.
func (c client) copied() ([]byte, error) {
	for {
		m, err := c.Receive()
		if err != nil {
			return nil, err
		}
		switch m := m.(type) {
		case *pgproto3.CopyData:
			if len(m.Data) > 0 {
				return m.Data, nil
			}
		case *pgproto3.CopyDone:
			return nil, nil
		case *pgproto3.CopyFail:
			return nil, errors.New(m.Message)
		default:
			return nil, fmt.Errorf("a client sent %T within a COPY", m)
		}
	}
}
