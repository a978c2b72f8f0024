import { expect, test } from 'vitest'
import { config, contextOver, groupId, type Response, target } from '../../test/context-over.ts'
import type { RawRequest } from '../http/exchange.ts'
import { openJournal } from './journal.ts'

/** Returns a configuration that notifies this email address. */
const telling = (id: string, emailAddress: string) => ({
  id,
  notifications: [{ typeName: 'EMAIL', emailAddress }],
})

test('finds an unreported resource by the mark of a run, and removes nothing else', async () => {
  const mark = 'tag@contract.example'
  const results = [
    ...Array.from({ length: 498 }, (_, index) => telling(`old-${index}`, 'ops@example.com')),
    ...['known', 'second', 'named', 'changed'].map((id) => telling(id, mark)),
    telling('of-the-killed', 'killed@contract.example'),
    telling('almost', `not-${mark}`),
    { id: 'remarked', description: 'A comment (tag)' },
  ]
  const journal = openJournal()
  journal.began({ runTag: 'killed', seed: 1, strict: false, target: target.baseUrl, selection: {} })
  const { context, sent } = contextOver(
    ({ method, path }) => {
      if (method === 'PUT') return [403]
      if (method !== 'GET') return [204]
      if (path.endsWith('/changed')) return [200, telling('changed', mark)]
      return [200, { results: path.endsWith('pageNum=1') ? results.slice(0, 500) : results.slice(500) }]
    },
    { journal, target: { ...target, things: { groupId, 'updateAlertConfig.alertConfigId': 'named' } } },
  )
  for (const id of ['known', 'gone']) journal.created(config(id))
  journal.removed(config('gone'))
  // No role in the target file allows the run to restore its changes.
  const parameters = { groupId, alertConfigId: 'changed' }
  journal.original({
    operation: 'updateAlertConfig',
    parameters,
    body: telling('changed', 'ops@example.com'),
  })
  expect((await context.cleanUp()).map(({ operation }) => operation)).toEqual(['updateAlertConfig'])
  expect(sent.filter((one) => one.startsWith('DELETE')).sort()).toEqual(
    ['known', 'of-the-killed', 'remarked', 'second'].map((id) => `DELETE alertConfigs/${id}`),
  )
  expect(journal.left()).toEqual([])
})

test.each([[[403] as const], ['nothing' as const]])(
  'without permission to list, known resources are still removed: %j',
  async (response) => {
    const { context, journal, sent } = contextOver(({ method }) => (method === 'GET' ? response : [204]))
    journal.created(config('a'))
    expect(await context.cleanUp()).toEqual([])
    expect(sent.at(-1)).toBe('DELETE alertConfigs/a')
  },
)

const role = (roleId: string) => ({ roleId, providerName: 'AWS' })

test.each([
  [true, ['known', 'second', 'untold']],
  [false, ['known']],
])(
  'new resources belong to the run only if nothing else creates resources there: %s',
  async (lentAlone, gone) => {
    let roles = ['old', 'named'].map(role)
    const journal = openJournal()
    const options = {
      journal,
      target: { ...target, lentAlone, things: { groupId, cloudProvider: 'AWS', roleId: 'named' } },
    }
    const response = ({ method, path }: RawRequest): Response => {
      if (method === 'DELETE') {
        roles = roles.filter(({ roleId }) => !path.endsWith(roleId))
        return [204]
      }
      if (method === 'GET') return [200, { awsIamRoles: roles, links: [role('linked')] }]
      roles = [...roles, ...['known', 'second'].map(role)]
      return [200, role('known')]
    }
    // A killed run doesn't remove its resources, so the cleanup must find them.
    const killed = contextOver(response, options)
    const body = { providerName: 'AWS' }
    await killed.context.perform('createCloudProviderAccessRole', { groupId }, { body })
    const before = killed.sent.filter((one) => one === 'GET cloudProviderAccess')
    expect(before).toHaveLength(lentAlone ? 1 : 0)
    roles = [...roles, role('untold')]
    const { context, sent } = contextOver(response, options)
    expect(await context.cleanUp()).toEqual([])
    const removed = sent.filter((one) => one.startsWith('DELETE')).map((one) => one.split('/').at(-1))
    expect(removed.sort()).toEqual(gone)
    // This resource was created after the run, so it belongs to another caller.
    roles = [...roles, role('later')]
    sent.length = 0
    expect(await context.cleanUp()).toEqual([])
    expect(sent.filter((one) => one.startsWith('DELETE'))).toEqual([])
  },
)

test("existing resources that can't be listed are never treated as resources of the run", async () => {
  let listable = false
  const { context, sent } = contextOver(
    ({ method }) => {
      if (method === 'GET') return listable ? [200, { awsIamRoles: [role('old')] }] : [500]
      return method === 'DELETE' ? [204] : [200, role('known')]
    },
    { target: { ...target, lentAlone: true } },
  )
  await context.perform('createCloudProviderAccessRole', { groupId }, { body: { providerName: 'AWS' } })
  listable = true
  expect(await context.cleanUp()).toEqual([])
  expect(sent.filter((one) => one.startsWith('DELETE'))).toEqual(['DELETE cloudProviderAccess/AWS/known'])
})
