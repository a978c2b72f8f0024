import type { Part, Surface } from './surface.ts'

/** What may become of a caller that was written for the earlier version. */
export type Severity = 'breaking' | 'compatible'

export interface Change {
  readonly kind: 'added' | 'removed' | 'changed'
  readonly severity: Severity
  /** Where it is, plain: `query parameter status`. */
  readonly where: string
  /** Markdown. */
  readonly text: string
}

export interface OperationChanges {
  readonly operationId: string
  readonly kind: 'added' | 'removed' | 'changed'
  readonly changes: readonly Change[]
}

/**
 * Compares all operations of two documents by their surfaces. Wording and examples do not count.
 * The one place that knows how versions are compared: pages only show what it returns.
 */
export function compareOperations(
  before: ReadonlyMap<string, Surface>,
  after: ReadonlyMap<string, Surface>,
): OperationChanges[] {
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort()
  return ids.flatMap((operationId): OperationChanges[] => {
    const [old, now] = [before.get(operationId), after.get(operationId)]
    if (!now) return [{ operationId, kind: 'removed', changes: [] }]
    if (!old) return [{ operationId, kind: 'added', changes: [] }]
    const changes = compareSurfaces(old, now)
    return changes.length > 0 ? [{ operationId, kind: 'changed', changes }] : []
  })
}

/** Whether any of the changes can break a caller. */
export const breaks = ({ kind, changes }: OperationChanges): boolean =>
  kind === 'removed' || changes.some(({ severity }) => severity === 'breaking')

function compareSurfaces(before: Surface, after: Surface): Change[] {
  const removed = [...before].filter(([where]) => !after.has(where))
  const added = [...after].filter(([where]) => !before.has(where))
  const outermost = (entries: [string, Part][]) =>
    entries.filter(([where]) => !entries.some(([other]) => other !== where && isInside(where, other)))
  return [
    ...outermost(removed).map(([where, part]) => removal(where, part)),
    ...outermost(added).map(([where, part]) => addition(where, part)),
    ...[...before].flatMap(([where, old]) => {
      const now = after.get(where)
      return now ? changesOf(where, old, now) : []
    }),
  ]
}

const isInside = (where: string, other: string): boolean =>
  where.startsWith(`${other}.`) || where.startsWith(`${other}[`) || where.startsWith(`${other} › `)

function removal(where: string, part: Part): Change {
  // A member that callers may no longer send is refused where the object is closed; one that they no longer get is missed.
  return { kind: 'removed', severity: 'breaking', where, text: `was removed (${part.signature})` }
}

function addition(where: string, part: Part): Change {
  const needed = part.side === 'request' && part.required
  return {
    kind: 'added',
    severity: needed ? 'breaking' : 'compatible',
    where,
    text: `is new (${part.signature}${needed ? ', required' : ''})`,
  }
}

function changesOf(where: string, old: Part, now: Part): Change[] {
  const change = (severity: Severity, text: string, place = where): Change => ({
    kind: 'changed',
    severity,
    where: place,
    text,
  })
  const found: Change[] = []
  if (where === 'deprecation') {
    if (old.signature !== now.signature)
      found.push(
        change('compatible', now.signature ? 'is now deprecated' : 'is no longer deprecated', 'operation'),
      )
    return found
  }
  if (old.signature !== now.signature)
    found.push(
      change('breaking', `was \`${old.signature || 'none'}\`, is now \`${now.signature || 'none'}\``),
    )
  if (old.required !== now.required)
    found.push(
      now.required
        ? change(now.side === 'request' ? 'breaking' : 'compatible', 'is now required')
        : change(now.side === 'response' ? 'breaking' : 'compatible', 'is no longer required'),
    )
  const gone = old.values.filter((value) => !now.values.includes(value))
  const come = now.values.filter((value) => !old.values.includes(value))
  const names = (values: readonly string[]) => values.map((value) => `\`${value}\``).join(', ')
  if (gone.length > 0)
    found.push(change(now.side === 'response' ? 'compatible' : 'breaking', `no longer has ${names(gone)}`))
  if (come.length > 0) found.push(change('compatible', `now also has ${names(come)}`))
  return found
}
