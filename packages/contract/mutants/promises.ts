import { judges } from '../src/judges/index.ts'
import { loadApi } from '../src/model/api.ts'
import { requirements } from '../src/model/requirement.ts'
import { loadRules } from '../src/run/modules.ts'
import { makePlan } from '../src/run/plan.ts'

/**
 * Returns the requirements from the specification that the kit tests. There must be at least one mutant that breaks
 * each requirement.
 */
export const statedPromises = async (): Promise<string[]> => {
  const { cases } = makePlan(loadApi(), await loadRules())
  const tried = new Set<string>([...cases, ...judges].map(({ requirement }) => requirement))
  return [...requirements().values()]
    .filter(({ id, strength }) => strength === 'stated' && tried.has(id))
    .map(({ id }) => id)
}
