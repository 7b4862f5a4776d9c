package sqlite

import (
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// walIndex is what the index of a write-ahead log, the file -shm, says of it: the salts of its round, and how many of its frames
// were on disk whole at some moment. SQLite writes that number after the frames are on disk. Therefore it holds whatever happens
// afterwards, for as long as the log has these salts; after a power cut it may be an older one, or zeros. The zero walIndex says
// nothing.
type walIndex struct {
	salts  [8]byte
	frames uint32
}

// The layout is that of https://www.sqlite.org/walformat.html#the_wal_index_file_format: a header in the byte order of the machine,
// twice, so that one that is being written shows.
const (
	indexHeader  = 48
	indexVersion = 3007000
)

// readIndex reads the index at path as it is. This process must not use the database yet: see inUse.
func readIndex(path string) walIndex {
	f, err := os.Open(path)
	if err != nil {
		return walIndex{}
	}
	defer f.Close()
	b := make([]byte, 2*indexHeader)
	if _, err := io.ReadFull(f, b); err != nil {
		return walIndex{}
	}
	return parseIndex(b)
}

func parseIndex(b []byte) (x walIndex) {
	ne := binary.NativeEndian
	first, second := b[:indexHeader], b[indexHeader:2*indexHeader]
	sum := checksum{}.plus(ne.Uint16([]byte{0, 1}) == 1, first[:40])
	if string(first) != string(second) || ne.Uint32(first) != indexVersion || (checksum{ne.Uint32(first[40:]), ne.Uint32(first[44:])}) != sum {
		return x
	}
	copy(x.salts[:], first[32:40])
	x.frames = ne.Uint32(first[16:])
	return x
}

// inUse counts the stores of this process on each file. It is the process's, for so are the locks that SQLite holds on a database:
// whoever closes one of its files drops those of everybody else in the process. So no file of a database is opened by other
// means than SQLite's while a store of this process is on it.
var inUse = struct {
	sync.Mutex
	stores map[string]int
}{stores: map[string]int{}}

// claim notes that a store is on the file, and returns what the index of its write-ahead log said before any was.
func claim(path string) walIndex {
	inUse.Lock()
	defer inUse.Unlock()
	inUse.stores[path]++
	if inUse.stores[path] > 1 {
		return walIndex{} // it was looked at by the first
	}
	return readIndex(path + "-shm")
}

// release notes that a store has left the file.
func release(path string) {
	inUse.Lock()
	defer inUse.Unlock()
	if inUse.stores[path]--; inUse.stores[path] == 0 {
		delete(inUse.stores, path)
	}
}

// realPath returns the path behind links, beside which SQLite keeps what belongs to the file. A file that is not there has none.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
