package parser

import "strconv"

// parseInt reads an integer constant in any base.
func parseInt(text string) (int64, bool) {
	v, err := strconv.ParseInt(text, 0, 64)
	if err != nil { // 007 is seven, not an octal number with a bad prefix
		v, err = strconv.ParseInt(text, 10, 64)
	}
	if len(text) > 1 && text[0] == '0' && digit(text[1]) {
		v, err = strconv.ParseInt(text, 10, 64)
	}
	return v, err == nil
}
