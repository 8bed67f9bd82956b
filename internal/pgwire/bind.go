package pgwire

import (
	"fmt"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// The formats in which values travel.
const (
	formatText   = 0
	formatBinary = 1
)

// formatAt is the format of value i: none given means text, one stands for all.
func formatAt(formats []int16, i int) int16 {
	switch len(formats) {
	case 0:
		return formatText
	case 1:
		return formats[0]
	}
	return formats[i]
}

// bind answers Bind: it reads the parameters and opens the portal. The statement starts with the first Execute.
func (c *connection) bind(body []byte) error {
	var m pgproto3.Bind
	if err := decode(&m, body); err != nil {
		return err
	}
	s, err := c.statement(m.PreparedStatement)
	if err != nil {
		return err
	}
	params, err := c.params(&m, s.ParamTypes())
	if err != nil {
		return err
	}
	if err := checkFormats(m.ResultFormatCodes, len(s.Columns()), "result", "query has %d columns"); err != nil {
		return err
	}
	p := &portal{name: m.DestinationPortal, stmt: s, params: params, formats: m.ResultFormatCodes}
	if err := c.openPortal(p); err != nil {
		return err
	}
	c.out.send(&pgproto3.BindComplete{})
	return nil
}

// params reads the parameters as values of the statement's types.
func (c *connection) params(m *pgproto3.Bind, want []types.T) ([]types.Datum, error) {
	if err := checkFormats(m.ParameterFormatCodes, len(m.Parameters), "parameter", "%d parameters"); err != nil {
		return nil, err
	}
	if len(m.Parameters) != len(want) {
		return nil, errs.ParameterCount.New("got", len(m.Parameters), "name", m.PreparedStatement, "want", len(want))
	}
	out := make([]types.Datum, len(want))
	text := c.session.TextContext()
	for i, raw := range m.Parameters {
		if raw == nil {
			continue // NULL
		}
		d, err := param(want[i], raw, formatAt(m.ParameterFormatCodes, i), text)
		if err != nil {
			return nil, err
		}
		out[i] = d
	}
	return out, nil
}

// param reads one value. raw belongs to the message, so the value must not share its memory.
func param(t types.T, raw []byte, format int16, text types.Ctx) (types.Datum, error) {
	if format == formatBinary {
		return types.ParseBinary(t, raw)
	}
	if err := checkUTF8(raw); err != nil {
		return types.Null, err
	}
	return types.Parse(t, string(raw), text)
}

// checkUTF8 refuses bytes that are not text, with PostgreSQL's error.
func checkUTF8(raw []byte) error {
	for i := 0; i < len(raw); {
		r, n := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && n == 1 || r == 0 {
			return errs.InvalidBytes.New("bytes", fmt.Sprintf("0x%02x", raw[i]))
		}
		i += n
	}
	return nil
}

// checkFormats refuses format codes that do not fit the number of values.
func checkFormats(codes []int16, count int, kind, values string) error {
	if len(codes) > 1 && len(codes) != count {
		return errs.FormatCount.New("got", len(codes), "kind", kind, "values", fmt.Sprintf(values, count))
	}
	for _, code := range codes {
		if code != formatText && code != formatBinary {
			return errs.FormatCode.New("code", code)
		}
	}
	return nil
}
