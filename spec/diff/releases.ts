import { type Change, createCollector } from './change.ts'
import { type ClassifyOptions, classify } from './classify.ts'

export type Release = ReadonlyMap<string, unknown>

export interface ReleaseOptions extends ClassifyOptions {
  /** The announced end date of each version, as YYYY-MM-DD. */
  sunsets?: Record<string, string>
}

/** Returns the changes to each version since the last release. Versions without changes are omitted. */
export function classifyReleases(
  before: Release,
  after: Release,
  options: ReleaseOptions = {},
): Map<string, Change[]> {
  const changes = new Map<string, Change[]>()
  for (const version of new Set([...before.keys(), ...after.keys()])) {
    const found = ofVersion(version, before.get(version), after.get(version), options)
    if (found.length > 0) changes.set(version, found)
  }
  return changes
}

function ofVersion(version: string, before: unknown, after: unknown, options: ReleaseOptions): Change[] {
  if (before !== undefined && after !== undefined) return classify(before, after, options)
  const collector = createCollector()
  if (before === undefined)
    collector.add('additive', 'document-added', [], `The version ${version} was added.`)
  else {
    const { today = new Date().toISOString().slice(0, 10), sunsets = {} } = options
    const sunset = sunsets[version]
    // Clients rely on a version until its announced end date.
    const isDue = sunset !== undefined && sunset <= today
    const text = sunset ? `The announced sunset date is ${sunset}.` : 'No sunset was announced.'
    collector.add(
      isDue ? 'deprecating' : 'breaking',
      'document-withdrawn',
      [],
      `The version ${version} was removed. ${text}`,
    )
  }
  return collector.changes()
}
