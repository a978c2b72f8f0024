import { expect, it } from 'vitest'
import { type CheckedServer, startChecked, type TestResponse } from './checked-server.ts'
import {
  askOf,
  bodiesOf,
  type Cell,
  cells,
  namesOf,
  operationOf,
  type PathValues,
  pathValuesOf,
  valuesAt,
} from './documented.ts'

/** The time that the examples assume, a few minutes after the alert's last notification. */
const told = () => Date.UTC(2025, 10, 18, 9, 45)

interface Example {
  readonly name: string
  readonly cell: Cell
  readonly value: unknown
}

/** The examples of successful responses in the OpenAPI documents. */
const examples = cells.flatMap((cell): Example[] => {
  const responses = Object.entries(operationOf(cell).responses).filter(([status]) => status < '300')
  const contents = responses.flatMap(([, { content = {} }]) => Object.values(content))
  return contents.flatMap(({ examples: shown = {} }) =>
    Object.entries(shown).map(([name, { value }]) => ({ name: `${cell.name}, ${name}`, cell, value })),
  )
})

const reads = ({ cell }: Example): boolean => cell.route.row.method === 'GET'

/** Returns the `self` path of an example. If the example is a list, returns the path of its first item. */
function placeOf(value: unknown): string | undefined {
  const { links } = Object(Array.isArray(value) ? value[0] : value)
  const href: unknown = Array.isArray(links) ? links[0]?.href : undefined
  return typeof href === 'string' ? new URL(href).pathname.replace(/^\/api\/svc\/[^/]+/, '') : undefined
}

/** Returns the path parameters in an example. If the example has none, returns path parameters from the demo. */
function placesOf({ cell, value }: Example): PathValues[] {
  const known = valuesAt(placeOf(value) ?? '')
  const names = namesOf(cell.route.row.path)
  const own = Object.fromEntries(names.map((name) => [name, known[name] ?? '']))
  return Object.values(own).includes('') ? pathValuesOf(cell) : [own]
}

const atService = (server: CheckedServer, { text }: TestResponse): string =>
  text.replaceAll(server.url, 'https://svc.example')

it('documents every read with the response of the demo', async () => {
  const server = await startChecked({ realTime: told })
  for (const example of examples.filter(reads)) {
    const responses: unknown[] = []
    for (const values of placesOf(example)) {
      responses.push(JSON.parse(atService(server, await askOf(server, example.cell, { values }))))
    }
    expect(responses, example.name).toContainEqual(example.value)
  }
})

/** Values that change every time or depend on the caller. */
const passing: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{24}\b/g, '<id>'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<moment>'],
  [/svc_lt_[\w-]+/g, '<token>'],
  [/"(acknowledgingUsername|updatedUser)":"[^"]*"/g, '"$1":"<user>"'],
  [/"totalCollections":\d+/g, '"totalCollections":0'],
]

const withoutPassing = (text: string): unknown =>
  JSON.parse(passing.reduce((rest, [what, name]) => rest.replace(what, name), text))

/** The times at which each example request must succeed: the time that the examples assume, and a much later time. */
const moments = [told(), Date.UTC(2030, 10, 18, 9, 45)]

it.each(examples.filter((example) => !reads(example)))(
  'documents $name with the response to its example request',
  async (example) => {
    const { cell, value } = example
    const [values = {}] = placesOf(example)
    const bodies = bodiesOf(cell)
    for (const moment of moments) {
      const responses: unknown[] = []
      for (const body of bodies.length > 0 ? bodies.map((json) => ({ json })) : [{}]) {
        const server = await startChecked({ realTime: () => moment })
        const response = await askOf(server, cell, { values, ...body })
        expect(response.status, response.text).toBeLessThan(300)
        responses.push(withoutPassing(atService(server, response)))
      }
      expect(responses).toContainEqual(withoutPassing(JSON.stringify(value)))
    }
  },
)

/** Returns the deprecation headers in the OpenAPI document of an operation. */
function noticesOf(cell: Cell): Record<string, unknown> {
  const [response] = Object.entries(operationOf(cell).responses).flatMap(([status, each]) =>
    status < '300' ? [each] : [],
  )
  const names = ['Deprecation', 'Sunset', 'Link'].filter((name) => response?.headers?.[name])
  return Object.fromEntries(names.map((name) => [name, response?.headers?.[name]?.example]))
}

it('documents every deprecated operation with the headers of the server', async () => {
  const server = await startChecked({ realTime: told })
  const deprecated = examples.filter(({ cell }) => operationOf(cell).deprecated)
  expect(deprecated.length).toBeGreaterThan(10)
  for (const example of deprecated) {
    const [values = {}] = placesOf(example)
    const { headers } = await askOf(server, example.cell, { values })
    const sent = ['Deprecation', 'Sunset', 'Link'].flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value.replaceAll(server.url, 'https://svc.example')]]
    })
    expect(Object.fromEntries(sent), example.name).toEqual(noticesOf(example.cell))
  }
})
