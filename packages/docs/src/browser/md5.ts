/** The number of bits to rotate left in each step (RFC 1321 §3.4). */
const shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
const sines = Array.from({ length: 64 }, (_, index) => Math.floor(Math.abs(Math.sin(index + 1)) * 2 ** 32))

/**
 * Returns the MD5 digest of UTF-8 text, in hexadecimal. HTTP Digest requires MD5, and Web Crypto doesn't support it.
 */
export function md5(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const length = ((bytes.length + 8) >> 6) + 1
  const words = new DataView(new ArrayBuffer(length * 64))
  bytes.forEach((byte, index) => {
    words.setUint8(index, byte)
  })
  words.setUint8(bytes.length, 0x80)
  words.setUint32(length * 64 - 8, bytes.length * 8, true)
  let state: Quad = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
  for (let block = 0; block < length; block += 1) state = round(state, words, block * 64)
  return state.map(hex).join('')
}

type Quad = [number, number, number, number]

function round(state: Quad, words: DataView, offset: number): Quad {
  let [a, b, c, d] = state
  for (let step = 0; step < 64; step += 1) {
    const part = step >> 4
    const [mixed, word] = mix(part, step, b, c, d)
    const sum = (a + mixed + (sines[step] ?? 0) + words.getUint32(offset + word * 4, true)) | 0
    const shift = shifts[part * 4 + (step % 4)] ?? 0
    ;[a, d, c, b] = [d, c, b, (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0]
  }
  return [(state[0] + a) | 0, (state[1] + b) | 0, (state[2] + c) | 0, (state[3] + d) | 0]
}

function mix(part: number, step: number, b: number, c: number, d: number): [mixed: number, word: number] {
  if (part === 0) return [(b & c) | (~b & d), step]
  if (part === 1) return [(d & b) | (~d & c), (5 * step + 1) % 16]
  return part === 2 ? [b ^ c ^ d, (3 * step + 5) % 16] : [c ^ (b | ~d), (7 * step) % 16]
}

function hex(word: number): string {
  let out = ''
  for (let byte = 0; byte < 4; byte += 1) out += ((word >>> (byte * 8)) & 255).toString(16).padStart(2, '0')
  return out
}
