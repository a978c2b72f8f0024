import { type CheckedServer, projectId, type RequestOptions, type TestResponse } from './checked-server.ts'

/** The demo project with a compliance policy. `foreignId` is a project in another organization. */
export const stagingId = '64b7e1c20f3a5d6e7f809102'
export const foreignId = '64b7e1c20f3a5d6e7f809201'
export const exportRole = '66d0a1b20f3a5d6e7f80b101'
export const usedBucket = '66d0b2c30f3a5d6e7f80b201'
export const freeBucket = '66d0b2c30f3a5d6e7f80b202'
export const monthlySnapshot = '69055e800f3a5d6e7f80b401'
export const unknownId = '0123456789abcdef01234567'

export const backupOf = (cluster: string, groupId = projectId) =>
  `/groups/${groupId}/clusters/${cluster}/backup`
export const ordersEu = backupOf('orders-eu')
export const ordersGlobal = backupOf('orders-global')
export const staging = backupOf('orders-eu-staging', stagingId)
export const reports = `/groups/${projectId}/serverless/reports-serverless/backup`

export const post = (
  server: CheckedServer,
  path: string,
  json: unknown,
  ask: RequestOptions = {},
): Promise<TestResponse> => server.ask(path, { method: 'POST', json, ...ask })

export const patch = (
  server: CheckedServer,
  path: string,
  json: unknown,
  ask: RequestOptions = {},
): Promise<TestResponse> => server.ask(path, { method: 'PATCH', json, ...ask })

export const remove = (
  server: CheckedServer,
  path: string,
  ask: RequestOptions = {},
): Promise<TestResponse> => server.ask(path, { method: 'DELETE', ...ask })

export const wait = (server: CheckedServer, seconds: number) =>
  server.control('PUT', '/clock', { advanceSeconds: seconds })

export const goTo = (server: CheckedServer, now: string) => server.control('PUT', '/clock', { now })

export const day = 86_400

/** Returns the code and parameters of an error response. */
export const refusal = (got: TestResponse) => [got.at('errorCode'), got.at('parameters')]

export const item = (
  frequencyType: string,
  frequencyInterval: number,
  retentionValue: number,
  unit = 'days',
) => ({
  frequencyType,
  frequencyInterval,
  retentionUnit: unit,
  retentionValue,
})

/** Builds a request body that sets a schedule's policy items. */
export const policies = (...policyItems: unknown[]) => ({ policies: [{ policyItems }] })
