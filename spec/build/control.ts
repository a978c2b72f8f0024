import { dirname, join } from 'node:path'
import type { OpenApiDocument } from '../src/model.ts'
import { resolveFactReferences } from './fact-references.ts'
import { readYaml } from './sources.ts'
import { rewrite } from './walk.ts'

const folder = 'control'

/**
 * The document of the control interface of the sandbox, which is no version of the API. What it takes from the API it
 * refers to in the files of the API; how firmly that stands there is said there.
 */
export function controlDocument(): OpenApiDocument {
  return rewrite(readYaml(`${folder}/openapi.yaml`), (node) => {
    const { $ref, ...own } = node
    if (typeof $ref !== 'string' || $ref.startsWith('#')) return node
    return { ...schemaIn($ref), ...own }
  }) as OpenApiDocument
}

/**
 * The schema that a reference leads to: a whole file, or a part of it. Of a list that is open in the API the sandbox takes
 * the words that are known: another would do nothing.
 */
function schemaIn(reference: string): object {
  const [path = '', pointer] = reference.split('#/')
  const fields = pointer === undefined ? [] : pointer.split('/')
  const part = fields.reduce<unknown>((at, name) => Object(at)[name], readYaml(join(folder, path)))
  const schema = resolveFactReferences(part)
  if (schema === null || typeof schema !== 'object') throw new Error(`${reference} leads nowhere.`)
  if ('$ref' in schema) throw new Error(`${reference} refers on, from ${dirname(path)}.`)
  const known = 'x-known-values' in schema ? { enum: schema['x-known-values'] } : {}
  return Object.fromEntries(Object.entries({ ...schema, ...known }).filter(([key]) => !key.startsWith('x-')))
}
