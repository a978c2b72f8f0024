import { setTimeout as sleep } from 'node:timers/promises'
import { tokenEndpoint, versions } from '@svc-admin/types'
import { parseJson, stringAt } from '../src/document/json.ts'
import { type Cell, loadApi } from '../src/engine/api.ts'
import { requestOf } from '../src/engine/call.ts'
import { loadRules } from '../src/engine/modules.ts'
import { makePlan, type Selection } from '../src/engine/plan.ts'
import { createRandom } from '../src/engine/random.ts'
import type { Result } from '../src/engine/result.ts'
import type { Rules } from '../src/engine/rule.ts'
import { run } from '../src/engine/runner.ts'
import { createTrial } from '../src/engine/trial.ts'
import { arrangeAccessLogs } from '../src/given/access-logs.ts'
import { onTarget, prepare } from '../src/given/given.ts'
import type { ApiKey } from '../src/http/authorization.ts'
import { digestChallengeOf } from '../src/http/challenge.ts'
import { digestAuthorization } from '../src/http/digest.ts'
import { createDoors } from '../src/http/doors.ts'
import { createPace } from '../src/http/pace.ts'
import { createSession, type Session } from '../src/http/session.ts'
import type { Token } from '../src/http/tokens.ts'
import { createTransport } from '../src/http/transport.ts'
import { demoTarget } from '../src/target/demo.ts'
import { publicDemo } from '../src/target/own-demo.ts'
import type { Target } from '../src/target/target.ts'
import { openJournal } from '../src/world/journal.ts'
import { doorsOf, secretsOf } from '../src/world/open.ts'
import { createPrerequisites } from '../src/world/prerequisites.ts'
import { createWorld, type World } from '../src/world/world.ts'
import { countKey, faultOf, keyOfRequest, type NonceBook, noteSeed, noteToken } from './holders.ts'
import { type Mutant, requestHeader, type Tools, withRequestHeader } from './mutant.ts'
import { type BreakingProxy, type Interference, openProxy, type Passing, type Response } from './proxy.ts'
import { resetSandbox } from './server.ts'

/** A server with a proxy before it, on which mutants are run. */
export interface Bench {
  /** Puts the demo organisation back, and makes what the checks of a cell share. */
  settle(cell: Cell): Promise<void>
  /** Runs a selection through the proxy, with a promise broken or with none; `by` is a way to the proxy. */
  check(selection: Selection, how?: Breakage, by?: string): Promise<Checked>
  /** Lets somebody else use the proxy, with a promise broken or with none. */
  around<T>(use: (baseUrl: string) => Promise<T>, how?: Breakage): Promise<T>
  tools: Tools
  close(): Promise<void>
}

export interface Breakage {
  readonly api?: Interference
  readonly control?: Interference
  /** Which requests it concerns. */
  readonly concerns: (request: Passing) => boolean
}

export interface Checked {
  readonly results: readonly Result[]
  /** How many answers or requests were changed. */
  readonly changed: number
}

const sameResponse = (one: Response, other: Response | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** Whether a request is one that a mutant is about. */
export const concernsOf = ({ cell, reach }: Pick<Mutant, 'cell' | 'reach'>) => {
  const { operation, version } = cell
  const template = operation.path.replace(/\{\w+\}/g, '[^/?]*')
  const start = operation.absolute ? '' : version.prefix
  const path = new RegExp(`^${(start + template).replaceAll('.', '\\.')}(\\?|$)`)
  const generation = operation.absolute ? operation.path : `${version.prefix}/`
  const other = versions.find((one) => one.generation !== version.generation)?.prefix ?? ''
  const elsewhere = new RegExp(`^${(other + template).replaceAll('.', '\\.')}(\\?|$)`)
  return (request: Passing): boolean => {
    if (reach === 'other generation') return elsewhere.test(request.path)
    if (reach === 'generation') return request.path.startsWith(generation)
    return path.test(request.path) && (reach === 'path' || request.method === operation.method)
  }
}

interface Shared {
  readonly things: Map<string, Promise<unknown>>
  readonly tokens: Map<string, Promise<Token>>
}

/** One for the whole bench: tokens are issued once and used in many runs. */
const secrets = secretsOf(demoTarget({ baseUrl: 'http://127.0.0.1' }))

const sessionTo = (target: Target, shared: Shared): Session => {
  const prerequisites = createPrerequisites(target)
  return createSession({
    transport: createTransport({ baseUrl: target.baseUrl }),
    secrets,
    pace: createPace({ now: () => performance.now(), sleep }),
    doors: createDoors(doorsOf(loadApi(), target)),
    tokenPath: tokenEndpoint.path,
    now: Date.now,
    wait: (seconds) => prerequisites.advanceClock(seconds + 1),
    tokens: shared.tokens,
  })
}

const worldOn = (target: Target, session: Session, shared: Shared): World =>
  createWorld({
    api: loadApi(),
    target,
    session,
    prerequisites: createPrerequisites(target),
    journal: openJournal(),
    runTag: 'mutants',
    shared: shared.things,
    // The sandbox ends with its mutants: nothing has to be put back there.
    demo: publicDemo(),
  })

/** Notes what goes by: nonces that are issued, counts that are used, tokens and their owners. */
const watch = (book: NonceBook, request: Passing, response: Response | undefined): void => {
  const authorization = requestHeader(request, 'Authorization') ?? ''
  if (response === undefined && request.path === '/seed') noteSeed(parseJson(request.body ?? ''))
  if (response === undefined && /^digest /i.test(authorization)) {
    const key = countKey(authorization)
    book.used.set(key, (book.used.get(key) ?? 0) + 1)
  }
  const nonce = response && digestChallengeOf(response.headers)?.parameters.nonce
  if (nonce) book.issued.add(nonce)
  const token = response && stringAt(parseJson(response.body), 'access_token')
  if (token) {
    const [clientId = ''] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':')
    noteToken(token, clientId)
  }
}

/** Puts a breakage into a proxy, and counts what it changes. */
const install = (
  proxy: BreakingProxy,
  book: NonceBook,
  how: Interference | undefined,
  concerns: Breakage['concerns'],
  signed: Signed = async (passing) => passing,
) => {
  let changed = 0
  proxy.interfere(async (request, forward) => {
    watch(book, request, undefined)
    let last: Response | undefined
    let rewritten = false
    const watched = async (passing: Passing): Promise<Response> => {
      last = await forward(await signed(passing, request))
      rewritten ||= JSON.stringify(passing) !== JSON.stringify(request)
      watch(book, passing, last)
      return last
    }
    if (how === undefined || !concerns(request)) return watched(request)
    const response = await how(request, watched)
    if (rewritten || !sameResponse(response, last)) changed += 1
    return response
  })
  return () => changed
}

/** Signs a request anew. */
const sign = async (session: Session, request: Passing, key: ApiKey): Promise<Passing> => {
  const { parameters } = await session.challenge()
  const { realm = '', nonce = '', opaque, algorithm } = parameters
  const value = digestAuthorization({
    ...{ username: key.publicKey, password: key.privateKey, realm, nonce, opaque, algorithm },
    ...{ method: request.method, uri: request.path, count: 1, cnonce: 'mutant' },
  })
  return withRequestHeader(request, 'Authorization', value)
}

/** What goes on, given what came in. */
type Signed = (passing: Passing, request: Passing) => Promise<Passing>

/**
 * A Digest holds for one method and address, so a mutant that asks the server something else than it was asked has
 * to sign it as the caller would have. Otherwise it would break authentication, and not what it is there to break.
 */
const signer =
  (session: () => Session, book: NonceBook): Signed =>
  async (passing, request) => {
    const same = passing.method === request.method && passing.path === request.path
    const key = keyOfRequest(request)
    const kept = requestHeader(passing, 'Authorization') === requestHeader(request, 'Authorization')
    if (same || !kept || key === undefined || faultOf(request, book) !== 'fine') return passing
    return sign(session(), passing, key)
  }

const toolsOf = (world: () => World, session: () => Session, book: NonceBook): Tools => {
  const asOwner = (request: Passing): Promise<Passing> => {
    const key = world().target.roles.ORGANIZATION_OWNER?.apiKey
    if (key === undefined) throw new TypeError('the demo organisation has an owner')
    return sign(session(), request, key)
  }
  return {
    asOwner,
    faultOf: (request) => faultOf(request, book),
    sent: (body) => onTarget(world(), body) ?? body,
    async good(request, cell) {
      const trial = createTrial({
        world: world(),
        cell,
        random: createRandom(1, cell.key),
        inputs: 1,
        record: [],
      })
      const { method, path, headers, body } = requestOf(await trial.call())
      const host = request.headers.filter(([name]) => name.toLowerCase() === 'host')
      return asOwner({ method, path, headers: [...headers, ...host], body })
    },
  }
}

/** Opens a bench before a running sandbox. */
export const openBench = async ({
  baseUrl,
  control,
}: {
  baseUrl: string
  control: string
}): Promise<Bench> => {
  const tables: readonly Rules[] = await loadRules()
  const [api, controls] = [await openProxy(baseUrl), await openProxy(control)]
  const book: NonceBook = { issued: new Set(), used: new Map() }
  const direct = demoTarget({ baseUrl, control })
  const target = demoTarget({ baseUrl: api.url, control: controls.url })
  let shared: Shared = { things: new Map(), tokens: new Map() }
  let session = sessionTo(direct, shared)
  let world = worldOn(direct, session, shared)
  return {
    tools: toolsOf(
      () => world,
      () => session,
      book,
    ),
    async settle(cell) {
      await resetSandbox(control)
      shared = { things: new Map(), tokens: new Map() }
      session = sessionTo(direct, shared)
      world = worldOn(direct, session, shared)
      await prepare(world, [cell])
      if (cell.operation.area === 'Access Tracking') await arrangeAccessLogs(world)
    },
    async check(selection, how = { concerns: () => false }, by = api.url) {
      const signed = signer(() => session, book)
      const changedApi = install(api, book, how.api, how.concerns, signed)
      const changedControl = install(controls, book, how.control, () => true)
      const reached = { ...target, baseUrl: by }
      const through = worldOn(reached, sessionTo(reached, shared), shared)
      const plan = makePlan(loadApi(), tables, selection)
      const { results } = await run({
        world: through,
        secrets,
        plan,
        selection,
        strict: true,
        parallel: 4,
      })
      api.interfere(undefined)
      return { results, changed: changedApi() + changedControl() }
    },
    async around(use, how = { concerns: () => false }) {
      install(
        api,
        book,
        how.api,
        how.concerns,
        signer(() => session, book),
      )
      try {
        return await use(api.url)
      } finally {
        api.interfere(undefined)
      }
    },
    close: async () => {
      await Promise.all([api.close(), controls.close()])
    },
  }
}
