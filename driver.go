package tidemark

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"sync"
)

func init() { sql.Register("tidemark", sqlDriver{}) }

// sqlDriver opens databases for database/sql. The data source name is that of Open: a directory, or Memory.
type sqlDriver struct{}

// OpenConnector makes a database of its own for each sql.DB; it is opened by the first connection and closed with the
// sql.DB.
func (sqlDriver) OpenConnector(name string) (driver.Connector, error) {
	return NewConnector(name, Options{}), nil
}

// Open is not called by database/sql, which prefers OpenConnector. The database ends with its one connection.
func (sqlDriver) Open(name string) (driver.Conn, error) {
	c := NewConnector(name, Options{})
	conn, err := c.Connect(context.Background())
	if err != nil {
		return nil, err
	}
	conn.(*sqlConn).owner = c
	return conn, nil
}

// Connector opens connections of database/sql to one database: sql.OpenDB(connector).
type Connector struct {
	name string
	opts Options
	mu   sync.Mutex
	db   *DB
	own  bool // the database is closed with the connector
}

// NewConnector returns a connector that opens the database with the first connection and closes it with the sql.DB.
func NewConnector(dir string, o Options) *Connector {
	return &Connector{name: dir, opts: o, own: true}
}

// Connector returns a connector to this database, which closing the sql.DB leaves open.
func (db *DB) Connector() *Connector { return &Connector{db: db, opts: db.opts} }

// Connect implements driver.Connector.
func (c *Connector) Connect(context.Context) (driver.Conn, error) {
	db, err := c.open()
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn()
	if err != nil {
		return nil, err
	}
	return &sqlConn{conn: conn}, nil
}

func (c *Connector) open() (*DB, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db == nil {
		db, err := Open(c.name, c.opts)
		if err != nil {
			return nil, err
		}
		c.db = db
	}
	return c.db, nil
}

// Driver implements driver.Connector.
func (c *Connector) Driver() driver.Driver { return sqlDriver{} }

// Close is called by sql.DB.Close.
func (c *Connector) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db == nil || !c.own {
		return nil
	}
	return c.db.Close()
}
