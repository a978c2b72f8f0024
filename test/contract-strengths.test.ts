import { STATUS_CODES } from 'node:http'
import { demoTarget, openKit, type Selection } from '@svc-admin/contract'
import { type RunningServer, startServer } from '@svc-admin/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  errorResponse,
  isSuccess,
  mapJson,
  onResponse,
  requestHeader,
  withHeader,
  withStatus,
} from '../packages/contract/mutants/mutant.ts'
import {
  type BreakingProxy,
  type Interference,
  openProxy,
  type ProxiedRequest,
  type Response,
} from '../packages/contract/mutants/proxy.ts'
import { variants } from '../packages/contract/mutants/variants.ts'
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
} from '../packages/contract/src/document/json.ts'
import type { RequirementId } from '../packages/contract/src/model/requirement.ts'

// A violation of the specification is a failure, a violation of our decision is a warning, and additional properties
// are allowed. Each of these targets deviates in a single way.

let server: RunningServer
let proxy: BreakingProxy
beforeAll(async () => {
  server = await startServer({ sandbox: true })
  proxy = await openProxy(server.url)
})
afterAll(async () => {
  await proxy.close()
  await server.stop()
})

interface Otherwise {
  readonly what: string
  readonly where: Selection
  readonly how: Interference
  /** The worst verdict for each of these requirements. */
  readonly verdicts: Readonly<Partial<Record<RequirementId, string>>>
}

const gravity = ['NOT APPLICABLE', 'PASS', 'LENIENT', 'WARN', 'FAIL', 'UNTESTABLE', 'KIT ERROR']

const gravest = (verdicts: readonly string[]): string | undefined =>
  [...verdicts].sort((one, other) => gravity.indexOf(other) - gravity.indexOf(one))[0]

const answered = (
  change: (response: Response) => Response,
  concerns: (request: ProxiedRequest) => boolean = () => true,
) => onResponse((response, request) => isSuccess(response) && concerns(request), change)()

const withFields = (change: (body: JsonObject) => Json) =>
  answered(
    (response) => mapJson(response, (body) => (isObject(body) ? change(body) : body)),
    // The specification defines the layout for `pretty=true`, which these tests don't cover.
    ({ path }) => !path.includes('pretty=true'),
  )

const refusing = (
  concerns: (request: ProxiedRequest) => boolean,
  [status, code]: readonly [number, string],
): Interference =>
  onResponse(
    (response, request) => isSuccess(response) && concerns(request),
    () => errorResponse(status, code, STATUS_CODES[status] ?? ''),
  )()

const accept = (request: ProxiedRequest): string | undefined => requestHeader(request, 'Accept')

const benign = (name: string): Interference => {
  const variant = variants.find((one) => one.name === name)
  if (variant === undefined) throw new Error(`unknown variant ${name}`)
  return variant.make()
}

const serverless = ['getServerlessRestoreJob', 'listServerlessSnapshots'] as const
const oldest = ['2023-01-01'] as const
const withBody = (body: JsonObject): string => JSON.stringify(body)

/** The first list after a deletion still shows the state before it. */
const listedOnceMore = (): Interference => {
  let last: Response | undefined
  let isStale = false
  return async (request, forward) => {
    const response = await forward(request)
    if (request.method === 'DELETE') isStale = true
    if (request.method !== 'GET' || !request.path.endsWith('/alertConfigs')) return response
    const old = isStale ? last : undefined
    isStale = false
    last = response
    return old ?? response
  }
}

const cases: readonly Otherwise[] = [
  {
    what: 'no header tells of the sunset',
    where: { operations: serverless, versions: oldest },
    how: answered((response) =>
      withHeader(withHeader(response, 'Sunset', undefined), 'Deprecation', undefined),
    ),
    verdicts: { 'cluster-kinds.serverless-sunset': 'WARN', 'versions.sunset-carries-sunset': 'WARN' },
  },
  {
    what: 'the sunset is a year later than the source says',
    where: { operations: serverless, versions: oldest, requirements: ['cluster-kinds.'] },
    how: answered((response) => withHeader(response, 'Sunset', 'Sun, 31 Jan 2027 23:59:59 GMT')),
    verdicts: { 'cluster-kinds.serverless-sunset': 'FAIL' },
  },
  {
    what: 'v1.0 wants application/json in Accept, and alone',
    where: { operations: ['listAlerts'], versions: ['v1.0'], requirements: ['versions.'] },
    how: refusing((request) => accept(request) !== 'application/json', [406, 'NOT_ACCEPTABLE']),
    verdicts: { 'versions.plain-json-served': 'PASS', 'versions.plain-json-unasked-served': 'WARN' },
  },
  {
    what: 'v1.0 rejects all requests',
    where: { operations: ['listAlerts'], versions: ['v1.0'], requirements: ['versions.plain-json-served'] },
    how: refusing(() => true, [406, 'NOT_ACCEPTABLE']),
    verdicts: { 'versions.plain-json-served': 'FAIL' },
  },
  {
    what: 'export buckets have the one version that the source gives them',
    where: { operations: ['listExportBuckets'], requirements: ['versions.'] },
    how: refusing((request) => accept(request)?.includes('2023-01-01') ?? false, [406, 'NOT_ACCEPTABLE']),
    verdicts: { 'versions.first-date-served': 'WARN', 'versions.next-date-served': 'PASS' },
  },
  {
    what: 'a job of an instance has the fields of cluster jobs',
    where: { operations: ['getServerlessRestoreJob'], versions: oldest },
    how: withFields((body) => ({ components: [], ...body })),
    verdicts: { 'getServerlessRestoreJob.no-cluster-members': 'WARN' },
  },
  {
    what: 'the schedule also shows what was requested',
    where: { operations: ['updateBackupSchedule'], versions: ['2024-08-05'], requirements: ['updateBackup'] },
    how: withFields((body) => ({ updateSnapshots: false, deleteCopiedBackups: [], ...body })),
    verdicts: {
      'updateBackupSchedule.request-only-members': 'PASS',
      'updateBackupSchedule.request-only-unanswered': 'WARN',
    },
  },
  {
    what: 'definitions are filled in',
    where: { operations: ['createSearchIndex', 'updateSearchIndex', 'updateSearchIndexByName'] },
    how: benign('definitions with defaults'),
    verdicts: {
      'createSearchIndex.latest-definition': 'PASS',
      'createSearchIndex.definition-open': 'PASS',
      'updateSearchIndex.stores-definition': 'PASS',
      'updateSearchIndexByName.vector-definition': 'PASS',
    },
  },
  {
    what: 'responses have no definitions',
    where: { operations: ['updateSearchIndex'], requirements: ['updateSearchIndex.stores', 'errors.'] },
    how: withFields((body) => ({ ...body, latestDefinition: {} })),
    verdicts: { 'updateSearchIndex.stores-definition': 'WARN' },
  },
  {
    what: 'each response has a different additional field',
    where: {
      operations: ['createAlertConfig', 'toggleAlertConfig', 'updateBackupSchedule', 'createExportBucket'],
      versions: ['v1.0'],
      requirements: ['create', 'toggle', 'update'],
    },
    how: benign('additional fields'),
    verdicts: {
      'createAlertConfig.stored': 'PASS',
      'toggleAlertConfig.changes-nothing-else': 'PASS',
      'updateBackupSchedule.only-what-is-sent': 'PASS',
      'createExportBucket.answers-with-export-bucket': 'PASS',
    },
  },
  {
    what: 'responses have no server-generated fields',
    where: { operations: ['createAlertConfig'], versions: oldest, requirements: ['createAlertConfig.'] },
    how: withFields(({ created: _, ...body }) => body),
    verdicts: { 'createAlertConfig.stored': 'WARN' },
  },
  {
    what: 'responses have no defaults',
    where: {
      operations: ['createAlertConfig'],
      versions: oldest,
      requirements: ['createAlertConfig.enabled'],
    },
    how: withFields(({ enabled: _, ...body }) => body),
    verdicts: { 'createAlertConfig.enabled-default': 'WARN' },
  },
  {
    what: 'Search nodes need a role that the source might have meant',
    where: { operations: ['createSearchNodes'], requirements: ['roles.'] },
    how: refusing(({ path }) => path.includes('/search/'), [403, 'INSUFFICIENT_ROLE']),
    verdicts: { 'roles.needed-role-suffices': 'WARN', 'roles.other-role-refused': 'PASS' },
  },
  {
    what: 'a role that the source names does not suffice',
    where: { operations: ['getCustomDns'], versions: ['v1.0'], requirements: ['roles.needed'] },
    how: refusing(({ path }) => path.includes('/awsCustomDNS'), [403, 'INSUFFICIENT_ROLE']),
    verdicts: { 'roles.needed-role-suffices': 'FAIL' },
  },
  {
    what: 'what was removed is gone for good',
    where: { operations: ['deleteSnapshot'], requirements: ['deleteSnapshot.removes'] },
    how: onResponse(
      ({ status }) => status === 404,
      (response) => withStatus(response, 410),
    )(),
    verdicts: { 'deleteSnapshot.removes': 'WARN' },
  },
  {
    what: 'wrong clients are bad requests',
    where: { operations: ['issueToken'], requirements: ['issueToken.'] },
    how: onResponse(
      ({ status }) => status === 401,
      (response) => withStatus(response, 400),
    )(),
    verdicts: { 'issueToken.error-in-catalogue': 'WARN', 'issueToken.wrong-secret': 'PASS' },
  },
  {
    what: 'tokens come with 201, which the token endpoint does not list',
    where: { operations: ['issueToken'], requirements: ['issueToken.answers', 'errors.success'] },
    how: answered((response) => withStatus(response, 201)),
    verdicts: { 'issueToken.answers-with-token': 'FAIL', 'errors.success-status': 'WARN' },
  },
  {
    what: 'access history by cluster is at no path that the source shows',
    where: { operations: ['listAccessLogsByCluster'], versions: oldest, requirements: ['operations.'] },
    how: refusing(({ path }) => path.includes('/dbAccessHistory/'), [404, 'RESOURCE_NOT_FOUND']),
    verdicts: { 'operations.method-and-path': 'WARN', 'operations.shown-method-and-path': 'FAIL' },
  },
  {
    what: 'access history by host is at another path than was decided',
    where: { operations: ['listAccessLogsByHostname'], versions: oldest, requirements: ['operations.'] },
    how: refusing(({ path }) => path.includes('/dbAccessHistory/'), [404, 'RESOURCE_NOT_FOUND']),
    verdicts: { 'operations.method-and-path': 'WARN', 'operations.shown-method-and-path': 'NOT APPLICABLE' },
  },
  {
    what: 'a boolean of the query may be in capitals, and a period begin before 1970',
    where: { operations: ['listAccessLogsByCluster'], versions: oldest, requirements: ['parameters.constr'] },
    how: onResponse(
      ({ status }, { path }) => status === 400 && /(=TRUE|(start|end)=-1)(&|$)/.test(path),
      (response) => ({ ...response, status: 200, body: withBody({ accessLogs: [], links: [] }) }),
    )(),
    verdicts: { 'parameters.constraints-enforced': 'WARN' },
  },
  {
    what: 'no page number may be larger than a counter of 32 bits holds',
    where: { operations: ['listAlerts'], versions: oldest, requirements: ['parameters.bounds'] },
    how: benign('stricter limits than we decided'),
    verdicts: { 'parameters.bounds-accepted': 'WARN' },
  },
  {
    what: 'an empty page number means the first page',
    where: { operations: ['listAlerts'], versions: oldest, requirements: ['paging.number'] },
    how: onResponse(
      ({ status }, { path }) => status === 400 && /pageNum=(&|$)/.test(path),
      (response) => ({ ...response, status: 200, body: withBody({ results: [], totalCount: 0, links: [] }) }),
    )(),
    verdicts: { 'paging.number-bounds': 'WARN' },
  },
  {
    what: 'texts and numbers may be no larger than anybody has use for',
    where: { operations: ['updateSearchAnalyzers'], versions: oldest, requirements: ['bodies.bounds'] },
    how: benign('stricter limits than we decided'),
    verdicts: { 'bodies.bounds-accepted': 'WARN' },
  },
  {
    what: 'dot segments are taken away before anything looks at the path',
    where: { operations: ['getCustomDns'], versions: oldest, requirements: ['identifiers.malformed'] },
    how: benign('removed dot segments'),
    verdicts: { 'identifiers.malformed-refused': 'PASS' },
  },
  {
    what: 'nLogs may be anything',
    where: { operations: ['listAccessLogsByCluster'], versions: oldest, requirements: ['parameters.constr'] },
    how: onResponse(
      ({ status }, { path }) => status === 400 && path.includes('nLogs'),
      (response) => ({ ...response, status: 200, body: withBody({ accessLogs: [], links: [] }) }),
    )(),
    verdicts: { 'parameters.constraints-enforced': 'FAIL' },
  },
  {
    what: 'everything was created within one millisecond, in another order than the identifiers',
    where: { operations: ['listAlerts'], versions: oldest, requirements: ['paging.order'] },
    how: withFields(({ results, ...body }) => ({
      ...body,
      results: (isArray(results) ? [...results] : [])
        .reverse()
        .map((item, at) => ({ ...Object(item), created: `2024-01-01T00:00:00.00000${at}Z` })),
    })),
    verdicts: { 'paging.order': 'PASS' },
  },
  {
    what: 'an attempt tells its time in a way of its own',
    where: { operations: ['listAccessLogsByCluster'], versions: oldest, requirements: ['accessHistory.'] },
    how: answered((response) => ({
      ...response,
      body: response.body.replace(/("timestamp": ?)"[^"]*"/g, '$1"the other day"'),
    })),
    verdicts: { 'accessHistory.newest-first': 'UNTESTABLE', 'accessHistory.period-kept': 'UNTESTABLE' },
  },
  {
    what: 'creation times are unknown',
    where: { operations: ['listAlerts'], versions: oldest },
    how: answered((response) => ({
      ...response,
      body: response.body.replace(/("created": ?)"[^"]*"/g, '$1"yesterday"'),
    })),
    verdicts: { 'paging.order': 'PASS', 'errors.body-valid': 'FAIL' },
  },
  {
    what: 'timestamps are those of another zone',
    where: { operations: ['listAlerts'], versions: oldest, requirements: ['resources.'] },
    how: answered((response) => ({ ...response, body: response.body.replace(/(:\d\d)Z"/g, '$1+02:00"') })),
    verdicts: { 'resources.timestamps-utc': 'FAIL' },
  },
  {
    what: 'filters are reformatted',
    where: {
      operations: ['updateAuditingConfig'],
      versions: oldest,
      requirements: ['updateAuditingConfig.'],
    },
    how: withFields(({ auditFilter, ...body }) => ({
      ...body,
      ...(typeof auditFilter === 'string' && {
        auditFilter: JSON.stringify(parseJson(auditFilter), null, 1),
      }),
    })),
    verdicts: { 'updateAuditingConfig.stored': 'PASS', 'updateAuditingConfig.filter-is-json': 'PASS' },
  },
  {
    what: 'the response to a toggle shows another event type',
    where: { operations: ['toggleAlertConfig'], versions: oldest, requirements: ['resources.'] },
    how: onResponse(
      (response, { method, path }) =>
        method === 'PATCH' && !path.includes('pretty=true') && isSuccess(response),
      (response) =>
        mapJson(response, (body) => (isObject(body) ? { ...body, eventTypeName: 'HOST_UP' } : body)),
    )(),
    verdicts: { 'resources.change-shows': 'FAIL', 'resources.created-change-shows': 'FAIL' },
  },
  {
    what: 'a deleted configuration is still listed once',
    where: { operations: ['deleteAlertConfig'], versions: oldest, requirements: ['resources.change-shows'] },
    how: listedOnceMore(),
    verdicts: { 'resources.change-shows': 'FAIL' },
  },
  {
    what: 'a severity is dropped if there are matchers',
    where: { operations: ['createAlertConfig'], versions: oldest, requirements: ['bodies.optional-'] },
    how: (request, forward) => {
      const body = parseJson(request.body ?? '')
      if (!isObject(body) || body.matchers === undefined) return forward(request)
      const { severityOverride: _, ...rest } = body
      return forward({ ...request, body: withBody(rest) })
    },
    verdicts: { 'bodies.optional-fields-apart': 'FAIL' },
  },
]

test.each(cases.map((one) => [one.what, one] as const))('%s', async (_, { where, how, verdicts }) => {
  proxy.interfere(how)
  const { controlUrl = '' } = server
  const kit = await openKit({
    target: demoTarget({ baseUrl: proxy.url, control: controlUrl }),
    selection: { inputs: 1, ...where },
    seed: 7,
  })
  const { results } = await kit.run()
  proxy.interfere(undefined)
  const told = Object.keys(verdicts).map((id) => [
    id,
    gravest(results.filter(({ requirement }) => requirement === id).map(({ verdict }) => verdict)),
  ])
  expect(Object.fromEntries(told)).toEqual(verdicts)
  const failed = results.filter(
    ({ verdict, requirement }) => verdict === 'FAIL' && !(requirement in verdicts),
  )
  expect(failed.map(({ id, expected, actual }) => `${id}: ${expected}, ${actual}`)).toEqual([])
})
