import { loadApi } from '../src/engine/api.ts'
import { loadRules } from '../src/engine/modules.ts'
import { makePlan } from '../src/engine/plan.ts'
import { requirements } from '../src/engine/requirement.ts'
import { judges } from '../src/judges/index.ts'

/** Requirements of strength *stated* that the kit tests. Each needs a mutant that breaks it. */
export const statedPromises = async (): Promise<string[]> => {
  const { cases } = makePlan(loadApi(), await loadRules())
  const tried = new Set<string>([...cases, ...judges].map(({ requirement }) => requirement))
  return [...requirements().values()]
    .filter(({ id, strength }) => strength === 'stated' && tried.has(id))
    .map(({ id }) => id)
}
