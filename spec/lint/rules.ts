import { readdirSync } from 'node:fs'
import type { Rule } from '../rules/read/rule.ts'

const folder = new URL('../rules/', import.meta.url)

/**
 * Returns the IDs of our rules. The ID of a rule is the name of its file in `rules/`, so new rules don't have to be
 * registered anywhere.
 */
export function ruleIds(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => name.slice(0, -'.ts'.length))
    .sort()
}

export async function loadRules(): Promise<Rule[]> {
  return Promise.all(
    ruleIds().map(async (id) => {
      const module: { rule: Rule } = await import(new URL(`${id}.ts`, folder).href)
      return module.rule
    }),
  )
}
