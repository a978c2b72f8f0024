import { loadDemo, loadDocument } from '@svc-admin/spec'
import { expect, it } from 'vitest'
import { type CheckedServer, orgId, startChecked } from './checked-server.ts'

type Schema = Readonly<Record<string, unknown>>

const document = loadDocument('2025-03-12')
const objectOf = (value: unknown): Schema => Object(value)

/** Resolves a reference to a schema, and returns the schema together with its name. */
function resolved(schema: unknown): { readonly name: string; readonly own: Schema } {
  const { $ref, ...beside } = objectOf(schema)
  if (typeof $ref !== 'string') return { name: '', own: beside }
  const name = $ref.split('/').at(-1) ?? ''
  return { name, own: { ...resolved(Reflect.get(document.components?.schemas ?? {}, name)).own, ...beside } }
}

/** Collects the properties in all responses, by schema name. Only includes schemas from the specification source. */
class Seen {
  readonly fields = new Map<string, Set<string>>()

  add(schema: unknown, value: unknown): void {
    const { name, own } = resolved(schema)
    if (Array.isArray(value)) for (const item of value) this.add(own.items, item)
    else if (typeof value === 'object' && value !== null) this.addObject(name, own, objectOf(value))
  }

  /** Returns the properties that were missing in every response, for each schema that occurred in a response. */
  unseen(): string[] {
    return [...this.fields].flatMap(([name, seen]) => {
      const { own } = resolved({ $ref: `/${name}` })
      const missing = Object.keys(objectOf(own.properties)).filter((field) => !seen.has(field))
      return missing.map((field) => `${name}.${field}`)
    })
  }

  private addObject(name: string, own: Schema, value: Schema): void {
    const seen = this.fields.get(name) ?? new Set()
    if (own['x-strength'] === 'stated' && name !== '') this.fields.set(name, seen)
    for (const [field, inner] of Object.entries(value)) {
      seen.add(field)
      this.add(objectOf(own.properties)[field], inner)
    }
  }
}

const reads = Object.entries(document.paths).flatMap(([path, { get }]) => {
  const content = objectOf(objectOf(objectOf(get?.responses)['200']).content)
  const { schema } = objectOf(Object.values(content)[0])
  return get ? [{ path, schema, fits: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }] : []
})

/** Returns all paths in the demo that can be read: the paths of resources, and the paths of each cluster's lists. */
function pathsOfDemo(): Set<string> {
  const demo = loadDemo()
  const own = Object.values(demo).flatMap((rows) => rows.map(({ self }) => String(self)))
  const lists = (demo.clusters ?? []).flatMap(({ groupId, name, hostnames }) =>
    reads.map(({ path }) =>
      path
        .replace('{groupId}', String(groupId))
        .replace('{clusterName}', String(name))
        .replace('{orgId}', orgId)
        .replace('{hostname}', String(Object(hostnames)[0]))
        .replace('{databaseName}/{collectionName}', 'sales/orders'),
    ),
  )
  return new Set([...own, ...lists].filter((path) => !path.includes('{')))
}

async function look(server: CheckedServer, seen: Seen, path: string): Promise<void> {
  const read = reads.find(({ fits }) => fits.test(path))
  if (!read) return
  const { status, body } = await server.ask(path)
  if (status === 200) seen.add(read.schema, body)
}

it('every property in the source occurs in some response of the demo', async () => {
  const server = await startChecked()
  const seen = new Seen()
  for (const path of pathsOfDemo()) await look(server, seen, path)
  expect(seen.fields.size).toBeGreaterThan(20)
  expect(seen.unseen()).toEqual([])
})
