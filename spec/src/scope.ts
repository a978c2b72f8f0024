import type { Requirement, VersionFact } from './model.ts'

/**
 * Returns the reason that a requirement doesn't apply to a version. Returns `undefined` if the requirement applies.
 * `since` and `until` are inclusive.
 *
 * @example
 * const { versions } = loadFacts()
 * const newest = versions.at(-1)
 * const held = loadRequirements().filter((row) => newest && !outsideOfScope(row, newest, versions))
 * @param versions All versions, oldest first.
 */
export function outsideOfScope(
  { generation, since, until }: Pick<Requirement, 'generation' | 'since' | 'until'>,
  version: Pick<VersionFact, 'id' | 'generation'>,
  versions: readonly Pick<VersionFact, 'id'>[],
): string | undefined {
  const ageOf = (wanted: string): number => versions.findIndex(({ id }) => id === wanted)
  if (generation !== undefined && generation !== version.generation) return `${generation} only`
  if (since !== undefined && ageOf(version.id) < ageOf(since)) return `since ${since}`
  if (until !== undefined && ageOf(version.id) > ageOf(until)) return `until ${until}`
  return undefined
}
