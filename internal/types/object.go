package types

import "strconv"

// appendObject adds the text of an object's number: the object's name where the context can ask for it.
func appendObject(dst []byte, t T, d Datum, c Ctx) []byte {
	if t.Kind == KindRegtype {
		if of, ok := FromOID(uint32(d.Int())); ok {
			return append(dst, SQLName(of)...)
		}
	}
	if c.Objects != nil {
		if name, err := c.Objects(TypeName(t)+"out", d); err == nil && !name.IsNull() {
			return append(dst, name.Bytes()...)
		}
	}
	return strconv.AppendInt(dst, d.Int(), 10)
}

// parseObject reads an object's number, or asks the context for that of a name.
func parseObject(t T, s string, c Ctx) (Datum, error) {
	d, err := parseOid(s)
	if err != nil && c.Objects != nil {
		return c.Objects(TypeName(t)+"in", NewBytes(s))
	}
	return d, err
}
