import { versions } from '@svc-admin/types'
import { describe, expect, it } from 'vitest'
import { goTo, ordersEu } from '../../test/backups.ts'
import {
  type CheckedServer,
  type RequestOptions,
  startChecked,
  type TestResponse,
} from '../../test/checked-server.ts'
import { projectId } from '../../test/demo.ts'

const config = '66c4d5e60f3a5d6e7f809a01'

interface Resource {
  readonly path: string
  readonly method: string
  readonly change: Readonly<Record<string, unknown>>
  readonly prepare?: (server: CheckedServer) => Promise<void>
}

const compliance = `/groups/${projectId}/backupCompliancePolicy`

const resources: Readonly<Record<string, Resource>> = {
  'an alert configuration': {
    path: `/groups/${projectId}/alertConfigs/${config}`,
    method: 'PUT',
    change: { severityOverride: 'WARNING' },
  },
  'an auditing configuration': {
    path: `/groups/${projectId}/auditLog`,
    method: 'PATCH',
    change: { auditAuthorizationSuccess: true },
  },
  'a backup schedule': { path: `${ordersEu}/schedule`, method: 'PATCH', change: { referenceHourOfDay: 5 } },
  'a compliance policy': {
    path: compliance,
    method: 'PUT',
    change: { authorizedUserFirstName: 'Greta' },
    prepare: async (server) => {
      const json = { authorizedEmail: 'auditor@lindgren.example' }
      await server.ask(compliance, { method: 'PUT', json })
      await goTo(server, '2026-03-01T13:00:00Z')
    },
  },
}

const bookkeeping = new Set(['state', 'updated', 'updatedDate', 'updatedUser', 'nextSnapshot'])

const withoutBookkeeping = ({ text }: TestResponse): object =>
  Object.fromEntries(Object.entries(JSON.parse(text)).filter(([name]) => !bookkeeping.has(name)))

const request = ({ generation, mediaType }: (typeof versions)[number]): RequestOptions => ({
  ...(generation === 'v1.0' ? {} : { accept: mediaType }),
  contentType: mediaType,
})

describe.each(Object.entries(resources))('%s that is read, changed and sent back', (_, resource) => {
  const { path, method, change, prepare } = resource

  it.each(versions.map((version) => [version.id, version] as const))(
    'in %s has the change and is otherwise the same',
    async (_id, version) => {
      const server = await startChecked()
      await prepare?.(server)
      const send = (ask: RequestOptions = {}) => {
        const ofVersion = { ...request(version), ...ask }
        return version.generation === 'v1.0' ? server.askV1(path, ofVersion) : server.ask(path, ofVersion)
      }
      const before = await send()
      expect(before.status).toBe(200)
      const sent = await send({ method, json: { ...JSON.parse(before.text), ...change } })
      expect([sent.status, sent.body]).toEqual([200, expect.objectContaining(change)])
      const after = await send()
      expect(withoutBookkeeping(after)).toEqual({ ...withoutBookkeeping(before), ...change })
    },
  )
})
