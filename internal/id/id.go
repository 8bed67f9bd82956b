// Package id has the numbers that name things; each kind is a type of its own, so that they cannot be mixed.
package id

import "strconv"

// Job names a streaming computation: a table, materialized view, index, source or sink. Never used twice in a store.
type Job uint32

// Table names a state table: the rows of a relation or of one operator. Never used twice in a store.
type Table uint32

// Relation names an object of the catalog (pg_class.oid on the wire). Never used twice in a store.
type Relation uint32

// Fragment is the index of a fragment inside its job's graph.
type Fragment uint16

// Actor names one running instance of a fragment; a restart gives new numbers.
type Actor uint32

// Attempt numbers the incarnations of a job's actors; what an old one says is ignored.
type Attempt uint32

func (j Job) String() string      { return strconv.Itoa(int(j)) }
func (t Table) String() string    { return strconv.Itoa(int(t)) }
func (r Relation) String() string { return strconv.Itoa(int(r)) }
func (a Actor) String() string    { return strconv.Itoa(int(a)) }
