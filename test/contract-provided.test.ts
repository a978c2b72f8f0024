import { demoTarget, openKit } from '@svc-admin/contract'
import { type RunningServer, startServer } from '@svc-admin/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsIn } from './sandbox-rows.ts'

// Runs the kit with a minimal target, which has only an address, credentials and a project.

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ sandbox: true })
})
afterAll(() => server.stop())

/** Requirements that can be tested if only a project's ID is known. */
const triedInProject = [
  'deauthorizeCloudProviderAccessRole.other-provider',
  'deauthorizeCloudProviderAccessRole.providers',
  'deauthorizeCloudProviderAccessRole.removes',
  'getAuditingConfig.answers-with-auditing-config',
  'getCloudProviderAccessRole.answers-with-role',
  'getCustomDns.answers-with-custom-dns',
  'listCloudProviderAccessRoles.answers-with-roles',
  'listCloudProviderAccessRoles.both-always',
  'listCloudProviderAccessRoles.by-provider',
  'roles.needed-role-suffices',
  'updateAuditingConfig.stored',
] as const

test('tests access roles and settings with only a project, and leaves nothing behind', async () => {
  const demo = demoTarget({ baseUrl: server.url })
  const { groupId = '' } = demo.things
  const { clusters: _, ...rest } = demo
  const settings = async () => {
    const kit = await openKit({ target: demo, selection: { operations: ['getCustomDns'] } })
    const { perform } = kit.context
    const found = [
      await perform('getCustomDns', demo.things),
      await perform('getAuditingConfig', demo.things),
    ]
    kit.close()
    return found
  }
  const state = async () => [await rowsIn(server, 'access_roles'), ...(await settings())]
  const before = await state()
  const kit = await openKit({
    target: { ...rest, things: { groupId } },
    selection: {
      areas: ['Auditing', 'Cloud Provider Access', 'Custom DNS'],
      versions: ['2023-01-01'],
      requirements: triedInProject,
    },
  })
  const { results, leftovers } = await kit.run()
  expect(leftovers).toEqual([])
  expect(await state()).toEqual(before)
  const of = (wanted: string) => results.filter(({ verdict }) => verdict === wanted)
  const passed = new Set(of('PASS').map(({ requirement }) => requirement))
  expect(triedInProject.filter((id) => !passed.has(id))).toEqual([])
  // If calls use up a resource, adding one to the target file doesn't help, so the report doesn't ask for it.
  // Only a seed can create callers with several roles.
  const untestable = of('UNTESTABLE').filter(
    ({ requirement, variant }) =>
      requirement === 'roles.needed-role-suffices' && !variant.includes('of several'),
  )
  expect(new Set(untestable.map(({ operation }) => operation))).toEqual(
    new Set(['authorizeCloudProviderAccessRole']),
  )
  for (const { reason } of untestable) expect(reason).toContain('hooks.seed with hooks.unseed')
})

test('names each missing role once, as in a target file', async () => {
  const { roles, ...rest } = demoTarget({ baseUrl: server.url })
  const [apiKey] = [roles.PROJECT_OWNER?.apiKey]
  const kit = await openKit({
    target: { ...rest, roles: { PROJECT_OWNER: { ...(apiKey && { apiKey }) } } },
    selection: {
      operations: ['getCustomDns', 'listMatcherFieldNames', 'updateCustomDns'],
      requirements: ['auth.bearer', 'roles.needed', 'roles.any'],
      versions: ['2023-01-01'],
    },
  })
  const { results } = await kit.run()
  const lacking = results.flatMap(({ verdict, reason }) =>
    verdict === 'UNTESTABLE' && reason ? [reason] : [],
  )
  expect([...new Set(lacking)].filter((reason) => reason.includes('service account')).sort()).toEqual([
    'a service account of PROJECT_OWNER',
    'a service account of PROJECT_READ_ONLY',
    'a service account of PROJECT_SVC_ADMIN',
    'a service account of any role',
  ])
})
