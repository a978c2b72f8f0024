import { readYaml } from './sources.ts'
import { rewrite } from './walk.ts'

/**
 * Puts in the facts that the bundler leaves as references, because they stand where OpenAPI takes any value
 * (`default`, examples). What is in `facts/` is found by its name, wherever the reference stands.
 */
export function resolveFactReferences(document: unknown): unknown {
  return rewrite(document, (node) => {
    const found = typeof node.$ref === 'string' ? /(facts\/[\w/-]+\.yaml)#\/(.+)$/.exec(node.$ref) : null
    return found?.[1] && found[2] ? lookUp(found[1], found[2]) : node
  })
}

const files = new Map<string, unknown>()

function lookUp(file: string, pointer: string): unknown {
  let value: unknown = files.get(file) ?? readYaml(file)
  files.set(file, value)
  for (const key of pointer.split('/')) {
    const members: Record<string, unknown> = value !== null && typeof value === 'object' ? { ...value } : {}
    if (!(key in members)) throw new Error(`${file}#/${pointer} leads nowhere: there is no ${key}.`)
    value = members[key]
  }
  return value
}
