import { describe, expect, it } from 'vitest'
import {
  exportRole,
  foreignId,
  freeBucket,
  ordersEu,
  patch,
  post,
  refusal,
  remove,
  unknownId,
  usedBucket,
} from '../../../test/backups.ts'
import { type CheckedServer, projectId, startChecked } from '../../../test/checked-server.ts'

const buckets = `/groups/${projectId}/backup/exportBuckets`
const request = { bucketName: 'lindgren-archive', cloudProvider: 'AWS', iamRoleId: exportRole }
const usagesOf = async (server: CheckedServer, role = exportRole) =>
  (await server.ask(`/groups/${projectId}/cloudProviderAccess/${role}`)).at('featureUsages')

describe('export buckets', () => {
  it('are stored as sent, and found and listed only in their project', async () => {
    const server = await startChecked()
    const created = await post(server, buckets, request)
    expect([created.status, created.body]).toMatchObject([200, request])
    expect((await server.ask(`${buckets}/${created.textAt('_id')}`)).body).toEqual(created.body)
    expect((await server.askV1(`${buckets}/${created.textAt('_id')}`)).body).toMatchObject(request)
    expect((await server.ask(buckets)).at('totalCount')).toBe(3)
    expect((await server.ask(`${buckets}?itemsPerPage=1&pageNum=3`)).at('results', 0)).toEqual(created.body)
    const elsewhere = `/groups/${foreignId}/backup/exportBuckets`
    expect((await server.ask(elsewhere, { as: 'foreignk' })).at('totalCount')).toBe(1)
  })

  it('require an authorized role of the project', async () => {
    const server = await startChecked()
    const withRole = (iamRoleId: string) => post(server, buckets, { ...request, iamRoleId })
    expect(refusal(await withRole(unknownId))).toEqual(['RESOURCE_NOT_FOUND', ['/iamRoleId']])
    // This role belongs to another project.
    expect(refusal(await withRole('66d0a1b20f3a5d6e7f80b121'))).toEqual([
      'RESOURCE_NOT_FOUND',
      ['/iamRoleId'],
    ])
    expect(refusal(await withRole('66d0a1b20f3a5d6e7f80b102'))).toEqual(['INVALID_STATE', ['/iamRoleId']])
    expect(refusal(await post(server, buckets, { ...request, bucketName: 'ab' }))).toEqual([
      'VALIDATION_ERROR',
      ['/bucketName'],
    ])
  })

  it("are listed by their role, which can't be deauthorized while they exist", async () => {
    const server = await startChecked()
    const { textAt } = await post(server, buckets, { ...request, iamRoleId: '66d0a1b20f3a5d6e7f80b103' })
    const usage = {
      featureType: 'EXPORT_SNAPSHOT',
      featureId: { groupId: projectId, exportBucketId: textAt('_id') },
    }
    expect(await usagesOf(server, '66d0a1b20f3a5d6e7f80b103')).toEqual([usage])
    expect(await usagesOf(server)).toMatchObject([
      { featureId: { exportBucketId: usedBucket } },
      { featureId: { exportBucketId: freeBucket } },
    ])
    const role = `/groups/${projectId}/cloudProviderAccess/AWS/66d0a1b20f3a5d6e7f80b103`
    expect(refusal(await remove(server, role))[0]).toBe('INVALID_STATE')
    await remove(server, `${buckets}/${textAt('_id')}`)
    expect((await remove(server, role)).status).toBe(204)
  })

  it('are deleted permanently, unless a schedule exports to them', async () => {
    const server = await startChecked()
    expect((await remove(server, `${buckets}/${freeBucket}`)).status).toBe(204)
    expect((await server.ask(`${buckets}/${freeBucket}`)).status).toBe(404)
    expect((await remove(server, `${buckets}/${freeBucket}`)).status).toBe(404)
    expect(refusal(await remove(server, `${buckets}/${usedBucket}`))[0]).toBe('EXPORT_BUCKET_IN_USE')
    expect((await patch(server, `${ordersEu}/schedule`, { autoExportEnabled: false })).status).toBe(200)
    expect((await remove(server, `${buckets}/${usedBucket}`)).status).toBe(204)
    const enabled = await patch(server, `${ordersEu}/schedule`, { autoExportEnabled: true })
    expect(refusal(enabled)).toEqual(['RESOURCE_NOT_FOUND', ['/autoExportEnabled']])
  })
})
