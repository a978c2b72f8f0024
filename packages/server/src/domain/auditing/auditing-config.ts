import { limits } from '@svc-admin/types'
import type { components } from '@svc-admin/types/newest'

export type AuditingDocument = Omit<components['schemas']['AuditingConfig'], 'links'>
export type AuditingChange = components['schemas']['AuditingConfigRequest']

/** What a project has that never configured auditing. */
export const initialAuditing: AuditingDocument = {
  auditAuthorizationSuccess: false,
  configurationType: 'NONE',
  enabled: false,
}

/** The configuration after a change: what was not sent stays. */
export function changedAuditing(before: AuditingDocument, change: AuditingChange): AuditingDocument {
  const { auditFilter } = change
  return {
    ...before,
    ...change,
    ...(auditFilter === undefined ? {} : { configurationType: 'FILTER_JSON' }),
  }
}

/** The members of a change that need auditing: without it, it can be switched off, and nothing else. */
export function needingAuditing(before: AuditingDocument, { enabled, ...change }: AuditingChange): string[] {
  const fields = new Map<string, unknown>(Object.entries(before))
  const others = Object.entries(change).filter(([name, value]) => fields.get(name) !== value)
  return [...(enabled === true ? ['enabled'] : []), ...others.map(([name]) => name)]
}

/** Whether a text is a JSON document, which a filter has to be. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const tiersWithout: readonly string[] = limits.tiersWithoutAuditing.values

/** Whether a project with clusters of these tiers can audit: one that can suffices, and so does having none yet. */
export function canAudit(tiers: readonly string[]): boolean {
  return tiers.length === 0 || tiers.some((tier) => !tiersWithout.includes(tier))
}
