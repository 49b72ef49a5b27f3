package build

import (
	"io"
	"sync"
)

// Memory is a target in memory. The zero value is empty.
type Memory struct {
	mu   sync.Mutex
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

// WriteAt implements io.WriterAt.
func (m *Memory) WriteAt(p []byte, off int64) (int, error) {
	m.mu.Lock()
	m.reach(off+int64(len(p)), off+int64(len(p))+spare)
	to := m.data[off:]
	m.mu.Unlock()
	return copy(to, p), nil
}

// ReadAt implements io.ReaderAt.
func (m *Memory) ReadAt(p []byte, off int64) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
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
