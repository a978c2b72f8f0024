import type { Checkout } from '../scripts/new/change.ts'
import { planRequirement } from '../scripts/new/requirement.ts'
import { edit } from './change-table.ts'

const before = 'startRequestDate'
const after = 'startedAt'
const first = 'spec/v2/2023-01-01'
const cases = 'packages/contract/src/cases/cluster-outage-simulation/endOutageSimulation.ts'

/** Renames a field in a new version, as described in the "rename a field" row of the change table. */
export function renameField(checkout: Checkout, date: string): void {
  writeDocuments(checkout, date)
  writeServer(checkout, date)
  writeRequirements(checkout, date)
}

function writeDocuments(checkout: Checkout, date: string): void {
  const folder = `spec/v2/${date}`
  const document = `${folder}/openapi.yaml`
  edit(checkout, document, '../2023-01-01/paths/outage-simulation.yaml', 'paths/outage-simulation.yaml')
  const path = checkout.read(`${first}/paths/outage-simulation.yaml`)
  const schema = checkout.read(`${first}/schemas/OutageSimulation.yaml`)
  const fields = ['self', 'id', 'groupId', 'clusterName', 'outageFilters', 'state'].join(', ')
  const example = (demo: string, state: string) =>
    `{ $demo: ${demo}, $pick: [ ${fields} ], $set: { ${after}: "2025-11-18T06:00:00Z"${state} } }`
  checkout.write([
    {
      path: `${folder}/paths/outage-simulation.yaml`,
      text: path
        .replace('2023-01-01+json', `${date}+json`)
        .replace(
          '{ $demo: outageSimulations.ordersGlobal, $set: { state: RECOVERY_REQUESTED } }',
          example('outageSimulations.ordersGlobal', ', state: RECOVERY_REQUESTED'),
        ),
      isNew: true,
    },
    {
      path: `${folder}/schemas/OutageSimulation.yaml`,
      text: schema
        .replaceAll(before, after)
        .replace('$ref: OutageFilters.yaml', '$ref: ../../2023-01-01/schemas/OutageFilters.yaml')
        .replace('{ $demo: outageSimulations.ordersGlobal }', example('outageSimulations.ordersGlobal', '')),
      isNew: true,
    },
  ])
}

function writeServer(checkout: Checkout, date: string): void {
  const server = 'packages/server/src'
  const name = `since${date.replaceAll('-', '')}`
  checkout.write([
    {
      path: `${server}/versions/${date}.ts`,
      text: `import { asObject, type VersionChange } from './version-change.ts'

/** Version ${date} renamed the field that contains the time of the outage simulation request. */
export const ${name}: VersionChange = {
  responses: {
    endOutageSimulation: (body) => {
      const { ${after}, ...rest } = asObject(body)
      return { ...rest, ${before}: ${after} }
    },
  },
}
`,
      isNew: false,
    },
  ])
  const operation = `${server}/operations/cluster-outage-simulation/endOutageSimulation.ts`
  edit(checkout, operation, `${before}: timestamp(startedAt)`, `${after}: timestamp(startedAt)`)
}

function writeRequirements(checkout: Checkout, date: string): void {
  const id = `endOutageSimulation.started-at-since-${date}`
  const text = `From version ${date} on, the simulation has \`${after}\` instead of \`${before}\`.`
  checkout.write(planRequirement(checkout, { id, text, strength: 'decided', source: 'decided: Responses' }))
  const rows = 'spec/requirements/cluster-outage-simulation/endOutageSimulation.yaml'
  const shown = '    shownBy: the fields of the simulation\n    covers: [ schema:OutageSimulation ]\n'
  edit(
    checkout,
    rows,
    '    source: [ "decided: Responses" ]\n',
    `    source: [ "decided: Responses" ]\n    since: "${date}"\n${shown}`,
  )
  edit(
    checkout,
    rows,
    "      - '3'\n    covers:",
    `      - '3'\n    until: "2023-01-01"\n    shownBy: the fields of the simulation\n    covers:`,
  )
  const older = '[ v1.0, 2023-01-01, 2024-05-30, 2024-08-05, 2025-03-12 ]'
  for (const fact of ['    holds: { format: date-time }\n', `startRequestDate, state ] }\n`])
    edit(checkout, 'spec/ledger/index/2.11.yaml', fact, `${fact}    in: ${older}\n`)
  const responses = 'spec/ledger/index/decided-responses.yaml'
  const requires = `    holds: { requires: [ clusterName, groupId, id, links, outageFilters, ${before}, state ] }\n`
  edit(
    checkout,
    responses,
    requires,
    `${requires}    in: ${older}
  - key: 'decided: Responses/OutageSimulation/${date}'
    says: From version ${date} on, OutageSimulation has ${after} instead of ${before}.
    strength: decided
    facts: [ schema:OutageSimulation, requirement:${id} ]
    holds: { requires: [ clusterName, groupId, id, links, outageFilters, ${after}, state ] }
    in: [ ${date}+ ]
`,
  )
  const operations = 'spec/ledger/index/decided-operations.yaml'
  const row = "outageSimulation', status: 200, v1.0: true, versions: [ 2023-01-01"
  edit(checkout, operations, row, `${row}, ${date}`)
  edit(
    checkout,
    cases,
    `always(async () => {
    throw new Error('Write the case for ${id}')`,
    `always(async (trial) => {
    const ended = successfulResponse(await sendRequest(trial, await simulated(trial, 'SIMULATING')))
    expectText(ended, '${after}')`,
  )
}
