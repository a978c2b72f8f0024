import type { Requirement } from '@svc-admin/spec'
import { type Block, table } from '../content/block.ts'
import { codeLink } from '../content/inline.ts'
import { strengthText } from '../content/strength.ts'
import { addresses, type SiteModel, type VersionModel } from '../model/site-model.ts'
import { areaSlug } from '../site/menu.ts'

/** Where a requirement is shown. */
export const requirementAddress = ({ id, area }: Requirement): string =>
  `${addresses.requirements(areaSlug(area))}#${id}`

/** The requirements that name an operation and hold in a version. */
export function requirementsFor(
  { inputs }: SiteModel,
  version: VersionModel,
  operationId: string,
): Requirement[] {
  return inputs.requirements.filter((row) => row.operations?.includes(operationId) && holdsIn(row, version))
}

/** Dates are ISO 8601, so they compare as text. */
export function holdsIn({ generation, since, until }: Requirement, { id, fact }: VersionModel): boolean {
  if (generation && generation !== fact.generation) return false
  if (fact.mediaType === 'application/json') return !since || Boolean(generation)
  return (!since || since <= id) && (!until || id < until)
}

export function requirementTable(rows: readonly Requirement[]): Block {
  return table(
    ['Requirement', 'Promise', 'Strength and source'],
    rows.map((row) => [
      codeLink(row.id, requirementAddress(row)),
      row.text,
      strengthText(row.strength, row.source),
    ]),
  )
}
