import { limits } from '@svc-admin/types'
import { problem } from '../problem.ts'

/**
 * Requires unique analyzer names in text search definitions. For other definitions, the schema allows any value in
 * `analyzers`.
 *
 * @param at The JSON Pointer to the array of analyzers in the body.
 * @throws {Problem} `DUPLICATE_NAME` if two analyzers have the same name.
 */
export function requireUniqueNames(analyzers: unknown, at: string): void {
  if (!Array.isArray(analyzers)) return
  const seen = new Set<string>()
  for (const [index, analyzer] of analyzers.entries()) {
    const name: unknown = Object(analyzer).name
    if (typeof name !== 'string') continue
    if (seen.has(name)) {
      throw problem('DUPLICATE_NAME', {
        detail: `Analyzer names must be unique, but two analyzers are named ${name.slice(0, limits.name.maxLength)}.`,
        parameters: [`${at}/${index}/name`],
      })
    }
    seen.add(name)
  }
}
