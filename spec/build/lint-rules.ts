import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { loadRules } from '../lint/rules.ts'
import { asTexts } from '../rules/read/json.ts'
import type { LintRule } from '../src/model.ts'
import { root } from './read-yaml.ts'

/**
 * Returns descriptions of our lint rules for the documentation. Each description has a good and a bad example. These
 * examples are the test fixtures, so tests ensure that the good example passes and the bad example fails.
 */
export async function describeLintRules(): Promise<LintRule[]> {
  const rules = await loadRules()
  return rules.map(({ id, message, why, scope }) => {
    const bad = fixture(`${id}.fail`)
    return {
      id,
      message,
      why,
      scope,
      good: fixture(`${id}.pass`),
      bad: bad.replace(/^findings:\n(?: .*\n)+/, ''),
      findings: asTexts(parse(bad).findings),
    }
  })
}

const fixture = (name: string): string => readFileSync(join(root, 'rules/fixtures', `${name}.yaml`), 'utf8')
