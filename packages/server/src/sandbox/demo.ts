import { loadDemo } from '@svc-admin/spec'
import type { RoleId } from '@svc-admin/types'
import { type Fields, fieldsOf, list, text } from './fields.ts'

/** Credentials in the demo organisation, each in the shape that clients take. */
export interface DemoCredentials {
  readonly apiKey: { readonly publicKey: string; readonly privateKey: string }
  readonly serviceAccount: { readonly clientId: string; readonly clientSecret: string }
}

/** What a program has to know of the demo organisation to begin with. */
export interface Demo {
  readonly orgId: string
  /** The project that most of the demo's resources are in. */
  readonly groupId: string
  /** Names of the clusters of the project. */
  readonly clusterNames: readonly string[]
  /** Those that hold this role and no other, in the organisation or the project, from any address. */
  credentialsOf(role: RoleId): DemoCredentials
}

/** Tells of the demo organisation, as the specification has it. */
export function demoOf(): Demo {
  const content = loadDemo()
  const [project] = content.projects ?? []
  const fields = fieldsOf(project, 'The first project of the demo')
  const orgId = text(fields, 'orgId')
  const groupId = text(fields, 'id')
  const holder = (collection: string, role: RoleId): Fields => {
    const found = content[collection]?.find((each) => holdsAlone(each, role, { orgId, groupId }))
    return fieldsOf(found, `What holds ${role} alone among the ${collection} of the demo`)
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
