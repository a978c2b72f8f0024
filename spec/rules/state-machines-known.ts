import { asText } from './read/json.ts'
import { effective } from './read/reference.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'

export const rule: Rule = {
  id: 'state-machines-known',
  message: 'x-state-machine must name the states in facts/states that belong to the schema and the field.',
  why: 'The known values and the diagrams in the documentation come from these states.',
  scope: 'ours',
  given: wholeDocument,
  function(document, { facts }) {
    const machines = Object.entries(facts.states)
    return schemasIn(document).flatMap(({ value, path, name, place }) => {
      const machine = asText(effective(document, value)['x-state-machine'])
      if (machine === '' || place !== 'property') return []
      const field = facts.states[machine]?.field
      if (field === undefined) return [{ message: `there are no states named ${machine}`, path }]
      const [own] = machines.find(([, each]) => each.schema === path[2] && each.field === name) ?? []
      return field === name && (own ?? machine) === machine
        ? []
        : [{ message: `${machine} has the states of another field`, path }]
    })
  },
}
