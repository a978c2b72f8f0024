import { expect } from 'vitest'
import type { Rule } from '../src/check/rule.ts'
import { createTrial } from '../src/check/trial.ts'
import { isArray, isObject, type JsonObject } from '../src/document/json.ts'
import type { Authorization } from '../src/http/authorization.ts'
import type { Header, RawRequest } from '../src/http/exchange.ts'
import type { HttpSession } from '../src/http/session.ts'
import { NoResponse } from '../src/http/transport.ts'
import { type Cell, loadApi } from '../src/model/api.ts'
import { buildCall } from '../src/model/call.ts'
import { createRandom } from '../src/model/random.ts'
import { openJournal } from '../src/run-context/journal.ts'
import { createPrerequisites, type Prerequisites } from '../src/run-context/prerequisites.ts'
import { createRunContext, type RunContext, type RunContextOptions } from '../src/run-context/run-context.ts'
import { demoTarget } from '../src/target/demo.ts'
import { publicDemo } from '../src/target/own-demo.ts'

export const groupId = '64b7e1c20f3a5d6e7f809101'
const key = { publicKey: 'key', privateKey: 'secret' }
export const target = {
  baseUrl: 'http://127.0.0.1:1',
  roles: { ORGANIZATION_OWNER: { apiKey: key } },
  things: { groupId },
  clusters: [{ name: 'lent', tier: 'M30' }],
}

const api = loadApi()
export const dated = (id: string) => {
  const cell = api.cells.filter(({ operation }) => operation.id === id).at(-1)
  if (cell === undefined) throw new TypeError(`there is no ${id}`)
  return cell
}

/** Creates a run context for the demo target, in which a session acts as the server. */
export const contextWith = (session: HttpSession): RunContext => {
  const demo = demoTarget({ baseUrl: 'http://127.0.0.1' })
  const [prerequisites, journal] = [createPrerequisites(demo), openJournal()]
  return createRunContext({ api, target: demo, session, prerequisites, journal, runTag: 'test' })
}

export type Response = readonly [
  status: number,
  body?: unknown,
  indentation?: number,
  headers?: readonly Header[],
]

/** Creates a run context in which a function acts as the server. */
export const contextOver = (
  respond: (request: RawRequest, as: Authorization) => Response | 'nothing',
  more: Partial<RunContextOptions> = {},
) => {
  const sent: string[] = []
  const refuse = () => expect.fail('not used')
  const session: HttpSession = {
    challenge: refuse,
    token: refuse,
    forget: () => {},
    waits: () => 0,
    async send(request, as) {
      const [method, path] = [request.method, request.path.split('/groups/')[1] ?? '']
      sent.push(`${method} ${path.slice(groupId.length + 1)}${request.body ? ` ${request.body}` : ''}`)
      const reply = respond(request, as)
      if (reply === 'nothing') throw new NoResponse(request, 'ECONNRESET')
      const [status, body = {}, indentation = 0, headers = []] = reply
      const json = JSON.stringify(body, null, indentation) + (indentation > 0 ? '\n' : '')
      const response = { status, reason: '', headers, body: status === 204 ? '' : json }
      return { url: request.path, request, response, milliseconds: 1 }
    },
  }
  const journal = openJournal()
  const prerequisites = createPrerequisites(target)
  const context = createRunContext({ api, target, session, prerequisites, journal, runTag: 'tag', ...more })
  return { context, journal, sent }
}

export const trialIn = (context: RunContext, cell: Cell, inputs = 1) =>
  createTrial({ context, cell, random: createRandom(1, 'x'), inputs, record: [] })

/**
 * Runs the rule's check with the given label and number of generated inputs. Returns `passed`, the strength of the
 * violation, or the name of another error.
 */
export const outcomeIn = (
  context: RunContext,
  cell: Cell,
  rule: Rule | readonly Rule[] | undefined,
  label = '',
  inputs = 1,
): Promise<string> => {
  const variants = [rule ?? []].flat().flatMap((one) => one.variants(cell))
  const check = variants.find((variant) => variant.label === label)?.check ?? expect.fail('no such check')
  return check(trialIn(context, cell, inputs)).then(
    () => 'passed',
    (error) => error.breach?.strength ?? error.name,
  )
}

export const config = (alertConfigId: string) =>
  ({ operation: 'deleteAlertConfig', parameters: { groupId, alertConfigId } }) as const

export const changeIn = (id: string, parameters: Readonly<Record<string, string>>) =>
  buildCall(dated(id), { parameters, body: {}, as: { kind: 'none' } })

const day = '2026-11-26T00:00:00Z'

interface Arranged {
  /** The time of the target's clock at the start. The clock moves only if the kit advances it. */
  readonly now?: string
  /** Raises an event or ends its condition. Returns the IDs of the alerts that were raised or closed. */
  readonly event?: (event: Parameters<Prerequisites['event']>[0]) => string[]
  /** Called when the kit advances the clock. */
  readonly advance?: (seconds: number) => void
  /** Returns the notifications that the target has sent. */
  readonly outbox?: () => JsonObject[]
  /** Adds entries to a cluster's access history. */
  readonly addAccessLogs?: (logs: Parameters<Prerequisites['addAccessLogs']>[0]) => void
  /** Called before an operation fails, and again when it works again. */
  readonly fail?: (operation: string | undefined) => void
}

/** Creates a run context for the demo target that can seed resources, and returns the seeded resources by collection. */
export const seeding = (respond: Parameters<typeof contextOver>[0], arranged: Arranged = {}) => {
  const { now = day, event = () => [], advance = () => {} } = arranged
  const { outbox = () => [], addAccessLogs = () => {}, fail = () => {} } = arranged
  const rows = new Map<string, JsonObject[]>()
  let time = Date.parse(now)
  const demo = demoTarget({ baseUrl: 'http://127.0.0.1' })
  const prerequisites = {
    ...createPrerequisites(demo),
    canSeed: true,
    canMoveClock: true,
    canRaiseEvents: true,
    canAddAccessLogs: true,
    addAccessLogs: async (logs: Parameters<Prerequisites['addAccessLogs']>[0]) => addAccessLogs(logs),
    advanceClock: async (seconds: number) => {
      time += seconds * 1000
      advance(seconds)
    },
    failNext: async (operation: string) => {
      fail(operation)
      return async () => fail(undefined)
    },
    outbox: async () => outbox(),
    event: async (raised: Parameters<Prerequisites['event']>[0]) => event(raised),
    now: async () => time,
    seed: async (content: JsonObject) => {
      for (const [name, value] of Object.entries(content))
        rows.set(name, [...(rows.get(name) ?? []), ...(isArray(value) ? value.filter(isObject) : [])])
    },
  }
  return { ...contextOver(respond, { demo: publicDemo(), target: demo, prerequisites }), rows }
}
