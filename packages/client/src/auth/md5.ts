/** RFC 1321 §3.4: bits to rotate in each of the four kinds of step, by round. */
const rotations = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]

/**
 * MD5 (RFC 1321), which Digest servers still require and WebCrypto doesn't support. The established packages
 * are a quarter of this client's total size. Used only for the wire format of RFC 7616.
 */
export function md5(message: Uint8Array): Uint8Array {
  const { length } = message
  // §3.1 and §3.2: a one bit, zeros and the length in bits, in blocks of 64 bytes.
  const padded = new DataView(new ArrayBuffer(((length + 72) >> 6) << 6))
  new Uint8Array(padded.buffer).set(message)
  padded.setUint8(length, 128)
  // The upper half of the length stays 0: no input here is near half a gigabyte.
  padded.setUint32(padded.byteLength - 8, length * 8, true)
  let state = initial
  for (let offset = 0; offset < padded.byteLength; offset += 64) state = mixBlock(state, padded, offset)
  state.forEach((word, index) => {
    padded.setUint32(index * 4, word, true)
  })
  return new Uint8Array(padded.buffer, 0, 16)
}

/** §3.3: two words and their complements. */
const initial: Words = [0x67452301, 0xefcdab89, ~0x67452301, ~0xefcdab89]

type Words = readonly [number, number, number, number]

function mixBlock(state: Words, block: DataView, offset: number): Words {
  let [a, b, c, d] = state
  for (let step = 0; step < 64; step++) {
    const round = step >> 4
    const mixed = [(b & c) | (~b & d), (d & b) | (~d & c), b ^ c ^ d, c ^ (b | ~d)][round] as number
    const word = [step, 5 * step + 1, 3 * step + 5, 7 * step][round] as number
    const sine = 2 ** 32 * Math.abs(Math.sin(step + 1))
    const sum = (a + mixed + (sine | 0) + block.getUint32(offset + (word & 15) * 4, true)) | 0
    const by = rotations[4 * round + (step & 3)] as number
    ;[a, b, c, d] = [d, (b + ((sum << by) | (sum >>> (32 - by)))) | 0, b, c]
  }
  return [state[0] + a, state[1] + b, state[2] + c, state[3] + d]
}
