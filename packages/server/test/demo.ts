import { loadDemo } from '@svc-admin/spec'
import { versions } from '@svc-admin/types'

export const projectId = '64b7e1c20f3a5d6e7f809101'
export const orgId = '64b7e0a10f3a5d6e7f809001'

/** The default start time of tests. */
export const noon = Date.UTC(2026, 2, 1, 12)

/** The newest version that is available at the default start time of tests. */
export const newest = versions.findLast(({ id }) => Date.parse(id) <= noon)?.mediaType ?? ''

/** The secrets of the API keys in the demo, keyed by public key. */
export const demoSecrets: ReadonlyMap<string, string> = new Map(
  (loadDemo().apiKeys ?? []).map((key) => [String(key.publicKey), String(key.privateKey)]),
)

/**
 * Changes a demo cluster's database version to a version that doesn't support search. The cluster keeps its search
 * resources.
 */
export async function downgrade(
  { control }: { control(method: string, path: string, body: unknown): Promise<unknown> },
  name: string,
): Promise<void> {
  const cluster = loadDemo().clusters?.find((one) => one.name === name)
  await control('POST', '/seed', { clusters: [{ ...cluster, databaseVersion: '4.0.28' }] })
}
