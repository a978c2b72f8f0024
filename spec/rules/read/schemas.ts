import { schemaMaps } from '../../src/model.ts'
import { asNode, fieldsOf, isNode, type JsonPath, type Located } from './json.ts'
import { methods } from './operations.ts'

export type SchemaPlace = 'component' | 'property' | 'keyword' | 'parameter' | 'header' | 'content'

export interface SchemaView extends Located {
  place: SchemaPlace
  /** The name of the component or property, or the keyword that contains the schema. */
  name: string
}

const single = [
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
]
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']

export function childrenOf({ value, path }: Located): SchemaView[] {
  const children: SchemaView[] = []
  for (const name of single) {
    const child = value[name]
    if (isNode(child)) children.push({ value: child, path: [...path, name], place: 'keyword', name })
  }
  for (const keyword of schemaMaps)
    for (const field of fieldsOf(value[keyword], [...path, keyword]))
      children.push({ ...field, place: keyword === 'properties' ? 'property' : 'keyword', name: field.key })
  for (const keyword of lists)
    for (const field of fieldsOf(value[keyword], [...path, keyword]))
      children.push({ ...field, place: 'keyword', name: keyword })
  return children
}

const cache = new WeakMap<object, SchemaView[]>()

/** Returns all schemas in a document, with their locations. References aren't followed. */
export function schemasIn(document: unknown): SchemaView[] {
  const root = asNode(document)
  const known = cache.get(root)
  if (known) return known
  const found: SchemaView[] = []
  const visit = (schema: SchemaView): void => {
    found.push(schema)
    for (const child of childrenOf(schema)) visit(child)
  }
  for (const schema of rootSchemas(root)) visit(schema)
  cache.set(root, found)
  return found
}

function rootSchemas(document: unknown): SchemaView[] {
  const components = asNode(asNode(document).components)
  const at = (name: string): JsonPath => ['components', name]
  return [
    ...fieldsOf(components.schemas, at('schemas')).map((each) => ({
      ...each,
      place: 'component' as const,
      name: each.key,
    })),
    ...fieldsOf(components.parameters, at('parameters')).flatMap((each) => ofCarrier(each, 'parameter')),
    ...fieldsOf(components.headers, at('headers')).flatMap((each) => ofCarrier(each, 'header')),
    ...fieldsOf(components.requestBodies, at('requestBodies')).flatMap(ofContent),
    ...fieldsOf(components.responses, at('responses')).flatMap(ofResponse),
    ...pathItems(document).flatMap(ofPathItem),
  ]
}

function pathItems(document: unknown): Located[] {
  const root = asNode(document)
  return ['paths', 'webhooks'].flatMap((name) => fieldsOf(root[name], [name]))
}

function ofPathItem({ value, path }: Located): SchemaView[] {
  const carriers = [{ value, path }, ...fieldsOf(value, path).filter(({ key }) => methods.includes(key))]
  return carriers.flatMap((each) => [
    ...fieldsOf(each.value.parameters, [...each.path, 'parameters']).flatMap((parameter) =>
      ofCarrier(parameter, 'parameter'),
    ),
    ...ofContent({ value: asNode(each.value.requestBody), path: [...each.path, 'requestBody'] }),
    ...fieldsOf(each.value.responses, [...each.path, 'responses']).flatMap(ofResponse),
  ])
}

function ofResponse(response: Located): SchemaView[] {
  const headers = fieldsOf(response.value.headers, [...response.path, 'headers'])
  return [...ofContent(response), ...headers.flatMap((header) => ofCarrier(header, 'header'))]
}

function ofCarrier(carrier: Located, place: SchemaPlace): SchemaView[] {
  const { schema } = carrier.value
  const own: SchemaView[] = isNode(schema)
    ? [{ value: schema, path: [...carrier.path, 'schema'], place, name: 'schema' }]
    : []
  return [...own, ...ofContent(carrier)]
}

function ofContent({ value, path }: Located): SchemaView[] {
  return fieldsOf(value.content, [...path, 'content']).flatMap((media) =>
    isNode(media.value.schema)
      ? [
          {
            value: media.value.schema,
            path: [...media.path, 'schema'],
            place: 'content' as const,
            name: media.key,
          },
        ]
      : [],
  )
}

/**
 * Returns whether a schema accepts values of a JSON type. A schema without `type` must have keywords that apply to the
 * given type.
 */
export function admits(schema: Record<string, unknown>, type: string): boolean {
  const declared = [schema.type].flat()
  return (
    declared.includes(type) ||
    (schema.type === undefined && (keywordsOf[type] ?? []).some((key) => key in schema))
  )
}

const keywordsOf: Record<string, string[]> = {
  object: ['properties', 'required', 'additionalProperties', 'patternProperties'],
  array: ['items', 'prefixItems'],
  string: ['pattern', 'minLength', 'maxLength'],
}
