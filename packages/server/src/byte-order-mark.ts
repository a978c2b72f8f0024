/** What some editors and shells begin a file with. */
const marks = {
  utf8: [0xef, 0xbb, 0xbf],
  utf16: [
    [0xff, 0xfe],
    [0xfe, 0xff],
  ],
} as const

/**
 * A file without its byte order mark, which a reader of JSON may pass over (RFC 8259 §8.1).
 *
 * @throws {Error} for a mark of another encoding than UTF-8.
 */
export function stripByteOrderMark(bytes: Buffer): Buffer {
  const beginsWith = (mark: readonly number[]) => mark.every((byte, index) => bytes[index] === byte)
  if (marks.utf16.some(beginsWith)) throw new Error('The file is in UTF-16: save it in UTF-8.')
  return beginsWith(marks.utf8) ? bytes.subarray(marks.utf8.length) : bytes
}
