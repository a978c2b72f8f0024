/** How many bits to rotate in each of the four kinds of steps, as base-36 digits (RFC 1321 §3.4). */
const rotations = '7chm59ek4bgn6afl'

/**
 * MD5 (RFC 1321), which Digest servers still require and WebCrypto doesn't support. Established packages would add a
 * quarter of the client's size. The client uses MD5 only where RFC 7616 requires it.
 */
export function md5(message: Uint8Array): Uint8Array {
  const { length } = message
  // Appends a one bit, zeros, and the length in bits, to fill blocks of 64 bytes (§3.1, §3.2).
  const padded = new DataView(new ArrayBuffer(((length + 72) >> 6) << 6))
  new Uint8Array(padded.buffer).set(message)
  padded.setUint8(length, 128)
  // The upper half of the length stays 0, because no input comes close to half a gigabyte.
  padded.setUint32(padded.byteLength - 8, length * 8, true)
  // The initial state consists of two words and their complements (§3.3).
  let state: Words = [0x67452301, 0xefcdab89, ~0x67452301, ~0xefcdab89]
  let [a, b, c, d] = state
  // A block has 64 bytes and 64 steps, so the index counts both.
  for (let index = 0; index < padded.byteLength; ) {
    const step = index & 63
    const round = step >> 4
    const mixed = [(b & c) | (~b & d), (d & b) | (~d & c), b ^ c ^ d, c ^ (b | ~d)][round] as number
    const word = [step, 5 * step + 1, 3 * step + 5, 7 * step][round] as number
    const sine = 2 ** 32 * Math.abs(Math.sin(step + 1))
    const sum = a + mixed + (sine | 0) + padded.getUint32(index - step + (word & 15) * 4, true)
    const by = Number.parseInt(rotations[4 * round + (step & 3)] as string, 36)
    // Shift counts are taken modulo 32.
    ;[a, b, c, d] = [d, (b + ((sum << by) | (sum >>> -by))) | 0, b, c]
    if (!(++index & 63))
      state = [a, b, c, d] = [a, b, c, d].map((word, at) => word + (state[at] as number)) as Words
  }
  state.forEach((word, index) => {
    padded.setUint32(index * 4, word, true)
  })
  return new Uint8Array(padded.buffer, 0, 16)
}

type Words = [number, number, number, number]
