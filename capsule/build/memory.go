package build

import (
	"io"
	"sync"
)

// Memory is a target in memory. The zero value is empty.
type Memory struct {
	mu   sync.RWMutex
	data []byte
}

// Grow makes room for n bytes and what encrypting adds to them.
func (m *Memory) Grow(n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reach(n, n+spare)
}

// spare is what encrypting in place needs behind the content.
const spare = 64

// reach makes the data at least n bytes long; the caller holds the lock.
func (m *Memory) reach(n, room int64) {
	if int64(len(m.data)) >= n {
		return
	}
	if int64(cap(m.data)) < n {
		m.data = append(make([]byte, 0, max(room, 2*int64(cap(m.data)))), m.data...)
	}
	m.data = m.data[:n]
}

// WriteAt implements io.WriterAt. Writers in different places work at once while
// there is room; only one that needs more keeps the others out.
func (m *Memory) WriteAt(p []byte, off int64) (int, error) {
	end := off + int64(len(p))
	m.mu.RLock()
	if int64(len(m.data)) >= end {
		defer m.mu.RUnlock()
		return copy(m.data[off:], p), nil
	}
	m.mu.RUnlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reach(end, end+spare)
	return copy(m.data[off:], p), nil
}

// ReadAt implements io.ReaderAt.
func (m *Memory) ReadAt(p []byte, off int64) (int, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if off >= int64(len(m.data)) {
		return 0, io.EOF
	}
	n := copy(p, m.data[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Bytes returns the content, which stays the memory's own.
func (m *Memory) Bytes() []byte { return m.data }

// Len returns how many bytes there are.
func (m *Memory) Len() int { return len(m.data) }
