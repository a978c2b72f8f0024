import { asText } from './read/json.ts'
import { effective } from './read/reference.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'

export const rule: Rule = {
  id: 'state-machines-known',
  message:
    'x-state-machine must be the name of a file in facts/states that describes the states of this field in this schema.',
  why: "The field's known values and the documentation's diagrams are generated from these files.",
  scope: 'ours',
  given: wholeDocument,
  function(document, { facts }) {
    const machines = Object.entries(facts.states)
    return schemasIn(document).flatMap(({ value, path, name, place }) => {
      const machine = asText(effective(document, value)['x-state-machine'])
      if (machine === '' || place !== 'property') return []
      const field = facts.states[machine]?.field
      if (field === undefined) return [{ message: `facts/states has no file ${machine}`, path }]
      const [own] = machines.find(([, each]) => each.schema === path[2] && each.field === name) ?? []
      return field === name && (own ?? machine) === machine
        ? []
        : [{ message: `${machine} describes the states of a different field`, path }]
    })
  },
}
