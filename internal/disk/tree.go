package disk

import (
	"context"
	"errors"
)

// Tree is a set of files on its way to a destination: first staged beside it,
// then landed. [Tree.Close] must be called at the end in any case.
//
//	t, err := disk.NewTree(dest)
//	defer t.Close()
//	err = t.Write(ctx, files)
//	landed, err := t.Land(ctx, disk.Options{})
//
// A Tree is not for use by several goroutines at once.
type Tree struct {
	place *place
	stage *stage
	list  []entry
	wrote bool
}

// NewTree makes the stage for dest, which need not exist.
func NewTree(dest string) (*Tree, error) {
	p, err := locate(dest)
	if err != nil {
		return nil, err
	}
	s, err := makeStage(p.base)
	if err != nil {
		p.base.close()
		return nil, err
	}
	return &Tree{place: p, stage: s}, nil
}

// Dest is the absolute path of the destination.
func (t *Tree) Dest() string { return t.place.dest }

// Write puts all files into the stage, on all cores, and fills in their sums.
// It is called once; files must stay unchanged until the landing.
func (t *Tree) Write(ctx context.Context, files []File) error {
	if t.stage == nil || t.wrote {
		return errors.New("write tree: it was written or closed before")
	}
	t.wrote = true
	list, err := arrange(files, t.place.rel)
	if err != nil {
		return err
	}
	t.list = list
	if t.place.rel != "" {
		// The missing parents are part of the tree, so that they appear in the
		// same rename as the rest.
		c := cursor{top: t.stage.t, mk: true}
		defer c.close()
		if _, err := c.to(t.place.rel); err != nil {
			return err
		}
	}
	return writeAll(ctx, t.stage.t, list)
}

// Compare says what [Tree.Land] would do, ordered by directory and name.
func (t *Tree) Compare(ctx context.Context, o Options) ([]Change, error) {
	return t.place.compare(ctx, t.list, o)
}

// Close removes what is left of the stage. Closing again does nothing.
func (t *Tree) Close() error {
	if t.stage == nil {
		return nil
	}
	var err error
	if t.stage.keep {
		t.stage.release()
	} else {
		err = t.stage.remove()
	}
	t.stage = nil
	t.place.base.close()
	return err
}
