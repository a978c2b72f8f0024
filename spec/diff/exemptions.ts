import { isCalendarDate } from '../rules/read/words.ts'
import type { Change } from './change.ts'

/**
 * An exemption that allows a breaking change to be released. Contains the ID and version of the change, the reason, and
 * the date on which the exemption expires.
 */
export interface Exemption {
  version: string
  /** The ID of the change, which `npm run gate` prints. */
  id: string
  reason: string
  /** The last day on which the exemption is valid, as YYYY-MM-DD. */
  expires: string
}

/** Expands each exemption for several versions into one exemption for each version. */
export function exemptionsIn(
  entries: readonly (Omit<Exemption, 'version'> & { versions: readonly string[] })[],
): Exemption[] {
  return entries.flatMap(({ versions, ...rest }) => versions.map((version) => ({ ...rest, version })))
}

/**
 * Lists the reasons why a release must be rejected. The list is empty if each breaking change has a valid exemption and
 * each exemption is used.
 *
 * @param sourceOf Finds the source file and position of a change.
 */
export function faultsOf(
  changes: ReadonlyMap<string, Change[]>,
  exemptions: Exemption[],
  today: string,
  sourceOf: (version: string, change: Change) => string | undefined = () => undefined,
): string[] {
  const breaking = [...changes].flatMap(([version, found]) =>
    found
      .filter((change) => ['breaking', 'review'].includes(change.class))
      .map((change) => ({ version, change })),
  )
  const isFor = ({ version, id }: Exemption, each: (typeof breaking)[number]) =>
    each.version === version && each.change.id === id
  return [
    ...exemptions.flatMap((exemption) => {
      const name = `The exemption ${exemption.version} ${exemption.id}`
      if (!/\S+ \S+/.test(exemption.reason ?? '')) return [`${name} has no reason.`]
      if (!isCalendarDate(exemption.expires)) return [`${name} has no valid expiry date.`]
      if (exemption.expires < today) return [`${name} expired on ${exemption.expires}.`]
      return breaking.some((each) => isFor(exemption, each)) ? [] : [`${name} is unused. Remove it.`]
    }),
    ...breaking
      .filter((each) => !exemptions.some((exemption) => isFor(exemption, each)))
      .map(({ version, change }) => {
        const source = sourceOf(version, change)
        const place = source === undefined ? '' : ` See ${source}.`
        return `${version} has a ${what(change)} without an exemption: ${change.id}. ${change.text}${place}`
      }),
  ]
}

/** Removes all exemptions from the file but keeps the comment at its top. */
export function withoutEntries(text: string): string {
  const lines = text.split('\n')
  const entries = lines.findIndex((line) => !line.startsWith('#'))
  return [...lines.slice(0, entries), '[]', ''].join('\n')
}

const what = ({ class: kind }: Change): string =>
  kind === 'breaking' ? 'breaking change' : 'change that needs a review'
