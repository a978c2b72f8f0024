import { expect, test } from 'vitest'
import {
  changeIn,
  config,
  contextOver,
  dated,
  groupId,
  type Response,
  target,
} from '../../test/context-over.ts'
import type { JsonObject } from '../document/json.ts'
import { buildCall } from '../engine/call.ts'
import type { RawRequest } from '../http/exchange.ts'
import { copyOfDemo } from '../target/own-demo.ts'
import { openJournal } from './journal.ts'
import { createPrerequisites, type Prerequisites } from './prerequisites.ts'
import type { RunContextOptions } from './run-context.ts'

test('what the journal names is removed, last made first, and nothing else is asked for', async () => {
  const { context, journal, sent } = contextOver(() => [204])
  for (const id of ['a', 'b']) journal.created(config(id))
  expect(await context.cleanUp()).toEqual([])
  const look = expect.stringMatching(/^GET alertConfigs\?/)
  expect(sent).toEqual([look, 'DELETE alertConfigs/b', 'DELETE alertConfigs/a'])
  expect(await context.cleanUp()).toEqual([])
  expect(sent.slice(3)).toEqual([look])
})

test('what is gone already is removed, and what cannot be removed stays in the journal and keeps nobody up', async () => {
  const { context, journal } = contextOver(({ path }) => {
    if (path.endsWith('/gone')) return [404]
    if (path.endsWith('/silent')) return 'nothing'
    return path.endsWith('/refused') ? [403, { errorCode: 'FORBIDDEN', detail: 'No.' }] : [204]
  })
  for (const id of ['first', 'refused', 'silent', 'gone']) journal.created(config(id))
  journal.created({
    operation: 'cancelRestoreJob',
    parameters: { groupId, clusterName: 'c', restoreJobId: 'j' },
  })
  expect(await context.cleanUp()).toEqual([
    { ...config('silent'), reason: expect.stringContaining('no response (ECONNRESET)') },
    { ...config('refused'), reason: 'status 403 FORBIDDEN "No."' },
  ])
  expect(journal.left()).toEqual([config('silent'), config('refused')])
})

test('a restore that has ended is not cancelled, and other conflicts are told', async () => {
  const { context, journal } = contextOver(() => [409])
  journal.created({
    operation: 'cancelRestoreJob',
    parameters: { groupId, clusterName: 'c', restoreJobId: 'j' },
  })
  journal.created(config('a'))
  expect((await context.cleanUp()).map(({ operation }) => operation)).toEqual(['deleteAlertConfig'])
})

test('whatever was created is noted, and nothing that was refused or went elsewhere', () => {
  const { context, journal } = contextOver(() => [204])
  const create = (status: number, id: string, offRoute = false) => {
    const cell = dated('createAlertConfig')
    const needs = { parameters: { groupId }, body: {}, as: { kind: 'none' } } as const
    const call = buildCall(cell, needs, { offRoute })
    const response = { status, reason: '', headers: [], body: JSON.stringify({ id }) }
    const request = { method: 'POST', path: call.path, headers: [] }
    context.watch(call, { url: '', request, response, milliseconds: 1 })
  }
  create(201, 'created')
  create(400, 'refused')
  create(201, 'elsewhere', true)
  expect(journal.left()).toEqual([config('created')])
  const remove = (status: number) => {
    const call = changeIn('deleteAlertConfig', { groupId, alertConfigId: 'created' })
    const request = { method: 'DELETE', path: call.path, headers: [] }
    const response = { status, reason: '', headers: [], body: '' }
    context.watch(call, { url: '', request, response, milliseconds: 1 })
  }
  remove(403)
  expect(journal.left()).toHaveLength(1)
  remove(204)
  expect(journal.left()).toEqual([])
})

/** A server that keeps one document at every path, and changes it as it is told. */
const keeping =
  (documents: Record<string, JsonObject>) =>
  (request: RawRequest): Response => {
    const path = request.path.split('/').slice(-1)[0] ?? ''
    if (documents[path] === undefined) return [404]
    if (request.method !== 'GET')
      documents[path] = { ...documents[path], ...JSON.parse(request.body ?? '{}') }
    return [200, documents[path]]
  }

test('a setting is read once before it is changed, and put back if it is not as it was', async () => {
  const documents = { awsCustomDNS: { enabled: true }, auditLog: { enabled: false, auditFilter: '{}' } }
  const { context, journal, sent } = contextOver(keeping(documents))
  const dns = changeIn('updateCustomDns', { groupId })
  await Promise.all([context.beforeChange(dns), context.beforeChange(dns)])
  await context.beforeChange(changeIn('updateAuditingConfig', { groupId }))
  await context.beforeChange({
    ...changeIn('updateBackupSchedule', { groupId, clusterName: 'lent' }),
    method: 'GET',
  })
  expect(sent).toEqual(['GET awsCustomDNS', 'GET auditLog'])
  documents.awsCustomDNS = { enabled: false }
  expect(await context.cleanUp()).toEqual([])
  expect(documents.awsCustomDNS).toEqual({ enabled: true })
  expect(sent.filter((one) => !one.startsWith('GET'))).toEqual(['PATCH awsCustomDNS {"enabled":true}'])
  expect(journal.changed()).toEqual([])
})

test.each([
  [{ autoExportEnabled: false, policies: [] }, ['DELETE', 'PATCH']],
  [{ autoExportEnabled: false, policies: [{ policyItems: [] }] }, ['PATCH']],
])('a schedule is emptied only where nobody had set it: of %j by %j', async (schedule, expected) => {
  const documents: Record<string, JsonObject> = { schedule }
  const keep = keeping(documents)
  const { context, sent } = contextOver((request) => {
    if (request.method === 'DELETE') documents.schedule = { ...documents.schedule, policies: [] }
    return keep(request)
  })
  await context.beforeChange(changeIn('updateBackupSchedule', { groupId, clusterName: 'lent' }))
  documents.schedule = { autoExportEnabled: true, policies: [{ policyItems: [{ frequencyType: 'daily' }] }] }
  expect(await context.cleanUp()).toEqual([])
  expect(documents.schedule).toEqual(schedule)
  const methods = sent.map((one) => one.split(' ')[0])
  expect(methods.filter((method) => method !== 'GET')).toEqual(expected)
})

test("what the run put in place or copied is not noted, nor what is another tenant's", async () => {
  const { context, sent } = contextOver(keeping({}))
  await context.beforeChange(changeIn('updateBackupSchedule', { groupId, clusterName: 'own-1' }))
  await context.beforeChange(changeIn('updateCustomDns', { groupId: '64b7e1c20f3a5d6e7f809201' }))
  expect(sent).toEqual([])
  const copy = contextOver(keeping({ awsCustomDNS: { enabled: true } }), { demo: copyOfDemo('tag') })
  await copy.context.beforeChange(changeIn('updateCustomDns', { groupId }))
  expect(copy.sent).toEqual([])
})

test('an alert of a configuration that the run made is not noted', async () => {
  const alert = (alertConfigId: string) =>
    contextOver(() => [200, { id: 'x', alertConfigId, status: 'OPEN' }])
  for (const [of, expected] of [
    ['made', 0],
    ['lent', 1],
  ] as const) {
    const { context, journal } = alert(of)
    journal.created(config('made'))
    await context.beforeChange(changeIn('acknowledgeAlert', { groupId, alertId: 'x' }))
    expect([of, journal.changed().length]).toEqual([of, expected])
  }
})

test('what could not be put back is told by the members that differ, and stays in the journal', async () => {
  let enabled = true
  const { context, journal } = contextOver(({ method }) =>
    method === 'GET' ? [200, { enabled }] : [403, { errorCode: 'FORBIDDEN' }],
  )
  await context.beforeChange(changeIn('updateCustomDns', { groupId }))
  enabled = false
  const reason = 'it differs from before in enabled (putting it back got status 403 FORBIDDEN)'
  expect(await context.cleanUp()).toEqual([{ operation: 'updateCustomDns', parameters: { groupId }, reason }])
  expect(journal.changed()).toHaveLength(1)
})

test('what was put in place is written down before it is there, and stays so until it was taken away', async () => {
  let failing = true
  const seen: boolean[] = []
  const prerequisites: Prerequisites = {
    ...createPrerequisites(target),
    canSeed: true,
    seed: async () => {
      seen.push(journal.seedLeft() !== undefined)
    },
    unseed: async () => {
      if (failing) throw new Error('POST /unseed answered 500')
    },
  }
  const demo = copyOfDemo('tag')
  const { context, journal } = contextOver(() => [204], { prerequisites, demo })
  await context.prerequisites.seed({ projects: [{ id: 'p' }] })
  expect(seen).toEqual([true])
  journal.created(config('within'))
  const left = [{ operation: 'unseed', parameters: {}, reason: 'POST /unseed answered 500' }]
  expect(await context.cleanUp()).toEqual(left)
  expect([journal.seedLeft(), journal.left()]).toEqual([{ projects: [{ id: 'p' }] }, [config('within')]])
  failing = false
  expect(await context.cleanUp()).toEqual([])
  expect([journal.seedLeft(), journal.left()]).toEqual([undefined, []])
})

test('conditions that a run raised are ended, before the configurations of their alerts are removed', async () => {
  const raised: string[] = []
  let failing = true
  const prerequisites: Prerequisites = {
    ...createPrerequisites(target),
    event: async ({ eventTypeName, active }) => {
      if (!active && failing) throw new Error('the hook failed')
      raised.push(`${eventTypeName} ${active} with ${journal.left().length}`)
      return []
    },
  }
  const { context, journal } = contextOver(() => [204], { prerequisites })
  journal.created(config('a'))
  for (const eventTypeName of ['HOST_DOWN', 'HOST_DOWN', 'NO_PRIMARY'])
    await context.prerequisites.event({ groupId, eventTypeName, active: true })
  failing = false
  await context.prerequisites.event({ groupId, eventTypeName: 'NO_PRIMARY', active: false })
  raised.length = 0
  failing = true
  const parameters = { groupId, eventTypeName: 'HOST_DOWN', active: 'false' }
  expect(await context.cleanUp()).toEqual([
    { operation: 'raiseEvent', parameters, reason: 'the hook failed' },
  ])
  failing = false
  journal.created(config('a'))
  expect(await context.cleanUp()).toEqual([])
  expect(raised).toEqual(['HOST_DOWN false with 1'])
  expect(await context.cleanUp()).toEqual([])
  expect(raised).toHaveLength(1)
})

/** A world that takes up the journal of a run that was killed while a condition held. */
const afterKill = (event: Prerequisites['event'], more: Partial<RunContextOptions> = {}) => {
  const journal = openJournal()
  journal.raised({ groupId, eventTypeName: 'HOST_DOWN', clusterName: 'lent' })
  const prerequisites: Prerequisites = { ...createPrerequisites(target), event }
  return { ...contextOver(() => [204], { journal, prerequisites, ...more }), journal }
}

test('a condition that a killed run had raised is ended, and told until it could be', async () => {
  let failing = true
  const asked: object[] = []
  const { context, journal } = afterKill(async (event) => {
    if (failing) throw new Error('the hook failed')
    asked.push(event)
    return []
  })
  const condition = { groupId, eventTypeName: 'HOST_DOWN', clusterName: 'lent' }
  const left = {
    operation: 'raiseEvent',
    parameters: { ...condition, active: 'false' },
    reason: 'the hook failed',
  }
  expect(await context.endConditions()).toEqual([])
  expect(await context.cleanUp()).toEqual([left])
  failing = false
  expect(await context.endConditions()).toEqual([condition])
  expect(await context.cleanUp()).toEqual([])
  expect(asked).toEqual([{ ...condition, active: false }])
  expect(journal.activeConditions()).toEqual([])
})

test('a condition in a copy of the demo organisation is over with the copy', async () => {
  const { context, journal } = afterKill(() => expect.fail('nobody is asked'), { demo: copyOfDemo('tag') })
  expect(await context.endConditions()).toEqual([])
  expect(journal.activeConditions()).toHaveLength(1)
  expect(await context.cleanUp()).toEqual([])
  expect(journal.activeConditions()).toEqual([])
})

test('a condition is written down before it is raised', async () => {
  const seen: number[] = []
  const prerequisites: Prerequisites = {
    ...createPrerequisites(target),
    event: async () => {
      seen.push(journal.activeConditions().length)
      return []
    },
  }
  const { context, journal } = contextOver(() => [204], { prerequisites })
  await context.prerequisites.event({ groupId, eventTypeName: 'HOST_DOWN', active: true })
  expect(seen).toEqual([1])
})

test('a condition that could not be raised is ended if possible, and not told among what is left', async () => {
  const asked: boolean[] = []
  const prerequisites: Prerequisites = {
    ...createPrerequisites(target),
    event: async ({ active }) => {
      asked.push(active)
      throw new Error('the hook failed')
    },
  }
  const { context } = contextOver(() => [204], { prerequisites })
  const event = { groupId, eventTypeName: 'HOST_DOWN', active: true }
  await expect(context.prerequisites.event(event)).rejects.toThrow('the hook failed')
  expect(await context.cleanUp()).toEqual([])
  expect(asked).toEqual([true, false])
})
