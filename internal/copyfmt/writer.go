package copyfmt

import "encoding/binary"

// Begin adds what precedes the rows of columns with these names.
func (f *Format) Begin(dst []byte, names []string) []byte {
	switch {
	case f.Kind == Binary:
		return append(append(dst, signature...), make([]byte, headerSize-len(signature))...)
	case f.Header == HeaderNone:
		return dst
	}
	for i, n := range names {
		if i > 0 {
			dst = append(dst, f.Delimiter)
		}
		dst = f.value(dst, []byte(n), false, len(names) == 1)
	}
	return append(dst, '\n')
}

// Row adds a row: fields in the text or the binary form of their types, nil for NULL.
func (f *Format) Row(dst []byte, names []string, fields [][]byte) []byte {
	if f.Kind == Binary {
		return binaryRow(dst, fields)
	}
	for i, value := range fields {
		if i > 0 {
			dst = append(dst, f.Delimiter)
		}
		if value == nil {
			dst = append(dst, f.Null...)
		} else {
			dst = f.value(dst, value, f.ForceQuote.Has(names[i]), len(fields) == 1)
		}
	}
	return append(dst, '\n')
}

// End adds what follows the rows.
func (f *Format) End(dst []byte) []byte {
	if f.Kind == Binary {
		return append(dst, 0xff, 0xff)
	}
	return dst
}

func binaryRow(dst []byte, fields [][]byte) []byte {
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(fields)))
	for _, value := range fields {
		if value == nil {
			dst = append(dst, 0xff, 0xff, 0xff, 0xff)
			continue
		}
		dst = binary.BigEndian.AppendUint32(dst, uint32(len(value)))
		dst = append(dst, value...)
	}
	return dst
}
