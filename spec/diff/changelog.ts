import type { Facts, Requirement, VersionChanges } from '../src/model.ts'
import { classify } from './classify.ts'

export type { VersionChanges } from '../src/model.ts'
export type { Change, ChangeClass } from './change.ts'
export { changeClasses } from './change.ts'
export { classify } from './classify.ts'
export { countByClass, render } from './render.ts'

/**
 * Compares each version with each later version, and v1.0 with each date of v2.
 *
 * @example
 * const facts = loadFacts()
 * const pairs = changelog(facts, loadRequirements(), loadDocument)
 * for (const { before, after, changes } of pairs) console.log(before, after, changes.length)
 */
export function changelog(
  { versions, roles }: Pick<Facts, 'versions' | 'roles'>,
  requirements: readonly Requirement[],
  load: (version: string) => unknown,
): VersionChanges[] {
  const includes = Object.fromEntries(Object.entries(roles).map(([id, role]) => [id, role.includes]))
  const documents = versions.map(({ id }) => ({ id, document: load(id) }))
  return documents.flatMap((before, index) =>
    documents.slice(index + 1).map((after) => ({
      before: before.id,
      after: after.id,
      changes: classify(before.document, after.document, {
        includes,
        behavior: { requirements, versions, from: before.id, to: after.id },
      }),
    })),
  )
}
