import { type Change, createCollector } from './change.ts'
import { type ClassifyOptions, classify } from './classify.ts'

export type Release = ReadonlyMap<string, unknown>

export interface ReleaseOptions extends ClassifyOptions {
  /** Announced last days of versions, YYYY-MM-DD. */
  sunsets?: Record<string, string>
}

/** What changed from one state of all documents to another, by version; versions without a change are left out. */
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
  if (before === undefined) collector.add('additive', 'document-added', [], `The version ${version} is new.`)
  else {
    const { today = new Date().toISOString().slice(0, 10), sunsets = {} } = options
    const sunset = sunsets[version]
    // Whoever pins a date counts on it until the day that was announced.
    const isDue = sunset !== undefined && sunset <= today
    const text = sunset ? `It was announced to last until ${sunset}.` : 'No sunset was announced.'
    collector.add(
      isDue ? 'deprecating' : 'breaking',
      'document-withdrawn',
      [],
      `The version ${version} is gone. ${text}`,
    )
  }
  return collector.changes()
}
