import { always, forEach, type Rule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import { describeResponse, expectError, expectRefusal, expectSuccess, isSuccess } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { needsRole } from '../../resources/needed-role.ts'
import { type OwnCluster, ownCluster, sendRequest } from '../../resources/own-resources.ts'
import { ownNodes } from '../../resources/search.ts'
import {
  accepted,
  expectContains,
  expectField,
  expectFields,
  fieldOf,
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

/** No operation returns a deployment, so the check compares the new ID with the ID that an update returns. */
const returnsLastingId = always(
  async (trial) => {
    const place = await bare(trial)
    const { body } = successfulResponse(await send(trial, place, [spec]))
    await trial.context.prerequisites.advanceClock(secondsIn('search-nodes', 'UPDATING'))
    const update = await sendRequest(trial, place, { body: { specs: [other] } }, 'updateSearchNodes')
    if (!isSuccess(update)) throw new Untestable(`updateSearchNodes to work (${describeResponse(update)})`)
    for (const name of ['id', 'groupId', 'encryptionAtRestProvider'])
      expectField(successfulResponse(update), name, fieldOf(body, name))
  },
  { phase: 'alone', label: 'id' },
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
  'createSearchNodes.answers-with-search-nodes': [returnsNodes(bare), returnsLastingId],
  'updateSearchNodes.answers-with-search-nodes': returnsNodes(running),

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
