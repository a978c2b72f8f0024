import { successExamples } from './read/body-examples.ts'
import { asNode, isNode, type JsonNode, type JsonPath } from './read/json.ts'
import { operationsIn } from './read/operations.ts'
import { type Finding, type Rule, wholeDocument } from './read/rule.ts'

const suffix = '(At|Date|Time)?$'
const begin = new RegExp(`^(created|start|started|requested|startRequest)${suffix}`)
const change = new RegExp(`^(last)?(updated|modified|authorized|notified)${suffix}`, 'i')
const end = new RegExp(`^(end|ended|finished|completed|resolved|deleted)${suffix}`)
const expiry = new RegExp(`^(expires|expired|expiration)${suffix}`)
const deletion = new RegExp(`^deleted${suffix}`)

/** Pairs of fields that contain times. The first time in a pair must not be later than the second. */
const order: [RegExp, RegExp][] = [
  [begin, change],
  [begin, end],
  [begin, expiry],
  [change, deletion],
  [end, expiry],
]

export const rule: Rule = {
  id: 'examples-in-time-order',
  message:
    "timestamps in an example must be in the order of events. For example, a resource can't finish before it starts. In the example of a create operation, the resource must not have been updated since its creation.",
  why: 'Readers infer the order of events from timestamps, and tests compare the timestamps in examples.',
  scope: 'any',
  given: wholeDocument,
  function(document) {
    const created = operationsIn(document)
      .filter(({ method, id }) => method === 'post' && id.startsWith('create'))
      .flatMap((operation) => successExamples(document, operation))
    return [...faultsIn(document, []), ...created.flatMap(({ value, path }) => changes(asNode(value), path))]
  },
}

/**
 * Finds pairs of times in the wrong order. Checks every object in the document, because timestamps don't occur outside
 * examples.
 */
function faultsIn(value: unknown, path: JsonPath): Finding[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => faultsIn(item, [...path, index]))
  if (!isNode(value)) return []
  const times = timesOf(value)
  const own = order.flatMap(([earlier, later]) =>
    matching(times, earlier).flatMap(([first, from]) =>
      matching(times, later)
        .filter(([, to]) => to < from)
        .map(([second]) => ({ message: `${second} is earlier than ${first}`, path: [...path, second] })),
    ),
  )
  return [...own, ...Object.entries(value).flatMap(([key, field]) => faultsIn(field, [...path, key]))]
}

/** In the example of a newly created resource, finds update timestamps that are later than the creation timestamp. */
function changes(resource: JsonNode, path: JsonPath): Finding[] {
  const times = timesOf(resource)
  return matching(times, /^created/).flatMap(([first, from]) =>
    matching(times, /^(last)?(updated|modified)/i)
      .filter(([, to]) => to > from)
      .map(([second]) => ({ message: `${second} is later than ${first}`, path: [...path, second] })),
  )
}

function timesOf(resource: JsonNode): [string, number][] {
  return Object.entries(resource).flatMap(([name, value]): [string, number][] => {
    if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return []
    const time = Date.parse(value)
    return Number.isNaN(time) ? [] : [[name, time]]
  })
}

const matching = (times: [string, number][], names: RegExp) => times.filter(([name]) => names.test(name))
