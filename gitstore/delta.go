package gitstore

import "encoding/binary"

// deltaHeader bounds the two sizes at the beginning of a delta.
const deltaHeader = 20

// deltaSizes reads the size of the base that a delta is made for and that of
// what it makes, and gives the instructions after them.
func deltaSizes(delta []byte) (base, target int64, rest []byte, err error) {
	b, n := binary.Uvarint(delta)
	if n <= 0 || b > maxSize {
		return 0, 0, nil, damaged("a delta has no size")
	}
	t, m := binary.Uvarint(delta[n:])
	if m <= 0 || t > maxSize {
		return 0, 0, nil, damaged("a delta has no size")
	}
	return int64(b), int64(t), delta[n+m:], nil
}

// applyDelta makes an object from its base. It gives memory only as the
// instructions fill it: a delta may promise anything.
func applyDelta(base, delta []byte) ([]byte, error) {
	from, size, delta, err := deltaSizes(delta)
	if err != nil {
		return nil, err
	}
	if from != int64(len(base)) {
		return nil, damaged("a delta is made for a base of %d bytes and gets one of %d", from, len(base))
	}
	target := make([]byte, 0, min(size, firstGrant))
	for len(delta) > 0 {
		var piece []byte
		if piece, delta, err = deltaStep(base, delta); err != nil {
			return nil, err
		}
		if int64(len(target)+len(piece)) > size {
			return nil, damaged("a delta makes more than the %d bytes it tells", size)
		}
		target = append(target, piece...)
	}
	if int64(len(target)) != size {
		return nil, damaged("a delta makes %d bytes and tells %d", len(target), size)
	}
	return target, nil
}

// deltaStep takes one instruction: bytes of the base, or bytes that follow it.
func deltaStep(base, delta []byte) (piece, rest []byte, err error) {
	op := delta[0]
	if delta = delta[1:]; op&0x80 != 0 {
		return copyStep(op, base, delta)
	}
	if n := int(op); n > 0 && n <= len(delta) {
		return delta[:n], delta[n:], nil
	}
	return nil, nil, damaged("a delta has a bad instruction")
}

// copyStep reads where to copy from, in four bytes, and how much, in three; the
// bits of op tell which of them are there.
func copyStep(op byte, base, delta []byte) (piece, rest []byte, err error) {
	var numbers [7]byte
	for i := range numbers {
		if op&(1<<i) == 0 {
			continue
		}
		if len(delta) == 0 {
			return nil, nil, damaged("a delta ends within an instruction")
		}
		numbers[i], delta = delta[0], delta[1:]
	}
	offset := int64(binary.LittleEndian.Uint32(numbers[:4]))
	size := int64(numbers[4]) | int64(numbers[5])<<8 | int64(numbers[6])<<16
	if size == 0 {
		size = 0x10000
	}
	if offset+size > int64(len(base)) {
		return nil, nil, damaged("a delta copies from beyond its base")
	}
	return base[offset : offset+size], delta, nil
}
