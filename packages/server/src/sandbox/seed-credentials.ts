import { roles } from '@svc-admin/types'
import { ha1Of } from '../auth/digest.ts'
import { sha256 } from '../auth/secrets.ts'
import { createAccessList } from '../domain/access-list.ts'
import { type Grant, isRole } from '../domain/roles.ts'
import { type CredentialDocument, credentials } from '../persistence/credentials.ts'
import type { Transaction } from '../persistence/database.ts'
import { ControlInputError, type Fields, fieldsOf, list, located, maybeText, text, texts } from './fields.ts'
import { requireOrganization, requireProject } from './required-tenants.ts'
import type { Seeding } from './seeding.ts'

export async function seedApiKey({ transaction }: Seeding, fields: Fields): Promise<void> {
  const publicKey = text(fields, 'publicKey')
  const ha1 = ha1Of(publicKey, text(fields, 'privateKey'))
  await credentials.putApiKey(transaction, { publicKey, ha1, ...(await credentialOf(transaction, fields)) })
}

export async function seedServiceAccount({ transaction }: Seeding, fields: Fields): Promise<void> {
  const clientId = text(fields, 'clientId')
  const secretHash = sha256(text(fields, 'clientSecret'))
  const document = await credentialOf(transaction, fields)
  await credentials.putServiceAccount(transaction, { clientId, secretHash, ...document })
}

async function credentialOf(transaction: Transaction, fields: Fields): Promise<CredentialDocument> {
  const accessList = texts(fields, 'accessList')
  requireAddresses(accessList)
  const grants: Grant[] = []
  for (const [index, item] of list(fields, 'roles').entries()) {
    const at = `roles[${index}]`
    const grant = fieldsOf(item, `'${at}'`)
    grants.push(await located(at, () => grantOf(transaction, grant)))
  }
  return { label: maybeText(fields, 'label') ?? '', roles: grants, accessList }
}

function requireAddresses(accessList: readonly string[]): void {
  try {
    createAccessList(accessList)
  } catch (error) {
    throw new ControlInputError(`'accessList': ${error instanceof Error ? error.message : error}`)
  }
}

/** The kinds of resources for which a role can be granted, by scope. */
const holders = {
  organization: { field: 'orgId', other: 'groupId', words: 'an organization' },
  project: { field: 'groupId', other: 'orgId', words: 'a project' },
} as const

/**
 * Returns a grant. The role must belong to the given scope. In another scope, the role would grant too many permissions
 * or none.
 */
async function grantOf(transaction: Transaction, fields: Fields): Promise<Grant> {
  const role = text(fields, 'role')
  if (!isRole(role)) {
    throw new ControlInputError(
      `'role' must be one of ${Object.keys(roles).join(', ')}, not '${role.slice(0, 100)}'`,
    )
  }
  const { field, other, words } = holders[roles[role].scope]
  if (fields[field] === undefined || fields[other] !== undefined) {
    throw new ControlInputError(
      `${role} is a role in ${words}. It requires '${field}' and must not have '${other}'`,
    )
  }
  const id = text(fields, field)
  if (field === 'orgId') {
    await requireOrganization(transaction, id)
    return { role, orgId: id }
  }
  await requireProject(transaction, id)
  return { role, groupId: id }
}
