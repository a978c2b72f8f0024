import type { Requirement } from '@svc-admin/spec'
import { addresses, areaSlug } from '../model/addresses.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'

export const requirementAddress = ({ id, area }: Requirement): string =>
  `${addresses.requirements(areaSlug(area))}#${id}`

export function requirementsByArea(rows: readonly Requirement[]): Map<string, Requirement[]> {
  const areas = new Map<string, Requirement[]>()
  for (const row of rows) areas.set(row.area, [...(areas.get(row.area) ?? []), row])
  return areas
}

const indexes = new WeakMap<SiteModel, ReadonlyMap<string, readonly Requirement[]>>()

function byOperation(model: SiteModel): ReadonlyMap<string, readonly Requirement[]> {
  const known = indexes.get(model)
  if (known) return known
  const index = new Map<string, Requirement[]>()
  for (const row of model.inputs.requirements)
    for (const id of row.operations ?? []) index.set(id, [...(index.get(id) ?? []), row])
  indexes.set(model, index)
  return index
}

/** Returns an operation's requirements in the given version. */
export function requirementsFor(model: SiteModel, version: VersionModel, operationId: string): Requirement[] {
  const [body] = version.byId.get(operationId)?.success.flatMap((each) => each.body ?? []) ?? []
  // Requirements depend on the date in the operation's media type.
  // The document's date may be newer if the operation didn't change in later versions.
  const own = /\.(\d{4}-\d\d-\d\d)\+/.exec(body?.mediaType ?? '')?.[1] ?? version.id
  const ages = model.versions.map(({ id }) => id)
  return (byOperation(model).get(operationId) ?? []).filter(
    ({ generation, since, until }) =>
      (!generation || generation === version.fact.generation) &&
      (!since || ages.indexOf(since) <= ages.indexOf(own)) &&
      (!until || ages.indexOf(own) <= ages.indexOf(until)),
  )
}
