import type { components } from '@svc-admin/types/newest'
import type { Session } from './database.ts'
import { type Slots, statement } from './statement.ts'

export type MigrationProject = components['schemas']['MigrationProject']

/** An organization's link token. Only the token's hash is stored. */
export interface LinkToken {
  readonly orgId: string
  /** The SHA-256 hash of the token in hexadecimal. */
  readonly hash: string
  readonly accessList: readonly string[]
  readonly createdAt: number
}

const putToken = statement(
  (db, $: Slots<{ orgId: string; hash: string; accessList: string; createdAt: number }>) => {
    const changing = { hash: $('hash'), access_list: $('accessList'), created_at: $('createdAt') }
    return db
      .insertInto('link_tokens')
      .values({ org_id: $('orgId'), ...changing })
      .onConflict((conflict) => conflict.column('org_id').doUpdateSet(changing))
  },
)
const removeToken = statement((db, $: Slots<{ orgId: string }>) =>
  db.deleteFrom('link_tokens').where('org_id', '=', $('orgId')).returning('org_id as orgId'),
)
const projects = statement((db, $: Slots<{ orgId: string }>) =>
  db
    .selectFrom('migration_projects')
    .select('document')
    .where('org_id', '=', $('orgId'))
    .orderBy('position')
    .orderBy('id'),
)
const insertProject = statement(
  (db, $: Slots<{ orgId: string; id: string; position: number; document: string }>) =>
    db
      .insertInto('migration_projects')
      .values({ org_id: $('orgId'), id: $('id'), position: $('position'), document: $('document') }),
)

const dropProjects = statement((db, $: Slots<{ orgId: string }>) =>
  db.deleteFrom('migration_projects').where('org_id', '=', $('orgId')),
)

/**
 * Reads and writes the link between an organization and its self-managed deployments. A link consists of a token and a
 * list of the linked projects.
 */
export const migrationLinks = {
  /** Stores a token. Storing a token invalidates the previous one. */
  async putToken(session: Session, { accessList, ...token }: LinkToken): Promise<void> {
    await session.all(putToken, { ...token, accessList: JSON.stringify(accessList) })
  },

  /** Removes a token. Returns whether the token existed. */
  async removeToken(session: Session, orgId: string): Promise<boolean> {
    return (await session.one(removeToken, { orgId })) !== undefined
  },

  async projects(session: Session, orgId: string): Promise<MigrationProject[]> {
    return (await session.all(projects, { orgId })).map((row) => JSON.parse(row.document))
  },

  /** Replaces an organization's list of linked projects. The order of the projects is also stored. */
  async putProjects(session: Session, orgId: string, projects: ReadonlyMap<string, MigrationProject>) {
    await session.all(dropProjects, { orgId })
    for (const [position, [id, project]] of [...projects].entries()) {
      await session.all(insertProject, { orgId, id, position, document: JSON.stringify(project) })
    }
  },
}
