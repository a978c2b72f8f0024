import type { CompliancePolicyDocument } from '../domain/backups/backup-schemas.ts'
import { activePolicyState } from '../domain/backups/compliance.ts'
import { Stored } from '../domain/stored.ts'
import type { Session } from './database.ts'
import { type RowOf, rowsOf } from './rows.ts'
import { type Slots, statement, unplanned } from './statement.ts'

/** The minimum requirements for backup schedules in a project. */
export interface CompliancePolicy {
  readonly groupId: string
  readonly state: string
  readonly since: number
  readonly deletable: boolean
  /** Whether to rewrite schedules that violate the policy, both immediately and when the policy becomes active. */
  readonly overwrites: boolean
  readonly document: Stored<CompliancePolicyDocument>
}

type Row = RowOf<'compliance_policies'>

const rows = rowsOf('compliance_policies', {
  key: ['group_id'],
  changing: ['state', 'since', 'deletable', 'overwrites', 'document'],
})
const get = rows.get(['group_id'])
const find = rows.find(['group_id'])
const rewriting = statement((db) =>
  db
    .selectFrom('compliance_policies')
    .select('group_id as groupId')
    .where('overwrites', '=', 1)
    .where('state', '<>', activePolicyState),
)
const unsettled = unplanned((db) =>
  db.selectFrom('compliance_policies').select('group_id as groupId').where('state', '<>', activePolicyState),
)
const remove = statement((db, $: Slots<{ groupId: string }>) =>
  db.deleteFrom('compliance_policies').where('group_id', '=', $('groupId')),
)

/** Reads and writes backup compliance policies. A project can have only one policy. */
export const compliancePolicies = {
  async get(session: Session, groupId: string): Promise<CompliancePolicy | undefined> {
    const row = await session.one(get, { groupId })
    return row && policyOf(row)
  },

  /** Returns a policy. In a transaction, also locks the policy. */
  async find(session: Session, groupId: string): Promise<CompliancePolicy | undefined> {
    const row = await session.one(find, { groupId })
    return row && policyOf(row)
  },

  /**
   * Returns the projects whose policy rewrites schedules when it becomes active. The order of the projects is the same
   * on every database.
   */
  async groupsToRewrite(session: Session): Promise<string[]> {
    return (await session.all(rewriting, {})).map(({ groupId }) => groupId).sort()
  },

  /**
   * Returns the projects whose policy may have become active although its stored state hasn't been updated yet. This
   * statement reads the whole table.
   */
  async groupsNotSettled(session: Session): Promise<string[]> {
    return (await session.all(unsettled, {})).map(({ groupId }) => groupId)
  },

  /**
   * Adds a policy.
   *
   * @throws {DuplicateError} if another process has already added a policy.
   */
  async add(session: Session, policy: CompliancePolicy): Promise<void> {
    await session.all(rows.insert, valuesOf(policy))
  },

  async replace(session: Session, policy: CompliancePolicy): Promise<void> {
    await session.all(rows.update, valuesOf(policy))
  },

  async remove(session: Session, groupId: string): Promise<void> {
    await session.all(remove, { groupId })
  },
}

const policyOf = ({ deletable, overwrites, document, ...row }: Row): CompliancePolicy => ({
  ...row,
  deletable: deletable === 1,
  overwrites: overwrites === 1,
  document: Stored.from(document),
})

const valuesOf = ({ deletable, overwrites, document, ...policy }: CompliancePolicy): Row => ({
  ...policy,
  deletable: deletable ? 1 : 0,
  overwrites: overwrites ? 1 : 0,
  document: document.text,
})
