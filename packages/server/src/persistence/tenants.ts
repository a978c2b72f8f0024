import type { Session } from './database.ts'
import { type Slots, statement } from './statement.ts'

export interface Organization {
  readonly id: string
  readonly name: string
}

export interface Project {
  readonly id: string
  readonly orgId: string
  readonly name: string
}

const project = statement((db, $: Slots<{ id: string }>) =>
  db.selectFrom('projects').select(['id', 'org_id as orgId', 'name']).where('id', '=', $('id')),
)
const organization = statement((db, $: Slots<{ id: string }>) =>
  db.selectFrom('organizations').select(['id', 'name']).where('id', '=', $('id')),
)
const firstOrganization = statement((db) => db.selectFrom('organizations').select('id').limit(1))
const insertOrganization = statement((db, $: Slots<{ id: string; name: string; at: number }>) =>
  db
    .insertInto('organizations')
    .values({ id: $('id'), name: $('name'), created_at: $('at') })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name: $('name') })),
)
const insertProject = statement((db, $: Slots<{ id: string; orgId: string; name: string; at: number }>) =>
  db
    .insertInto('projects')
    .values({ id: $('id'), org_id: $('orgId'), name: $('name'), created_at: $('at') })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name: $('name'), org_id: $('orgId') })),
)

/** Reads and writes organizations and projects. Organizations and projects can't be changed through the API. */
export const tenants = {
  project: (session: Session, id: string): Promise<Project | undefined> => session.one(project, { id }),

  organization: (session: Session, id: string): Promise<Organization | undefined> =>
    session.one(organization, { id }),

  async anyOrganization(session: Session): Promise<boolean> {
    return (await session.one(firstOrganization, {})) !== undefined
  },

  async putOrganization(session: Session, { id, name }: Organization, at: number): Promise<void> {
    await session.all(insertOrganization, { id, name, at })
  },

  async putProject(session: Session, { id, orgId, name }: Project, at: number): Promise<void> {
    await session.all(insertProject, { id, orgId, name, at })
  },
}
