import type { components } from '@svc-admin/types/newest'
import { timestamp } from '../timestamp.ts'

export type CloudProvider = components['schemas']['CloudProvider']

/**
 * The stored fields of a role. `featureUsages` isn't stored, because the server builds it from the features that use
 * the role.
 */
export type AccessRoleDocument = Omit<
  components['schemas']['CloudProviderAccessRole'],
  'links' | 'featureUsages'
>

/** The account that AWS roles must trust, which is the same for all roles in the sandbox. */
const serviceAccount = 'arn:aws:iam::210987654321:root'

/** GCP grants access directly to a service account, so GCP roles don't need to be authorized. */
const bornAuthorized: CloudProvider = 'GCP'

/** Creates a role. For AWS, the role also contains the account that it must trust. */
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

/** Converts 16 random bytes to a UUID (RFC 9562 §5.4). */
export function uuidOf(bytes: Buffer): string {
  const version = (bytes.readUInt8(6) & 0x0f) | 0x40
  const variant = (bytes.readUInt8(8) & 0x3f) | 0x80
  const set = Buffer.from(bytes)
  set.writeUInt8(version, 6)
  set.writeUInt8(variant, 8)
  return set.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
