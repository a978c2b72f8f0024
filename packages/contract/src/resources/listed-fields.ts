import { onApi, onRead } from '../check/rule.ts'
import type { Trial } from '../check/trial.ts'
import { type JsonObject, stringAt } from '../document/json.ts'
import { usesUp } from '../given/copies.ts'
import { returnsPage } from '../judges/envelope.ts'
import { type Cell, ignoredFieldsOf, loadApi } from '../model/api.ts'
import { valuesIn } from '../model/call.ts'
import { listedNamesOf } from '../model/listed-names.ts'
import { NotApplicable } from '../model/signals.ts'
import { fieldOf } from './successful-response.ts'
import { parametersFor, schemaOf, viewsOf } from './views.ts'

/** Fields that a resource can lose over time, when an acknowledgement, a download or a migration expires. */
const temporary: ReadonlySet<string> = new Set([
  'acknowledgedUntil',
  'acknowledgementComment',
  'acknowledgingUsername',
  'deliveryUrl',
  'lagTimeSeconds',
  'privateDownloadDeliveryUrls',
])

/** Returns the listed fields of the resource that an operation reads. Separate rules test lists. */
export const listedFields = (cell: Cell): string[] =>
  onApi(cell) !== true || onRead(cell) !== true || returnsPage(cell)
    ? []
    : listedNamesOf(cell).filter((name) => name !== 'links' && !temporary.has(name))

/**
 * Returns the listed fields of the resource that an operation changes, if no operation reads the resource. Omits fields
 * that requests can set, because other rules test them.
 */
export const listedFieldsOfChange = (cell: Cell): string[] => {
  if (onApi(cell) !== true || onRead(cell) === true || !cell.row.hasContent) return []
  const isRead = viewsOf({ context: { api: loadApi() }, cell }).some(({ lists }) => lists.length === 0)
  if (isRead) return []
  const own = new Set(cell.row.hasBody ? ignoredFieldsOf(cell) : listedNamesOf(cell))
  return listedNamesOf(cell).filter((name) => own.has(name) && name !== 'links' && !temporary.has(name))
}

const matches = (path: string, template: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)

/** The demo organization's resources that the operation under test reads, each with its path. */
const demoRowsOf = ({ cell, context }: Trial): [self: string, template: string, row: JsonObject][] => {
  const schema = schemaOf(cell)
  const templates = context.api.cells
    .filter((one) => one.version.id === cell.version.id && onRead(one) === true && schemaOf(one) === schema)
    .map(({ operation }) => operation.path)
  return Object.values(context.demo.rows)
    .flat()
    .flatMap((row): [string, string, JsonObject][] => {
      const self = stringAt(row, 'self') ?? ''
      const template = templates.find((one) => matches(self, one))
      return template === undefined ? [] : [[self, template, row]]
    })
}

/**
 * Returns the path parameters of a demo resource that has a value for a field. Returns `undefined` if every valid call
 * reads such a resource.
 *
 * @throws NotApplicable if the target doesn't contain the demo organization, or if none of its resources has a value.
 */
export const resourceWith = (trial: Trial, name: string): Readonly<Record<string, string>> | undefined => {
  const { cell, context } = trial
  const { groupId = '' } = context.target.things
  const isDemo = context.demo.rows.projects?.some(({ id }) => id === groupId)
  if (!isDemo || context.target.control === undefined)
    throw new NotApplicable(
      'the target has no demo organization, so the kit does not know which fields have values',
    )
  const rows = demoRowsOf(trial)
  if (rows.length === 0) return undefined
  // A valid call reads a copy of the demo resource.
  const own = usesUp(cell) ? rows : rows.filter(([self]) => self.startsWith(`/groups/${groupId}/`))
  const found = own.find(([, , row]) => fieldOf(row, name) !== undefined)
  if (found === undefined) throw new NotApplicable('no resource of the demo organization has the field')
  const [self, template, row] = found
  return usesUp(cell) ? undefined : parametersFor({ cell, lists: [] }, valuesIn(self, template), row)
}
