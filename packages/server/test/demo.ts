import { loadDemo } from '@svc-admin/spec'

export const projectId = '64b7e1c20f3a5d6e7f809101'
export const orgId = '64b7e0a10f3a5d6e7f809001'
export const newest = 'application/vnd.svc.2025-03-12+json'

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
