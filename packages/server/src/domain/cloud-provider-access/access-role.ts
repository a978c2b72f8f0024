import type { components } from '@svc-admin/types/newest'
import { timestamp } from '../timestamp.ts'

export type CloudProvider = components['schemas']['CloudProvider']

/** The stored fields of a role. `featureUsages` is derived from the features that use it. */
export type AccessRoleDocument = Omit<
  components['schemas']['CloudProviderAccessRole'],
  'links' | 'featureUsages'
>

/** The account that AWS roles must trust. All roles in the sandbox use the same account. */
const serviceAccount = 'arn:aws:iam::210987654321:root'

/** GCP grants access to a service account directly, so GCP roles don't need to be authorized. */
const bornAuthorized: CloudProvider = 'GCP'

/** Creates a role. An AWS role includes the account that it must trust. */
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
