import { dirname, join } from 'node:path'
import type { OpenApiDocument } from '../src/model.ts'
import { resolveFactReferences } from './fact-references.ts'
import { readYaml } from './read-yaml.ts'
import { rewrite } from './walk.ts'

const folder = 'control'

/**
 * Returns the document for the sandbox's control interface, which isn't a version of the API. The document uses schemas
 * from the API but removes their extensions, such as `x-strength`, because these apply only to the API.
 */
export function controlDocument(): OpenApiDocument {
  return rewrite(readYaml(`${folder}/openapi.yaml`), (node) => {
    const { $ref, ...own } = node
    if (typeof $ref !== 'string' || $ref.startsWith('#')) return node
    return { ...schemaIn($ref), ...own }
  }) as OpenApiDocument
}

/**
 * Resolves a reference to a file or to a part of a file. Open enumerations become closed because the sandbox can't
 * handle unknown values.
 */
function schemaIn(reference: string): object {
  const [path = '', pointer] = reference.split('#/')
  const fields = pointer === undefined ? [] : pointer.split('/')
  const part = fields.reduce<unknown>((at, name) => Object(at)[name], readYaml(join(folder, path)))
  const schema = resolveFactReferences(part)
  if (schema === null || typeof schema !== 'object') throw new Error(`Unresolved reference ${reference}.`)
  if ('$ref' in schema) throw new Error(`${reference} is itself a reference, in ${dirname(path)}.`)
  const known = 'x-known-values' in schema ? { enum: schema['x-known-values'] } : {}
  return Object.fromEntries(Object.entries({ ...schema, ...known }).filter(([key]) => !key.startsWith('x-')))
}
