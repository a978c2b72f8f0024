import { type OperationId, operations } from '@svc-admin/types'
import { isArray, isObject, type Json } from '../document/json.ts'
import type { Cell } from '../model/api.ts'
import { Untestable } from '../model/signals.ts'
import { missingId, type RunContext } from '../run-context/run-context.ts'
import { demoTarget } from '../target/demo.ts'
import type { Target } from '../target/target.ts'

/**
 * Body fields can identify existing resources. In the documented examples, these fields contain names from
 * the demo organization, which other targets reject. These functions find such fields and replace their
 * values with names on the target.
 */

/**
 * The path parameters that identify existing resources. Other parameters, such as the name of a collection,
 * don't identify a resource.
 */
const kinds = [...new Set(Object.values(operations).flatMap(({ pathParameters }) => pathParameters))].filter(
  (name) => name.endsWith('Id') || name === 'clusterName',
)

/**
 * Returns the path parameter that identifies the same kind of resource as a body field. The name of the field equals
 * the name of the parameter or ends with it. For example, `iamRoleId` identifies a role, and `targetClusterName`
 * identifies a cluster.
 */
const kindOf = (field: string): string | undefined => {
  const known = kindsOfFields.get(field)
  if (known !== undefined || kindsOfFields.has(field)) return known
  const found = kinds.find(
    (kind) => field === kind || field.endsWith(kind.charAt(0).toUpperCase() + kind.slice(1)),
  )
  kindsOfFields.set(field, found)
  return found
}

const kindsOfFields = new Map<string, string | undefined>()

/** A migration's source deployment. No operation returns the source, and no path contains it. */
const source = 'source'

/** The value of a body field that identifies an existing resource. */
interface Site {
  readonly kind: string
  readonly value: string
}

type Call = (site: Site) => string

/** Returns a copy of the body in which `call` has replaced the resource names. */
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
 * Body fields that have the same name as another parameter, but identify a different kind of resource. These
 * fields can't use the resource that other parameters share.
 */
const apart: Readonly<Record<string, string>> = {
  'createServerlessRestoreJob.snapshotId': 'getServerlessSnapshot.snapshotId',
}

/** Returns the target file's value for a body field. The value can apply to a single operation or to all operations. */
const namedFor = (id: OperationId, kind: string, { things }: Pick<Target, 'things'>): string | undefined => {
  const own = `${id}.${kind}`
  return things[own] ?? things[apart[own] ?? kind]
}

/** Returns the path parameters that identify the existing resources in a valid body for the operation. */
const kindsIn = ({ definition }: Cell): readonly string[] => [
  ...new Set(sitesIn(definition.body?.examples[0]).map(({ kind }) => kind)),
]

/** Returns whether a valid body for the operation contains a cluster name, which then comes from `clusters`. */
export const namesCluster = (cell: Cell): boolean => kindsIn(cell).includes('clusterName')

/**
 * Returns whether a valid body for the operation needs a resource that must be seeded, because target files can't name
 * it.
 */
export const namesUnnameable = (cell: Cell): boolean => kindsIn(cell).includes(source)

/** Returns the resources that a valid body for the operation needs but the target file doesn't name. */
export const unnamedInBody = (cell: Cell, target: Target): readonly string[] =>
  kindsIn(cell).filter(
    (kind) =>
      kind !== source && kind !== 'clusterName' && namedFor(cell.operation.id, kind, target) === undefined,
  )

const demos = new WeakMap<RunContext, Target>()

/** Returns a target for the demo organization's copy, with the names that this run uses. */
const demoOn = (context: RunContext): Target => {
  const demo = demos.get(context) ?? demoTarget({ baseUrl: context.target.baseUrl }, context.demo.rows)
  demos.set(context, demo)
  return demo
}

/** Returns a resource's name on the target, or `undefined` if the body already contains that name. */
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
 * Returns a documented body in which names on the target replace the demo organization's names. In a mutated body,
 * undocumented values stay unchanged.
 *
 * @param clusterName Returns the cluster in the path.
 * @throws Untestable if the target file doesn't name a resource of this kind.
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
