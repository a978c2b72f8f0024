import { type OperationId, operations } from '@svc-admin/types'
import { isArray, isObject, type Json } from '../document/json.ts'
import type { Cell } from '../model/api.ts'
import { Untestable } from '../model/signals.ts'
import { missingId, type RunContext } from '../run-context/run-context.ts'
import { demoTarget } from '../target/demo.ts'
import type { Target } from '../target/target.ts'

// Fields of bodies that name an existing resource, and its name on the target. The documented examples name resources
// of the demo organization, so other targets are right to reject them.

/**
 * Path parameters that name existing resources. Names of collections and the like don't identify a particular resource.
 */
const kinds = [...new Set(Object.values(operations).flatMap(({ pathParameters }) => pathParameters))].filter(
  (name) => name.endsWith('Id') || name === 'clusterName',
)

/** A field has the name of the path parameter or ends with it: `iamRoleId` is a role, `targetClusterName` a cluster. */
const kindOf = (field: string): string | undefined =>
  kinds.find((kind) => field === kind || field.endsWith(kind.charAt(0).toUpperCase() + kind.slice(1)))

/** The source of a migration. No operation returns it, and no path names it. */
const source = 'source'

/** A field of a body that names an existing resource. */
interface Site {
  readonly kind: string
  readonly value: string
}

type Call = (site: Site) => string

/** A copy in which each site has the name that `call` returns. */
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

/** Resources of another kind under the same name. The shared resource can't be used for these. */
const apart: Readonly<Record<string, string>> = {
  'createServerlessRestoreJob.snapshotId': 'getServerlessSnapshot.snapshotId',
}

/** The target's name for a field of a body, for one operation or for all operations. */
const namedFor = (id: OperationId, kind: string, { things }: Pick<Target, 'things'>): string | undefined => {
  const own = `${id}.${kind}`
  return things[own] ?? things[apart[own] ?? kind]
}

/** The existing resources that a good body of a cell names, as path parameters. */
const kindsIn = ({ definition }: Cell): readonly string[] => [
  ...new Set(sitesIn(definition.body?.examples[0]).map(({ kind }) => kind)),
]

/** Whether a good body of a cell names a cluster, which then comes from `clusters`. */
export const namesCluster = (cell: Cell): boolean => kindsIn(cell).includes('clusterName')

/** Whether a good body of a cell names a resource that a target file can't name, so it has to be seeded. */
export const namesUnnameable = (cell: Cell): boolean => kindsIn(cell).includes(source)

/** The resources that a good body of a cell names and the target file lacks. */
export const unnamedInBody = (cell: Cell, target: Target): readonly string[] =>
  kindsIn(cell).filter(
    (kind) =>
      kind !== source && kind !== 'clusterName' && namedFor(cell.operation.id, kind, target) === undefined,
  )

const demos = new WeakMap<RunContext, Target>()

/** The demo organization with this target's names. */
const demoOn = (context: RunContext): Target => {
  const demo = demos.get(context) ?? demoTarget({ baseUrl: context.target.baseUrl }, context.demo.rows)
  demos.set(context, demo)
  return demo
}

/** The name of a site on the target, or `undefined` if it already has that name. */
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
    throw new Untestable("a deployment to migrate from, which a target file can't specify")
  }
  const name =
    kind === 'clusterName'
      ? (target.things[`${operation.id}.${kind}`] ?? clusterName())
      : namedFor(operation.id, kind, target)
  if (name === undefined) throw new Untestable(missingId(context, kind))
  return name === namedFor(operation.id, kind, demo) ? undefined : name
}

/**
 * A documented body with the demo organization's resources replaced by the target's. Fields of a mutated body that
 * aren't documented stay unchanged.
 *
 * @param clusterName the cluster that the path also names.
 * @throws Untestable if the target names no such resource.
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
