package file

import (
	"bytes"
	"errors"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// keepAttributes gives the new file the extended attributes of the target, and no others. ACLs are such attributes;
// one that the folder hands down to new files would open the file to more people than before. Error: errAttributes.
func keepAttributes(f *os.File, target string) error {
	old, err := os.Open(target)
	if err != nil {
		return err
	}
	defer old.Close()
	want, err := attributes(old)
	if err != nil {
		return err
	}
	have, err := attributes(f)
	if err != nil {
		return err
	}
	for name := range have {
		if _, ok := want[name]; !ok && unix.Fremovexattr(int(f.Fd()), name) != nil {
			return errAttributes
		}
	}
	for name, value := range want {
		if was, ok := have[name]; ok && bytes.Equal(was, value) {
			continue
		}
		if unix.Fsetxattr(int(f.Fd()), name, value, 0) != nil {
			return errAttributes
		}
	}
	return nil
}

// attributes returns the extended attributes of a file; none on a file system that has none.
func attributes(f *os.File) (map[string][]byte, error) {
	names, err := attribute(func(buf []byte) (int, error) { return unix.Flistxattr(int(f.Fd()), buf) })
	if errors.Is(err, unix.ENOTSUP) {
		return nil, nil
	}
	all := map[string][]byte{}
	for name := range bytes.SplitSeq(names, []byte{0}) {
		if len(name) == 0 || err != nil {
			continue
		}
		all[string(name)], err = attribute(func(buf []byte) (int, error) {
			return unix.Fgetxattr(int(f.Fd()), string(name), buf)
		})
	}
	if err != nil {
		return nil, errAttributes
	}
	return all, nil
}

// attribute calls read first for the size and then for the value.
func attribute(read func([]byte) (int, error)) ([]byte, error) {
	size, err := read(nil)
	if err != nil || size == 0 {
		return nil, err
	}
	value := make([]byte, size)
	n, err := read(value)
	return slices.Clip(value[:max(n, 0)]), err
}
