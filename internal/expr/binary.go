package expr

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"strings"
	"unicode/utf8"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

func addBinary(b *builder) {
	text, bytea, i8 := types.Text, types.Bytea, types.Int8
	b.fn("encode", in(bytea, text).out(text), f2e(encode), "bytes as text in base64, hex or escape form")
	b.fn("decode", in(text, text).out(bytea), f2e(decodeText), "bytes of text in base64, hex or escape form")
	for _, t := range []types.T{text, bytea} {
		b.fn("md5", in(t).out(text), f1(func(s string) string { h := md5.Sum([]byte(s)); return hex.EncodeToString(h[:]) }), "MD5 digest in hexadecimal digits")
	}
	sum := func(name string, f func(s string) []byte) {
		b.fn(name, in(bytea).out(bytea), f1(func(s string) string { return string(f(s)) }), strings.ToUpper(name)+" digest")
	}
	sum("sha1", func(s string) []byte { h := sha1.Sum([]byte(s)); return h[:] })
	sum("sha224", func(s string) []byte { h := sha256.Sum224([]byte(s)); return h[:] })
	sum("sha256", func(s string) []byte { h := sha256.Sum256([]byte(s)); return h[:] })
	sum("sha384", func(s string) []byte { h := sha512.Sum384([]byte(s)); return h[:] })
	sum("sha512", func(s string) []byte { h := sha512.Sum512([]byte(s)); return h[:] })
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	b.fn("crc32", in(bytea).out(i8), f1(func(s string) int64 { return int64(crc32.ChecksumIEEE([]byte(s))) }), "CRC-32 checksum")
	b.fn("crc32c", in(bytea).out(i8), f1(func(s string) int64 { return int64(crc32.Checksum([]byte(s), castagnoli)) }), "CRC-32C checksum")
	addByteAccess(b)
	b.fn("convert_from", in(bytea, text).out(text), f2e(func(s, enc string) (string, error) { return s, checkText(s, enc) }), "text of bytes in an encoding, which is UTF8")
	b.fn("convert_to", in(text, text).out(bytea), f2e(func(s, enc string) (string, error) { return s, checkEncoding(enc) }), "bytes of text in an encoding, which is UTF8")
	for _, t := range []struct {
		name string
		t    types.T
	}{{"int2send", types.Int2}, {"int4send", types.Int4}, {"int8send", types.Int8}} {
		n := intBits(t.t.Kind) / 8
		b.fn(t.name, in(t.t).out(bytea), f1(func(v int64) string {
			return string(binary.BigEndian.AppendUint64(nil, uint64(v))[8-n:])
		}), "the number's bytes, most significant first")
	}
	b.fn("int8recv", in(bytea).out(i8), f1e(func(s string) (int64, error) {
		if len(s) != 8 {
			return 0, errs.InvalidBinary.New("type", "bigint")
		}
		return int64(binary.BigEndian.Uint64([]byte(s))), nil
	}), "number of its bytes, most significant first")
}

func encode(s, format string) (string, error) {
	switch strings.ToLower(format) {
	case "hex":
		return hex.EncodeToString([]byte(s)), nil
	case "base64":
		return wrapLines(base64.StdEncoding.EncodeToString([]byte(s))), nil
	case "escape":
		return escapeBytes(s), nil
	}
	return "", errs.UnknownEncoding.New("name", format)
}

// wrapLines breaks base64 after 76 characters, as PostgreSQL and MIME do.
func wrapLines(s string) string {
	const width = 76
	var out strings.Builder
	for len(s) > width {
		out.WriteString(s[:width] + "\n")
		s = s[width:]
	}
	return out.String() + s
}

func escapeBytes(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			out.WriteString(`\\`)
		case c == 0 || c >= 0x80:
			fmt.Fprintf(&out, `\%03o`, c)
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

func decodeText(s, format string) (string, error) {
	switch strings.ToLower(format) {
	case "hex":
		d, err := types.Parse(types.Bytea, `\x`+s, types.Ctx{})
		return d.Bytes(), err
	case "escape":
		d, err := types.Parse(types.Bytea, s, types.Ctx{})
		return d.Bytes(), err
	case "base64":
		clean := strings.NewReplacer("\n", "", "\r", "", " ", "", "\t", "").Replace(s)
		out, err := base64.StdEncoding.DecodeString(clean)
		if err != nil {
			for i := 0; i < len(clean); i++ {
				if strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=", clean[i]) < 0 {
					return "", errs.InvalidArgument.New("problem", fmt.Sprintf("invalid symbol \"%c\" found while decoding base64 sequence", clean[i]))
				}
			}
			return "", errs.InvalidArgument.New("problem", "invalid base64 end sequence")
		}
		return string(out), nil
	}
	return "", errs.UnknownEncoding.New("name", format)
}

func checkEncoding(name string) error {
	switch strings.ToLower(strings.ReplaceAll(name, "-", "")) {
	case "utf8", "unicode", "sql_ascii":
		return nil
	}
	return errs.Unsupported.New("feature", "encoding "+name)
}

func checkText(s, enc string) error {
	if err := checkEncoding(enc); err != nil {
		return err
	}
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || s[i] == 0 {
			return errs.InvalidEncoding.New("encoding", "UTF8", "bytes", fmt.Sprintf("0x%02x", s[i]))
		}
		i += n
	}
	return nil
}

func addByteAccess(b *builder) {
	bytea, i4, i8 := types.Bytea, types.Int4, types.Int8
	index := func(n, size int64) error {
		if n < 0 || n >= size {
			return errs.ArraySubscript.New("problem", fmt.Sprintf("index %d out of valid range, 0..%d", n, size-1))
		}
		return nil
	}
	b.fn("get_byte", in(bytea, i4).out(i4), f2e(func(s string, n int64) (int64, error) {
		if err := index(n, int64(len(s))); err != nil {
			return 0, err
		}
		return int64(s[n]), nil
	}), "byte at a position, from 0")
	b.fn("set_byte", in(bytea, i4, i4).out(bytea), f3e(func(s string, n, v int64) (string, error) {
		if err := index(n, int64(len(s))); err != nil {
			return "", err
		}
		return s[:n] + string([]byte{byte(v)}) + s[n+1:], nil
	}), "with the byte at a position replaced")
	b.fn("get_bit", in(bytea, i8).out(i4), f2e(func(s string, n int64) (int64, error) {
		if err := index(n, 8*int64(len(s))); err != nil {
			return 0, err
		}
		return int64(s[n/8] >> (n % 8) & 1), nil
	}), "bit at a position, from 0")
	b.fn("set_bit", in(bytea, i8, i4).out(bytea), f3e(func(s string, n, v int64) (string, error) {
		if err := index(n, 8*int64(len(s))); err != nil {
			return "", err
		}
		if v != 0 && v != 1 {
			return "", errs.InvalidArgument.New("problem", "new bit must be 0 or 1")
		}
		out := []byte(s)
		out[n/8] = out[n/8]&^(1<<(n%8)) | byte(v)<<(n%8)
		return string(out), nil
	}), "with the bit at a position replaced")
}
