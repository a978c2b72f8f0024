import { type Json, stringAt } from '../document/json.ts'
import { NoCredentials } from '../http/no-credentials.ts'
import type { Cell } from '../model/api.ts'
import { Untestable } from '../model/signals.ts'
import type { RunContext } from '../run-context/run-context.ts'
import { givenBody } from './given.ts'

/** Returns the documented fields of a role in the project, or `undefined` if the role can't be read. */
const roleOf = (context: RunContext, roleId: string): Promise<Json | undefined> =>
  context.once(`role ${roleId}`, async () => {
    const { groupId = '' } = context.target.things
    try {
      return await context.perform('getCloudProviderAccessRole', { groupId, roleId })
    } catch (error) {
      if (error instanceof Untestable || error instanceof NoCredentials) return undefined
      throw error
    }
  })

/**
 * Returns the body for a valid call. Expects the resources in the body to be usable, if the kit can read
 * their state.
 *
 * @throws Untestable if a resource is missing or can't be used.
 */
export const usableBody = async (context: RunContext, cell: Cell): Promise<Json | undefined> => {
  const body = givenBody(context, cell)
  const roleId = stringAt(body, 'iamRoleId')
  // All of the demo organization's resources can be used.
  if (roleId === undefined || context.demo.names.size > 0) return body
  const role = await roleOf(context, roleId)
  if (role === undefined) return body
  if (stringAt(role, 'authorizedDate') === undefined)
    throw new Untestable('an authorized role in the roleId of the target file')
  const provider = stringAt(role, 'providerName')
  if (provider !== undefined && provider !== stringAt(body, 'cloudProvider'))
    throw new Untestable(`the provider of the role in the target file, ${provider}`)
  return body
}
