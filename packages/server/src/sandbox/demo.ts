import { loadDemo } from '@svc-admin/spec'
import type { RoleId } from '@svc-admin/types'
import { type Fields, fieldsOf, list, text } from './fields.ts'

/** The demo organization's credentials in the client's format. */
export interface DemoCredentials {
  readonly apiKey: { readonly publicKey: string; readonly privateKey: string }
  readonly serviceAccount: { readonly clientId: string; readonly clientSecret: string }
}

/** The data that a program needs to use the demo organization. */
export interface Demo {
  readonly orgId: string
  /** The project with most of the demo's resources. */
  readonly groupId: string
  /** The names of the project's clusters. */
  readonly clusterNames: readonly string[]
  /**
   * Returns credentials that have only the given role in the organization or project. The credentials can be used from
   * any IP address.
   */
  credentialsOf(role: RoleId): DemoCredentials
}

/** Returns the IDs and credentials of the demo organization, as defined in the specification. */
export function demoOf(): Demo {
  const content = loadDemo()
  const [project] = content.projects ?? []
  const fields = fieldsOf(project, "The demo's first project")
  const orgId = text(fields, 'orgId')
  const groupId = text(fields, 'id')
  const holder = (collection: string, role: RoleId): Fields => {
    const found = content[collection]?.find((each) => holdsAlone(each, role, { orgId, groupId }))
    return fieldsOf(found, `The entry in the demo's ${collection} that has only the role ${role}`)
  }
  const inProject = (content.clusters ?? []).filter((cluster) => cluster.groupId === groupId)
  return {
    orgId,
    groupId,
    clusterNames: inProject.map((cluster) => text(cluster, 'name')),
    credentialsOf: (role) => {
      const key = holder('apiKeys', role)
      const account = holder('serviceAccounts', role)
      return {
        apiKey: { publicKey: text(key, 'publicKey'), privateKey: text(key, 'privateKey') },
        serviceAccount: { clientId: text(account, 'clientId'), clientSecret: text(account, 'clientSecret') },
      }
    },
  }
}

function holdsAlone(
  credential: Fields,
  role: RoleId,
  { orgId, groupId }: Pick<Demo, 'orgId' | 'groupId'>,
): boolean {
  const [grant, ...others] = list(credential, 'roles').map((each) => fieldsOf(each, 'A role'))
  if (!grant || others.length > 0 || credential.accessList !== undefined) return false
  return grant.role === role && (grant.orgId === orgId || grant.groupId === groupId)
}
