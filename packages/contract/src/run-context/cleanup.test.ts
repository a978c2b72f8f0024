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
import type { RawRequest } from '../http/exchange.ts'
import { buildCall } from '../model/call.ts'
import { copyOfDemo } from '../target/own-demo.ts'
import { openJournal } from './journal.ts'
import { createPrerequisites, type Prerequisites } from './prerequisites.ts'
import type { RunContextOptions } from './run-context.ts'

test("removes the journal's resources in reverse order of creation and requests nothing else", async () => {
  const { context, journal, sent } = contextOver(() => [204])
  for (const id of ['a', 'b']) journal.created(config(id))
  expect(await context.cleanUp()).toEqual([])
  const look = expect.stringMatching(/^GET alertConfigs\?/)
  expect(sent).toEqual([look, 'DELETE alertConfigs/b', 'DELETE alertConfigs/a'])
  expect(await context.cleanUp()).toEqual([])
  expect(sent.slice(3)).toEqual([look])
})

test('missing resources count as removed, and failures stay in the journal without blocking others', async () => {
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

test('does not cancel a restore that has ended, and reports other conflicts', async () => {
  const { context, journal } = contextOver(() => [409])
  journal.created({
    operation: 'cancelRestoreJob',
    parameters: { groupId, clusterName: 'c', restoreJobId: 'j' },
  })
  journal.created(config('a'))
  expect((await context.cleanUp()).map(({ operation }) => operation)).toEqual(['deleteAlertConfig'])
})

test('records created resources, except for rejected and redirected requests', () => {
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

/** A server that stores one document for each path and applies changes to it. */
const keeping =
  (documents: Record<string, JsonObject>) =>
  (request: RawRequest): Response => {
    const path = request.path.split('/').slice(-1)[0] ?? ''
    if (documents[path] === undefined) return [404]
    if (request.method !== 'GET')
      documents[path] = { ...documents[path], ...JSON.parse(request.body ?? '{}') }
    return [200, documents[path]]
  }

test('reads a setting once before its change, and restores it if it differs', async () => {
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
])('empties a schedule only if it was unset: %j with %j', async (schedule, expected) => {
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

test('does not record resources that the run seeded or copied, or that belong to another tenant', async () => {
  const { context, sent } = contextOver(keeping({}))
  await context.beforeChange(changeIn('updateBackupSchedule', { groupId, clusterName: 'own-1' }))
  await context.beforeChange(changeIn('updateCustomDns', { groupId: '64b7e1c20f3a5d6e7f809201' }))
  expect(sent).toEqual([])
  const copy = contextOver(keeping({ awsCustomDNS: { enabled: true } }), { demo: copyOfDemo('tag') })
  await copy.context.beforeChange(changeIn('updateCustomDns', { groupId }))
  expect(copy.sent).toEqual([])
})

test('does not record an alert of a configuration that the run created', async () => {
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

test('reports the fields that could not be restored, and keeps them in the journal', async () => {
  let enabled = true
  const { context, journal } = contextOver(({ method }) =>
    method === 'GET' ? [200, { enabled }] : [403, { errorCode: 'FORBIDDEN' }],
  )
  await context.beforeChange(changeIn('updateCustomDns', { groupId }))
  enabled = false
  const reason = 'the values of enabled have changed (the request to restore them got status 403 FORBIDDEN)'
  expect(await context.cleanUp()).toEqual([{ operation: 'updateCustomDns', parameters: { groupId }, reason }])
  expect(journal.changed()).toHaveLength(1)
})

test('records seeded resources before they exist, until they are removed', async () => {
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

test('ends conditions before it deletes the configurations of their alerts', async () => {
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

/** Creates a run context with the journal of a run that was killed while a condition was active. */
const afterKill = (event: Prerequisites['event'], more: Partial<RunContextOptions> = {}) => {
  const journal = openJournal()
  journal.raised({ groupId, eventTypeName: 'HOST_DOWN', clusterName: 'lent' })
  const prerequisites: Prerequisites = { ...createPrerequisites(target), event }
  return { ...contextOver(() => [204], { journal, prerequisites, ...more }), journal }
}

test('ends a condition of a killed run, and reports it until that succeeds', async () => {
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

test('a condition in a copy of the demo organization ends with the copy', async () => {
  const { context, journal } = afterKill(() => expect.fail('nobody is asked'), { demo: copyOfDemo('tag') })
  expect(await context.endConditions()).toEqual([])
  expect(journal.activeConditions()).toHaveLength(1)
  expect(await context.cleanUp()).toEqual([])
  expect(journal.activeConditions()).toEqual([])
})

test('records a condition before raising it', async () => {
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

test('ends a condition that could not be raised if possible, and does not report it as left over', async () => {
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
