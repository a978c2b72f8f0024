import type { Change, ChangeClass, OpenApiDocument } from '@svc-admin/spec'
import { code, codeLink } from '../content/inline.ts'
import { addresses } from './addresses.ts'

/** The classes that pages list. Editorial changes are only counted. */
export const shownClasses = [
  'breaking',
  'review',
  'deprecating',
  'additive',
] as const satisfies readonly ChangeClass[]

const comings: Readonly<Record<string, 'added' | 'removed'>> = {
  'operation-added': 'added',
  'operation-removed': 'removed',
}

/** The changes of an operation between two versions. */
export interface OperationChanges {
  readonly kind: 'added' | 'removed' | 'changed'
  readonly changes: readonly Change[]
}

export const concernsCallers = ({ class: kind }: Change): boolean => kind !== 'editorial'

/** Whether the change adds or removes an operation. These are listed separately. */
export const comingOf = ({ rule }: Change): 'added' | 'removed' | undefined => comings[rule]

/** The changes of each operation that has any. */
export function byOperation({
  changes,
}: {
  readonly changes: readonly Change[]
}): Map<string, OperationChanges> {
  const found = new Map<string, { kind: OperationChanges['kind']; changes: Change[] }>()
  for (const change of changes.filter(concernsCallers))
    for (const id of change.operations) {
      const known = found.get(id) ?? { kind: 'changed', changes: [] }
      known.kind = comingOf(change) ?? known.kind
      known.changes.push(change)
      found.set(id, known)
    }
  return found
}

/** One of the two documents that were compared. */
interface Compared {
  readonly id: string
  readonly document: OpenApiDocument
}

/** The location of a change as Markdown: the schema or parameter, or the part of the operation. */
export function placeText({ location }: Change, after: Compared, before: Compared): string {
  const parts = location
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
  const [root, kind, name = ''] = parts
  if (root === 'paths') return operationPart(parts.slice(3))
  if (root !== 'components') return code(parts.join(' '))
  const rest = parts.slice(3)
  if (kind !== 'schemas') return code([name, ...rest].join(' '))
  const holder = name in after.document.components.schemas ? after : before
  const fields = rest.filter((part) => part !== 'properties' && part !== 'items')
  const label = [name, ...fields].join('.')
  const [field] = rest[0] === 'properties' ? [rest[1]] : []
  const own = holder.document.components.schemas[name]?.properties
  const anchor = field && own && field in own ? `#field.${field}` : ''
  return codeLink(label, `${addresses.schema(holder.id, name)}${anchor}`)
}

const operationPart = (parts: readonly string[]): string =>
  parts.length === 0 ? 'the operation' : code(parts.filter((part) => !part.includes('json')).join(' '))
