import { isCalendarDate } from '../rules/read/words.ts'
import type { Change } from './change.ts'

/** Leave to break a promise: which change of which version, why, and until when the entry stands. */
export interface Exemption {
  version: string
  /** The id of the change, as the gate prints it. */
  id: string
  reason: string
  /** The last day, YYYY-MM-DD. */
  expires: string
}

/** Exemptions as they are written down: one of several versions is one of each. */
export function exemptionsIn(
  entries: readonly (Omit<Exemption, 'version'> & { versions: readonly string[] })[],
): Exemption[] {
  return entries.flatMap(({ versions, ...rest }) => versions.map((version) => ({ ...rest, version })))
}

/** Lists why a release may not go out; nothing, when every breaking change is exempt and every exemption earns its keep. */
export function faultsOf(
  changes: ReadonlyMap<string, Change[]>,
  exemptions: Exemption[],
  today: string,
): string[] {
  const breaking = [...changes].flatMap(([version, found]) =>
    found.filter((change) => change.class === 'breaking').map((change) => ({ version, change })),
  )
  const isFor = ({ version, id }: Exemption, each: (typeof breaking)[number]) =>
    each.version === version && each.change.id === id
  return [
    ...exemptions.flatMap((exemption) => {
      const name = `The exemption ${exemption.version} ${exemption.id}`
      if (!/\S+ \S+/.test(exemption.reason ?? '')) return [`${name} has no reason.`]
      if (!isCalendarDate(exemption.expires)) return [`${name} has no day to expire on.`]
      if (exemption.expires < today) return [`${name} expired on ${exemption.expires}.`]
      return breaking.some((each) => isFor(exemption, each)) ? [] : [`${name} is stale: nothing needs it.`]
    }),
    ...breaking
      .filter((each) => !exemptions.some((exemption) => isFor(exemption, each)))
      .map(({ version, change }) => `${version} breaks: ${change.id}. ${change.text}`),
  ]
}

/** The file of exemptions with nothing in it but the comment that heads it. */
export function withoutEntries(text: string): string {
  const lines = text.split('\n')
  const entries = lines.findIndex((line) => !line.startsWith('#'))
  return [...lines.slice(0, entries), '[]', ''].join('\n')
}
