import { limits } from '@svc-admin/types'
import type { components } from '@svc-admin/types/newest'

export type AuditingDocument = Omit<components['schemas']['AuditingConfig'], 'links'>
export type AuditingChange = components['schemas']['AuditingConfigRequest']

export const initialAuditing: AuditingDocument = {
  auditAuthorizationSuccess: false,
  configurationType: 'NONE',
  enabled: false,
}

/** Applies a change to an auditing configuration. Omitted fields keep their previous values. */
export function changedAuditing(before: AuditingDocument, change: AuditingChange): AuditingDocument {
  const { auditFilter } = change
  return {
    ...before,
    ...change,
    ...(auditFilter === undefined ? {} : { configurationType: 'FILTER_JSON' }),
  }
}

/**
 * Returns the changed fields that can only be set if auditing is available. If auditing isn't available, the only
 * allowed change is to disable it.
 */
export function needingAuditing(before: AuditingDocument, { enabled, ...change }: AuditingChange): string[] {
  const fields = new Map<string, unknown>(Object.entries(before))
  const others = Object.entries(change).filter(([name, value]) => fields.get(name) !== value)
  return [...(enabled === true ? ['enabled'] : []), ...others.map(([name]) => name)]
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const tiersWithout: readonly string[] = limits.tiersWithoutAuditing.values

/**
 * Returns whether a project with clusters of these tiers can use auditing. A project with clusters needs at least one
 * cluster whose tier supports auditing.
 */
export function canAudit(tiers: readonly string[]): boolean {
  return tiers.length === 0 || tiers.some((tier) => !tiersWithout.includes(tier))
}
