import { type OperationId, operations } from '@svc-admin/types'
import { isArray, isObject, type Json } from '../document/json.ts'
import type { Cell } from '../model/api.ts'
import { Untestable } from '../model/signals.ts'
import { missingId, type RunContext } from '../run-context/run-context.ts'
import { demoTarget } from '../target/demo.ts'
import type { Target } from '../target/target.ts'

// Finds body fields that identify existing resources, and the names of these resources on the target. The documented
// examples contain names from the demo organization, which other targets reject.

/**
 * Path parameters that identify existing resources. Other parameters, such as collection names, don't identify a
 * particular resource.
 */
const kinds = [...new Set(Object.values(operations).flatMap(({ pathParameters }) => pathParameters))].filter(
  (name) => name.endsWith('Id') || name === 'clusterName',
)

/**
 * A body field has the same name as the path parameter, or its name ends with the parameter's name. For example, `iamRoleId`
 * identifies a role and `targetClusterName` identifies a cluster.
 */
const kindOf = (field: string): string | undefined =>
  kinds.find((kind) => field === kind || field.endsWith(kind.charAt(0).toUpperCase() + kind.slice(1)))

/** A migration's source, which no operation returns and no path contains. */
const source = 'source'

/** A body field that identifies an existing resource. */
interface Site {
  readonly kind: string
  readonly value: string
}

type Call = (site: Site) => string

/** A copy of the body, with the resource names that `call` returns. */
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

/**
 * Parameters that have the same name but identify a different kind of resource, so the shared resource can't be used
 * for them.
 */
const apart: Readonly<Record<string, string>> = {
  'createServerlessRestoreJob.snapshotId': 'getServerlessSnapshot.snapshotId',
}

/** The target's value for a body field, either for one operation or for all. */
const namedFor = (id: OperationId, kind: string, { things }: Pick<Target, 'things'>): string | undefined => {
  const own = `${id}.${kind}`
  return things[own] ?? things[apart[own] ?? kind]
}

/** The existing resources in a valid body for the cell, as path parameters. */
const kindsIn = ({ definition }: Cell): readonly string[] => [
  ...new Set(sitesIn(definition.body?.examples[0]).map(({ kind }) => kind)),
]

/** Returns whether a valid body for the cell contains a cluster name. If it does, the cluster comes from `clusters`. */
export const namesCluster = (cell: Cell): boolean => kindsIn(cell).includes('clusterName')

/** Whether a valid body for the cell refers to a resource that must be seeded, because target files can't name it. */
export const namesUnnameable = (cell: Cell): boolean => kindsIn(cell).includes(source)

/** The resources in a valid body for the cell that are missing from the target file. */
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

/** A resource's name on the target, or `undefined` if the body already contains it. */
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
 * A documented body, with the target's resources instead of the demo organization's. In mutated bodies, undocumented
 * fields don't change.
 *
 * @param clusterName The cluster in the path.
 * @throws Untestable if the target file doesn't name such a resource.
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
