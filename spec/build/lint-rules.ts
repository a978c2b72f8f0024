import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { loadRules } from '../lint/rules.ts'
import { asTexts } from '../rules/read/json.ts'
import type { LintRule } from '../src/model.ts'
import { root } from './read-yaml.ts'

/**
 * Describes our lint rules for readers. The examples are also the rules' test fixtures, so tests verify that
 * the good examples pass and the bad examples fail.
 */
export async function describeLintRules(): Promise<LintRule[]> {
  const rules = await loadRules()
  return rules.map(({ id, message, why, scope }) => {
    const bad = fixture(`${id}.fail`)
    return {
      ...{ id, message, why, scope },
      good: fixture(`${id}.pass`),
      bad: bad.replace(/^findings:\n(?: .*\n)+/, ''),
      findings: asTexts(parse(bad).findings),
    }
  })
}

const fixture = (name: string): string => readFileSync(join(root, 'rules/fixtures', `${name}.yaml`), 'utf8')
