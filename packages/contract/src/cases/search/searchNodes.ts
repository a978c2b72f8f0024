import { always, forEach, type Rule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import { missingField } from '../../model/difference.ts'
import {
  describeResponse,
  expectError,
  expectRefusal,
  expectSuccess,
  expectThat,
  isSuccess,
} from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { expectSameAsEarlier } from '../../resources/earlier-response.ts'
import { needsRole } from '../../resources/needed-role.ts'
import { type OwnCluster, ownCluster, sendRequest } from '../../resources/own-resources.ts'
import { ownNodes } from '../../resources/search.ts'
import {
  accepted,
  expectContains,
  expectField,
  expectFields,
  fieldOf,
  only,
  refused,
  secondsIn,
  successfulResponse,
} from '../../resources/successful-response.ts'

const spec: JsonObject = { instanceSize: 'S20_HIGHCPU_NVME', nodeCount: 2 }
const other: JsonObject = { instanceSize: 'S30_HIGHCPU_NVME', nodeCount: 3 }

type Given = (trial: Trial) => Promise<OwnCluster>

const bare: Given = ({ context }) => ownCluster(context)
const running: Given = ({ context }) => ownNodes(context)

const send = (trial: Trial, place: OwnCluster, specs: readonly Json[]): Promise<Exchange> =>
  sendRequest(trial, place, { body: { specs } })

const returnsNodes = (given: Given): Rule =>
  always(async (trial) => {
    const place = await given(trial)
    const nodes = successfulResponse(await send(trial, place, [other]))
    expectField(nodes, 'groupId', place.groupId)
    expectContains(nodes.exchange, nodes.body, { specs: [other] })
    expectFields(nodes, 'id', 'stateName')
  })

/** Creates a deployment, waits until it runs, and updates it. Returns both responses. */
const createdAndUpdated = async (trial: Trial) => {
  const { advanceClock } = trial.context.prerequisites
  const place = await bare(trial)
  const created = await sendRequest(trial, place, { body: { specs: [spec] } }, 'createSearchNodes')
  if (!isSuccess(created)) throw new Untestable(`createSearchNodes to work (${describeResponse(created)})`)
  await advanceClock(secondsIn('search-nodes', 'UPDATING'))
  const updated = await sendRequest(trial, place, { body: { specs: [other] } }, 'updateSearchNodes')
  if (!isSuccess(updated)) throw new Untestable(`updateSearchNodes to work (${describeResponse(updated)})`)
  return { created: successfulResponse(created), updated: successfulResponse(updated) }
}

const lasting = ['id', 'groupId', 'encryptionAtRestProvider'] as const

const has = (body: Json, name: string): boolean => fieldOf(body, name) !== undefined

/** No operation returns a deployment, so the check compares the new ID with the ID that an update returns. */
const returnsLastingId = always(
  async (trial) => {
    const { created, updated } = await createdAndUpdated(trial)
    const names = lasting.filter((name) => [created, updated].every(({ body }) => has(body, name)))
    const [value, actual] = [only(created.body, ...names), only(updated.body, ...names)]
    expectSameAsEarlier(updated.exchange, actual, { operation: 'createSearchNodes', value })
  },
  { phase: 'alone', label: 'id' },
)

/** Both operations return the same resource, so their responses must have the same fields. */
const returnsSameFields = always(
  async (trial) => {
    const { created, updated } = await createdAndUpdated(trial)
    const isCreation = trial.cell.operation.id === 'createSearchNodes'
    const [seen, other] = isCreation ? [created, updated] : [updated, created]
    const names = [...lasting, 'specs', 'stateName']
    const missing = names.filter((name) => has(other.body, name) && !has(seen.body, name))
    const otherOperation = isCreation ? 'updateSearchNodes' : 'createSearchNodes'
    expectThat(missing.length === 0, {
      expected: `${missing.join(', ')}, as in the response to ${otherOperation}`,
      actual: `a deployment without ${missing.join(', ')}`,
      exchange: seen.exchange,
      difference: missingField(missing[0] ?? ''),
    })
  },
  { phase: 'alone', label: 'same fields' },
)

const exactlyOne = (given: Given): Rule[] => [
  always(async (trial) => expectSuccess(await send(trial, await given(trial), [spec])), { label: 'one' }),
  forEach(
    () => [[], [spec, other]],
    (specs) => `${specs.length}`,
    async (trial, specs) =>
      refused(await send(trial, await given(trial), specs), 'specs must have exactly one element'),
  ),
]

const specOpen = (given: Given): Rule =>
  always(async (trial) => {
    const sent = { ...spec, nodeCount: 0, somethingElse: { inner: 1 } }
    const exchange = await send(trial, await given(trial), [sent])
    expectContains(exchange, accepted(exchange, 'an undocumented field in a specification').body, {
      specs: [sent],
    })
  })

const needsSvcAdmin = needsRole('PROJECT_SVC_ADMIN', 'PROJECT_DATA_ACCESS_ADMIN')

export default rules({
  'createSearchNodes.answers-with-search-nodes': [returnsNodes(bare), returnsLastingId, returnsSameFields],
  'updateSearchNodes.answers-with-search-nodes': [returnsNodes(running), returnsSameFields],

  'createSearchNodes.exactly-one-spec': exactlyOne(bare),
  'updateSearchNodes.exactly-one-spec': exactlyOne(running),

  'createSearchNodes.spec-open': specOpen(bare),
  'updateSearchNodes.spec-open': specOpen(running),

  'createSearchNodes.role': needsSvcAdmin,
  'updateSearchNodes.role': needsSvcAdmin,

  'createSearchNodes.second-refused': always(async (trial) => {
    const place = await ownCluster(trial.context)
    expectSuccess(await send(trial, place, [spec]))
    expectError(await send(trial, place, [spec]), 'INVALID_STATE', 'the cluster already has a deployment')
  }),

  'createSearchNodes.begins-updating': always(async (trial) => {
    const place = await ownCluster(trial.context)
    expectField(successfulResponse(await send(trial, place, [spec])), 'stateName', 'UPDATING')
    const next = await sendRequest(trial, place, { body: { specs: [other] } }, 'updateSearchNodes')
    expectRefusal(next, 'INVALID_STATE', 'the nodes are not running yet')
  }),

  'updateSearchNodes.idle-again': always(
    async (trial) => {
      const place = await ownNodes(trial.context)
      expectField(successfulResponse(await send(trial, place, [other])), 'stateName', 'UPDATING')
      await trial.context.prerequisites.advanceClock(secondsIn('search-nodes', 'UPDATING'))
      expectSuccess(await send(trial, place, [spec]), 'a success for the next update')
    },
    { phase: 'alone' },
  ),

  'updateSearchNodes.while-updating-refused': always(async (trial) => {
    const place = await ownNodes(trial.context)
    expectSuccess(await send(trial, place, [other]))
    expectError(await send(trial, place, [spec]), 'INVALID_STATE', 'the deployment is UPDATING')
  }),

  'updateSearchNodes.none': always(async (trial) => {
    const exchange = await send(trial, await ownCluster(trial.context), [spec])
    expectError(exchange, 'RESOURCE_NOT_FOUND', 'the cluster has no Search nodes')
  }),

  'updateSearchNodes.keeps-id': always(async (trial) => {
    const place = await ownNodes(trial.context)
    const { exchange, body } = successfulResponse(await send(trial, place, [other]))
    expectField({ exchange, body }, 'id', place.id)
  }),
})
