import { loadDemo } from '@svc-admin/spec'
import { versions } from '@svc-admin/types'

export const projectId = '64b7e1c20f3a5d6e7f809101'
export const orgId = '64b7e0a10f3a5d6e7f809001'

/** A noon that every test starts at, unless it says otherwise. */
export const noon = Date.UTC(2026, 2, 1, 12)

/** The newest version that there is at noon: a date yet to come is none. */
export const newest = versions.findLast(({ id }) => Date.parse(id) <= noon)?.mediaType ?? ''

/** Secrets of the demo's API keys by public key. */
export const demoSecrets: ReadonlyMap<string, string> = new Map(
  (loadDemo().apiKeys ?? []).map((key) => [String(key.publicKey), String(key.privateKey)]),
)

/** Gives a cluster of the demo a database version that has no Search, with what it has of Search already. */
export async function downgrade(
  { control }: { control(method: string, path: string, body: unknown): Promise<unknown> },
  name: string,
): Promise<void> {
  const cluster = loadDemo().clusters?.find((one) => one.name === name)
  await control('POST', '/seed', { clusters: [{ ...cluster, databaseVersion: '4.0.28' }] })
}
