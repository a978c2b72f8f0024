import {
  escapeToken,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  stringAt,
  valueAt,
} from './json.ts'

/** A location in a document, and the value at this location after resolving references. */
export interface SchemaLocation {
  readonly pointer: string
  readonly value: JsonObject
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly example: Json | undefined
  readonly schema: SchemaLocation
  readonly node: JsonObject
}

export interface RequestBody {
  readonly mediaType: string
  readonly required: boolean
  readonly schema: SchemaLocation
  readonly examples: readonly Json[]
}

export interface ResponseHeader {
  readonly name: string
  readonly required: boolean
  readonly schema: SchemaLocation
  readonly node: JsonObject
}

export interface Response {
  readonly status: number
  /** The schema for each media type. */
  readonly content: ReadonlyMap<string, SchemaLocation | undefined>
  readonly headers: readonly ResponseHeader[]
  readonly node: JsonObject
}

/** An operation in a document. All references are resolved. */
export interface DocumentOperation {
  readonly id: string
  readonly method: string
  /** The path template, exactly as in the document. */
  readonly path: string
  readonly node: JsonObject
  readonly parameters: readonly Parameter[]
  readonly body: RequestBody | undefined
  readonly responses: ReadonlyMap<number, Response>
}

/** An OpenAPI 3.1 document that has been prepared for lookups. */
export interface Document {
  readonly version: string
  readonly root: JsonObject
  readonly operations: ReadonlyMap<string, DocumentOperation>
  /** Returns the value at a pointer, after resolving all references. */
  follow(pointer: string): SchemaLocation
}

const methods = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'])

/** The maximum length of a reference chain. A reference can point to another reference. */
const maxHops = 20

const follow = (root: JsonObject, pointer: string): SchemaLocation => {
  let at = pointer
  for (let hops = 0; hops < maxHops; hops += 1) {
    const value = valueAt(root, at)
    const reference = stringAt(value, '$ref')
    if (reference === undefined) return { pointer: at, value: isObject(value) ? value : {} }
    at = decodeURIComponent(reference.replace(/^#/, ''))
  }
  throw new TypeError(`the document has a circular reference at ${pointer}`)
}

type Follow = (pointer: string) => SchemaLocation

/** Returns the examples of a parameter, media type or schema. */
export const examplesOf = (node: JsonObject): Json[] => {
  const named = Object.values(objectAt(node, 'examples')).map((example) =>
    isObject(example) ? example.value : undefined,
  )
  const all = [node.example, ...named, ...listAt(node, 'examples')]
  return all.filter((example) => example !== undefined)
}

const parametersAt = (pointer: string, node: JsonObject, followed: Follow): Parameter[] =>
  listAt(node, 'parameters').map((_, index) => {
    const place = followed(`${pointer}/parameters/${index}`)
    const schema = followed(`${place.pointer}/schema`)
    return {
      name: stringAt(place.value, 'name') ?? '',
      in: stringAt(place.value, 'in') ?? '',
      required: place.value.required === true,
      example: examplesOf(place.value)[0] ?? examplesOf(schema.value)[0],
      schema,
      node: place.value,
    }
  })

const bodyAt = (pointer: string, node: JsonObject, followed: Follow): RequestBody | undefined => {
  if (node.requestBody === undefined) return undefined
  const place = followed(`${pointer}/requestBody`)
  const [mediaType] = Object.keys(objectAt(place.value, 'content'))
  if (mediaType === undefined) return undefined
  const content = followed(`${place.pointer}/content/${escapeToken(mediaType)}`)
  const schema = followed(`${content.pointer}/schema`)
  const examples = [...examplesOf(content.value), ...examplesOf(schema.value)]
  return { mediaType, required: place.value.required === true, schema, examples }
}

const responseAt = (status: string, at: string, followed: Follow): Response => {
  const place = followed(at)
  const content = new Map<string, SchemaLocation | undefined>()
  for (const [mediaType, media] of Object.entries(objectAt(place.value, 'content'))) {
    const pointer = `${place.pointer}/content/${escapeToken(mediaType)}/schema`
    content.set(mediaType, isObject(media) && media.schema !== undefined ? followed(pointer) : undefined)
  }
  const headers = Object.keys(objectAt(place.value, 'headers')).map((name) => {
    const header = followed(`${place.pointer}/headers/${escapeToken(name)}`)
    const schema = followed(`${header.pointer}/schema`)
    return { name, required: header.value.required === true, schema, node: header.value }
  })
  return { status: Number(status), content, headers, node: place.value }
}

const operationAt = (
  path: string,
  method: string,
  followed: Follow,
  shared: Parameter[],
): DocumentOperation => {
  const { pointer, value: node } = followed(`/paths/${escapeToken(path)}/${method}`)
  const own = parametersAt(pointer, node, followed)
  const inherited = shared.filter(
    (one) => !own.some((other) => other.name === one.name && other.in === one.in),
  )
  const responses = Object.keys(objectAt(node, 'responses'))
    .filter((status) => /^\d{3}$/.test(status))
    .map((status) => responseAt(status, `${pointer}/responses/${status}`, followed))
  return {
    id: stringAt(node, 'operationId') ?? `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    node,
    parameters: [...inherited, ...own],
    body: bodyAt(pointer, node, followed),
    responses: new Map(responses.map((response) => [response.status, response])),
  }
}

/**
 * Opens a bundled document. A bundled document contains only local references.
 *
 * @throws TypeError if references are circular.
 */
export const openDocument = (version: string, root: JsonObject): Document => {
  // Cache the results, because most references point to the same few headers, parameters and schemas.
  const known = new Map<string, SchemaLocation>()
  const followed: Follow = (pointer) => {
    const place = known.get(pointer) ?? follow(root, pointer)
    known.set(pointer, place)
    return place
  }
  const operations = new Map<string, DocumentOperation>()
  for (const path of Object.keys(objectAt(root, 'paths'))) {
    const item = followed(`/paths/${escapeToken(path)}`)
    const shared = parametersAt(item.pointer, item.value, followed)
    for (const method of Object.keys(item.value).filter((key) => methods.has(key))) {
      const operation = operationAt(path, method, followed, shared)
      operations.set(operation.id, operation)
    }
  }
  return { version, root, operations, follow: followed }
}
