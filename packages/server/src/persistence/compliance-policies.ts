import type { CompliancePolicyDocument } from '../domain/backups/backup-schemas.ts'
import { activePolicyState } from '../domain/backups/compliance.ts'
import { Stored } from '../domain/stored.ts'
import type { Session } from './database.ts'
import { type Slots, statement, unplanned } from './statement.ts'

/** What every backup schedule of a project must do at least. */
export interface CompliancePolicy {
  readonly groupId: string
  readonly state: string
  readonly since: number
  readonly deletable: boolean
  /** True if schedules that fall short are rewritten, at once and again when it becomes active. */
  readonly overwrites: boolean
  readonly document: Stored<CompliancePolicyDocument>
}

interface Row {
  groupId: string
  state: string
  since: number
  deletable: number
  overwrites: number
  document: string
}
type Values = Row & Record<string, string | number>

const get = statement((db, $: Slots<{ groupId: string }>) =>
  db
    .selectFrom('compliance_policies')
    .select(['group_id as groupId', 'state', 'since', 'deletable', 'overwrites', 'document'])
    .where('group_id', '=', $('groupId')),
)
const find = statement((db, $: Slots<{ groupId: string }>, dialect) =>
  db
    .selectFrom('compliance_policies')
    .select(['group_id as groupId', 'state', 'since', 'deletable', 'overwrites', 'document'])
    .where('group_id', '=', $('groupId'))
    .$if(dialect.locksRows, (query) => query.forUpdate()),
)
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
const add = statement((db, $: Slots<Values>) =>
  db.insertInto('compliance_policies').values({
    group_id: $('groupId'),
    state: $('state'),
    since: $('since'),
    deletable: $('deletable'),
    overwrites: $('overwrites'),
    document: $('document'),
  }),
)
const replace = statement((db, $: Slots<Values>) =>
  db
    .updateTable('compliance_policies')
    .set({
      state: $('state'),
      since: $('since'),
      deletable: $('deletable'),
      overwrites: $('overwrites'),
      document: $('document'),
    })
    .where('group_id', '=', $('groupId')),
)
const remove = statement((db, $: Slots<{ groupId: string }>) =>
  db.deleteFrom('compliance_policies').where('group_id', '=', $('groupId')),
)

/** Backup compliance policies: a project has one or none. */
export const compliancePolicies = {
  async get(session: Session, groupId: string): Promise<CompliancePolicy | undefined> {
    const row = await session.one(get, { groupId })
    return row && policyOf(row)
  },

  /** The same, locked if the session is a transaction that will change it. */
  async find(session: Session, groupId: string): Promise<CompliancePolicy | undefined> {
    const row = await session.one(find, { groupId })
    return row && policyOf(row)
  },

  /** The projects whose policy is still to rewrite schedules once it is active, in the same order on every database. */
  async groupsToRewrite(session: Session): Promise<string[]> {
    return (await session.all(rewriting, {})).map(({ groupId }) => groupId).sort()
  },

  /** The projects of which it is not kept that their policy is active; of many it follows from the clock. Read as a whole. */
  async groupsNotSettled(session: Session): Promise<string[]> {
    return (await session.all(unsettled, {})).map(({ groupId }) => groupId)
  },

  /** @throws {DuplicateError} if another process was quicker. */
  async add(session: Session, policy: CompliancePolicy): Promise<void> {
    await session.all(add, valuesOf(policy))
  },

  async replace(session: Session, policy: CompliancePolicy): Promise<void> {
    await session.all(replace, valuesOf(policy))
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

const valuesOf = ({ deletable, overwrites, document, ...policy }: CompliancePolicy): Values => ({
  ...policy,
  deletable: deletable ? 1 : 0,
  overwrites: overwrites ? 1 : 0,
  document: document.text,
})
