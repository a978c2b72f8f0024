import { versions } from '@svc-admin/types'
import { withGenerated } from '../../check/generated.ts'
import { always, both, forEach, onApi, onRead, onV1, onV2, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import type { Arbitrary, Generate } from '../../document/arbitrary.ts'
import { stringAt } from '../../document/json.ts'
import { expectPast, expectReleased, targetDay } from '../../given/target-day.ts'
import { headerValue } from '../../http/exchange.ts'
import { mediaTypeOfDate, sameMediaType } from '../../http/media-type.ts'
import type { Cell } from '../../model/api.ts'
import type { CallChanges } from '../../model/call.ts'
import { bodyOf, expectError, expectServed, expectThat } from '../../model/expect.ts'

/** Returns a request with this `Accept` header. If the request has a body, `Content-Type` has the same version. */
const inVersion = (cell: Cell, accept: string): CallChanges => ({
  accept,
  ...(cell.row.hasBody && { contentType: accept }),
})

const day = 24 * 3600 * 1000

const shifted = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * day).toISOString().slice(0, 10)

/** Returns the operation's v2 versions, starting with the oldest. */
const datesOf = ({ operation }: Cell): string[] =>
  Object.keys(operation.versions).filter((id) => /^\d{4}-/.test(id))

const allDates: readonly string[] = versions
  .filter(({ generation }) => generation === 'v2')
  .map(({ id }) => id)

const nextOf = (cell: Cell): string | undefined => datesOf(cell).find((date) => date > cell.version.id)

/** If there is no newer version, the tests use dates up to this many days after the version's date. */
const muchLater = 400

/** Returns the last date to test that resolves to the version under test. The date is never in the future. */
const lastOf = (cell: Cell): string => {
  const next = nextOf(cell)
  const last = next ? shifted(next, -1) : shifted(cell.version.id, muchLater)
  const today = new Date().toISOString().slice(0, 10)
  return last < today ? last : today
}

/**
 * Returns two later dates that resolve to the version under test: the day after the version's date, and the last
 * possible date.
 */
const laterDates = (cell: Cell): string[] =>
  [...new Set([shifted(cell.version.id, 1), lastOf(cell)])].filter(
    (date) => date > cell.version.id && date <= lastOf(cell),
  )

const datesBetween = (generate: Generate, first: string, last: string): Arbitrary<string> =>
  generate.nat((Date.parse(last) - Date.parse(first)) / day).map((days) => shifted(first, days))

const isDate = (text: string): boolean => {
  const parsedDate = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(parsedDate.getTime()) && parsedDate.toISOString().startsWith(text)
}

/** Generates strings that look like dates but aren't valid dates. */
const impossibleDates = (generate: Generate): Arbitrary<string> => {
  const digits = (most: number, length: number) =>
    generate.nat(most).map((number) => String(number).padStart(length, '0'))
  return generate
    .tuple(digits(9999, 4), digits(99, 2), digits(99, 2))
    .map((parts) => parts.join('-'))
    .filter((text) => !isDate(text))
}

/** Generates lists of media ranges, in any order, that select the version under test. */
const acceptedRanges = (generate: Generate, cell: Cell): Arbitrary<string> => {
  const foreign = [
    'text/html',
    'application/json',
    '*/*',
    mediaTypeOfDate('2999-01-01'),
    mediaTypeOfDate('1999-12-31'),
  ]
  const others = [
    ...datesOf(cell)
      .filter((date) => date !== cell.version.id)
      .map(mediaTypeOfDate),
  ]
  const quality = (least: number, most: number) => generate.integer({ min: least, max: most })
  const ranged = (names: readonly string[], least: number, most: number) =>
    generate
      .subarray([...names])
      .chain((chosen) =>
        generate.tuple(...chosen.map((name) => quality(least, most).map((q) => `${name};q=${q / 1000}`))),
      )
  return quality(2, 1000).chain((own) =>
    generate
      .tuple(ranged(foreign, 0, 1000), ranged(others, 0, own - 1))
      .chain(([one, other]) => {
        const all = [`${cell.row.mediaType};q=${own / 1000}`, ...one, ...other]
        return generate.shuffledSubarray(all, { minLength: all.length })
      })
      .map((list) => list.join(', ')),
  )
}

const isFirst = (cell: Cell): true | string => datesOf(cell)[0] === cell.version.id || 'not the first version'

const impossible = [
  '2024-02-31',
  '2024-13-01',
  '2023-02-29',
  '0000-00-00',
  '2024-1-1',
  '20240530',
  'latest',
  '2024-05-30T00',
] as const

/** These `Accept` values select no version, even though clients of v2 must always select a version. */
const unchosen: readonly (string | null)[] = [
  null,
  '*/*',
  'application/*',
  'application/json',
  'text/html',
  '*/*;q=0.1',
]

const servedAs = async (trial: Trial, changes: CallChanges): Promise<void> => {
  const exchange = await trial.try(changes)
  expectServed(exchange)
  const { mediaType, hasContent } = trial.cell.row
  const actual = headerValue(exchange.response.headers, 'Content-Type')
  const right = !hasContent || (actual !== undefined && sameMediaType(actual, mediaType))
  expectThat(right, { expected: `Content-Type ${mediaType}`, actual: actual ?? 'no Content-Type', exchange })
}

/**
 * Expects the server to use the version under test. An older version also passes if the target may not have released
 * the newer version yet.
 */
const servedAmong = async (trial: Trial, accept: string): Promise<void> => {
  await expectReleased(trial.context, trial.cell)
  await servedAs(trial, { accept })
}

const servedFor = async (trial: Trial, date: string): Promise<void> => {
  await expectPast(trial.context, date)
  await servedAs(trial, inVersion(trial.cell, mediaTypeOfDate(date)))
}

/** Returns the last date that resolves to the version under test and isn't later than the target's current date. */
const latestOnTarget = async ({ cell, context }: Trial): Promise<string> => {
  await expectReleased(context, cell)
  const [day, last] = [await targetDay(context), lastOf(cell)]
  return last < day ? last : day
}

const refuseTooOld = async (trial: Trial, date: string): Promise<void> => {
  const exchange = await trial.try(inVersion(trial.cell, mediaTypeOfDate(date)))
  expectError(exchange, 'NOT_ACCEPTABLE', 'the operation has no version for such an early date')
}

const refuseImpossible = async (trial: Trial, date: string): Promise<void> => {
  const exchange = await trial.try(inVersion(trial.cell, mediaTypeOfDate(date)))
  expectError(exchange, 'INVALID_VERSION_DATE', 'it is not a calendar date')
}

const beforeFirst = { at: both(onV2, isFirst), phase: 'read' } as const

/** Selects only GET operations in v2, because these checks send many requests. */
const reading = both(onV2, onRead)

interface Ranges {
  readonly label: string
  readonly accept: (own: string) => string
}

/** In all of these lists of media ranges, the version under test is the best match. */
const ranges: readonly Ranges[] = [
  { label: 'after an unknown media type', accept: (own) => `text/html, ${own}` },
  { label: 'with plain JSON at a higher quality', accept: (own) => `application/json;q=0.9, ${own};q=0.8` },
  { label: 'with a quality', accept: (own) => `${own};q=0.3` },
  { label: 'without a space', accept: (own) => `text/html;q=1,${own};q=0.5` },
  { label: 'with a future date', accept: (own) => `${mediaTypeOfDate('2999-01-01')};q=1.0, ${own};q=0.5` },
]

const upperCase = (cell: Cell): CallChanges => inVersion(cell, cell.row.mediaType.toUpperCase())

export default rules({
  'versions.own-date-served': always(
    async (trial) => {
      await servedAs(trial, {})
      const { cell } = trial
      if (onRead(cell) === true && cell.operation.envelope)
        await servedAs(trial, { query: [['envelope', 'true']] })
    },
    { at: onV2 },
  ),
  'versions.next-date-served': always((trial) => servedAs(trial, {}), { at: onV2 }),
  'versions.first-date-served': always((trial) => servedAs(trial, {}), { at: onV2 }),

  'versions.later-date-resolves-to-newest-before': [
    forEach(laterDates, (date) => date, servedFor, { at: onV2 }),
    withGenerated(
      async (generate, trial) => datesBetween(generate, trial.cell.version.id, await latestOnTarget(trial)),
      servedFor,
      { at: reading },
    ),
  ],

  'versions.date-before-first-refused': [
    forEach(
      // The dates include versions of other operations.
      ({ version }) => [
        ...new Set([shifted(version.id, -1), '1999-12-31', ...allDates.filter((date) => date < version.id)]),
      ],
      (date) => date,
      refuseTooOld,
      beforeFirst,
    ),
    withGenerated(
      (generate, { cell }) => datesBetween(generate, '1970-01-01', shifted(cell.version.id, -1)),
      refuseTooOld,
      beforeFirst,
    ),
  ],

  'versions.future-date-refused': forEach(
    () => ['2999-12-31', '9999-12-31'] as const,
    (date) => date,
    async (trial, date) => {
      const exchange = await trial.try(inVersion(trial.cell, mediaTypeOfDate(date)))
      expectError(exchange, 'NOT_ACCEPTABLE', 'the date is later than today')
    },
    { at: onV2, phase: 'read' },
  ),

  'versions.impossible-date-refused': [
    forEach(
      () => impossible,
      (date) => date,
      refuseImpossible,
      { at: onV2, phase: 'read' },
    ),
    withGenerated(impossibleDates, refuseImpossible, { at: onV2, phase: 'read' }),
  ],

  'versions.must-be-chosen': forEach(
    () => unchosen,
    (accept) => accept ?? 'absent',
    async (trial, accept) => {
      const exchange = await trial.try({ accept })
      expectError(exchange, 'NOT_ACCEPTABLE', "the request doesn't select a version")
      const detail = stringAt(bodyOf(exchange), 'detail') ?? ''
      for (const date of datesOf(trial.cell))
        expectThat(detail.includes(date), { expected: `detail with ${date}`, actual: detail, exchange })
    },
    { at: onV2, phase: 'read' },
  ),

  'versions.best-quality-wins': [
    forEach(
      () => ranges,
      ({ label }) => label,
      (trial, { accept }) => servedAs(trial, { accept: accept(trial.cell.row.mediaType) }),
      { at: onV2 },
    ),
    forEach(
      (cell) => datesOf(cell).filter((date) => date !== cell.version.id),
      (date) => `preferred to ${date}`,
      (trial, date) =>
        servedAmong(trial, `${mediaTypeOfDate(date)};q=0.2, ${trial.cell.row.mediaType};q=0.7`),
      { at: onV2 },
    ),
    always(
      async (trial) => {
        const exchange = await trial.try({ accept: `${trial.cell.row.mediaType};q=0` })
        expectError(exchange, 'NOT_ACCEPTABLE', 'a quality of 0 means "not acceptable" (RFC 9110 §12.4.2)')
      },
      { at: onV2, phase: 'read', label: 'quality 0' },
    ),
    withGenerated((generate, { cell }) => acceptedRanges(generate, cell), servedAmong, { at: reading }),
  ],

  'versions.media-type-case-insensitive': always((trial) => servedAs(trial, upperCase(trial.cell)), {
    at: onApi,
  }),

  'versions.plain-json-served': always((trial) => servedAs(trial, { accept: 'application/json' }), {
    at: onV1,
  }),

  'versions.plain-json-unasked-served': forEach(
    (): readonly (string | null)[] => [null, '*/*', 'application/*', 'text/html, application/json;q=0.1'],
    (accept) => accept ?? 'absent',
    (trial, accept) => servedAs(trial, { accept }),
    { at: onV1 },
  ),

  'versions.plain-other-accept-refused': forEach(
    () => ['text/html', 'application/xml', mediaTypeOfDate('2023-01-01'), 'application/json;q=0'],
    (accept) => accept,
    async (trial, accept) => {
      expectError(await trial.try({ accept }), 'NOT_ACCEPTABLE', 'the API only returns JSON')
    },
    { at: onV1, phase: 'read' },
  ),
})
