import { type OperationId, operations } from '@svc-admin/types'
import { isArray, isObject, type Json } from '../document/json.ts'
import type { Cell } from '../engine/api.ts'
import { Untestable } from '../engine/signals.ts'
import type { RunContext } from '../run-context/run-context.ts'
import { demoTarget } from '../target/demo.ts'
import type { Target } from '../target/target.ts'

// Which members of bodies name something that exists, and what the target calls it. The examples of the documents name
// things of the demo organisation, and whoever has not got them refuses an example rightly.

/** What paths call something by that exists: names of collections and the like are those of nothing in particular. */
const kinds = [...new Set(Object.values(operations).flatMap(({ pathParameters }) => pathParameters))].filter(
  (name) => name.endsWith('Id') || name === 'clusterName',
)

/** A member is called as the path parameter is, or ends so: `iamRoleId` is a role, `targetClusterName` a cluster. */
const kindOf = (field: string): string | undefined =>
  kinds.find((kind) => field === kind || field.endsWith(kind.charAt(0).toUpperCase() + kind.slice(1)))

/** What is migrated from: nothing of the API leads to it, and no path names it. */
const source = 'source'

/** A member of a body that names something that exists. */
interface Site {
  readonly kind: string
  readonly value: string
}

type Call = (site: Site) => string

/** A copy in which every site is what it is called instead. */
const renamed = (body: Json, call: Call, inSource = false): Json => {
  if (isArray(body)) return body.map((element) => renamed(element, call, inSource))
  if (!isObject(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, field]): [string, Json] => {
      const kind = kindOf(name)
      if (typeof field !== 'string' || kind === undefined)
        return [name, renamed(field, call, inSource || name === source)]
      return [name, call({ kind: inSource ? source : kind, value: field })]
    }),
  )
}

const sitesIn = (body: Json = null): readonly Site[] => {
  const sites: Site[] = []
  renamed(body, (site) => {
    sites.push(site)
    return site.value
  })
  return sites
}

/** Things of another kind under the same name: what all operations share is none of them. */
const apart: Readonly<Record<string, string>> = {
  'createServerlessRestoreJob.snapshotId': 'getServerlessSnapshot.snapshotId',
}

/** What a target names for a member of a body: for one operation, or for every operation. */
const namedFor = (id: OperationId, kind: string, { things }: Pick<Target, 'things'>): string | undefined => {
  const own = `${id}.${kind}`
  return things[own] ?? things[apart[own] ?? kind]
}

/** What a good body of a cell names that exists, by the path parameter that would name it. */
const kindsIn = ({ definition }: Cell): readonly string[] => [
  ...new Set(sitesIn(definition.body?.examples[0]).map(({ kind }) => kind)),
]

/** Whether a good body of a cell names a cluster: one of `clusters` is taken. */
export const namesCluster = (cell: Cell): boolean => kindsIn(cell).includes('clusterName')

/** Whether a good body of a cell names what a target file cannot, so that it has to be put in place. */
export const namesUnnameable = (cell: Cell): boolean => kindsIn(cell).includes(source)

/** What a good body of a cell names, and the target file would have to, and does not. */
export const unnamedInBody = (cell: Cell, target: Target): readonly string[] =>
  kindsIn(cell).filter(
    (kind) =>
      kind !== source && kind !== 'clusterName' && namedFor(cell.operation.id, kind, target) === undefined,
  )

const demos = new WeakMap<RunContext, Target>()

/** The demo organisation as this target would be it. */
const demoOn = (context: RunContext): Target => {
  const demo = demos.get(context) ?? demoTarget({ baseUrl: context.target.baseUrl }, context.demo.rows)
  demos.set(context, demo)
  return demo
}

/** What a site is called on the target; `undefined` where it is called so already. */
const calledOn = (
  context: RunContext,
  cell: Cell,
  kind: string,
  clusterName: () => string,
): string | undefined => {
  const { target, prerequisites } = context
  const { operation } = cell
  const demo = demoOn(context)
  if (kind === source) {
    if (prerequisites.canSeed || target.things.groupId === demo.things.groupId) return undefined
    throw new Untestable('a deployment to migrate from, which no member of a target file names')
  }
  const name =
    kind === 'clusterName'
      ? (target.things[`${operation.id}.${kind}`] ?? clusterName())
      : namedFor(operation.id, kind, target)
  if (name === undefined) throw new Untestable(`the ${kind} of something that exists`)
  return name === namedFor(operation.id, kind, demo) ? undefined : name
}

/**
 * A body of the documents, with what exists on the target in the place of what exists in the demo organisation.
 * Members of a mutated body that are none of the documents' stay as they are.
 *
 * @param clusterName of a cluster that paths name, too.
 * @throws Untestable where the target names no such thing.
 */
export const namedOnTarget = (
  context: RunContext,
  cell: Cell,
  body: Json,
  clusterName: () => string,
): Json => {
  const examples = cell.definition.body?.examples ?? []
  const known = new Set(examples.flatMap(sitesIn).map(({ kind, value }) => `${kind} ${value}`))
  return renamed(body, ({ kind, value }) =>
    known.has(`${kind} ${value}`) ? (calledOn(context, cell, kind, clusterName) ?? value) : value,
  )
}
