import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { type Edit, edited } from '../lint/edit.ts'
import { expand, goodDocument } from '../lint/good-document.ts'
import type { ChangeClass } from './change.ts'

/** A change to a valid document, and the class that the comparison must assign to it. */
export interface Seeded extends Edit {
  change: string
  class: ChangeClass | 'none'
  rule?: string
  from?: Edit
  version?: string
}

export const seeded: Seeded[] = parse(readFileSync(new URL('fixtures/changes.yaml', import.meta.url), 'utf8'))
const good = goodDocument()

/** Returns the documents before and after a change. */
export function sidesOf({ from = {}, version, ...edit }: Seeded): [before: unknown, after: unknown] {
  const before = edited(good, from, expand)
  const after = edited(before, edit, expand)
  return [before, version ? edited(after, { set: { '/info/version': version } }) : after]
}
