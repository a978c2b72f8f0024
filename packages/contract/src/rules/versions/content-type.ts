import { always, both, forEach, onApi, onV1, onV2, rules, withBody } from '../../check/rule.ts'
import { mediaTypeOfDate } from '../../http/media-type.ts'
import type { Cell } from '../../model/api.ts'
import { expectError, expectServed } from '../../model/expect.ts'

/** Returns media types that no operation accepts. `null` omits the header. */
const foreignTypes = (cell: Cell): readonly (string | null)[] => [
  null,
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'nonsense',
  'application/json; charset=utf-16',
  ...(cell.version.generation === 'v2' ? [] : [mediaTypeOfDate('2023-01-01')]),
]

/** Returns dates that don't resolve to the version in `Accept`. */
const otherDates = ({ operation, version }: Cell): string[] => [
  ...Object.keys(operation.versions).filter((id) => /^\d{4}-/.test(id) && id !== version.id),
  '1999-12-31',
  '2999-01-01',
]

export default rules({
  'versions.body-version-taken': forEach(
    () => ['', '; charset=utf-8'] as const,
    (suffix) => (suffix === '' ? 'bare' : suffix.slice(2)),
    async (trial, suffix) => {
      const exchange = await trial.try({ contentType: `${trial.cell.row.requestMediaType}${suffix}` })
      // RFC 9110 §8.3.1 allows parameters of media types, but the specification doesn't mention them.
      expectServed(exchange, 'a success', suffix === '' ? 'stated' : 'decided')
    },
    { at: both(onV2, withBody) },
  ),

  'versions.body-version-must-match': forEach(
    otherDates,
    (date) => date,
    async (trial, date) => {
      const exchange = await trial.try({ contentType: mediaTypeOfDate(date) })
      expectError(
        exchange,
        'VERSION_MISMATCH',
        `Accept resolves to ${trial.cell.version.id}, but Content-Type contains ${date}`,
      )
    },
    { at: both(onV2, withBody), phase: 'read' },
  ),

  'versions.body-plain-json-accepted': forEach(
    () => ['application/json', 'application/json; charset=utf-8'] as const,
    (contentType) => contentType,
    async (trial, contentType) => expectServed(await trial.try({ contentType })),
    { at: both(onV2, withBody) },
  ),

  'versions.body-other-type-refused': forEach(
    foreignTypes,
    (type) => type ?? 'absent',
    async (trial, type) => {
      const exchange = await trial.try({ contentType: type })
      expectError(exchange, 'UNSUPPORTED_MEDIA_TYPE', 'the operation does not accept this media type')
    },
    { at: both(onApi, withBody), phase: 'read' },
  ),

  'versions.plain-body-charset-taken': always(
    async (trial) => expectServed(await trial.try({ contentType: 'application/json; charset=UTF-8' })),
    { at: both(onV1, withBody) },
  ),
})
