import { type JsonPath, pointerOf } from '../rules/read/json.ts'

/**
 * What a change means to a program written against the older document:
 * `breaking` it may stop working, `deprecating` it works and should move, `additive` it works and could do more,
 * `editorial` nothing on the wire changes.
 */
export type ChangeClass = 'breaking' | 'deprecating' | 'additive' | 'editorial'

export const changeClasses: readonly ChangeClass[] = ['breaking', 'deprecating', 'additive', 'editorial']

export interface Change {
  /** Rule and place: what an exemption names. Stable as long as the place is. */
  id: string
  class: ChangeClass
  rule: string
  /** JSON Pointer into the newer document or, for what it no longer has, into the older. */
  location: string
  /** Ids of the operations that are concerned, none when all are. */
  operations: string[]
  /** One sentence. */
  text: string
}

/** Collects changes; one that several operations meet, as in a shared schema, is one change. */
export interface Collector {
  add(kind: ChangeClass, rule: string, path: JsonPath, text: string, operation?: string): void
  changes(): Change[]
}

export function createCollector(): Collector {
  const found = new Map<string, Change>()
  return {
    add(kind, rule, path, text, operation) {
      const location = pointerOf(path)
      const id = `${rule} ${location}`
      const key = `${id} ${text}`
      const known = found.get(key) ?? { id, class: kind, rule, location, operations: [], text }
      if (operation && !known.operations.includes(operation)) known.operations.push(operation)
      found.set(key, known)
    },
    changes() {
      const rank = ({ class: kind }: Change) => changeClasses.indexOf(kind)
      return [...found.values()].sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1))
    },
  }
}
