package probe

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"hash"
)

// pdfCrypt decrypts a PDF that everybody may read: public bodies encrypt files not to hide them, but to forbid their change, and any
// reader opens them with the empty password. It is the standard security handler (ISO 32000-2 section 7.6.4), of which the algorithms
// bear numbers; the password is empty in all of them.
type pdfCrypt struct {
	key              []byte
	strings, streams pdfCipher
	metadata         bool // XMP metadata is encrypted too
}

// pdfCipher is how strings or streams are encrypted.
type pdfCipher uint8

const (
	cipherNone pdfCipher = iota
	cipherRC4
	cipherAES    // with a key for each object
	cipherAES256 // with one key for the file
)

// pdfPad fills a password up to 32 bytes (algorithm 2).
var pdfPad = []byte("\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A")

// newPDFCrypt finds the key. It reports locked where the empty password is not the user's, and where the file is encrypted otherwise.
func newPDFCrypt(encrypt pdfDict, id any) (c *pdfCrypt, locked bool) {
	c = &pdfCrypt{metadata: encrypt["EncryptMetadata"] != false}
	version, _ := encrypt["V"].(int)
	revision, _ := encrypt["R"].(int)
	c.strings, c.streams = cipherOf(encrypt, version, "StrF"), cipherOf(encrypt, version, "StmF")
	user, _ := encrypt["U"].(pdfString)
	switch {
	case encrypt["Filter"] != pdfName("Standard") || len(user) < 32:
	case revision == 2, revision == 3, revision == 4:
		ids, _ := id.(pdfArray)
		c.key = c.findKey(encrypt, revision, user, firstID(ids))
	case revision == 5, revision == 6:
		c.key = findKey256(encrypt, revision, user)
	}
	return c, c.key == nil
}

func firstID(ids pdfArray) pdfString {
	if len(ids) == 0 {
		return nil
	}
	id, _ := ids[0].(pdfString)
	return id
}

// cipherOf returns the cipher for strings or for streams: from version 4 on, of the crypt filter that is named for them.
func cipherOf(encrypt pdfDict, version int, filter pdfName) pdfCipher {
	if version < 4 {
		return cipherRC4
	}
	if encrypt[filter] != pdfName("StdCF") {
		return cipherNone
	}
	filters, _ := encrypt["CF"].(pdfDict)
	standard, _ := filters["StdCF"].(pdfDict)
	return map[any]pdfCipher{pdfName("V2"): cipherRC4, pdfName("AESV2"): cipherAES, pdfName("AESV3"): cipherAES256}[standard["CFM"]]
}

// findKey makes the key (algorithm 2) and checks it (algorithms 4 and 5). It returns nil if a password is needed.
func (c *pdfCrypt) findKey(encrypt pdfDict, revision int, user, id pdfString) []byte {
	owner, _ := encrypt["O"].(pdfString)
	permissions, _ := encrypt["P"].(int)
	h := md5.New()
	h.Write(pdfPad)
	h.Write(owner[:min(len(owner), 32)])
	h.Write(binary.LittleEndian.AppendUint32(nil, uint32(permissions)))
	h.Write(id)
	if revision >= 4 && !c.metadata {
		h.Write([]byte("\xFF\xFF\xFF\xFF"))
	}
	size := keySize(encrypt, revision)
	key := h.Sum(nil)[:size]
	if revision >= 3 {
		for range 50 {
			sum := md5.Sum(key)
			key = sum[:size]
		}
	}
	if !bytes.HasPrefix(user, userCheck(key, revision, id)) {
		return nil
	}
	return key
}

// keySize is the length of the key in bytes. Files say it in bits; those of version 4 have one length only, whatever they say.
func keySize(encrypt pdfDict, revision int) int {
	bits, _ := encrypt["Length"].(int)
	switch {
	case encrypt["V"] == 4:
		return 16
	case revision == 2 || bits < 40 || bits > 128:
		return 5
	}
	return bits / 8
}

// userCheck is what the key makes of the empty password: the beginning of the entry U.
func userCheck(key []byte, revision int, id pdfString) []byte {
	if revision == 2 {
		return crypted(key, pdfPad)
	}
	sum := md5.Sum(append(bytes.Clone(pdfPad), id...))
	check := sum[:]
	for round := range 20 {
		mixed := bytes.Clone(key)
		for i := range mixed {
			mixed[i] ^= byte(round)
		}
		check = crypted(mixed, check)
	}
	return check
}

// crypted applies RC4, which decrypts what it encrypted.
func crypted(key, data []byte) []byte {
	c, err := rc4.NewCipher(key)
	if err != nil {
		return nil
	}
	out := make([]byte, len(data))
	c.XORKeyStream(out, data)
	return out
}

// findKey256 finds the key of a file with AES-256 (algorithm 2.A, and 11 for the check). It returns nil if a password is needed.
func findKey256(encrypt pdfDict, revision int, user pdfString) []byte {
	sealed, _ := encrypt["UE"].(pdfString)
	if len(user) < 48 || len(sealed) < 32 || !bytes.Equal(hash256(user[32:40], revision), user[:32]) {
		return nil
	}
	key := make([]byte, 32)
	cbc(hash256(user[40:48], revision), make([]byte, aes.BlockSize), cipher.NewCBCDecrypter).CryptBlocks(key, sealed[:32])
	return key
}

// hash256 is the hash of the empty password with a salt: SHA-256, and from revision 6 on algorithm 2.B.
func hash256(salt []byte, revision int) []byte {
	sum := sha256.Sum256(salt)
	key := sum[:]
	if revision < 6 {
		return key
	}
	for round, last := 0, 0; round < 64 || last > round-32; round++ {
		mixed := bytes.Repeat(key, 64)
		cbc(key[:16], key[16:32], cipher.NewCBCEncrypter).CryptBlocks(mixed, mixed)
		h := hashOf(mixed[:16])
		h.Write(mixed)
		key, last = h.Sum(nil), int(mixed[len(mixed)-1])
	}
	return key[:32]
}

// hashOf chooses the hash of a round: by the remainder of a number of 16 bytes when divided by 3, which is that of their sum.
func hashOf(number []byte) hash.Hash {
	sum := 0
	for _, b := range number {
		sum += int(b)
	}
	return []func() hash.Hash{sha256.New, sha512.New384, sha512.New}[sum%3]()
}

// cbc is AES in CBC mode. The key has a length that AES knows.
func cbc(key, iv []byte, mode func(cipher.Block, []byte) cipher.BlockMode) cipher.BlockMode {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // keys are 16 or 32 bytes long here
	}
	return mode(block, iv)
}

// decrypt decrypts data of an object (algorithms 1 and 1.A).
func (c *pdfCrypt) decrypt(o pdfObject, data []byte, how pdfCipher) []byte {
	switch how {
	case cipherRC4:
		return crypted(c.keyOf(o, ""), data)
	case cipherAES:
		return decryptAES(c.keyOf(o, "sAlT"), data)
	case cipherAES256:
		return decryptAES(c.key, data)
	}
	return data
}

// keyOf is the key of an object.
func (c *pdfCrypt) keyOf(o pdfObject, salt string) []byte {
	h := md5.New()
	h.Write(c.key)
	h.Write([]byte{byte(o.number), byte(o.number >> 8), byte(o.number >> 16), byte(o.generation), byte(o.generation >> 8)})
	h.Write([]byte(salt))
	return h.Sum(nil)[:min(len(c.key)+5, 16)]
}

// decryptAES decrypts data that begins with its initial vector and ends with its padding. Of data that was cut, as many blocks
// as there are.
func decryptAES(key, data []byte) []byte {
	if len(data) < aes.BlockSize || len(key) != 16 && len(key) != 32 {
		return nil
	}
	iv, data := data[:aes.BlockSize], data[aes.BlockSize:]
	whole := len(data) - len(data)%aes.BlockSize
	out := make([]byte, whole)
	cbc(key, iv, cipher.NewCBCDecrypter).CryptBlocks(out, data[:whole])
	if whole == len(data) && whole > 0 {
		if pad := int(out[whole-1]); pad <= aes.BlockSize {
			out = out[:whole-pad]
		}
	}
	return out
}

// decryptString decrypts a string of an object; nothing comes of one that cannot be decrypted.
func (f *pdfFile) decryptString(of pdfObject, s pdfString) pdfString {
	switch {
	case f.crypt == nil || of.plain:
		return s
	case f.locked:
		return nil
	}
	return f.crypt.decrypt(of, s, f.crypt.strings)
}

// decryptStream decrypts the data of a stream. It reports false for one that cannot be decrypted.
func (f *pdfFile) decryptStream(o pdfObject) (data []byte, ok bool) {
	switch {
	case f.crypt == nil || !f.crypt.metadata && o.dict()["Type"] == pdfName("Metadata"):
		return o.data, true
	case f.locked:
		return nil, false
	}
	return f.crypt.decrypt(o, o.data, f.crypt.streams), true
}
