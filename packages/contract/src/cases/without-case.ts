import { always, type Rule, rules } from '../engine/rule.ts'
import { Untestable } from '../engine/signals.ts'

/**
 * Requirements that the kit has no case for yet: `area: promise promise`. They are reported as such, so that no run
 * looks as if it had tried them. Whoever writes a case takes its id off.
 */
const listed = `
`

/** The ids of these requirements. */
export const withoutCase: readonly string[] = listed
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [area = '', ...promises] = line.trim().split(/:? /)
    return promises.map((promise) => `${area}.${promise}`)
  })

const untried: Rule = always(
  async () => {
    throw new Untestable('the kit has no case for it yet')
  },
  { phase: 'read' },
)

export default rules(Object.fromEntries(withoutCase.map((id) => [id, untried])))
