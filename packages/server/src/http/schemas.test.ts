import { describe, expect, it } from 'vitest'
import { documentOf } from '../specification/documents.ts'
import { operationRows, type Route, routesOf } from './route-table.ts'
import { inputSchemas } from './schemas.ts'

const versions = routesOf().flatMap((route: Route) => route.versions.map((version) => ({ route, version })))

/** Strings that would cause a vulnerable regular expression to backtrack. */
const attacks = ['a', '0', '-', '.', 'a-', '1.', 'aA0-', ' ', '\u00e4', '\n'].map(
  (part) => `${part.repeat(20_000)}!`,
)

describe('input schemas', () => {
  it.each(versions.map(({ route, version }) => [route.row.id, version.id, route.row] as const))(
    'of %s in %s compile',
    (_, version, row) => {
      const schemas = inputSchemas(row, version)
      expect([...schemas.queryTypes.keys()].sort()).toEqual([...row.queryParameters].sort())
    },
  )

  it.each([
    ['2026-03-01T12:00:00Z', true],
    ['2026-03-01T12:00:00.125Z', true],
    ['2026-03-01t14:00:00+02:00', true],
    ['2026-03-01 12:00:00Z', false],
    ['2026-03-01T14:00:00+0200', false],
    ['2026-03-01T14:00:00+02', false],
    ['2026-03-01T12:00:00', false],
    ['2026-02-29T12:00:00Z', false],
    ['2026-03-01', false],
  ])('accept %s as a timestamp: %s', (acknowledgedUntil, expected) => {
    const { body } = inputSchemas(operationRows.acknowledgeAlert, '2024-05-30')
    expect(body?.isValid({ acknowledgedUntil })).toBe(expected)
  })

  it.each([
    ['createAlertConfig', { eventTypeName: 'HOST_DOWN', notifications: Array(300_000).fill(0) }],
    ['createAlertConfig', { eventTypeName: 'HOST_DOWN', matchers: Array(300_000).fill({}) }],
    ['updateSearchAnalyzers', [{ name: 'a', tokenFilters: Array(300_000).fill({}), tokenizer: {} }]],
  ] as const)('reject a body of %s with very many errors, and report one', (id, value) => {
    const { body } = inputSchemas(operationRows[id], '2025-03-12')
    expect(body?.isValid(value)).toBe(false)
    const named = body?.errorsOf(value) ?? []
    expect(named.length).toBeGreaterThan(0)
    // The server reports an error for each alternative that the first invalid item doesn't match. Errors in other items
    // aren't reported.
    expect(named.length).toBeLessThan(100)
  })

  it('report all errors of a body of common size', () => {
    const { body } = inputSchemas(operationRows.createAlertConfig, '2025-03-12')
    const pointers = body
      ?.errorsOf({ eventTypeName: 1, notifications: [0, 1] })
      .map((one) => one.instancePath)
    expect(new Set(pointers)).toEqual(new Set(['/eventTypeName', '/notifications/0', '/notifications/1']))
  })

  it("don't use unevaluatedProperties, so Ajv's tracking of evaluated properties is disabled", () => {
    const all = [...new Set(versions.map(({ version }) => version.id))]
    expect(all.filter((id) => JSON.stringify(documentOf(id)).includes('"unevaluated'))).toEqual([])
  })

  it('have no pattern with catastrophic backtracking on text within the length limits', () => {
    const slow: string[] = []
    for (const { version } of versions) {
      JSON.stringify(documentOf(version.id), (key, value: unknown) => {
        if (key === 'pattern' && typeof value === 'string') {
          const pattern = new RegExp(value, 'u')
          for (const attack of attacks) {
            const started = process.cpuUsage().user
            pattern.test(attack)
            if (process.cpuUsage(undefined).user - started > 1_000_000) slow.push(value)
          }
        }
        return value
      })
    }
    expect(slow).toEqual([])
  })
})
