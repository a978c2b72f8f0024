import { createHash } from 'node:crypto'
import { loadDemo } from '@svc-admin/spec'
import { isIdentifier } from '../document/identifier.ts'
import type { JsonObject } from '../document/json.ts'
import { demoTarget } from './demo.ts'
import type { Rows } from './demo-resources.ts'
import type { Target } from './target.ts'

/** The demo organisation once more, in the place where a run may use it up. */
export interface OwnDemo {
  readonly rows: Rows
  /** What the copy calls the things of the demo organisation. */
  readonly names: ReadonlyMap<string, string>
}

let loaded: Rows | undefined

/** The demo organisation itself, under its own names. */
export const publicDemo = (): OwnDemo => {
  loaded ??= loadDemo()
  return { rows: loaded, names: new Map() }
}

const words = /[^\W_]+/g

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Identifiers in the same order as those of the demo: lists are ordered by them. */
const freshNames = (text: string, tag: string): Map<string, string> => {
  const start = hashOf(tag).slice(0, 16)
  const known = [...new Set(text.match(words)?.filter(isIdentifier))].sort()
  return new Map(known.map((id, index) => [id, start + index.toString(16).padStart(8, '0')]))
}

/** Public keys are of eight letters. */
const lettersOf = (text: string): string =>
  [...hashOf(text).slice(0, 8)].map((digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)]).join('')

/** The demo organisation under other names, with credentials of its own. */
export const copyOfDemo = (tag: string): OwnDemo => {
  const text = JSON.stringify(loadDemo())
  const names = freshNames(text, tag)
  const renamed: Record<string, JsonObject[]> = JSON.parse(text.replace(words, (id) => names.get(id) ?? id))
  const { apiKeys = [], serviceAccounts = [] } = renamed
  const rows = {
    ...renamed,
    apiKeys: apiKeys.map((row) => ({ ...row, publicKey: lettersOf(`${tag} ${row.publicKey}`) })),
    serviceAccounts: serviceAccounts.map((row) => ({
      ...row,
      clientId: `svc_sa_${lettersOf(`${tag} ${row.clientId}`)}`,
    })),
  }
  return { rows, names }
}

/** Whether a target is a sandbox with the demo organisation, so that a run may have a copy of it. */
export const isDemo = ({ baseUrl, control, things }: Target): boolean =>
  control !== undefined && things.groupId === demoTarget({ baseUrl }).things.groupId

/** The same target, with the copy in the place of the demo organisation. */
export const targetOn = (target: Target, { rows }: OwnDemo): Target => {
  const { things, foreign, clusters, roles, others } = demoTarget({ baseUrl: target.baseUrl }, rows)
  return {
    ...target,
    things,
    roles,
    ...(foreign && { foreign, foreignMayBeLost: true }),
    ...(clusters && { clusters }),
    ...(others && { others }),
  }
}
