import { readYaml } from './read-yaml.ts'

/**
 * Resolves references to facts that the bundler can't resolve. Some references are in fields that can have any value,
 * such as `default` and examples. Other references are in text, in the format `{facts/limits.yaml#/name/maxLength}`.
 * References that start with `facts/` work in any folder.
 */
export function resolveFactReferences(value: unknown): unknown {
  if (typeof value === 'string') return withFacts(value)
  if (Array.isArray(value)) return value.map(resolveFactReferences)
  if (value === null || typeof value !== 'object') return value
  const found = '$ref' in value ? /(facts\/[\w/-]+\.yaml)#\/(.+)$/.exec(String(value.$ref)) : null
  if (found?.[1] && found[2]) return lookUp(found[1], found[2])
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolveFactReferences(each)]))
}

const withFacts = (text: string): string =>
  text.replaceAll(/\{(facts\/[\w/-]+\.yaml)#\/([^}]+)\}/g, (_, file: string, pointer: string) =>
    wordsOf(lookUp(file, pointer), `${file}#/${pointer}`),
  )

function wordsOf(fact: unknown, reference: string): string {
  if (Array.isArray(fact) && fact.length > 0) return listed.format(fact.map((one) => wordsOf(one, reference)))
  if (typeof fact === 'string' || typeof fact === 'number') return String(fact)
  throw new Error(`${reference} can't be inserted into a text, because it is not a string, number or list.`)
}

const listed = new Intl.ListFormat('en-GB', { type: 'conjunction' })

const files = new Map<string, unknown>()

function lookUp(file: string, pointer: string): unknown {
  let value: unknown = files.get(file) ?? readYaml(file)
  files.set(file, value)
  for (const key of pointer.split('/')) {
    const fields: Record<string, unknown> = value !== null && typeof value === 'object' ? { ...value } : {}
    if (!(key in fields)) throw new Error(`Unresolved reference ${file}#/${pointer}: ${key} not found.`)
    value = fields[key]
  }
  return value
}
