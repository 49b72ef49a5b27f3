package transport

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
	"strconv"
	"sync"
)

// CRC is the checksum of POSIX cksum. The zero value is ready to use.
//
// cksum's polynomial is that of IEEE CRC-32 with the bits of every byte taken
// in the other order. So the bytes are mirrored and given to hash/crc32, which
// uses the processor's own instructions; that is faster than any table.
type CRC struct {
	state uint32 // remainder so far, mirrored
	size  int64
}

// Write adds p to the checksum. It never fails.
func (c *CRC) Write(p []byte) (int, error) {
	mirrored := mirrors.Get().(*[4096]byte)
	defer mirrors.Put(mirrored)
	state := ^c.state // hash/crc32 inverts on the way in and out; cksum does not
	for rest := p; len(rest) > 0; {
		n := min(len(rest), len(mirrored))
		mirror(mirrored[:n], rest[:n])
		state = crc32.Update(state, crc32.IEEETable, mirrored[:n])
		rest = rest[n:]
	}
	c.state = ^state
	c.size += int64(len(p))
	return len(p), nil
}

// mirrors are buffers for Write: hash/crc32 lets a local one escape to the heap.
var mirrors = sync.Pool{New: func() any { return new([4096]byte) }}

// Size returns the number of bytes written.
func (c *CRC) Size() int64 { return c.size }

// Sum returns the checksum of what was written: cksum's first number. Writing
// may go on afterwards.
func (c *CRC) Sum() uint32 {
	end := *c
	var length []byte // of the data, least byte first, without leading zeros
	for n := c.size; n > 0; n >>= 8 {
		length = append(length, byte(n))
	}
	_, _ = end.Write(length)
	return ^bits.Reverse32(end.state)
}

// String returns "CRC SIZE", the line that cksum prints for its standard input.
func (c *CRC) String() string {
	return strconv.FormatUint(uint64(c.Sum()), 10) + " " + strconv.FormatInt(c.size, 10)
}

// Combine makes c the checksum of its own bytes followed by those of next, as
// if all had been written to c. The parts of a document can so be summed in
// parallel.
func (c *CRC) Combine(next CRC) {
	// Following bytes multiply what came before by x^8 each.
	c.state = shift(c.state, uint64(next.size)*8) ^ next.state
	c.size += next.size
}

// mirror reverses the bits of every byte of src into dst, eight bytes at a time.
func mirror(dst, src []byte) {
	for len(src) >= 8 {
		binary.LittleEndian.PutUint64(dst, mirrorBytes(binary.LittleEndian.Uint64(src)))
		src, dst = src[8:], dst[8:]
	}
	for i, b := range src {
		dst[i] = bits.Reverse8(b)
	}
}

func mirrorBytes(x uint64) uint64 {
	x = x>>1&0x5555555555555555 | x&0x5555555555555555<<1
	x = x>>2&0x3333333333333333 | x&0x3333333333333333<<2
	return x>>4&0x0f0f0f0f0f0f0f0f | x&0x0f0f0f0f0f0f0f0f<<4
}

// powers holds x^(2^k) modulo the polynomial, mirrored, for k from 0.
var powers = sync.OnceValue(func() *[64]uint32 {
	var t [64]uint32
	t[0] = 1 << 30 // x: bit 31 is the constant term
	for k := 1; k < len(t); k++ {
		t[k] = multiply(t[k-1], t[k-1])
	}
	return &t
})

// shift returns state times x^n modulo the polynomial.
func shift(state uint32, n uint64) uint32 {
	for k := 0; n > 0; k++ {
		if n&1 != 0 {
			state = multiply(state, powers()[k])
		}
		n >>= 1
	}
	return state
}

// multiply returns a times b modulo the polynomial, all mirrored.
func multiply(a, b uint32) uint32 {
	var product uint32
	for bit := uint32(1) << 31; bit != 0; bit >>= 1 {
		if a&bit != 0 {
			product ^= b
		}
		b = b>>1 ^ crc32.IEEE&-(b&1)
	}
	return product
}
