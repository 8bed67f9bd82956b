package expr

// CheckRegexps reports a regular expression in e that is constant and can not be read: what keeps running would have NULL
// for every row, so it is refused while there is somebody to tell.
func CheckRegexps(e Expr) (err error) {
	Walk(e, func(e Expr) bool {
		if c, ok := e.(*Call); ok && c.Fn.flags > 0 && err == nil {
			err = checkRegexp(c)
		}
		return err == nil
	})
	return err
}

func checkRegexp(c *Call) error {
	pattern, ok := constText(c.Args[1])
	if !ok {
		return nil
	}
	flags := ""
	if c.Fn.flags < len(c.Args) {
		if flags, ok = constText(c.Args[c.Fn.flags]); !ok {
			return nil
		}
	}
	_, err := compileRegexp(pattern, flags)
	return err
}

// constText is the text of a constant that is not NULL.
func constText(e Expr) (string, bool) {
	c, ok := e.(*Const)
	if !ok || c.Value.IsNull() {
		return "", false
	}
	return c.Value.Bytes(), true
}
