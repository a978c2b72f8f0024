import { ControlInputError, type Fields } from './fields.ts'

/** What a resource is found by, as in `Seeded` of the document of the control interface. */
export const nameMembers = [
  'id',
  '_id',
  'orgId',
  'groupId',
  'name',
  'tier',
  'hostnames',
  'hostname',
  'publicKey',
  'clientId',
  'clusterName',
  'serverlessInstanceName',
  'eventTypeName',
  'alertConfigId',
  'status',
  'roleId',
  'snapshotId',
  'indexID',
] as const

/** Three together with an instant fit into an entry of an index of PostgreSQL, which has some 2,700 bytes. */
export const nameLimit = 256

/** @throws {ControlInputError} for a name that is longer than any of the API may be. */
export function requireShortNames(fields: Fields): void {
  for (const member of nameMembers) {
    const values = [fields[member]].flat()
    if (values.some(isTooLong)) {
      throw new ControlInputError(`'${member}' must be at most ${nameLimit} characters long`)
    }
  }
}

const isTooLong = (value: unknown): boolean => typeof value === 'string' && [...value].length > nameLimit
