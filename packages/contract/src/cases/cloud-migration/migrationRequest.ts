import { always, forEach, type Rule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, type JsonObject, listAt, stringAt } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import { bodyOf, expectSuccess, expectThat } from '../../model/expect.ts'
import { destination, migrationBody } from '../../resources/migrations.ts'
import { type OwnProject, sendRequest } from '../../resources/own-resources.ts'
import { accepted, fieldOf, refused } from '../../resources/successful-response.ts'

const send = async (trial: Trial, differs: JsonObject): Promise<Exchange> => {
  const place = await destination(trial.context)
  return sendRequest(trial, place, { body: migrationBody(place, differs) })
}

const isTaken = (...bodies: readonly JsonObject[]): Rule =>
  forEach(
    () => bodies,
    (differs) => inspect(differs),
    async (trial, differs) => expectSuccess(await send(trial, differs)),
  )

const omitting = async (trial: Trial, name: string): Promise<Exchange> => {
  const place = await destination(trial.context)
  const { [name]: _, ...body } = migrationBody(place)
  return sendRequest(trial, place, { body })
}

const open = { somethingElse: { inner: [1] } }

const again = (trial: Trial, place: OwnProject, id: string): Promise<Exchange> =>
  trial.cell.operation.id === 'createMigration'
    ? sendRequest(trial, place, { parameters: { liveMigrationId: id } }, 'getMigration')
    : sendRequest(trial, place, { parameters: { validationId: id } }, 'getMigrationValidation')

export default rules({
  'migrationRequest.required': forEach(
    () => ['destination', 'dropEnabled', 'source'] as const,
    (name) => name,
    async (trial, name) => {
      const exchange = await omitting(trial, name)
      refused(exchange, `the body has no ${name}`)
      const body = bodyOf(exchange)
      const named = [...listAt(body, 'parameters'), stringAt(body, 'detail') ?? '']
      expectThat(
        named.some((one) => `${one}`.includes(name)),
        {
          expected: `an error that names ${name}`,
          actual: inspect(named),
          exchange,
          strength: 'decided',
        },
      )
    },
  ),

  'migrationRequest.one-host': [
    isTaken({ migrationHosts: ['mover.contract.example'] }),
    forEach(
      () => [[], ['mover-01.contract.example', 'mover-02.contract.example']],
      (hosts) => `${hosts.length} hosts`,
      async (trial, migrationHosts) => {
        for (const differs of [{ migrationHosts }, { migrationHosts, sharding: {} }])
          refused(await send(trial, differs), 'migrationHosts must have exactly one host')
      },
    ),
  ],

  'migrationRequest.hosts-optional': always(async (trial) =>
    expectSuccess(await omitting(trial, 'migrationHosts')),
  ),

  'migrationRequest.sharding-optional': isTaken({}, { sharding: {} }),

  'migrationRequest.source-open': forEach(
    () => [
      { label: 'unknown field in source', field: open, what: 'an undocumented field in source' },
      {
        label: 'invalid groupId in source',
        field: { groupId: 'behind the lake' },
        what: 'a groupId in source that is not an identifier',
      },
    ],
    ({ label }) => label,
    async (trial, { field, what }) => {
      accepted(await send(trial, { source: { clusterName: 'self-managed', ...field } }), what)
    },
  ),

  'migrationRequest.destination-open': forEach(
    () => ['destination', 'sharding'] as const,
    (name) => name,
    async (trial, name) => {
      const place = await destination(trial.context)
      const body = migrationBody(place)
      const before = fieldOf(body, name)
      const field = { ...(typeof before === 'object' && before !== null ? before : {}), ...open }
      accepted(
        await sendRequest(trial, place, { body: { ...body, [name]: field } }),
        `an undocumented field in ${name}`,
      )
    },
  ),

  'migrationRequest.secrets-not-returned': always(async (trial) => {
    const password = `secret-${trial.random.hex(16)}`
    const place = await destination(trial.context)
    const source = { clusterName: 'self-managed', username: 'mover', password, ssl: true }
    const made = await sendRequest(trial, place, { body: migrationBody(place, { source }) })
    expectSuccess(made)
    const read = await again(trial, place, stringAt(bodyOf(made), '_id') ?? '')
    expectSuccess(read)
    for (const exchange of [made, read])
      expectThat(!exchange.response.body.includes(password), {
        expected: 'no password',
        actual: 'the password of the source',
        exchange,
      })
  }),
})
