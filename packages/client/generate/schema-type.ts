import {
  boundsSentence,
  findUnlistedKinds,
  methods,
  type OpenApiDocument,
  type Parameter,
  type Schema,
} from '@svc-admin/spec'

/** Whether a type describes a response (`read`) or a request (`write`). */
export type Direction = 'read' | 'write'

/** Writes TypeScript types for schemas, and collects the component types that they use. */
export interface TypeWriter {
  type(schema: Schema, direction: Direction): string
  /** Returns the name of a component's type for requests or for responses. */
  name(component: string, direction: Direction): string
  /** The component types used so far, by name, in order of first use. */
  readonly used: Map<string, { readonly component: string; readonly direction: Direction }>
  readonly schemas: Readonly<Record<string, Schema>>
}

/**
 * Creates a writer for types that contain no generics or conditional types. As a result, editors show the types as
 * written, and the compiler doesn't have to instantiate them. The types contain only documented properties so that
 * misspelled properties don't compile.
 *
 * @param others Other documents to search for properties that a schema lacks in its own document.
 */
export function createTypeWriter(
  document: OpenApiDocument,
  others: readonly OpenApiDocument[] = [],
): TypeWriter {
  const { schemas } = document.components
  const used: TypeWriter['used'] = new Map()
  const names = inputNames(document)
  const rests = new Map(
    [...findUnlistedKinds(schemas)].map(([component, each]) => [schemas[component], each]),
  )
  const gone = goneFields(schemas, others)

  const name = (component: string, direction: Direction): string => {
    const own = direction === 'write' ? (names.get(component) ?? component) : component
    if (!used.has(own)) used.set(own, { component, direction })
    return own
  }

  const type = (schema: Schema, direction: Direction): string => {
    if (schema.$ref) return name(schema.$ref.split('/').at(-1) ?? '', direction)
    const known = schema['x-known-values']
    if (known) return [...known.map(literal), `(${typeof known[0]} & {})`].join(' | ')
    if (schema.enum) return schema.enum.map(literal).join(' | ')
    if ('const' in schema) return literal(schema.const)
    const parts = schema.oneOf ?? schema.anyOf
    if (parts) return [...new Set(parts.map((part) => type(part, direction)))].join(' | ')
    if (schema.allOf) return schema.allOf.map((part) => wrap(type(part, direction))).join(' & ')
    const kinds = Array.isArray(schema.type) ? schema.type : [schema.type ?? guessKind(schema)]
    return kinds.map((kind) => ofKind(kind, schema, direction)).join(' | ')
  }

  const ofKind = (kind: string | undefined, schema: Schema, direction: Direction): string => {
    if (kind === 'string' || kind === 'boolean' || kind === 'null') return kind
    if (kind === 'integer' || kind === 'number') return 'number'
    if (kind === 'array') return `${wrap(schema.items ? type(schema.items, direction) : 'unknown')}[]`
    return kind === 'object' ? object(schema, direction) : 'unknown'
  }

  const object = (schema: Schema, direction: Direction): string => {
    const rest = rests.get(schema)
    const fields = Object.entries(schema.properties ?? {})
      .filter(([, each]) => !isHidden(each, direction, schemas))
      .map(([key, each]) => {
        const own = key === rest?.property ? 'OtherKind' : type(each, direction)
        const recommended = schema['x-recommended']?.includes(key) === true
        const optional = !recommended && key !== rest?.property && !schema.required?.includes(key)
        // Responses use the same type as requests so that callers can send a response back in a request.
        const whole = recommended ? `${own} | undefined` : own
        return `${doc(each, schemas, direction)}${field(key, whole, optional, direction)}`
      })
    const { additionalProperties } = schema
    if (typeof additionalProperties === 'object' && fields.length === 0) {
      fields.push(`[name: string]: ${type(additionalProperties, direction)}`)
    } else if (rest || (fields.length === 0 && additionalProperties !== false)) {
      fields.push('[name: string]: unknown')
    } else if (direction === 'write' && isOpen(schema)) {
      fields.push(
        ...(gone.get(schema) ?? []).map((key) => `/** Not in this version. */\n${property(key)}?: never`),
      )
    }
    return `{\n${fields.map((each) => `${each}\n`).join('')}}`
  }

  return { type, name, used, schemas }
}

/**
 * Writes a single property. Optional request properties can be `undefined` because undefined values are
 * omitted from JSON and queries.
 */
export function field(name: string, type: string, optional: boolean, direction: Direction): string {
  if (!optional) return `${property(name)}: ${type}`
  return `${property(name)}?: ${type}${direction === 'write' ? ' | undefined' : ''}`
}

/** Returns whether the schema allows additional properties. */
export function isOpen({ additionalProperties, 'x-strength': strength }: Schema): boolean {
  return additionalProperties === true || (additionalProperties === undefined && strength === 'open')
}

/**
 * Returns whether a property is left out of requests or responses. Requests don't contain read-only properties, and
 * responses don't contain write-only properties.
 */
function isHidden(schema: Schema, direction: Direction, schemas: Record<string, Schema>): boolean {
  const target = schema.$ref ? schemas[schema.$ref.split('/').at(-1) ?? ''] : undefined
  const flag = direction === 'read' ? 'writeOnly' : 'readOnly'
  return schema[flag] === true || target?.[flag] === true
}

/**
 * Returns the components that need a separate type for requests, with the name of that type. A component needs a
 * separate type if it contains read-only or write-only properties, or if responses use the same object type.
 */
function inputNames(document: OpenApiDocument): Map<string, string> {
  const { schemas, responses } = document.components
  const operationResponses = Object.values(document.paths).flatMap((item) =>
    methods.map((method) => item[method]?.responses),
  )
  const readTypes = new Set([...within([operationResponses, responses], schemas)])
  return new Map(
    Object.entries(schemas).flatMap(([component, schema]) => {
      const inner = [...within(schema, schemas)]
      const directed = inner.some(({ readOnly, writeOnly }) => readOnly === true || writeOnly === true)
      const shared = readTypes.has(schema) && inner.some(({ properties }) => properties)
      return directed || shared ? [[component, `${component}Input`]] : []
    }),
  )
}

/** Yields every object in a value, including objects in referenced components. Visits each component only once. */
function* within(
  value: unknown,
  schemas: Record<string, Schema>,
  seen = new Set<unknown>(),
): Generator<Schema> {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  if (!Array.isArray(value)) yield value as Schema
  for (const [key, child] of Object.entries(value)) {
    const next = key === '$ref' ? referred(child, schemas) : child
    if (!/^(examples?|default|x-.*)$/.test(key)) yield* within(next, schemas, seen)
  }
}

function referred(reference: unknown, schemas: Record<string, Schema>): Schema | undefined {
  const [, component] = /^#\/components\/schemas\/(.*)/.exec(String(reference)) ?? []
  return component === undefined ? undefined : schemas[component]
}

/**
 * For each schema that allows additional properties, returns the properties that exist only in other versions. The
 * generated type forbids these properties. Otherwise, a body for an old version would also compile with the types of a
 * newer version.
 */
function goneFields(
  schemas: Record<string, Schema>,
  others: readonly OpenApiDocument[],
): Map<Schema, readonly string[]> {
  return new Map(
    Object.entries(schemas).map(([component, schema]) => {
      const here = Object.keys(schema.properties ?? {})
      const all = others.flatMap(({ components }) =>
        Object.keys(components.schemas[component]?.properties ?? {}),
      )
      return [schema, [...new Set(all)].filter((key) => !here.includes(key))]
    }),
  )
}

function guessKind(schema: Schema): string | undefined {
  if (schema.properties || schema.additionalProperties !== undefined) return 'object'
  return schema.items ? 'array' : undefined
}

export function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : JSON.stringify(value)
}

export function property(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)
}

function wrap(type: string): string {
  return /[|&]/.test(type.replace(/\{[\s\S]*\}/, '')) ? `(${type})` : type
}

/**
 * Creates a documentation comment from the description of the schema or of its `$ref` target. For requests, the comment
 * also contains the limits and the default, because types can't express them.
 */
export function doc(schema: Schema, schemas: Record<string, Schema>, direction: Direction): string {
  const target = schema.$ref ? schemas[schema.$ref.split('/').at(-1) ?? ''] : undefined
  const whole = { ...target, ...schema }
  return comment([sentences(whole.description, direction === 'write' ? boundsSentence(whole) : undefined)])
}

export function parameterDoc({ description, schema }: Parameter, schemas: Record<string, Schema>): string {
  return doc(description === undefined ? schema : { ...schema, description }, schemas, 'write')
}

const sentences = (...parts: readonly (string | undefined)[]): string =>
  parts.flatMap((part) => part?.trim() || []).join(' ')

export function comment(lines: readonly (string | undefined)[]): string {
  const text = lines
    .filter((line) => line !== undefined && line !== '')
    .flatMap((line) => (line ?? '').replaceAll('*/', '*\\/').trim().split('\n'))
  if (text.length === 0) return ''
  return text.length === 1
    ? `/** ${text[0]} */\n`
    : `/**\n${text.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}
