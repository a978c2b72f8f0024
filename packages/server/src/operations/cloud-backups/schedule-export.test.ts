import { describe, expect, it } from 'vitest'
import {
  backupOf,
  freeBucket,
  goTo,
  item,
  ordersEu,
  patch,
  policies,
  unknownId,
  usedBucket,
  wait,
} from '../../../test/backups.ts'
import { startChecked } from '../../../test/checked-server.ts'

const schedule = `${ordersEu}/schedule`
const archive = backupOf('orders-archive')

describe('the automatic export of a schedule', () => {
  it('changes only the fields that are sent; lists in the schedule are replaced as a whole', async () => {
    const server = await startChecked()
    const change = (body: object) => patch(server, schedule, body)
    const first = { exportBucketId: usedBucket, frequencyType: 'monthly', kept: 1 }
    expect((await change({ export: first })).at('export')).toEqual(first)
    const bucket = { ...first, exportBucketId: freeBucket }
    expect((await change({ export: { exportBucketId: freeBucket } })).at('export')).toEqual(bucket)
    const weekly = { autoExportEnabled: true, export: { ...bucket, frequencyType: 'weekly' } }
    const changed = await change({ autoExportEnabled: true, export: { frequencyType: 'weekly' } })
    expect(changed.body).toMatchObject(weekly)
    expect((await change({ export: {} })).at('export')).toEqual(weekly.export)
    expect((await server.ask(schedule)).at('export')).toEqual(weekly.export)
    await change({ copySettings: [{ regionName: 'EU_WEST_2', kept: 1 }] })
    const copySettings = [{ zoneId: unknownId }]
    expect((await change({ copySettings })).at('copySettings')).toEqual(copySettings)
  })

  it('exports the snapshots of its frequency', async () => {
    const server = await startChecked()
    const exports = () => server.ask(`${ordersEu}/exports?itemsPerPage=10`)
    await goTo(server, '2026-03-31T23:00:00Z')
    expect((await exports()).at('totalCount')).toBe(2)
    await goTo(server, '2026-04-01T02:15:13Z')
    const queued = (await exports()).at('results', 2)
    expect(queued).toMatchObject({ state: 'Queued', createdAt: '2026-04-01T02:15:00Z' })
    await wait(server, 60)
    expect((await exports()).at('results', 2)).toMatchObject({
      state: 'Successful',
      finishedAt: '2026-04-01T02:15:24Z',
      prefix: expect.stringContaining('/orders-eu/2026-04-01T0215'),
    })
    await patch(server, `${ordersEu}/schedule`, {
      export: { exportBucketId: freeBucket, frequencyType: 'hourly' },
      useOrgAndGroupNamesInExportPrefix: true,
    })
    await goTo(server, '2026-04-01T14:16:00Z')
    expect((await exports()).at('totalCount')).toBe(5)
    const prefix = 'exported_snapshots/Lindgren Logistics/orders-production/orders-eu/2026-04-01T1415'
    expect((await exports()).at('results', 4)).toMatchObject({ exportBucketId: freeBucket, prefix })
  })

  it('exports all snapshots if it has no frequency', async () => {
    const server = await startChecked()
    const items = policies(item('hourly', 6, 2), item('daily', 1, 3))
    const everything = { exportBucketId: freeBucket }
    await patch(server, `${archive}/schedule`, { ...items, export: everything, autoExportEnabled: true })
    await goTo(server, '2026-03-02T00:01:00Z')
    expect((await server.ask(`${archive}/exports`)).at('totalCount')).toBe(2)
  })
})
