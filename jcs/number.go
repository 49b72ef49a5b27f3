package jcs

import (
	"math"
	"strconv"
)

// maxInteger is the largest integer that every reader holds exactly.
const maxInteger = 1<<53 - 1

// plainDigits is how many digits an integer can have and still be within
// maxInteger without a closer look.
const plainDigits = 15

// number reads the number at start. An integer of few digits is canonical as it
// stands; every other number is loose and looked at as a float.
func (d *Doc) number(start int) (int, *Error) {
	src, i := d.src, start
	if src[i] == '-' {
		i++
	}
	whole := i
	i = digits(src, i)
	if i == whole {
		return 0, d.unexpected(i, "a digit")
	}
	if src[whole] == '0' && i-whole > 1 {
		return 0, d.breach(InvalidJSON, whole, "a number has a leading zero")
	}
	if i == len(src) || src[i] != '.' && src[i]|0x20 != 'e' {
		if i-whole <= plainDigits && !(src[whole] == '0' && whole > start) {
			d.push(Number, start, i, 0)
			return i, nil
		}
	}
	if i < len(src) && src[i] == '.' {
		i = digits(src, i+1)
		if src[i-1] == '.' {
			return 0, d.unexpected(i, "a digit")
		}
	}
	if i < len(src) && src[i]|0x20 == 'e' {
		i++
		if i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		from := i
		if i = digits(src, i); i == from {
			return 0, d.unexpected(i, "a digit")
		}
	}
	d.push(Number, start, i, loose)
	switch f := parseFloat(src[start:i]); {
	case math.IsInf(f, 0):
		d.refuse(NumberOutOfRange, start, "a number is too large for a binary64")
	// All floats of this size are integers, and from 1e21 on they are written
	// with an exponent: these are the ones that would print as plain digits.
	case math.Abs(f) > maxInteger && math.Abs(f) < 1e21:
		d.refuse(IntegerOutOfRange, start, "an integer is beyond 2^53-1")
	}
	return i, nil
}

func digits(src []byte, i int) int {
	for i < len(src) && src[i]-'0' <= 9 {
		i++
	}
	return i
}

// parseFloat returns the value of a number that keeps to JSON's grammar, an
// infinity where it is out of range.
func parseFloat(b []byte) float64 {
	// The only error left is one of range, and it comes with the infinity.
	f, _ := strconv.ParseFloat(string(b), 64)
	return f
}

// AppendNumber appends f as ECMAScript prints it. What JSON cannot say, an
// infinity or NaN, becomes null as in JSON.stringify.
func AppendNumber(dst []byte, f float64) []byte {
	abs := math.Abs(f)
	switch {
	case abs > math.MaxFloat64 || f != f:
		return append(dst, "null"...)
	case abs <= maxInteger && f == math.Trunc(f):
		return strconv.AppendInt(dst, int64(f), 10) // minus zero becomes 0
	case abs >= 1e-6 && abs < 1e21:
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// strconv pads the exponent to two digits: 1e-07.
	if n := len(dst); dst[n-2] == '0' && dst[n-3] == '-' {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}
