import type { OperationId } from '@svc-admin/types'
import { expect, test } from 'vitest'
import { loadApi } from '../model/api.ts'
import { Untestable } from '../model/signals.ts'
import { openJournal } from '../run-context/journal.ts'
import { createPrerequisites } from '../run-context/prerequisites.ts'
import { createRunContext } from '../run-context/run-context.ts'
import type { Target } from '../target/target.ts'
import { givenBody, givenParameters } from './given.ts'

const api = loadApi()
const [groupId, jobId, snapshotId] = ['a', 'b', 'c'].map((digit) => digit.repeat(24))
const [main, other] = [
  { name: 'main', tier: 'M30' },
  { name: 'instance', tier: 'SERVERLESS' },
]
const flex = { name: 'flex', tier: 'FLEX' }

const providing = (clusters: Target['clusters'] = [], things: Target['things'] = {}) => {
  const refuse = () => expect.fail('nothing is sent')
  const whole: Target = {
    baseUrl: 'http://127.0.0.1:1',
    roles: {},
    clusters,
    things: { groupId: groupId ?? '', ...things },
  }
  return createRunContext({
    api,
    target: whole,
    runTag: 'test',
    journal: openJournal(),
    session: { challenge: refuse, token: refuse, forget: () => {}, waits: () => 0, send: refuse },
    prerequisites: createPrerequisites(whole),
  })
}

const cellOf = (operation: OperationId) =>
  api.cells.findLast((one) => one.operation.id === operation) ?? expect.fail('no such operation')

const pathOf = (operation: OperationId, ...provided: Parameters<typeof providing>) =>
  givenParameters(providing(...provided), cellOf(operation))

test.each(['listServerlessSnapshots', 'listServerlessRestoreJobs', 'createServerlessRestoreJob'] as const)(
  '%s uses an instance, or a flex cluster if there is no instance',
  async (operation) => {
    expect(await pathOf(operation, [main, flex, other])).toMatchObject({ clusterName: 'instance' })
    expect(await pathOf(operation, [main, flex])).toMatchObject({ clusterName: 'flex' })
    const named = { [`${operation}.clusterName`]: 'named' }
    expect(await pathOf(operation, [main], named)).toMatchObject({ clusterName: 'named' })
    const lacking = pathOf(operation, [main], { clusterName: 'main' })
    await expect(lacking).rejects.toBeInstanceOf(Untestable)
    await expect(lacking).rejects.toThrow(
      'a serverless instance (a cluster with the tier SERVERLESS or FLEX)',
    )
  },
)

test('backup operations of clusters skip instances, and shared operations use the first cluster', async () => {
  expect(await pathOf('listSnapshots', [other, flex, main])).toMatchObject({ clusterName: 'main' })
  await expect(pathOf('listSnapshots', [other])).rejects.toThrow("that isn't a serverless instance")
  expect(await pathOf('listAccessLogsByCluster', [other, main])).toMatchObject({ clusterName: 'instance' })
})

test('a snapshot or job of a cluster is not used for an instance', async () => {
  const things = { snapshotId: snapshotId ?? '', restoreJobId: jobId ?? '' }
  for (const [operation, name] of [
    ['getServerlessSnapshot', 'snapshotId'],
    ['getServerlessRestoreJob', 'restoreJobId'],
  ] as const) {
    const own = `${operation}.${name}`
    await expect(pathOf(operation, [main, other], things)).rejects.toThrow(
      `the ${own} of an existing resource`,
    )
    expect(await pathOf(operation, [main, other], { ...things, [own]: jobId ?? '' })).toMatchObject({
      clusterName: 'instance',
      [name]: jobId,
    })
  }
  expect(await pathOf('getSnapshot', [other, main], things)).toMatchObject({
    clusterName: 'main',
    snapshotId,
  })
})

test('an instance is restored to an instance', () => {
  const things = { 'getServerlessSnapshot.snapshotId': snapshotId ?? '' }
  const body = givenBody(providing([main, other], things), cellOf('createServerlessRestoreJob'))
  expect(body).toMatchObject({ snapshotId, targetClusterName: 'instance', targetGroupId: groupId })
})
