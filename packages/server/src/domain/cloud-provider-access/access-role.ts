import type { components } from '@svc-admin/types/newest'
import { timestamp } from '../timestamp.ts'

export type CloudProvider = components['schemas']['CloudProvider']

/** A role's stored fields. `featureUsages` is derived from the features that use the role. */
export type AccessRoleDocument = Omit<
  components['schemas']['CloudProviderAccessRole'],
  'links' | 'featureUsages'
>

/** The account that AWS roles must trust. The sandbox uses one account for all roles. */
const serviceAccount = 'arn:aws:iam::210987654321:root'

/** GCP grants access to a service account directly, so there is no separate authorization. */
const bornAuthorized: CloudProvider = 'GCP'

/** Creates a role. AWS roles include the account to trust. */
export function createdRole(
  roleId: string,
  providerName: CloudProvider,
  now: number,
  externalId: () => string,
): { readonly authorizedAt: number | undefined; readonly document: AccessRoleDocument } {
  const created = { roleId, providerName, createdDate: timestamp(now) }
  if (providerName === 'AWS') {
    const trust = { svcAWSAccountArn: serviceAccount, svcAssumedRoleExternalId: externalId() }
    return { authorizedAt: undefined, document: { ...created, ...trust } }
  }
  if (providerName !== bornAuthorized) return { authorizedAt: undefined, document: created }
  return { authorizedAt: now, document: { ...created, authorizedDate: timestamp(now) } }
}

/** Converts sixteen random bytes to a UUID (RFC 9562 §5.4). */
export function uuidOf(bytes: Buffer): string {
  const version = (bytes.readUInt8(6) & 0x0f) | 0x40
  const variant = (bytes.readUInt8(8) & 0x3f) | 0x80
  const set = Buffer.from(bytes)
  set.writeUInt8(version, 6)
  set.writeUInt8(variant, 8)
  return set.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
