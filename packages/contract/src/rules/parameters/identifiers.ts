import { withGenerated } from '../../check/generated.ts'
import { always, both, forEach, onApi, onRead, ownResourceRule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { type Arbitrary, anyText, editedText, type Generate } from '../../document/arbitrary.ts'
import type { Parameter } from '../../document/document.ts'
import { clustersWithSnapshots } from '../../given/clusters.ts'
import { parametersThatNameNothing } from '../../given/given.ts'
import { type Cell, fits, strengthOf } from '../../model/api.ts'
import { expectError, expectRefusal, expectRefused } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { forForeign, pathParameters, unknownValue } from '../../resources/foreign.ts'
import { uppercaseInPath } from '../../resources/letter-case.ts'
import { ownCluster, ownProject } from '../../resources/own-resources.ts'

const withPath = (cell: Cell): true | string => pathParameters(cell).length > 0 || 'no path parameter'

interface Value {
  readonly parameter: Parameter
  readonly value: string
}

/** Values that are almost valid IDs, or that some path parsers mishandle. */
const malformed = [
  '64b7e1c20f3a5d6e7f80910',
  '64b7e1c20f3a5d6e7f8091011',
  '64B7E1C20F3A5D6E7F809101',
  '64b7e1c20f3a5d6e7f80910g',
  '64b7e1c20f3a5d6e7f809101\n',
  ' 64b7e1c20f3a5d6e7f80910',
  '-starts-with-a-dash',
  'under_score',
  'a/b',
  '\u0000',
  'ünïcödé',
  "' or 1=1 --",
  '%zz',
  'x'.repeat(300),
]

const schemaErrors = (cell: Cell): Value[] =>
  pathParameters(cell).flatMap((parameter) =>
    malformed.filter((value) => !fits(cell, parameter, value)).map((value) => ({ parameter, value })),
  )

/** These segments are excluded, because most software removes them before it processes a path (RFC 3986 §5.2.4). */
const noSegments: readonly string[] = ['', '.', '..']

const generatedInvalidValues = (generate: Generate, cell: Cell, good: Readonly<Record<string, string>>) =>
  generate
    .constantFrom(...pathParameters(cell))
    .chain((parameter): Arbitrary<Value> => {
      const near = editedText(generate, good[parameter.name] ?? String(parameter.example))
      const texts = generate.oneof(near, anyText(generate))
      return texts.map((value) => ({ parameter, value }))
    })
    .filter(({ parameter, value }) => !noSegments.includes(value) && !fits(cell, parameter, value))

const tell = ({ parameter, value }: Value): string =>
  `${parameter.name} ${value.length > 40 ? `of ${value.length} characters` : JSON.stringify(value)}`

/** Selects operations on resources that have an ID and belong to a cluster, such as restore jobs. */
const ofCluster = ({ operation }: Cell): true | string =>
  /\/clusters\/\{clusterName\}\/.*\{\w+Id\}$/.test(operation.path) || 'not a resource with an ID in a cluster'

const inPath = { at: both(onApi, withPath), phase: 'read' } as const

const refuse = async (trial: Trial, { parameter, value }: Value): Promise<void> => {
  const exchange = await trial.try({ parameters: { [parameter.name]: value } })
  const why = `${parameter.name} does not match its pattern`
  expectRefusal(exchange, 'VALIDATION_ERROR', why, strengthOf(trial.cell, parameter, value))
}

export default rules({
  'identifiers.malformed-refused': [
    forEach(schemaErrors, tell, refuse, inPath),
    uppercaseInPath,
    withGenerated(
      async (generate, trial) =>
        generatedInvalidValues(generate, trial.cell, (await trial.good()).parameters),
      refuse,
      inPath,
    ),
  ],

  'identifiers.unknown-not-found': forEach(
    (cell) =>
      pathParameters(cell).filter(
        ({ name, schema }) =>
          schema.value.enum === undefined && !parametersThatNameNothing.has(`${cell.operation.id}.${name}`),
      ),
    ({ name }) => name,
    async (trial, parameter) => {
      const value = unknownValue(parameter, trial)
      const exchange = await trial.try({ parameters: { [parameter.name]: value } })
      expectError(exchange, 'RESOURCE_NOT_FOUND', `no resource has this ${parameter.name}`)
    },
    inPath,
  ),

  'identifiers.other-cluster-refused': [
    always(
      async (trial) => {
        const { parameters } = await trial.good()
        const other = clustersWithSnapshots(trial.context).find(({ name }) => name !== parameters.clusterName)
        if (other === undefined) throw new Untestable('a second cluster in the project')
        const exchange = await trial.try({ parameters: { clusterName: other.name } })
        expectRefused(exchange, `the resource belongs to the cluster ${parameters.clusterName}`)
      },
      { at: both(onApi, onRead, ofCluster), phase: 'read' },
    ),
    ownResourceRule(
      async (trial) => {
        const { parameters } = await trial.good()
        const name = { name: parameters.clusterName ?? '' }
        const { groupId, as } = await ownCluster(trial.context, name, await ownProject(trial.context))
        const caller = as === 'any allowed caller' ? {} : { as }
        const exchange = await trial.try({ parameters: { groupId }, ...caller })
        expectRefused(exchange, 'the resource belongs to a cluster with the same name in another project')
      },
      { at: both(onApi, onRead, ofCluster), label: 'same name' },
    ),
  ],

  'identifiers.foreign-not-found': forForeign((exchange, why) =>
    expectError(exchange, 'RESOURCE_NOT_FOUND', why),
  ),
})
