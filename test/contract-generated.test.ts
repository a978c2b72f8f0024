import { expect, test } from 'vitest'
import { concernsOf } from '../packages/contract/mutants/harness.ts'
import { isSuccess, requestHeader } from '../packages/contract/mutants/mutant.ts'
import type { ProxiedRequest, Response } from '../packages/contract/mutants/proxy.ts'
import { isObject, listAt, parseJson } from '../packages/contract/src/document/json.ts'
import { loadApi } from '../packages/contract/src/model/api.ts'
import type { RequirementId } from '../packages/contract/src/model/requirement.ts'
import { useHarness } from './mutant-harness.ts'

// Tests faults that only generated inputs reveal, because no example or boundary value triggers them.

const harness = useHarness()

interface Planted {
  readonly requirement: RequirementId
  readonly at: string
  readonly what: string
  readonly concerns: (request: ProxiedRequest, response: Response) => boolean
  readonly change: (response: Response) => Response
  /** The verdict that the generated checks should have, if it isn't FAIL. */
  readonly verdict?: 'LENIENT'
}

const taken = (response: Response): Response => ({ ...response, status: 200, body: '{}' })
const refused = (response: Response): Response => ({ ...response, status: 406, body: '{}' })

const isAstral = (text: string): boolean => /[\u{10000}-\u{10ffff}]/u.test(text)
const accept = (request: ProxiedRequest): string => requestHeader(request, 'Accept') ?? ''
const dateOf = (request: ProxiedRequest): string =>
  /vnd\.svc\.([\d-]+)\+json/.exec(accept(request))?.[1] ?? ''
const sizeOf = ({ path }: ProxiedRequest): number => Number(/itemsPerPage=(\d+)/.exec(path)?.[1])

const planted: readonly Planted[] = [
  {
    requirement: 'bodies.constraints-enforced',
    at: 'createAlertConfig@2023-01-01',
    what: 'a body with characters beyond U+FFFF is accepted',
    concerns: ({ body = '' }) => isAstral(body) && parseJson(body) !== undefined,
    change: taken,
  },
  {
    requirement: 'bodies.invalid-json',
    at: 'createAlertConfig@2023-01-01',
    what: 'a long text that is not JSON is accepted',
    concerns: ({ body = '' }) => body.length > 20 && parseJson(body) === undefined,
    change: taken,
  },
  {
    requirement: 'parameters.constraints-enforced',
    at: 'listAlerts@2023-01-01',
    what: 'a parameter with characters beyond U+FFFF is accepted',
    concerns: ({ path }) => isAstral(decodeURIComponent(path)),
    change: taken,
  },
  {
    requirement: 'identifiers.malformed-refused',
    at: 'getAlert@2023-01-01',
    what: 'an identifier with characters beyond U+FFFF is accepted',
    concerns: ({ path }) => isAstral(decodeURIComponent(path)),
    change: taken,
  },
  {
    requirement: 'versions.later-date-resolves-to-newest-before',
    at: 'getAlert@2023-01-01',
    what: 'dates of a spring and summer are rejected',
    concerns: (request) => /^2023-0[3-9]/.test(dateOf(request)),
    change: refused,
  },
  {
    requirement: 'versions.date-before-first-refused',
    at: 'getAlert@2023-01-01',
    what: 'dates of two decades are accepted',
    concerns: (request) => /^(197|198|200)/.test(dateOf(request)),
    change: taken,
  },
  {
    requirement: 'versions.impossible-date-refused',
    at: 'getAlert@2023-01-01',
    what: 'impossible dates of later centuries are not acceptable',
    concerns: (request) => dateOf(request) > '2100',
    change: refused,
  },
  {
    requirement: 'versions.best-quality-wins',
    at: 'getAlert@2023-01-01',
    what: 'a long list of media ranges is rejected',
    concerns: (request) => accept(request).split(',').length > 2,
    change: refused,
  },
  {
    requirement: 'paging.pages-partition',
    at: 'listAlertConfigs@2023-01-01',
    what: 'pages of three or more lack their last item',
    concerns: (request, response) => isSuccess(response) && sizeOf(request) > 2 && sizeOf(request) < 500,
    change: (response) => {
      const body = parseJson(response.body)
      const results = listAt(body, 'results').slice(0, -1)
      return { ...response, body: JSON.stringify({ ...(isObject(body) && body), results }) }
    },
  },
]

/** Operations that store their input, from which the mutant removes characters beyond U+FFFF. */
const forgetful: readonly Planted[] = (
  [
    ['createAlertConfig.stored', 'createAlertConfig@2023-01-01'],
    ['updateAlertConfig.replaces', 'updateAlertConfig@2023-01-01'],
    // The verdict is LENIENT, because the requirement's strength is open.
    ['updateSearchAnalyzers.tokenizer-open', 'updateSearchAnalyzers@2023-01-01', 'LENIENT'],
    ['updateSearchIndex.stores-definition', 'updateSearchIndex@2024-05-30'],
    ['updateSearchIndexByName.stores-definition', 'updateSearchIndexByName@2024-05-30'],
    ['createSearchIndex.definition-open', 'createSearchIndex@2024-05-30', 'LENIENT'],
    ['createFtsIndex.inner-shapes-open', 'createFtsIndex@2023-01-01', 'LENIENT'],
    ['updateAuditingConfig.filter-is-json', 'updateAuditingConfig@2023-01-01'],
    ['takeSnapshot.answers-with-replica-set-snapshot', 'takeSnapshot@2023-01-01'],
    ['createExportJob.custom-data-kept', 'createExportJob@2023-01-01'],
    ['updateCompliancePolicy.answers-with-compliance-policy', 'updateCompliancePolicy@2023-01-01'],
    ['acknowledgeAlert.acknowledges', 'acknowledgeAlert@2023-01-01'],
  ] as const
).map(([requirement, at, verdict]) => ({
  requirement,
  at,
  ...(verdict && { verdict }),
  what: 'characters beyond U+FFFF are lost',
  concerns: (_request, response) => isSuccess(response) && isAstral(response.body),
  change: (response) => ({ ...response, body: response.body.replace(/[\u{10000}-\u{10ffff}]/gu, '?') }),
}))

const verdictsOf = async ({ requirement, at, concerns, change }: Planted, isPlanted: boolean) => {
  const cell = loadApi().cells.find(({ key }) => key === at)
  if (cell === undefined) throw new Error(`there is no cell ${at}`)
  await harness().settle(cell)
  const place = { operations: [cell.operation.id], versions: [cell.version.id], requirements: [requirement] }
  const { results } = await harness().check(place, {
    concerns: concernsOf({ cell, reach: 'cell' }),
    api: async (request, forward) => {
      const response = await forward(request)
      return isPlanted && concerns(request, response) ? change(response) : response
    },
  })
  const own = results.filter((one) => one.requirement === requirement)
  const verdicts = (some: typeof own) => [...new Set(some.map(({ verdict }) => verdict))]
  return {
    generated: verdicts(own.filter(({ variant }) => variant === 'generated')),
    others: verdicts(own.filter(({ variant }) => variant !== 'generated')),
  }
}

test.each([...planted, ...forgetful].map((one) => [one.requirement, one.what, one] as const))(
  '%s: only generated inputs notice that %s',
  async (_requirement, _what, one) => {
    expect(await verdictsOf(one, false)).toEqual({ generated: ['PASS'], others: ['PASS'] })
    expect(await verdictsOf(one, true)).toEqual({ generated: [one.verdict ?? 'FAIL'], others: ['PASS'] })
  },
)
