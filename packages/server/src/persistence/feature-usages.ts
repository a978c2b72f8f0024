import type { components } from '@svc-admin/types/newest'
import type { Session } from './database.ts'
import { exportBuckets } from './export-buckets.ts'

export type FeatureUsage = components['schemas']['FeatureUsage']

/** The API's name for the feature that exports snapshots to a bucket. */
const exportFeature = 'EXPORT_SNAPSHOT'

/** Returns the features that use a project's access roles, grouped by role. */
export async function featureUsagesOf(
  session: Session,
  groupId: string,
): Promise<ReadonlyMap<string, readonly FeatureUsage[]>> {
  const usages = new Map<string, FeatureUsage[]>()
  for (const { id, roleId } of await exportBuckets.roleUses(session, groupId)) {
    const usage = { featureType: exportFeature, featureId: { groupId, exportBucketId: id } }
    usages.set(roleId, [...(usages.get(roleId) ?? []), usage])
  }
  return usages
}
