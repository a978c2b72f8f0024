import {
  type Change,
  type ChangeClass,
  methods,
  type OpenApiDocument,
  type VersionChanges,
} from '@svc-admin/spec'
import { code, codeLink } from '../content/inline.ts'
import { addresses } from './addresses.ts'

/** The change classes that pages list individually. For editorial changes, pages show only the number of changes. */
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

export interface OperationChanges {
  readonly kind: 'added' | 'removed' | 'changed'
  readonly changes: readonly Change[]
}

export const concernsCallers = ({ class: kind }: Change): boolean => kind !== 'editorial'

/** Returns whether a change adds or removes an operation. Pages list added and removed operations separately. */
export const comingOf = ({ rule }: Change): 'added' | 'removed' | undefined => comings[rule]

/** Returns the changes to each operation. */
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

/** One of the two documents to compare. */
interface Compared {
  readonly id: string
  readonly document: OpenApiDocument
}

/** Returns where a change happened, as Markdown: in a schema, in a parameter, or in a part of an operation. */
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

/** The data that is needed to find a version's deprecations. */
interface Dated extends Compared {
  readonly fact: { readonly generation: string }
}

/** Returns whether a change is about a deprecation, including changes to deprecation headers. */
const ofDeprecation = (change: Change): boolean =>
  /^(operation-(un)?deprecated|sunset-)/.test(change.rule) ||
  /\/headers\/(Deprecation|Sunset)$/.test(change.location)

/**
 * Recalculates a comparison's deprecations from the announcements between the two dates. Comparing the documents isn't
 * enough because they show what is deprecated today. For example, if a newer version replaces an operation, older
 * documents also mark the operation as deprecated.
 */
export function withDeprecations(
  changes: VersionChanges,
  versions: ReadonlyMap<string, Dated>,
): VersionChanges {
  const [before, after] = [changes.before, changes.after].map((id) => versions.get(id))
  if (!before || !after || before.fact.generation !== after.fact.generation) return changes
  const deprecated = Object.entries(before.document.paths).flatMap(([path, item]) =>
    methods.flatMap((method): Change[] => {
      const operation = item[method]
      const { date = '', sunset, successor } = operation?.['x-deprecation'] ?? {}
      if (!operation || date <= before.id || date > after.id) return []
      const location = `#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`
      return [
        {
          id: `operation-deprecated ${location}`,
          class: 'deprecating',
          rule: 'operation-deprecated',
          location,
          operations: [operation.operationId],
          text: deprecationText(operation.operationId, before.id, { date, sunset, successor }),
        },
      ]
    }),
  )
  return { ...changes, changes: [...changes.changes.filter((each) => !ofDeprecation(each)), ...deprecated] }
}

function deprecationText(
  id: string,
  before: string,
  {
    date,
    sunset,
    successor = '',
  }: { date: string; sunset?: string | undefined; successor?: string | undefined },
): string {
  const [next = '', version] = successor.split('@')
  const subject = next === id ? `Version ${before} of the operation` : 'The operation'
  const end = sunset ? `, and ends on ${sunset}` : ''
  const use = next === id ? `version ${version}` : version ? `${next} of version ${version}` : next
  return `${subject} has been deprecated since ${date}${end}.${use ? ` Use ${use}.` : ''}`
}
