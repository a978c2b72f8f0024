import { always, both, onApi, rules } from '../../check/rule.ts'
import { inspect, isArray, isObject, type Json, listAt } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import { returnsPage } from '../../judges/envelope.ts'
import type { Cell } from '../../model/api.ts'
import { bodyOf, expectSuccess, expectThat, isSuccess } from '../../model/expect.ts'
import { pageQuery } from '../../model/pages.ts'

const schemaOf = ({ definition, row }: Cell) =>
  definition.responses.get(row.success)?.content.get(row.mediaType)

const hasLinks = (value: Json | undefined): boolean =>
  isObject(value) && isObject(value.properties) && 'links' in value.properties

/** Returns whether an array contains resources. All resources have a `links` field. */
const arrayOfResources = ({ version, ...cell }: Cell): boolean => {
  const place = schemaOf({ version, ...cell })
  if (place?.value.type !== 'array') return false
  return hasLinks(version.document.follow(`${place.pointer}/items`).value)
}

const carriesLinks = (cell: Cell): boolean => hasLinks(schemaOf(cell)?.value) || arrayOfResources(cell)

const expectLinks = (exchange: Exchange, linked: Json, what: string): void => {
  const links = isObject(linked) ? linked.links : undefined
  expectThat(isArray(links) && links.every(isObject), {
    expected: `a links array of objects in ${what}`,
    actual: inspect(links),
    exchange,
  })
}

export default rules({
  'resources.links-array': always(
    async (trial) => {
      const exchange = await trial.try()
      expectSuccess(exchange)
      const body = bodyOf(exchange)
      if (!isArray(body)) expectLinks(exchange, body, returnsPage(trial.cell) ? 'the list' : 'the resource')
      const items = isArray(body) ? body : listAt(body, 'results')
      for (const item of items) expectLinks(exchange, item, 'each resource in the list')
      if (!trial.cell.operation.paged) return
      const past = await trial.try({ query: pageQuery(1_000_000, 1) })
      if (isSuccess(past)) expectLinks(past, bodyOf(past), 'the empty list')
    },
    { at: both(onApi, (cell) => carriesLinks(cell) || 'no resource with links') },
  ),
})
