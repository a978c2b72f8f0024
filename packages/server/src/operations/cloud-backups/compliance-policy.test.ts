import { limits } from '@svc-admin/types'
import { describe, expect, it } from 'vitest'
import {
  backupOf,
  goTo,
  item,
  monthlySnapshot,
  ordersEu,
  ordersGlobal,
  patch,
  policies,
  post,
  refusal,
  remove,
  staging,
  stagingId,
  wait,
} from '../../../test/backups.ts'
import {
  type CheckedServer,
  projectId,
  type RequestOptions,
  startChecked,
} from '../../../test/checked-server.ts'

const policyOf = (groupId: string) => `/groups/${groupId}/backupCompliancePolicy`
const body = {
  authorizedEmail: 'auditor@lindgren.example',
  onDemandPolicyItem: item('ondemand', 1, 14),
  scheduledPolicyItems: [item('daily', 1, 40), item('weekly', 1, 10, 'weeks')],
}
const put = (server: CheckedServer, json: unknown = body, query = '', ask: RequestOptions = {}) =>
  server.ask(`${policyOf(projectId)}${query}`, { method: 'PUT', json, ...ask })
const grant = (server: CheckedServer, groupId: string) =>
  server.control('POST', '/backups/deletable', { groupId })

describe('a backup compliance policy', () => {
  it('is enabling, then active; while it is replaced, updating, then active', async () => {
    const server = await startChecked()
    expect((await server.ask(policyOf(projectId))).at('errorCode')).toBe('RESOURCE_NOT_FOUND')
    const enabled = await put(server)
    expect([enabled.status, enabled.body]).toMatchObject([
      200,
      {
        ...body,
        projectId,
        state: 'ENABLING',
        deletable: false,
        copyProtectionEnabled: false,
        encryptionAtRestEnabled: false,
        pitEnabled: false,
        updatedDate: '2026-03-01T12:00:00Z',
        updatedUser: expect.stringContaining('orgowner'),
      },
    ])
    expect(refusal(await put(server))[0]).toBe('INVALID_STATE')
    await wait(server, 5)
    expect((await server.ask(policyOf(projectId))).at('state')).toBe('ACTIVE')
    const replaced = await put(server, { authorizedEmail: 'other@lindgren.example', pitEnabled: true })
    expect(replaced.body).toMatchObject({ state: 'UPDATING', pitEnabled: true })
    expect(replaced.at('scheduledPolicyItems')).toBeUndefined()
    expect(refusal(await put(server))[0]).toBe('INVALID_STATE')
    await wait(server, 5)
    expect((await server.askV1(policyOf(projectId))).body).toMatchObject({
      state: 'ACTIVE',
      pitEnabled: true,
    })
  })

  it('rejects bodies that contradict themselves or the path', async () => {
    const server = await startChecked()
    const hourly = item('hourly', 6, 2)
    const ask = (change: object) => put(server, { ...body, ...change }).then(refusal)
    expect(await ask({ projectId: stagingId })).toEqual(['VALIDATION_ERROR', ['/projectId']])
    expect((await put(server, { ...body, projectId })).status).toBe(200)
    await wait(server, 5)
    expect(await ask({ scheduledPolicyItems: [item('daily', 1, 4), hourly, item('weekly', 1, 3)] })).toEqual([
      'VALIDATION_ERROR',
      ['/scheduledPolicyItems/2/retentionValue'],
    ])
    expect(await ask({ scheduledPolicyItems: [hourly], restoreWindowDays: 3 })).toEqual([
      'VALIDATION_ERROR',
      ['/restoreWindowDays'],
    ])
    expect(await ask({ authorizedEmail: 'nobody' })).toEqual(['VALIDATION_ERROR', ['/authorizedEmail']])
  })

  it('can be disabled only after support has granted it', async () => {
    const server = await startChecked()
    expect(refusal(await remove(server, policyOf(stagingId)))[0]).toBe('COMPLIANCE_POLICY_ACTIVE')
    expect((await grant(server, stagingId)).status).toBe(200)
    expect((await server.ask(policyOf(stagingId))).at('deletable')).toBe(true)
    expect((await remove(server, policyOf(stagingId))).status).toBe(204)
    expect((await server.ask(policyOf(stagingId))).status).toBe(404)
    expect((await remove(server, policyOf(stagingId))).status).toBe(404)
    expect((await grant(server, stagingId)).status).toBe(404)
    await put(server)
    await grant(server, projectId)
    expect(refusal(await remove(server, policyOf(projectId)))[0]).toBe('INVALID_STATE')
    await wait(server, 5)
    expect((await remove(server, policyOf(projectId))).status).toBe(204)
  })

  it("rewrites schedules that don't meet it", async () => {
    const server = await startChecked()
    const untouched = (await server.ask(`${ordersEu}/schedule`)).at('policies', 0, 'policyItems', 0)
    await put(server)
    const eu = (await server.ask(`${ordersEu}/schedule`)).at('policies', 0, 'policyItems')
    expect(eu).toMatchObject([
      untouched,
      { frequencyType: 'daily', retentionValue: 40, retentionUnit: 'days' },
      { frequencyType: 'weekly', retentionValue: 10, retentionUnit: 'weeks' },
      { frequencyType: 'monthly', retentionValue: 84 },
      { frequencyType: 'yearly', retentionValue: 10 },
    ])
    const archive = await server.ask(`${backupOf('orders-archive')}/schedule`)
    expect(archive.at('policies', 0, 'policyItems')).toMatchObject(body.scheduledPolicyItems)
    expect(archive.at('nextSnapshot')).toBe('2026-03-02T00:00:00Z')
  })

  it('rewrites schedules again when it becomes active, as of that time', async () => {
    const server = await startChecked()
    const euItems = async () => (await server.ask(`${ordersEu}/schedule`)).at('policies', 0, 'policyItems')
    await put(server)
    const short = policies(item('daily', 1, 1))
    expect((await patch(server, `${ordersEu}/schedule`, short)).status).toBe(200)
    expect((await remove(server, `${ordersGlobal}/schedule`)).at('policies')).toEqual([])
    await wait(server, 4)
    expect(await euItems()).toMatchObject([item('daily', 1, 1)])
    await wait(server, 30 * 86_400)
    expect(await euItems()).toMatchObject(body.scheduledPolicyItems)
    const global = await server.ask(`${ordersGlobal}/schedule`)
    expect(global.at('policies', 0, 'policyItems')).toMatchObject(body.scheduledPolicyItems)
    const taken = await server.ask(`${ordersEu}/snapshots?itemsPerPage=${limits.itemsPerPage.maximum}`)
    expect(taken.at('results', 2)).toMatchObject({
      createdAt: '2026-03-02T02:15:00Z',
      expiresAt: '2026-05-11T02:15:00Z',
    })
  })

  it('has rewritten schedules even if no request read them before it was disabled or replaced', async () => {
    const server = await startChecked()
    const shorten = () => patch(server, `${ordersEu}/schedule`, policies(item('daily', 1, 1)))
    const euItems = async () => (await server.ask(`${ordersEu}/schedule`)).at('policies', 0, 'policyItems')
    await put(server)
    await shorten()
    await wait(server, 5)
    await put(server, body, '?overwriteBackupPolicies=false')
    expect(await euItems()).toMatchObject(body.scheduledPolicyItems)
    await wait(server, 5)
    await grant(server, projectId)
    expect((await remove(server, policyOf(projectId))).status).toBe(204)
    await put(server)
    await shorten()
    await grant(server, projectId)
    await wait(server, 5)
    expect((await remove(server, policyOf(projectId))).status).toBe(204)
    expect(await euItems()).toMatchObject(body.scheduledPolicyItems)
  })

  it("leaves schedules that don't meet it before it is active, if requested", async () => {
    const server = await startChecked()
    await put(server, body, '?overwriteBackupPolicies=false')
    await patch(server, `${ordersEu}/schedule`, policies(item('daily', 1, 1)))
    await wait(server, 5)
    const left = await server.ask(`${ordersEu}/schedule`)
    expect(left.at('policies', 0, 'policyItems')).toMatchObject([item('daily', 1, 1)])
  })

  it('rewrites schedules to ones that can be changed again', async () => {
    const server = await startChecked()
    const asked = { ...body, scheduledPolicyItems: [], pitEnabled: true, restoreWindowDays: 9 }
    await put(server, asked)
    await wait(server, 5)
    const written = await server.ask(`${ordersEu}/schedule`)
    expect([written.at('restoreWindowDays'), written.at('policies', 0, 'policyItems', 0)]).toMatchObject([
      9,
      { frequencyType: 'hourly', retentionUnit: 'days', retentionValue: 9 },
    ])
    expect((await patch(server, `${ordersEu}/schedule`, { referenceMinuteOfHour: 20 })).status).toBe(200)
  })

  it('adds a restore window to schedules without one if it requires only continuous backup', async () => {
    const server = await startChecked()
    const archive = `${backupOf('orders-archive')}/schedule`
    expect((await server.ask(archive)).at('restoreWindowDays')).toBeUndefined()
    const asked = { authorizedEmail: body.authorizedEmail, pitEnabled: true }
    await put(server, asked, '?overwriteBackupPolicies=false')
    await wait(server, 5)
    expect((await server.ask(archive)).at('restoreWindowDays')).toBeUndefined()
    await put(server, asked)
    expect((await server.ask(archive)).at('restoreWindowDays')).toBe(1)
  })

  it('leaves schedules unchanged if requested', async () => {
    const server = await startChecked()
    const before = (await server.ask(`${ordersGlobal}/schedule`)).body
    await put(server, body, '?overwriteBackupPolicies=false')
    expect((await server.ask(`${ordersGlobal}/schedule`)).body).toEqual(before)
  })
})

describe('under an active compliance policy', () => {
  const snapshot = `${staging}/snapshots/691ae3900f3a5d6e7f80b403`

  it('rejects deleting a snapshot, also of shards, and while the policy is replaced', async () => {
    const server = await startChecked()
    expect(refusal(await remove(server, snapshot))[0]).toBe('COMPLIANCE_POLICY_ACTIVE')
    const sharded = `${ordersGlobal}/snapshots/shardedCluster/690569100f3a5d6e7f80b431`
    const eu = `${ordersEu}/snapshots/691ae3900f3a5d6e7f80b402`
    await put(server)
    expect((await remove(server, eu)).status).toBe(204)
    await wait(server, 5)
    expect(refusal(await remove(server, sharded))[0]).toBe('COMPLIANCE_POLICY_ACTIVE')
    await put(server)
    expect(refusal(await remove(server, sharded))[0]).toBe('COMPLIANCE_POLICY_ACTIVE')
  })

  it('accepts a weaker policy, but still rejects deleting snapshots', async () => {
    const server = await startChecked()
    await put(server)
    await wait(server, 5)
    const weaker = await put(server, { authorizedEmail: body.authorizedEmail })
    expect([weaker.status, weaker.at('scheduledPolicyItems')]).toEqual([200, undefined])
    await wait(server, 5)
    expect((await post(server, `${ordersEu}/snapshots`, { retentionInDays: 1 })).status).toBe(200)
    const own = `${ordersEu}/snapshots/${monthlySnapshot}`
    expect(refusal(await remove(server, own))[0]).toBe('COMPLIANCE_POLICY_ACTIVE')
    expect(refusal(await remove(server, policyOf(projectId)))[0]).toBe('COMPLIANCE_POLICY_ACTIVE')
  })

  it('extends the default retention of an on-demand snapshot, but not an explicit one', async () => {
    const server = await startChecked()
    await put(server)
    await wait(server, 5)
    const taken = await post(server, `${ordersEu}/snapshots`, {})
    expect([taken.status, taken.at('expiresAt')]).toEqual([200, '2026-03-15T12:00:05Z'])
    await wait(server, 60)
    const shorter = await post(server, `${ordersEu}/snapshots`, { retentionInDays: 7 })
    expect(shorter.at('errorCode')).toBe('COMPLIANCE_POLICY_ACTIVE')
    const longest = await post(server, `${staging}/snapshots`, {})
    expect(longest.at('expiresAt')).toBe('2026-03-08T12:01:05Z')
  })

  it('rejects a retention shorter than the minimum', async () => {
    const server = await startChecked()
    const take = (retentionInDays: number) => post(server, `${staging}/snapshots`, { retentionInDays })
    expect(refusal(await take(6))).toEqual(['COMPLIANCE_POLICY_ACTIVE', ['/retentionInDays']])
    expect((await take(7)).status).toBe(200)
    const retain = (retentionValue: number, path = snapshot) =>
      patch(server, path, { retentionUnit: 'DAYS', retentionValue })
    expect(refusal(await retain(6))).toEqual(['COMPLIANCE_POLICY_ACTIVE', ['/retentionValue']])
    expect((await retain(1000)).status).toBe(200)
    await wait(server, 86_400)
    const all = await server.ask(`${staging}/snapshots?itemsPerPage=${limits.itemsPerPage.maximum}`)
    expect(all.at('results', 3)).toMatchObject({ frequencyType: 'daily', createdAt: '2026-03-02T06:00:00Z' })
    const own = `${staging}/snapshots/${all.textAt('results', 3, 'id')}`
    expect(refusal(await retain(6, own))).toEqual(['COMPLIANCE_POLICY_ACTIVE', ['/retentionValue']])
    expect((await retain(7, own)).status).toBe(200)
  })

  it('rejects months shorter than the minimum in days, and days shorter than the minimum in months', async () => {
    const server = await startChecked()
    const asked = {
      authorizedEmail: body.authorizedEmail,
      onDemandPolicyItem: item('ondemand', 1, 2, 'months'),
      scheduledPolicyItems: [item('daily', 1, 30)],
    }
    const take = (json: object) => post(server, `${ordersEu}/snapshots`, json)
    await put(server, asked)
    await goTo(server, '2026-07-01T12:00:00Z')
    expect(refusal(await take({ retentionInDays: 61 }))).toEqual([
      'COMPLIANCE_POLICY_ACTIVE',
      ['/retentionInDays'],
    ])
    expect((await take({})).at('expiresAt')).toBe('2026-09-01T12:00:00Z')
    await put(server, { ...asked, onDemandPolicyItem: item('ondemand', 1, 29) })
    await goTo(server, '2027-02-10T12:00:00Z')
    const id = (await take({})).at('id')
    const retain = (retentionUnit: string, retentionValue: number) =>
      patch(server, `${ordersEu}/snapshots/${id}`, { retentionUnit, retentionValue })
    expect(refusal(await retain('MONTHS', 1))).toEqual(['COMPLIANCE_POLICY_ACTIVE', ['/retentionValue']])
    expect((await retain('MONTHS', 2)).status).toBe(200)
    const daily = (value: number, unit: string) =>
      patch(server, `${ordersEu}/schedule`, policies(item('daily', 1, value, unit)))
    expect(refusal(await daily(1, 'months'))).toEqual(['COMPLIANCE_POLICY_ACTIVE', ['/policies']])
    expect((await daily(2, 'months')).status).toBe(200)
  })

  it('rejects a retention that ends immediately', async () => {
    const server = await startChecked()
    const month = { retentionUnit: 'DAYS', retentionValue: 30 }
    expect(refusal(await patch(server, snapshot, month))).toEqual([
      'COMPLIANCE_POLICY_ACTIVE',
      ['/retentionValue'],
    ])
    expect((await server.ask(snapshot)).at('expiresAt')).toBe('2035-11-15T09:00:00Z')
    const keep = (days: number, updateSnapshots: boolean) =>
      patch(server, `${staging}/schedule`, {
        ...policies(item('hourly', 12, 2), item('daily', 1, days)),
        updateSnapshots,
      })
    await keep(30, false)
    await wait(server, 20 * 86_400)
    expect(refusal(await keep(7, true))).toEqual(['COMPLIANCE_POLICY_ACTIVE', ['/updateSnapshots']])
    const before = (await server.ask(`${staging}/snapshots`)).at('totalCount')
    expect((await keep(7, false)).status).toBe(200)
    expect((await keep(40, true)).status).toBe(200)
    expect((await server.ask(`${staging}/snapshots`)).at('totalCount')).toBe(before)
  })

  it("rejects a schedule that doesn't meet it or is empty", async () => {
    const server = await startChecked()
    const schedule = `${staging}/schedule`
    const change = (json: unknown) => patch(server, schedule, json)
    const hourly = item('hourly', 12, 2)
    const daily = item('daily', 1, 7)
    for (const short of [
      policies(hourly),
      policies(item('hourly', 24, 2), daily),
      policies(hourly, item('daily', 1, 6)),
      { restoreWindowDays: 1 },
      { policies: [] },
    ]) {
      const parameters = Object.keys(short).map((name) => `/${name}`)
      expect(refusal(await change(short))).toEqual(['COMPLIANCE_POLICY_ACTIVE', parameters])
    }
    expect((await change(policies(item('hourly', 6, 3), item('DAILY', 1, 1, 'weeks')))).status).toBe(200)
    expect(refusal(await remove(server, schedule))[0]).toBe('COMPLIANCE_POLICY_ACTIVE')
    await grant(server, stagingId)
    await remove(server, policyOf(stagingId))
    expect((await remove(server, schedule)).status).toBe(200)
  })

  it("accepts unrelated changes to a schedule that doesn't meet it, and changes to the minimum", async () => {
    const server = await startChecked()
    const change = (json: unknown) => patch(server, `${ordersEu}/schedule`, json)
    const weekly = item('weekly', 1, 40)
    await change({ ...policies(item('daily', 1, 20), weekly), restoreWindowDays: 5, autoExportEnabled: true })
    const asked = { ...body, pitEnabled: true, restoreWindowDays: 8 }
    await put(server, asked, '?overwriteBackupPolicies=false')
    await wait(server, 5)
    for (const short of [
      policies(item('daily', 1, 19), weekly),
      policies(item('daily', 2, 20), weekly),
      policies(item('daily', 1, 30), weekly),
      policies(item('daily', 1, 20)),
      policies(weekly),
      { restoreWindowDays: 4 },
      { restoreWindowDays: 6 },
      { policies: [] },
    ]) {
      expect(refusal(await change(short))[0]).toBe('COMPLIANCE_POLICY_ACTIVE')
    }
    for (const allowed of [
      { autoExportEnabled: false },
      { referenceHourOfDay: 3, restoreWindowDays: 5 },
      policies(item('daily', 1, 20), weekly),
      policies(item('daily', 1, 20), item('weekly', 1, 71)),
      policies(item('daily', 1, 50), item('weekly', 1, 71)),
      { restoreWindowDays: 8 },
    ]) {
      expect((await change(allowed)).status).toBe(200)
    }
    for (const lower of [policies(item('daily', 1, 39), item('weekly', 1, 71)), { restoreWindowDays: 7 }]) {
      expect(refusal(await change(lower))[0]).toBe('COMPLIANCE_POLICY_ACTIVE')
    }
    expect((await change(policies(item('daily', 1, 40), item('weekly', 1, 70)))).status).toBe(200)
  })

  it('rejects deleting copies that it protects', async () => {
    const server = await startChecked()
    const json = { ...body, copyProtectionEnabled: true }
    await put(server, json)
    await wait(server, 5)
    const refused = await patch(server, `${ordersEu}/schedule`, {
      deleteCopiedBackups: [{ regionName: 'EU_WEST_1' }],
    })
    expect(refusal(refused)).toEqual(['COMPLIANCE_POLICY_ACTIVE', ['/deleteCopiedBackups']])
  })
})
