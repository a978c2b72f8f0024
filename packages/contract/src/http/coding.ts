import { brotliDecompressSync, gunzipSync, inflateSync, type ZlibOptions } from 'node:zlib'
import { Untestable } from '../engine/signals.ts'
import { type Header, headerValue } from './exchange.ts'

type Decoder = (bytes: Buffer, options: ZlibOptions) => Buffer

/** What undoes the content codings (RFC 9110 §8.4.1) that Node knows in every version that is supported. */
const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
  ['identity', (bytes) => bytes],
])

/** The codings of a body, in the order in which they were applied. */
const codingsOf = (headers: readonly Header[]): readonly string[] =>
  (headerValue(headers, 'Content-Encoding') ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '')

/** Whether a body came in some coding, so that whoever asks for it has to undo that. */
export const isCoded = (headers: readonly Header[]): boolean =>
  codingsOf(headers).some((coding) => coding !== 'identity')

/**
 * A body without its codings: whoever does not say which of them it takes, takes any (RFC 9110 §12.5.3).
 *
 * @param mostBytes that may come out.
 * @throws Untestable for a coding that nobody here can undo; zlib's own error for bytes that are not in their coding.
 */
export const withoutCodings = (headers: readonly Header[], bytes: Buffer, maxBytes: number): Buffer => {
  if (bytes.length === 0) return bytes
  return codingsOf(headers).reduceRight((body, coding) => {
    const decode = decoders.get(coding)
    if (decode === undefined)
      throw new Untestable(`an answer without the content coding ${coding}, which the kit cannot undo`)
    return decode(body, { maxOutputLength: maxBytes })
  }, bytes)
}
