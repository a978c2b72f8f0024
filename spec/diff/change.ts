import { type JsonPath, pointerOf } from '../rules/read/json.ts'
import type { Change, ChangeClass } from '../src/model.ts'

export type { Change, ChangeClass } from '../src/model.ts'

export const changeClasses: readonly ChangeClass[] = [
  'breaking',
  'review',
  'deprecating',
  'additive',
  'editorial',
]

/**
 * Collects the changes between two documents. A change that affects several operations, such as a change in a shared
 * schema, is counted only once.
 */
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
