import { always, forEach, rules } from '../../check/rule.ts'
import { stringAt } from '../../document/json.ts'
import { expectError, expectRefusal, expectSuccess, expectThat } from '../../model/expect.ts'
import { needsRole } from '../../resources/needed-role.ts'
import { type OwnProject, ownOrganization, sendRequest } from '../../resources/own-resources.ts'
import {
  accepted,
  arrayOf,
  expectContains,
  expectItems,
  expectSame,
  type SuccessfulResponse,
  successfulResponse,
} from '../../resources/successful-response.ts'
import type { RunContext } from '../../run-context/run-context.ts'

// Each check uses a different organization, because an organization can have only one link token.
const arranged = { phase: 'write' } as const

const project = {
  projectId: '64b7e1c20f3a5d6e7f809191',
  name: 'self-managed',
  deployments: [{ name: 'orders' }],
}

const withProjects = async (
  context: RunContext,
  ...projects: readonly (typeof project)[]
): Promise<OwnProject> => {
  const place = await ownOrganization(context)
  const self = `/orgs/${place.orgId}/liveMigrations/availableProjects`
  await context.prerequisites.seed({ migrationProjects: [{ self, projects }] })
  return place
}

/** Expects the response to contain a `linkToken` string that isn't empty. */
const expectLinkToken = ({ body, exchange }: SuccessfulResponse): void => {
  const token = stringAt(body, 'linkToken') ?? ''
  expectThat(token !== '', { expected: 'a linkToken string', actual: 'none', exchange })
}

export default rules({
  'createLinkToken.answers-with-link-token': always(async (trial) => {
    const place = await ownOrganization(trial.context)
    expectLinkToken(
      successfulResponse(await sendRequest(trial, place, { body: { accessListIps: ['198.51.100.24'] } })),
    )
  }),

  'createLinkToken.access-list': forEach(
    () => [[], ['198.51.100.24', '203.0.113.0/24'], ['2001:db8:85a3:8d3:1319:8a2e:370:7348/128']],
    (entries) => `${entries.length} ${entries[0] ?? ''}`.trim(),
    async (trial, accessListIps) =>
      expectLinkToken(
        successfulResponse(
          await sendRequest(trial, await ownOrganization(trial.context), { body: { accessListIps } }),
        ),
      ),
  ),

  'createLinkToken.access-list-optional': always(async (trial) =>
    expectLinkToken(
      successfulResponse(await sendRequest(trial, await ownOrganization(trial.context), { body: {} })),
    ),
  ),

  'createLinkToken.another-each-time': always(async (trial) => {
    const place = await ownOrganization(trial.context)
    const seen = new Set<string | undefined>()
    for (let count = 1; count <= 3; count += 1) {
      const { exchange, body } = successfulResponse(await sendRequest(trial, place))
      const token = stringAt(body, 'linkToken')
      expectThat(!seen.has(token), { expected: 'a different link token', actual: 'the same value', exchange })
      seen.add(token)
    }
  }),

  'deleteLinkTokens.removes': always(async (trial) => {
    const place = await ownOrganization(trial.context)
    successfulResponse(await sendRequest(trial, place, {}, 'createLinkToken'))
    expectSuccess(await sendRequest(trial, place))
    expectRefusal(
      await sendRequest(trial, place),
      'RESOURCE_NOT_FOUND',
      'the link token was deleted',
      'decided',
    )
    successfulResponse(await sendRequest(trial, place, {}, 'createLinkToken'))
    expectSuccess(await sendRequest(trial, place), 'a success for deleting the next link token')
  }, arranged),

  'deleteLinkTokens.none': always(async (trial) => {
    const exchange = await sendRequest(trial, await ownOrganization(trial.context))
    expectError(exchange, 'RESOURCE_NOT_FOUND', 'the organization has no link token')
  }, arranged),

  'listMigrationProjects.answers-with-projects': always(async (trial) => {
    const projects = [project, { ...project, projectId: '64b7e1c20f3a5d6e7f809192', name: 'second' }]
    await withProjects(trial.context, { ...project, name: 'of another organization' })
    const exchange = await sendRequest(trial, await withProjects(trial.context, ...projects))
    expectItems(exchange, arrayOf(exchange), projects, 'projectId')
  }, arranged),

  'listMigrationProjects.project-open': always(async (trial) => {
    const open = { ...project, somethingElse: { inner: 1 } }
    const exchange = await sendRequest(trial, await withProjects(trial.context, open))
    const { body } = accepted(exchange, 'a list with such a project')
    expectContains(exchange, body, [open])
  }, arranged),

  'listMigrationProjects.none-is-empty': always(async (trial) => {
    const exchange = await sendRequest(trial, await ownOrganization(trial.context))
    expectSame(exchange, 'an empty array', successfulResponse(exchange).body, [])
  }, arranged),

  'listMigrationProjects.role': needsRole('ORGANIZATION_MEMBER', 'PROJECT_OWNER'),
})
