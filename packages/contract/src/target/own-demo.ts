import { createHash } from 'node:crypto'
import { loadDemo } from '@svc-admin/spec'
import { isIdentifier } from '../document/identifier.ts'
import type { JsonObject } from '../document/json.ts'
import { demoTarget } from './demo.ts'
import type { Rows } from './demo-resources.ts'
import type { Target } from './target.ts'

/** A copy of the demo organization that a run can change. */
export interface OwnDemo {
  readonly rows: Rows
  /** Maps the names and IDs in the demo organization to their counterparts in the copy. */
  readonly names: ReadonlyMap<string, string>
}

let loaded: Rows | undefined

/** Returns the demo organization with its original IDs. */
export const publicDemo = (): OwnDemo => {
  loaded ??= loadDemo()
  return { rows: loaded, names: new Map() }
}

const words = /[^\W_]+/g

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Returns new IDs in the same order as the original IDs, because lists are sorted by ID. */
const freshNames = (text: string, tag: string): Map<string, string> => {
  const start = hashOf(tag).slice(0, 16)
  const known = [...new Set(text.match(words)?.filter(isIdentifier))].sort()
  return new Map(known.map((id, index) => [id, start + index.toString(16).padStart(8, '0')]))
}

/** Returns eight letters in the format of public keys. */
const lettersOf = (text: string): string =>
  [...hashOf(text).slice(0, 8)].map((digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)]).join('')

/** Copies the demo organization. The copy has different IDs and credentials. */
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

/** Returns whether the target is a sandbox with the demo organization, so that a run can copy it. */
export const isDemo = ({ baseUrl, control, things }: Target): boolean =>
  control !== undefined && things.groupId === demoTarget({ baseUrl }).things.groupId

/** Returns the target with the copy's names and credentials. */
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
