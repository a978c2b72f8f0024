import { loadControlDocument, type Schema } from '@svc-admin/spec'
import { ControlInputError, type Fields, fieldsOf } from './fields.ts'

/** Refuses members that a request of the control interface does not have. */
export type CheckMembers = (route: string, body: unknown) => void

/**
 * Reads from the document of the control interface which members its requests have. A member that nobody reads is a
 * typing error, and would do nothing without a word.
 *
 * @returns what throws {ControlInputError} for a body with others; `route` is such as `PUT /fixtures/:name`.
 */
export function createMemberCheck(): CheckMembers {
  const document = fieldsOf(loadControlDocument(), 'The document')
  const find = (reference: string): Fields =>
    reference
      .split('/')
      .slice(1)
      .reduce((at, name) => fieldsOf(at[name], reference), document)
  const check = (schema: Schema, value: unknown, what: string): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    const { properties, additionalProperties, closed } = shapeOf(schema, find)
    for (const [name, member] of Object.entries(value)) {
      const own = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
      if (own !== undefined) check(own, member, `'${name}'`)
      else if (closed) throw new ControlInputError(refusal(what, name, Object.keys(properties)))
    }
  }
  return (route, body) => {
    const [method = '', path = ''] = route.split(' ')
    const paths = fieldsOf(document.paths, 'paths')
    const item = fieldsOf(paths[path.replace(/:(\w+)/g, '{$1}')] ?? {}, route)
    const operation = fieldsOf(item[method.toLowerCase()] ?? {}, route)
    const { $ref } = fieldsOf(operation.requestBody ?? {}, route)
    if (typeof $ref !== 'string') return
    const content = fieldsOf(find($ref).content, $ref)
    check(fieldsOf(fieldsOf(content['application/json'], $ref).schema, $ref), body, 'The body')
  }
}

function refusal(what: string, name: string, known: readonly string[]): string {
  return `${what} has no member '${name.slice(0, 100)}': it may have ${known.join(', ')}`
}

interface Shape {
  readonly properties: Readonly<Record<string, Schema>>
  readonly additionalProperties: Schema | undefined
  readonly closed: boolean
}

/** The members of an object, with those of the schemas that it is made of. */
function shapeOf(schema: Schema, find: (reference: string) => Fields): Shape {
  const { $ref, allOf = [], properties, additionalProperties, unevaluatedProperties } = schema
  const parts = [...($ref === undefined ? [] : [find($ref)]), ...allOf].map((part) => shapeOf(part, find))
  return {
    properties: Object.assign({}, properties, ...parts.map((part) => part.properties)),
    additionalProperties:
      typeof additionalProperties === 'object'
        ? additionalProperties
        : parts.find((part) => part.additionalProperties)?.additionalProperties,
    closed:
      additionalProperties === false || unevaluatedProperties === false || parts.some((part) => part.closed),
  }
}
