import type { OperationId } from '@svc-admin/types'
import { expect, test } from 'vitest'
import { dated } from '../../test/context-over.ts'
import { type Json, stringAt } from '../document/json.ts'
import { loadApi } from '../model/api.ts'
import { Untestable } from '../model/signals.ts'
import { openJournal } from '../run-context/journal.ts'
import { createPrerequisites } from '../run-context/prerequisites.ts'
import { createRunContext } from '../run-context/run-context.ts'
import { demoTarget } from '../target/demo.ts'
import type { Target } from '../target/target.ts'
import { unnamedInBody } from './body-resources.ts'
import { bodyOnTarget, exampleBody, givenBody } from './given.ts'
import { usableBody } from './usable-body.ts'

const api = loadApi()
const demo = demoTarget({ baseUrl: 'http://127.0.0.1:1' })
const groupId = 'a'.repeat(24)
const id = (digit: string): string => digit.repeat(24)
const clusters = [{ name: 'lent', tier: 'M30' }]

/** Creates a run context with a target that returns the same role for every request. */
const contextOf = (target: Pick<Target, 'things' | 'clusters'>, role: object = {}) => {
  const refuse = () => expect.fail('no credentials are asked for')
  const whole = { ...demo, ...target }
  return createRunContext({
    api,
    target: whole,
    runTag: 'test',
    journal: openJournal(),
    session: {
      challenge: refuse,
      token: refuse,
      forget: () => {},
      waits: () => 0,
      async send(request) {
        const response = { status: 200, reason: '', headers: [], body: JSON.stringify(role) }
        return { url: '', request, response, milliseconds: 0 }
      },
    },
    prerequisites: createPrerequisites(whole),
  })
}

const cellOf = (operation: OperationId) =>
  api.cells.findLast((one) => one.operation.id === operation) ?? expect.fail('no such operation')

test('on the demo organization, the documented examples are used, except for bucket names', () => {
  const context = contextOf(demo)
  for (const cell of api.cells)
    for (const example of cell.definition.body?.examples ?? [])
      if (!JSON.stringify(example).includes('@')) {
        const same = (text: string): string =>
          text.replaceAll(/ \(test\)/g, '').replace(/("bucketName":"[^"]+)-[\da-f]{8}"/, '$1"')
        expect(same(JSON.stringify(bodyOnTarget(context, cell, example)))).toBe(JSON.stringify(example))
      }
})

test('each body has a different bucket name', () => {
  const cell = dated('createExportBucket')
  const [example = null] = cell.definition.body?.examples ?? []
  const name = () => stringAt(bodyOnTarget(contextOf(demo), cell, example), 'bucketName')
  expect(name()).not.toBe(name())
})

test('a resource that a body names and the target file lacks is reported without a request', () => {
  const provided = { things: { groupId }, clusters }
  const lacks: Partial<Record<OperationId, string>> = {
    createExportBucket: 'roleId',
    createExportJob: 'exportBucketId',
    createRestoreJob: 'snapshotId',
    createServerlessRestoreJob: 'snapshotId',
    updateBackupSchedule: 'exportBucketId',
  }
  for (const cell of api.cells) {
    const lacking = lacks[cell.operation.id]
    if (lacking === undefined) continue
    expect([cell.key, unnamedInBody(cell, { ...demo, ...provided })]).toEqual([
      cell.key,
      expect.arrayContaining([lacking]),
    ])
    const given = () => givenBody(contextOf(provided), cell)
    expect(given).toThrow(Untestable)
    expect(given).toThrow(/^the (\w+) of an existing resource$/)
    // The response to a caller without credentials reveals nothing about resources, so the example body is enough.
    expect(exampleBody(contextOf(provided), cell)).toBeDefined()
  }
  for (const operation of ['createMigration', 'validateMigration'] as const)
    expect(() => givenBody(contextOf(provided), cellOf(operation))).toThrow('a deployment to migrate from')
})

test('the names in a target file replace those in the body, wherever they occur', () => {
  const things = { groupId, roleId: id('b'), snapshotId: id('c'), exportBucketId: id('d') }
  const bodyOf = (operation: OperationId): Json | undefined =>
    givenBody(contextOf({ things, clusters }), cellOf(operation))
  expect(bodyOf('createExportBucket')).toMatchObject({ iamRoleId: id('b') })
  expect(bodyOf('createExportJob')).toMatchObject({ exportBucketId: id('d'), snapshotId: id('c') })
  expect(bodyOf('createRestoreJob')).toMatchObject({
    snapshotId: id('c'),
    targetGroupId: groupId,
    targetClusterName: 'lent',
  })
  expect(bodyOf('updateBackupSchedule')).toMatchObject({ export: { exportBucketId: id('d') } })
  // A serverless instance's snapshots are a different kind, so they can't be used.
  expect(() => bodyOf('createServerlessRestoreJob')).toThrow('the snapshotId of an existing resource')
  const own = { ...things, 'createServerlessRestoreJob.snapshotId': id('e') }
  const instances = [...clusters, { name: 'instance', tier: 'SERVERLESS' }]
  const provided = { things: own, clusters: instances }
  const serverless = givenBody(contextOf(provided), cellOf('createServerlessRestoreJob'))
  expect(serverless).toMatchObject({
    snapshotId: id('e'),
    targetGroupId: groupId,
    targetClusterName: 'instance',
  })
})

test('changed values in a body are retained', () => {
  const context = contextOf({ things: { groupId, roleId: id('b') }, clusters })
  const body = { bucketName: 'x', cloudProvider: 'AWS', iamRoleId: 'short' }
  expect(bodyOnTarget(context, cellOf('createExportBucket'), body)).toEqual(body)
})

test('an unauthorized role, or a role of another provider, is rejected for a good body', async () => {
  const provided = { things: { groupId, roleId: id('b') }, clusters }
  const cell = cellOf('createExportBucket')
  const authorized = { authorizedDate: '2026-01-01T00:00:00Z', providerName: 'AWS' }
  expect(await usableBody(contextOf(provided, authorized), cell)).toMatchObject({ iamRoleId: id('b') })
  await expect(usableBody(contextOf(provided, { providerName: 'AWS' }), cell)).rejects.toThrow(
    'an authorized role',
  )
  await expect(usableBody(contextOf(provided, { ...authorized, providerName: 'GCP' }), cell)).rejects.toThrow(
    'the provider of the role in the target file, GCP',
  )
})
