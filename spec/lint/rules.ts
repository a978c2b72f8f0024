import { readdirSync } from 'node:fs'
import type { Rule } from '../rules/read/rule.ts'

const folder = new URL('../rules/', import.meta.url)

/** The ids of our rules: each is a file of `rules/`, so a new rule needs no list to be changed. */
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
