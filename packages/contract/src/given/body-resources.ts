import { type OperationId, operations } from '@svc-admin/types'
import { isArray, isObject, type Json } from '../document/json.ts'
import type { Cell } from '../model/api.ts'
import { Untestable } from '../model/signals.ts'
import { missingId, type RunContext } from '../run-context/run-context.ts'
import { demoTarget } from '../target/demo.ts'
import type { Target } from '../target/target.ts'

// Finds the body fields that name an existing resource, and the resource's name on the target. The documented
// examples name the demo organization's resources, so other targets are right to reject them.

/**
 * Path parameters that name existing resources. Other names, such as collection names, don't identify a particular
 * resource.
 */
const kinds = [...new Set(Object.values(operations).flatMap(({ pathParameters }) => pathParameters))].filter(
  (name) => name.endsWith('Id') || name === 'clusterName',
)

/**
 * Body fields have the same name as the path parameter, or end with it. For example, `iamRoleId` is a role and
 * `targetClusterName` is a cluster.
 */
const kindOf = (field: string): string | undefined =>
  kinds.find((kind) => field === kind || field.endsWith(kind.charAt(0).toUpperCase() + kind.slice(1)))

/** A migration's source. No operation returns it, and no path names it. */
const source = 'source'

/** A body field that names an existing resource. */
interface Site {
  readonly kind: string
  readonly value: string
}

type Call = (site: Site) => string

/** A copy of the body in which each resource gets the name that `call` returns. */
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

/** Resources of a different kind that have the same parameter name. The shared resource can't be used for them. */
const apart: Readonly<Record<string, string>> = {
  'createServerlessRestoreJob.snapshotId': 'getServerlessSnapshot.snapshotId',
}

/** The target's name for a body field, either for one operation or for all operations. */
const namedFor = (id: OperationId, kind: string, { things }: Pick<Target, 'things'>): string | undefined => {
  const own = `${id}.${kind}`
  return things[own] ?? things[apart[own] ?? kind]
}

/** The existing resources that a valid body for the cell names, as path parameters. */
const kindsIn = ({ definition }: Cell): readonly string[] => [
  ...new Set(sitesIn(definition.body?.examples[0]).map(({ kind }) => kind)),
]

/** Whether a valid body for the cell names a cluster. If so, the cluster comes from `clusters`. */
export const namesCluster = (cell: Cell): boolean => kindsIn(cell).includes('clusterName')

/**
 * Whether a valid body for the cell names a resource that a target file can't name and that must therefore be seeded.
 */
export const namesUnnameable = (cell: Cell): boolean => kindsIn(cell).includes(source)

/** The resources that a valid body for the cell names, but the target file doesn't. */
export const unnamedInBody = (cell: Cell, target: Target): readonly string[] =>
  kindsIn(cell).filter(
    (kind) =>
      kind !== source && kind !== 'clusterName' && namedFor(cell.operation.id, kind, target) === undefined,
  )

const demos = new WeakMap<RunContext, Target>()

/** The demo organization, with this target's names. */
const demoOn = (context: RunContext): Target => {
  const demo = demos.get(context) ?? demoTarget({ baseUrl: context.target.baseUrl }, context.demo.rows)
  demos.set(context, demo)
  return demo
}

/** A resource's name on the target, or `undefined` if the body already contains that name. */
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
 * A documented body in which the target's resources replace the demo organization's resources. In a mutated body,
 * fields that aren't documented stay unchanged.
 *
 * @param clusterName The cluster that the path also names.
 * @throws Untestable if the target doesn't name such a resource.
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
