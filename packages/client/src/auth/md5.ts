/** The number of bits to rotate by. Each of the four rounds has four values (RFC 1321 §3.4). */
const rotations = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]

/**
 * MD5 (RFC 1321), which Digest servers still require and WebCrypto doesn't support. An existing package would increase
 * the client's size by a quarter. The client uses MD5 only where RFC 7616 requires it.
 */
export function md5(message: Uint8Array): Uint8Array {
  const { length } = message
  // The padding consists of a 1 bit, zeros, and the message length in bits.
  // The padding fills the last block of 64 bytes (§3.1, §3.2).
  const bytes = new Uint8Array(((length + 72) >> 6) << 6)
  const words = new DataView(bytes.buffer)
  bytes.set(message)
  bytes[length] = 128
  // The upper half of the length stays 0 because the input is always smaller than half a gigabyte.
  words.setUint32(bytes.length - 8, length * 8, true)
  // The initial state consists of two words and their complements (§3.3).
  // The state is in an `Int32Array` because engines are much slower with numbers that aren't 32-bit integers.
  const state = Int32Array.of(0x67452301, 0xefcdab89, ~0x67452301, ~0xefcdab89) as Words
  let [a, b, c, d] = state
  // A block has 64 bytes, and processing it takes 64 steps, so `index` counts both bytes and steps.
  for (let index = 0; index < bytes.length; ) {
    const step = index & 63
    const round = step >> 4
    const mixed =
      round < 1 ? (b & c) | (~b & d) : round < 2 ? (d & b) | (~d & c) : round < 3 ? b ^ c ^ d : c ^ (b | ~d)
    const word = step * ([1, 5, 3, 7][round] as number) + ([0, 1, 5, 0][round] as number)
    const sine = Math.abs(Math.sin(step + 1)) * 2 ** 32
    const sum = (a + mixed + (sine | 0) + words.getInt32(index - step + (word & 15) * 4, true)) | 0
    const by = rotations[4 * round + (step & 3)] as number
    a = d
    d = c
    c = b
    // JavaScript takes shift counts modulo 32, so a negative count is valid.
    b = (b + ((sum << by) | (sum >>> -by))) | 0
    if (!(++index & 63)) {
      // The digest overwrites the start of the message, which is no longer needed.
      ;[a, b, c, d].forEach((word, at) => {
        state[at] = (state[at] as number) + word
        words.setInt32(at * 4, state[at] as number, true)
      })
      ;[a, b, c, d] = state
    }
  }
  return bytes.subarray(0, 16)
}

type Words = Int32Array & [number, number, number, number]
