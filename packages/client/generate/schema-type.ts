import type { OpenApiDocument, Schema } from '@svc-admin/spec'

/** Whether a type describes what is received or what is sent. */
export type Direction = 'read' | 'write'

/** The TypeScript type of a schema, and the names of the component types that it uses. */
export interface TypeWriter {
  type(schema: Schema, direction: Direction): string
  /** The name of the type of a component in one direction. */
  name(component: string, direction: Direction): string
  /** Component types asked for, by their names, in the order of their use. */
  readonly used: Map<string, { readonly component: string; readonly direction: Direction }>
}

/**
 * Writes types without generics or conditions: what an editor shows is what was written here, and a compiler
 * has nothing to instantiate.
 */
export function createTypeWriter(document: OpenApiDocument): TypeWriter {
  const { schemas } = document.components
  const used: TypeWriter['used'] = new Map()

  const name = (component: string, direction: Direction): string => {
    const own = direction === 'write' && differs(component, schemas) ? `${component}Input` : component
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
    const members = Object.entries(schema.properties ?? {})
      .filter(([, each]) => !isHidden(each, direction, schemas))
      .map(([key, each]) => {
        const optional = schema.required?.includes(key) ? '' : '?'
        return `${doc(each, schemas)}${property(key)}${optional}: ${type(each, direction)}`
      })
    const { additionalProperties } = schema
    if (typeof additionalProperties === 'object' && members.length === 0) {
      members.push(`[name: string]: ${type(additionalProperties, direction)}`)
    } else if (members.length === 0 && additionalProperties !== false) members.push('[name: string]: unknown')
    return `{\n${members.map((member) => `${member}\n`).join('')}}`
  }
  return { type, name, used }
}

/** A field that only the server writes is not sent, one that only the caller writes is not received. */
function isHidden(schema: Schema, direction: Direction, schemas: Record<string, Schema>): boolean {
  const target = schema.$ref ? schemas[schema.$ref.split('/').at(-1) ?? ''] : undefined
  const flag = direction === 'read' ? 'writeOnly' : 'readOnly'
  return schema[flag] === true || target?.[flag] === true
}

/** Whether a component looks different when it is sent, itself or somewhere inside. */
function differs(component: string, schemas: Record<string, Schema>): boolean {
  const seen = new Set<string>()
  const look = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(look)
    if (typeof value !== 'object' || value === null) return false
    if (Reflect.get(value, 'readOnly') === true || Reflect.get(value, 'writeOnly') === true) return true
    const target: unknown = Reflect.get(value, '$ref')
    if (typeof target === 'string') {
      const next = target.split('/').at(-1) ?? ''
      if (seen.has(next)) return false
      seen.add(next)
      if (look(schemas[next])) return true
    }
    return Object.entries(value).some(
      ([key, child]) => !/^(examples?|default|x-.*)$/.test(key) && look(child),
    )
  }
  return look(schemas[component])
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

/** A documentation comment of the description; that of the referenced schema where it has none of its own. */
export function doc(schema: Schema, schemas: Record<string, Schema>): string {
  const target = schema.$ref ? schemas[schema.$ref.split('/').at(-1) ?? ''] : undefined
  return comment([schema.description ?? target?.description])
}

export function comment(lines: readonly (string | undefined)[]): string {
  const text = lines
    .filter((line) => line !== undefined && line !== '')
    .flatMap((line) => (line ?? '').replaceAll('*/', '*\\/').trim().split('\n'))
  if (text.length === 0) return ''
  return text.length === 1
    ? `/** ${text[0]} */\n`
    : `/**\n${text.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}
