package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/bits"
	"os"
)

// SQLite reads its write-ahead log up to the first frame whose checksum is wrong and takes the rest for what a crash left
// unfinished. That is right for what was being written, and for what an earlier crash or a rollback left behind it. But whatever
// was confirmed is on disk whole: there a wrong frame is damage, and going on would drop what was confirmed, without a word. Two
// things tell the one from the other.
//
// The index of the log (wal_index.go) says how many frames were on disk whole. After a program is killed it is there, and what is
// damaged before that frame is found whatever it is.
//
// After a power cut the index may be older, or gone. Then the frames tell, because the checksum of each goes on from that of the
// one before: where behind a wrong frame the end of a transaction is followed by a frame whose checksum goes on from it, two
// transactions were written one after the other, and the first was on disk before the second began. What is left over from before
// cannot look like that, for each writer begins where the last confirmed transaction ends. So without the index goes unseen: damage
// in the last transaction alone, and damage that destroys both the end of the last but one (more of that frame than the mark of
// its end) and nothing before it. Both are what a power cut leaves of one transaction that was not confirmed, byte for byte.

// The layout is that of https://www.sqlite.org/fileformat2.html#the_write_ahead_log.
const (
	walHeader   = 32
	frameHeader = 24
	walMagic    = 0x377f0682 // and with its last bit set: checksums over big-endian words
)

// checkLog fails with ErrLogDamaged if the write-ahead log of the database at path holds commits that SQLite would not
// read. Other programs may be writing to it: damage stays where it is, and what they are about to write does not.
func checkLog(path string, index walIndex) error {
	const looks = 3
	last := int64(-1)
	for range looks {
		w, err := scanLog(path+"-wal", index)
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

func scanLog(path string, index walIndex) (walScan, error) {
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
	if string(l.salts) == string(index.salts[:]) && scan.sound < walHeader+int64(index.frames)*int64(frameHeader+l.page) {
		scan.lost = true
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
	bigEndian bool // the words that checksums are over
	page      int
	salts     []byte
	head      checksum // of the header, which that of the first frame goes on from
}

// checksum is SQLite's: two sums modulo 2^32, each word added to one of them together with the other.
type checksum struct{ a, b uint32 }

// checksumAt reads a checksum as it is written, big-endian always.
func checksumAt(b []byte) checksum {
	return checksum{binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])}
}

// plus returns the checksum with bytes, a multiple of eight, added to it as words in one byte order or the other.
func (c checksum) plus(bigEndian bool, b []byte) checksum {
	for ; len(b) >= 8; b = b[8:] {
		first, second := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
		if bigEndian {
			first, second = bits.ReverseBytes32(first), bits.ReverseBytes32(second)
		}
		c.a += first + c.b
		c.b += second + c.a
	}
	return c
}

// readHeader reports whether the header is one, and begins the checksum of the frames.
func readHeader(b []byte) (*walReader, bool) {
	be := binary.BigEndian
	magic := be.Uint32(b)
	if magic&^1 != walMagic {
		return nil, false
	}
	l := &walReader{bigEndian: magic&1 != 0, page: int(be.Uint32(b[8:])), salts: b[16:24]}
	l.head = checksum{}.plus(l.bigEndian, b[:24])
	power := l.page >= 512 && l.page <= 65536 && l.page&(l.page-1) == 0
	return l, power && l.head == checksumAt(b[24:])
}

// frames reads on from the first frame.
func (l *walReader) frames(r io.Reader) (walScan, error) {
	scan := walScan{sound: walHeader}
	frame := make([]byte, frameHeader+l.page)
	from := []checksum{l.head, l.head} // what the next frame may go on from: the checksum that the one before has, and the one that it should have
	at, broken, ended, ours := int64(walHeader), false, false, true
	for {
		if _, err := io.ReadFull(r, frame); err != nil {
			return scan, noMore(err)
		}
		at += int64(len(frame))
		before := ours
		ours = bytes.Equal(frame[8:16], l.salts) // else it is of an earlier round of the log
		has, should, follows := checksumAt(frame[16:]), checksum{}, false
		if !broken || ours || before {
			should, follows = l.follows(frame, from)
		}
		if broken && ended && follows {
			scan.lost = true
			return scan, nil
		}
		ended = l.ends(frame, from, follows)
		broken = broken || !ours || !follows
		if !broken && ended {
			scan.sound = at
		}
		from[0], from[1] = has, should
	}
}

// follows reports whether the frame goes on from one of the checksums, and returns the checksum that it should have, if it has
// none of them that which goes on from the first.
func (l *walReader) follows(frame []byte, from []checksum) (checksum, bool) {
	has, should := checksumAt(frame[16:]), make([]checksum, len(from))
	for i, c := range from {
		should[i] = c.plus(l.bigEndian, frame[:8]).plus(l.bigEndian, frame[frameHeader:])
		if should[i] == has {
			return has, true
		}
	}
	return should[0], false
}

// ends reports whether the frame ends a transaction. The mark for that may be what is damaged: where its checksum says what alone
// the mark was, that counts.
func (l *walReader) ends(frame []byte, from []checksum, follows bool) bool {
	marked := binary.BigEndian.Uint32(frame[4:]) != 0
	if follows {
		return marked
	}
	for _, c := range from {
		if mark, ok := l.mark(frame, c); ok {
			return mark != 0
		}
	}
	return marked
}

// mark returns what the mark of a frame that goes on from c has to be, that its checksum is right; false if no mark makes it so.
// The mark is the only word that is not known, and its share of both sums grows with it in proportion.
func (l *walReader) mark(frame []byte, c checksum) (uint32, bool) {
	has := checksumAt(frame[16:])
	without := c.plus(l.bigEndian, append(bytes.Clone(frame[:4]), 0, 0, 0, 0)).plus(l.bigEndian, frame[frameHeader:])
	share := checksum{0, 1}.plus(l.bigEndian, make([]byte, l.page)) // of a mark of 1
	mark := (has.a - without.a) * inverse(share.a)                  // share.a is odd: a Fibonacci number whose index no 3 divides
	return mark, mark*share.b == has.b-without.b
}

// inverse returns the number which times x, which is odd, is 1 modulo 2^32.
func inverse(x uint32) uint32 {
	y := x // right in its last three bits, of which each step makes twice as many
	for range 4 {
		y *= 2 - x*y
	}
	return y
}
