import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type JsonObject, listAt, parseJson, stringAt } from '../../document/json.ts'
import { openKit } from '../../kit.ts'
import type { Selection } from '../../model/selection.ts'

/**
 * This target returns 400 for unknown resource names, and validates nothing else. If a request also contained
 * an unknown name, the kit could conclude that the target had detected the error.
 */

const [groupId, snapshotId, bucketId, roleId] = ['a', 'b', 'd', 'e'].map((digit) => digit.repeat(24))
const [main, instance] = [
  { name: 'main', tier: 'M30' },
  { name: 'instance', tier: 'SERVERLESS' },
]

let known = new Set<string>()
let schedule: object = {}
/** Returns a JSON pointer to an unrelated field, which the target's errors name. */
let faultIn: (body: JsonObject) => string | undefined = () => undefined

const unknownIn = (path: string, body: JsonObject): string | undefined => {
  const place = path.split('/').slice(4)
  const named = place.filter((_, index) =>
    ['groups', 'clusters', 'serverless', 'snapshots'].includes(place[index - 1] ?? ''),
  )
  if (named.some((name) => !known.has(name))) return '/'
  return ['snapshotId', 'targetClusterName', 'targetGroupId', 'exportBucketId', 'iamRoleId']
    .filter((field) => field in body && !known.has(stringAt(body, field) ?? ''))
    .map((field) => `/${field}`)[0]
}

const seeded = ['projects', 'clusters', 'snapshots', 'exportBuckets']

const server = createServer(async (request, response) => {
  const { method, url = '', headers } = request
  const body = parseJson(await text(request)) as JsonObject | undefined
  const answer = (status: number, content: object): void => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(content))
  }
  const challenge = 'Digest realm="x", nonce="n", qop="auth", algorithm=MD5'
  if (url === '/seed') {
    for (const row of seeded.flatMap((name) => listAt(body, name)))
      for (const name of ['id', '_id', 'name'].map((field) => stringAt(row, field))) if (name) known.add(name)
    answer(200, {})
  } else if (url === '/unseed') answer(200, {})
  else if (headers.authorization === undefined)
    response.writeHead(401, { 'WWW-Authenticate': challenge }).end()
  else if (method === 'DELETE') response.writeHead(204).end()
  else if (method === 'GET') answer(url.endsWith('/schedule') ? 200 : 404, schedule)
  else {
    const fault = unknownIn(url, body ?? {}) ?? faultIn(body ?? {})
    if (fault === undefined) answer(200, { ...body, id: 'c'.repeat(24) })
    else answer(400, { errorCode: 'VALIDATION_ERROR', parameters: [fault] })
  }
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
beforeEach(() => {
  known = new Set([groupId ?? '', snapshotId ?? '', bucketId ?? '', roleId ?? '', main.name, instance.name])
  faultIn = () => undefined
  schedule = { restoreWindowDays: 1 }
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

type Operation = NonNullable<Selection['operations']>[number]

/**
 * Returns the verdicts for one version, by requirement and variant, without the checks for sharded and flex clusters,
 * which a target file can't name.
 */
const verdictsOn = async (
  operation: Operation,
  requirements: readonly string[],
  more: { readonly things?: object; readonly seeds?: boolean } = {},
) => {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const hooks = { seed: { url: `${baseUrl}/seed` }, unseed: { url: `${baseUrl}/unseed` } }
  const kit = await openKit({
    target: {
      baseUrl,
      things: { groupId: groupId ?? '', ...more.things },
      clusters: [main, instance],
      roles: { ORGANIZATION_OWNER: { apiKey: { publicKey: 'key', privateKey: 'secret' } } },
      ...(more.seeds && { hooks }),
    },
    selection: { operations: [operation], requirements, versions: ['2023-01-01'], inputs: 0 },
  })
  const { results } = await kit.run()
  const own = results.filter(
    ({ id, requirement }) => requirements.includes(requirement) && !/(sharded|flex) cluster$/.test(id),
  )
  return new Map(own.map(({ id, verdict }) => [id.replace(/@[^#]*/, ''), verdict]))
}

const refusals = [
  'automated-needs-target',
  'point-in-time-needs-target',
  'automated-needs-snapshot',
  'download-needs-snapshot',
  'point-in-time-needs-moment',
  'point-in-time-one-moment',
  'oplog-members-together',
].map((name) => `createRestoreJob.${name}`)

const refusalsOfInstances = [
  'target-always-required',
  'needs-snapshot',
  'point-in-time-one-moment',
  'oplog-members-together',
].map((name) => `createServerlessRestoreJob.${name}`)

const exporting = { snapshotId: snapshotId ?? '', exportBucketId: bucketId ?? '' }
const ofRole = { roleId: roleId ?? '' }

const rightRetention = ({ retentionUnit, retentionValue }: JsonObject): string | undefined => {
  if (!['DAYS', 'WEEKS', 'MONTHS', 'YEARS'].includes(String(retentionUnit))) return '/retentionUnit'
  return Number(retentionValue) >= 1 ? undefined : '/retentionValue'
}

test.each([
  ['createRestoreJob', refusals, { snapshotId: snapshotId ?? '' }],
  [
    'createServerlessRestoreJob',
    refusalsOfInstances,
    { 'getServerlessSnapshot.snapshotId': snapshotId ?? '' },
  ],
  ['createExportJob', ['createExportJob.both-ids-required'], exporting],
] as const)(
  '%s fails a target that only validates names if a snapshot exists',
  async (operation, requirements, things) => {
    const verdictsById = await verdictsOn(operation, requirements, { things })
    expect(verdictsById.size).toBeGreaterThan(requirements.length)
    // If a check tests one of our own decisions, its verdict is WARN instead of FAIL.
    expect(new Set([...verdictsById.values(), 'WARN'])).toEqual(new Set(['FAIL', 'WARN']))
    // Without a snapshot, the target could reject the request for more than one reason.
    const without = await verdictsOn(operation, requirements)
    expect(new Set(without.values())).toEqual(new Set(['UNTESTABLE']))
  },
)

test('warns if a restore error names the wrong field', async () => {
  const things = { snapshotId: snapshotId ?? '' }
  const timeRequirements = ['createRestoreJob.point-in-time-needs-moment']
  faultIn = () => '/oplogTs'
  expect([...(await verdictsOn('createRestoreJob', timeRequirements, { things })).values()]).toEqual(['PASS'])
  faultIn = () => '/deliveryType'
  expect([...(await verdictsOn('createRestoreJob', timeRequirements, { things })).values()]).toEqual(['WARN'])
})

test('tests a point-in-time restore only with continuous backup', async () => {
  const things = { snapshotId: snapshotId ?? '' }
  schedule = {}
  const verdictsById = await verdictsOn('createRestoreJob', refusals, { things })
  const verdicts = (deliveryType: string) =>
    new Set([...verdictsById].flatMap(([id, verdict]) => (id.includes(deliveryType) ? [verdict] : [])))
  expect(verdicts('point-in-time')).toEqual(new Set(['UNTESTABLE']))
  expect(verdicts('automated')).not.toContain('UNTESTABLE')
})

test('tests a retention on an existing snapshot, never on a provided one', async () => {
  const requirements = ['four-units', 'both-members-required'].map(
    (name) => `updateSnapshotRetention.${name}`,
  )
  const things = { snapshotId: snapshotId ?? '' }
  const wrong = async (more: object) => {
    const verdictsById = await verdictsOn('updateSnapshotRetention', requirements, more)
    return new Set(
      [...verdictsById].filter(([id]) => !/#(accepted|[a-z]+s)$/.test(id)).map(([, verdict]) => verdict),
    )
  }
  expect(await wrong({ things })).toEqual(new Set(['UNTESTABLE']))
  expect(await wrong({ seeds: true })).toEqual(new Set(['FAIL']))
  faultIn = rightRetention
  expect(await wrong({ seeds: true })).toEqual(new Set(['PASS']))
})

test('tests a missing bucket field with an existing role', async () => {
  const required = 'createExportBucket.all-members-required'
  const verdictsFor = async (things: object) =>
    Object.fromEntries(await verdictsOn('createExportBucket', [required], { things }))
  const [bucketName, cloudProvider, iamRoleId] = ['bucketName', 'cloudProvider', 'iamRoleId'].map(
    (field) => `${required}#${field}`,
  )
  const names = [bucketName ?? '', cloudProvider ?? '', iamRoleId ?? '']
  const all = (...verdicts: string[]) =>
    Object.fromEntries(names.map((name, index) => [name, verdicts[index]]))
  expect(await verdictsFor(ofRole)).toEqual(all('FAIL', 'FAIL', 'FAIL'))
  faultIn = (body) =>
    ['bucketName', 'cloudProvider', 'iamRoleId']
      .filter((name) => !(name in body))
      .map((name) => `/${name}`)[0]
  expect(await verdictsFor(ofRole)).toEqual(all('PASS', 'PASS', 'PASS'))
  expect(await verdictsFor({})).toEqual(all('UNTESTABLE', 'UNTESTABLE', 'PASS'))
})

test('tests a schedule on an existing cluster', async () => {
  const requirements = ['window-positive', 'policies-at-most-1'].map((name) => `updateBackupSchedule.${name}`)
  const verdictsById = async () =>
    new Set((await verdictsOn('updateBackupSchedule', requirements, { seeds: true })).values())
  expect(await verdictsById()).toEqual(new Set(['FAIL']))
  // If the error names another field, it doesn't show that the server detected this one.
  faultIn = ({ restoreWindowDays }) => (restoreWindowDays === 0 ? '/referenceHourOfDay' : undefined)
  expect([
    ...(await verdictsOn('updateBackupSchedule', requirements.slice(0, 1), { seeds: true })).values(),
  ]).toEqual(['WARN'])
})
