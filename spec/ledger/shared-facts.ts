import type { Facts, JsonObject } from '../src/model.ts'
import type { FactTable } from './model.ts'

/** Extracts all facts from `facts/` and `versions.yaml`: limits, states, errors, roles, versions and event types. */
export function sharedFacts(facts: Facts): FactTable {
  const table: FactTable = new Map()
  const add = (kind: string, rows: Record<string, object>) => {
    for (const [id, row] of Object.entries(rows)) table.set(`${kind}:${id}`, { ...row })
  }
  add('limit', facts.limits)
  add('error', facts.errorCodes)
  add('token-error', facts.tokenErrors)
  add('grant', facts.roles)
  add('generation', facts.generations)
  add('version', Object.fromEntries(facts.versions.map((version) => [version.id, version])))
  add('event-family', facts.eventTypes.families)
  add('endpoint', { token: facts.tokenEndpoint })
  add('vocabulary', {
    eventFamilies: { values: Object.keys(facts.eventTypes.families) },
    eventTypes: { values: Object.values(facts.eventTypes.families).flatMap(({ values }) => values) },
    matcherFields: { values: facts.eventTypes.matcherFields },
  })
  for (const [id, machine] of Object.entries(facts.states)) {
    const { transitions, ...rest } = machine
    const moves = transitions.map(({ from, to, trigger }) => `${from} ${trigger} ${to}`)
    table.set(`machine:${id}`, { ...rest, moves } satisfies JsonObject)
    for (const value of machine.values) table.set(`state:${id}.${value}`, { field: machine.field })
  }
  return table
}
