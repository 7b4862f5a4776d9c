package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// SQLite reads its write-ahead log up to the first frame whose checksum is wrong and takes the rest for what a crash left
// unfinished. That is right for the last transaction. But every earlier one was on disk before the next began, so that a
// wrong frame with a whole transaction behind its own is damage, and going on would drop what was confirmed, without a word.

// The layout is that of https://www.sqlite.org/fileformat2.html#the_write_ahead_log.
const (
	walHeader   = 32
	frameHeader = 24
	walMagic    = 0x377f0682 // and with its last bit set: checksums over big-endian words
)

// checkLog fails with ErrLogDamaged if the write-ahead log of the database at path holds commits that SQLite would not
// read. Other programs may be writing to it: damage stays where it is, and what they are about to write does not.
func checkLog(path string) error {
	const looks = 3
	last := int64(-1)
	for range looks {
		w, err := scanLog(path + "-wal")
		if err != nil || !w.lost {
			return err
		}
		if w.sound == last {
			return fmt.Errorf("%w from byte %d on, and what was committed after that cannot be read", ErrLogDamaged, w.sound)
		}
		last = w.sound
	}
	return nil
}

// walScan is what a look at a write-ahead log found.
type walScan struct {
	sound int64 // bytes of it that SQLite would read
	lost  bool  // whether there are commits behind that were confirmed
}

func scanLog(path string) (walScan, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) { // what may not be read SQLite will refuse
		return walScan{}, nil
	}
	if err != nil {
		return walScan{}, err
	}
	defer f.Close()
	head := make([]byte, walHeader)
	if _, err := io.ReadFull(f, head); err != nil {
		return walScan{}, noMore(err) // nothing was ever committed to it
	}
	l, ok := readHeader(head)
	if !ok {
		return walScan{lost: hasFrames(f)}, nil
	}
	scan, err := l.frames(f)
	if err != nil {
		return walScan{}, err
	}
	again := make([]byte, walHeader)
	if _, err := f.ReadAt(again, 0); err != nil || !bytes.Equal(head, again) {
		return walScan{}, noMore(err) // another program has begun it anew
	}
	return scan, nil
}

// hasFrames reports whether anything but zeros is behind a header that cannot be read. SQLite has the header on disk before
// it writes the first frame.
func hasFrames(r io.Reader) bool {
	b := make([]byte, frameHeader)
	_, err := io.ReadFull(r, b)
	return err == nil && !bytes.Equal(b, make([]byte, frameHeader))
}

func noMore(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// walReader goes through the frames of a write-ahead log.
type walReader struct {
	order  binary.ByteOrder
	page   int
	salts  []byte
	s0, s1 uint32 // the checksum so far
}

// readHeader reports whether the header is one, and begins the checksum of the frames.
func readHeader(b []byte) (*walReader, bool) {
	be := binary.BigEndian
	magic := be.Uint32(b)
	if magic&^1 != walMagic {
		return nil, false
	}
	l := &walReader{order: binary.LittleEndian, page: int(be.Uint32(b[8:])), salts: b[16:24]}
	if magic&1 != 0 {
		l.order = be
	}
	l.sum(b[:24])
	power := l.page >= 512 && l.page <= 65536 && l.page&(l.page-1) == 0
	return l, power && l.matches(b[24:])
}

// sum adds bytes, a multiple of eight, to the checksum.
func (l *walReader) sum(b []byte) {
	for i := 0; i < len(b); i += 8 {
		l.s0 += l.order.Uint32(b[i:]) + l.s1
		l.s1 += l.order.Uint32(b[i+4:]) + l.s0
	}
}

func (l *walReader) matches(b []byte) bool {
	return binary.BigEndian.Uint32(b) == l.s0 && binary.BigEndian.Uint32(b[4:]) == l.s1
}

// frames reads on from the first frame.
func (l *walReader) frames(r io.Reader) (walScan, error) {
	scan := walScan{sound: walHeader}
	frame := make([]byte, frameHeader+l.page)
	at, broken, ended := int64(walHeader), false, false
	for {
		if _, err := io.ReadFull(r, frame); err != nil {
			return scan, noMore(err)
		}
		at += int64(len(frame))
		ours := bytes.Equal(frame[8:16], l.salts) // else it is of an earlier round of the log
		commit := binary.BigEndian.Uint32(frame[4:]) != 0
		if !broken {
			l.sum(frame[:8])
			l.sum(frame[frameHeader:])
			whole := l.matches(frame[16:]) // the salts are not in the checksum: a whole frame with others is ours, and damaged
			ours, broken = ours || whole, !ours || !whole
		}
		switch {
		case !broken && commit:
			scan.sound = at
		case broken && ended && ours:
			scan.lost = true
			return scan, nil
		case broken && commit:
			ended = ended || ours
		}
	}
}
