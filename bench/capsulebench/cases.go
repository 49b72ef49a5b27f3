package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"seed/capsule"
	"seed/capsule/build"
)

// verify is our side: a capsule that is not found valid is not measured.
func verify(f io.ReaderAt, size int64) error {
	res, err := capsule.Verify(f, size, capsule.Options{})
	if err == nil && res.Verdict != capsule.Valid {
		err = fmt.Errorf("the capsule is %s: %v", res.Verdict, res.Errors)
	}
	return err
}

// wall and cpu are what the step at i cost, as numbers to divide.
func wall(round []cost, i int) float64 { return float64(round[i].wall) }
func cpu(round []cost, i int) float64  { return float64(round[i].cpu) }

// onePayload: verifying is as fast as hashing.
func onePayload(dir string) (*comparison, error) {
	d := draft()
	d.Files = []build.File{generated("payload/report.bin", 256<<20)}
	f, size, err := write(filepath.Join(dir, "a.capsule"), d)
	if err != nil {
		return nil, err
	}
	data := make([]byte, size)
	if _, err := f.ReadAt(data, 0); err != nil {
		return nil, err
	}
	buf := make([]byte, chunk)
	return &comparison{
		closers: []io.Closer{f},
		steps: []step{
			{label: "sha256", does: "read the capsule file in chunks of 256 KiB, SHA-256, one core", run: func() error { return hashFile(f, size, buf) }},
			{label: "verify", does: "capsule.Verify of the file, one payload of 256 MiB", run: func() error { return verify(f, size) }},
			{label: "sha256-memory", does: "SHA-256 of the same bytes in memory, nothing read; to compare", run: func() error { return hashMemory(data) }},
		},
		demands: []demand{
			{name: "verify of 256 MiB, throughput of one-core SHA-256 over the file", of: func(r []cost) float64 { return wall(r, 0) / wall(r, 1) }, budget: 0.9, least: true},
		},
	}, nil
}

// manyFiles: verifying uses a second core where there are several files.
func manyFiles(dir string) (*comparison, error) {
	d := draft()
	d.Files = inMemory(200, 64<<10)
	f, size, err := write(filepath.Join(dir, "a.capsule"), d)
	if err != nil {
		return nil, err
	}
	buf := make([]byte, chunk)
	skip := ""
	if runtime.GOMAXPROCS(0) < 2 {
		skip = "one core"
	}
	return &comparison{
		closers: []io.Closer{f},
		steps: []step{
			{label: "sha256", does: "read the capsule file in chunks of 256 KiB, SHA-256, one core", run: func() error { return hashFile(f, size, buf) }},
			{label: "verify", does: "capsule.Verify of the file, 200 payload files of 64 KiB", run: func() error { return verify(f, size) }},
		},
		demands: []demand{
			{name: "verify of 200 × 64 KiB, throughput of one-core SHA-256", of: func(r []cost) float64 { return wall(r, 0) / wall(r, 1) }, budget: 1.5, least: true, skip: skip},
		},
	}, nil
}

// manyEvents: verifying a chain costs no more than decoding it.
func manyEvents(dir string) (*comparison, error) {
	f, size, text, err := chainFile(filepath.Join(dir, "a.capsule"), 10_000)
	if err != nil {
		return nil, err
	}
	return &comparison{
		closers: []io.Closer{f},
		steps: []step{
			{label: "encoding/json", does: "json.Unmarshal of each of the 10,000 lines into an any", run: func() error { return decodeLines(text) }},
			{label: "verify", does: "capsule.Verify of the file: container, signature, both hashes of every event", run: func() error { return verify(f, size) }},
		},
		demands: []demand{
			{name: "verify of 10,000 events, CPU of encoding/json on the lines", of: func(r []cost) float64 { return cpu(r, 1) / cpu(r, 0) }, budget: 1.5},
		},
	}, nil
}

// chainFile writes a capsule of n events; text is its log.
func chainFile(path string, n int) (f *os.File, size int64, text []byte, err error) {
	d := draft()
	if d.Chain, err = events(n); err != nil {
		return nil, 0, nil, err
	}
	r, err := d.Chain.Open()
	if err != nil {
		return nil, 0, nil, err
	}
	if text, err = io.ReadAll(r); err != nil {
		return nil, 0, nil, err
	}
	f, size, err = write(path, d)
	return f, size, text, err
}

// growth: ten times as much costs ten times as much. What verifying a file costs
// before its first event is in both sides.
func growth(dir string) (*comparison, error) {
	c := &comparison{}
	for _, n := range []int{10_000, 100_000} {
		f, size, _, err := chainFile(filepath.Join(dir, fmt.Sprintf("events-%d.capsule", n)), n)
		if err != nil {
			return nil, err
		}
		c.closers = append(c.closers, f)
		c.steps = append(c.steps, step{label: fmt.Sprintf("events-%d", n), does: "capsule.Verify", run: func() error { return verify(f, size) }})
	}
	for _, n := range []int{900, 9000} {
		d := draft()
		d.Files = inMemory(n, 1<<10)
		f, size, err := write(filepath.Join(dir, fmt.Sprintf("files-%d.capsule", n)), d)
		if err != nil {
			return nil, err
		}
		c.closers = append(c.closers, f)
		c.steps = append(c.steps, step{label: fmt.Sprintf("files-%d", n), does: "capsule.Verify, files of 1 KiB", run: func() error { return verify(f, size) }})
	}
	c.demands = []demand{
		{name: "CPU for each of 100,000 events, of each of 10,000", of: func(r []cost) float64 { return cpu(r, 1) / cpu(r, 0) / 10 }, budget: 1.25},
		{name: "CPU for each of 9,000 files, of each of 900", of: func(r []cost) float64 { return cpu(r, 3) / cpu(r, 2) / 10 }, budget: 1.25},
	}
	return c, nil
}
