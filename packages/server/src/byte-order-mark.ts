/** Byte order marks that some editors and shells write at the start of a file. */
const marks = {
  utf8: [0xef, 0xbb, 0xbf],
  utf16: [
    [0xff, 0xfe],
    [0xfe, 0xff],
  ],
} as const

/**
 * Removes the UTF-8 byte order mark from a file, because the JSON standard doesn't require parsers to accept it (RFC
 * 8259 §8.1).
 *
 * @throws {Error} if the file starts with a UTF-16 byte order mark.
 */
export function stripByteOrderMark(bytes: Buffer): Buffer {
  const beginsWith = (mark: readonly number[]) => mark.every((byte, index) => bytes[index] === byte)
  if (marks.utf16.some(beginsWith)) throw new Error('The file is encoded in UTF-16. Save it as UTF-8.')
  return beginsWith(marks.utf8) ? bytes.subarray(marks.utf8.length) : bytes
}
