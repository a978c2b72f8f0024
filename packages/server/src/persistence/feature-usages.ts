import type { components } from '@svc-admin/types/2025-03-12'
import type { Session } from './database.ts'

export type FeatureUsage = components['schemas']['FeatureUsage']

/** What uses the access roles of a project, by role. */
export async function featureUsagesOf(
  _session: Session,
  _groupId: string,
): Promise<ReadonlyMap<string, readonly FeatureUsage[]>> {
  return new Map()
}
