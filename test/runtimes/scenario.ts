import type * as Client from '@svc-admin/client'
import type * as OpenapiFetch from '@svc-admin/client/openapi-fetch'

/** The server's address, and credentials. */
export interface Target {
  readonly baseUrl: string
  readonly key: Client.DigestCredentials
  readonly account: Client.ClientCredentials
  readonly groupId: string
}

/** Exercises the client's features on any runtime. The test checks the returned object. */
export async function run(
  client: typeof Client,
  openapiFetch: typeof OpenapiFetch,
  target: Target,
): Promise<object> {
  const { baseUrl, key, account, groupId } = target
  const options = { baseUrl, version: '2025-03-12' } as const
  const withKey = client.createClient({ ...options, credentials: key })
  const withToken = client.createClient({ ...options, credentials: account })
  return {
    ...(await readLists(withKey, withToken, groupId)),
    ...(await callByPath(openapiFetch, target)),
    ...(await changeThings(client, withToken, groupId)),
    ...(await provokeErrors(client, target)),
    lostCallers: await findLostCallers(client, withKey, groupId),
  }
}

type Pinned = Client.Clients['2025-03-12']

async function readLists(withKey: Pinned, withToken: Pinned, groupId: string): Promise<object> {
  const { data, version } = await withKey.listAlerts({ groupId }).withResponse()
  const same = await withToken.listAlerts({ groupId })
  const parallel = await Promise.all(Array.from({ length: 20 }, () => withKey.listAlerts({ groupId })))
  const items: string[] = []
  for await (const { id } of withToken.listAlerts.items({ groupId, itemsPerPage: 1 })) items.push(id)
  return {
    version,
    sameForBoth: JSON.stringify(data.results) === JSON.stringify(same.results),
    parallel: parallel.filter(({ totalCount }) => totalCount === data.totalCount).length,
    paged: items.length === data.totalCount,
  }
}

async function callByPath(
  { createOpenapiClient }: typeof OpenapiFetch,
  { baseUrl, key, groupId }: Target,
): Promise<object> {
  const client = createOpenapiClient({ baseUrl, credentials: key, version: '2025-03-12' })
  const { response } = await client.GET('/groups/{groupId}/alerts', { params: { path: { groupId } } })
  return { byPath: response.status }
}

async function changeThings(
  { isErrorCode }: typeof Client,
  client: Pinned,
  groupId: string,
): Promise<object> {
  const body: Client.v2025_03_12.AlertConfigRequestInput = {
    eventTypeName: 'HOST_DOWN',
    notifications: [{ typeName: 'EMAIL', emailAddress: 'a@lindgren.example' }],
  }
  const { id: alertConfigId } = await client.createAlertConfig({ groupId, body })
  await client.toggleAlertConfig({ groupId, alertConfigId, body: { enabled: true } })
  const { enabled } = await client.getAlertConfig({ groupId, alertConfigId })
  await client.deleteAlertConfig({ groupId, alertConfigId })
  const gone = await failure(client.getAlertConfig({ groupId, alertConfigId }))
  return { enabled, gone: isErrorCode(gone, 'RESOURCE_NOT_FOUND') }
}

async function provokeErrors({ createClient }: typeof Client, target: Target): Promise<object> {
  const { baseUrl, key, groupId } = target
  const version = '2025-03-12'
  const wrong = createClient({ baseUrl, version, credentials: { ...key, privateKey: 'wrong' } })
  const unreachable = createClient({ baseUrl: 'http://127.0.0.1:9', version, retry: { maxRetries: 0 } })
  const controller = new AbortController()
  const aborted = failure(wrong.listAlerts({ groupId }, { signal: controller.signal }))
  controller.abort(new Error('enough'))
  return {
    wrongKey: nameOf(await failure(wrong.listAlerts({ groupId }))),
    unreachable: nameOf(await failure(unreachable.listMatcherFieldNames())),
    aborted: String(await aborted),
  }
}

/** Returns the kinds of calls whose error stacks don't contain the calling function. */
async function findLostCallers(
  { createClient }: typeof Client,
  client: Pinned,
  groupId: string,
): Promise<readonly string[]> {
  const missing = { groupId, alertId: '0'.repeat(24) }
  const version = '2025-03-12'
  const unreachable = createClient({ baseUrl: 'http://127.0.0.1:9', version, retry: { maxRetries: 0 } })
  const elsewhere = { groupId: '0'.repeat(24) }
  const callers: Readonly<Record<string, () => Promise<unknown>>> = {
    async call() {
      await client.getAlert(missing)
    },
    async unreachable() {
      await unreachable.getAlert(missing)
    },
    async withResponse() {
      await client.getAlert(missing).withResponse()
    },
    async result() {
      const { error } = await client.getAlert(missing).result()
      throw error
    },
    async parallel() {
      await Promise.all([client.getAlert(missing), client.listAlerts({ groupId })])
    },
    async items() {
      for await (const { id } of client.listAlerts.items(elsewhere)) console.error(id)
    },
    async pages() {
      for await (const { links } of client.listAlerts.pages(elsewhere)) console.error(links)
    },
    async toArray() {
      await client.listAlerts.toArray(elsewhere)
    },
    async invalid() {
      for await (const { id } of client.listAlerts.items({ groupId: '' })) console.error(id)
    },
    async waitFor() {
      await client.waitFor('alert', () => client.getAlert(missing), { until: 'CLOSED' })
    },
  }
  const lost: string[] = []
  for (const [name, caller] of Object.entries(callers)) {
    const error = await failure(caller())
    // Depending on the runtime, stack traces contain `async name`, `Object.name` or `async Object.name`.
    const named = new RegExp(`\\b${name}\\b.*scenario\\.mjs:\\d+`)
    if (!(error instanceof Error && named.test(error.stack ?? ''))) lost.push(name)
  }
  return lost
}

/** Returns the rejection reason of a promise. */
async function failure(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  return undefined
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'none'
}
