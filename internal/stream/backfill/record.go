package backfill

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
)

// FormatVersion is the format of a progress record. Format 1 is a foreign layout with one position per actor, see FormatOne.
const FormatVersion = 2

// Phase is how far the catch-up of a range is.
type Phase uint8

const (
	NotStarted Phase = iota
	Scanning
	Replaying // the scan has reached the end of the range
	Live
)

func (p Phase) String() string {
	return [...]string{"not started", "scanning", "replaying", "live"}[p]
}

// Record is the progress of one range. It is staged in the epoch of the rows that it describes, so that recovery can not
// see one without the other.
type Record struct {
	Generation  uint32 // raised whenever the range changes its owner
	Phase       Phase
	ScanCursor  []byte // key of the last row scanned, exclusive; empty: before the first
	AsOf, Until epoch.Epoch
	Rows, Bytes uint64 // emitted by the scan; bytes are of values, those of columns that are read
}

// The format has more fields than a record: positions around a chunk of a source outside, a cursor within a window of a replay,
// and a watermark. They are empty, and a record that has anything there is of a build that is not known here.
const (
	spareNumbers = 2
	spareTexts   = 2
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Encode returns the record's stored form: version, fields, checksum.
func (r *Record) Encode() []byte {
	b := []byte{FormatVersion, byte(r.Phase)}
	b = binary.AppendUvarint(b, uint64(r.Generation))
	for _, n := range []uint64{uint64(r.AsOf), uint64(r.Until), r.Rows, r.Bytes} {
		b = binary.AppendUvarint(b, n)
	}
	b = append(b, make([]byte, spareNumbers)...)
	b = binary.AppendUvarint(b, uint64(len(r.ScanCursor)))
	b = append(b, r.ScanCursor...)
	b = append(b, make([]byte, spareTexts)...)
	return binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// Sum is the checksum of the record's stored form.
func (r *Record) Sum() uint32 {
	b := r.Encode()
	return binary.BigEndian.Uint32(b[len(b)-4:])
}

// DecodeRecord reads a stored record. What it can not vouch for it refuses: TM-BF-004.
func DecodeRecord(b []byte) (*Record, error) {
	if len(b) < 6 {
		return nil, corrupt("too short")
	}
	body, sum := b[:len(b)-4], binary.BigEndian.Uint32(b[len(b)-4:])
	if crc32.Checksum(body, castagnoli) != sum {
		return nil, corrupt("checksum mismatch")
	}
	if body[0] == 1 {
		return adoptFormatOne(body)
	}
	if body[0] != FormatVersion || body[1] > byte(Live) {
		return nil, corrupt("unknown format version or phase")
	}
	d := decoder{b: body[2:], ok: true}
	r := &Record{Phase: Phase(body[1]), Generation: uint32(d.uvarint())}
	r.AsOf, r.Until = epoch.Epoch(d.uvarint()), epoch.Epoch(d.uvarint())
	r.Rows, r.Bytes = d.uvarint(), d.uvarint()
	d.spare(spareNumbers)
	r.ScanCursor = d.bytes()
	d.spare(spareTexts)
	if !d.ok || len(d.b) != 0 {
		return nil, corrupt("fields do not fill the record")
	}
	return r, nil
}

func corrupt(what string) error { return errs.BackfillRecordCorrupt.New("what", what) }

// decoder reads fields until one does not fit; ok is false from then on.
type decoder struct {
	b  []byte
	ok bool
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.ok, n = false, 0
	}
	d.b = d.b[n:]
	return v
}

// spare reads fields that are empty.
func (d *decoder) spare(n int) {
	for range n {
		d.ok = d.uvarint() == 0 && d.ok
	}
}

func (d *decoder) bytes() []byte {
	n := d.uvarint()
	if !d.ok || n > uint64(len(d.b)) {
		d.ok = false
		return nil
	}
	out := append([]byte(nil), d.b[:n]...)
	d.b = d.b[n:]
	return out
}
