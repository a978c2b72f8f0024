import { counted, type Requirement } from '@svc-admin/spec'
import { type Block, list } from '../content/block.ts'
import { codeLink } from '../content/inline.ts'
import type { SiteModel } from '../model/site-model.ts'
import { requirementAddress } from './requirement-rows.ts'

/** Returns the requirements that fully or partly cover a fact such as `limit:nLogs`. */
export const requirementsCovering = ({ inputs }: SiteModel, fact: string): Requirement[] =>
  inputs.requirements.filter(({ covers }) =>
    covers?.some((each) => each === fact || each.startsWith(`${fact}.`)),
  )

export function requirementsOf(model: SiteModel, fact: string): Block[] {
  const rows = requirementsCovering(model, fact)
  if (rows.length === 0) return []
  return [
    {
      kind: 'fold',
      id: 'requirements',
      summary: `${counted(rows.length, 'requirement')} for implementers`,
      blocks: [list(rows.map((row) => `${codeLink(row.id, requirementAddress(row))}: ${row.text}`))],
    },
  ]
}
