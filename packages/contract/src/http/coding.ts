import { brotliDecompressSync, gunzipSync, inflateSync, type ZlibOptions } from 'node:zlib'
import { type Header, headerValue } from './exchange.ts'

/** Thrown if the kit can't decode a response's content coding. */
export class UnsupportedCoding extends Error {
  override readonly name = 'UnsupportedCoding'

  constructor(coding: string) {
    super(`a response without the content coding ${coding}, which the kit can't decode`)
  }
}

type Decoder = (bytes: Buffer, options: ZlibOptions) => Buffer

/** Decoders for the content codings (RFC 9110 §8.4.1) that all supported Node.js versions can decode. */
const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
  ['identity', (bytes) => bytes],
])

/** Returns the content codings of a body, in the order in which the server applied them. */
const codingsOf = (headers: readonly Header[]): readonly string[] =>
  (headerValue(headers, 'Content-Encoding') ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '')

/** Returns whether the body has a content coding. */
export const isCoded = (headers: readonly Header[]): boolean =>
  codingsOf(headers).some((coding) => coding !== 'identity')

/**
 * Decodes a body. Without an `Accept-Encoding` header, a request accepts any coding (RFC 9110 §12.5.3).
 *
 * @param maxBytes The maximum size of the decoded body.
 * @throws UnsupportedCoding for an unknown coding. If the data is invalid, throws the error from zlib.
 */
export const withoutCodings = (headers: readonly Header[], bytes: Buffer, maxBytes: number): Buffer => {
  if (bytes.length === 0) return bytes
  return codingsOf(headers).reduceRight((body, coding) => {
    const decode = decoders.get(coding)
    if (decode === undefined) throw new UnsupportedCoding(coding)
    return decode(body, { maxOutputLength: maxBytes })
  }, bytes)
}
