import { setTimeout as sleep } from 'node:timers/promises'
import { tokenEndpoint, versions } from '@svc-admin/types'
import type { Rules } from '../src/check/rule.ts'
import { createTrial } from '../src/check/trial.ts'
import { parseJson, stringAt } from '../src/document/json.ts'
import { onTarget, prepare } from '../src/given/given.ts'
import type { ApiKey } from '../src/http/authorization.ts'
import { digestChallengeOf } from '../src/http/challenge.ts'
import { digestAuthorization } from '../src/http/digest.ts'
import { createPace } from '../src/http/pace.ts'
import { createHttpSession, type HttpSession } from '../src/http/session.ts'
import type { Token } from '../src/http/tokens.ts'
import { createTransport } from '../src/http/transport.ts'
import { createUnauthenticatedProbes } from '../src/http/unauthenticated-probes.ts'
import { type Cell, loadApi } from '../src/model/api.ts'
import { requestOf } from '../src/model/call.ts'
import { createRandom } from '../src/model/random.ts'
import type { Result } from '../src/model/result.ts'
import type { Selection } from '../src/model/selection.ts'
import { arrangeAccessLogs } from '../src/resources/access-logs.ts'
import { loadRules } from '../src/run/modules.ts'
import { makePlan } from '../src/run/plan.ts'
import { run } from '../src/run/runner.ts'
import { openJournal } from '../src/run-context/journal.ts'
import { secretsOf, unauthenticatedProbesOf } from '../src/run-context/open.ts'
import { createPrerequisites } from '../src/run-context/prerequisites.ts'
import { createRunContext, type RunContext } from '../src/run-context/run-context.ts'
import { demoTarget } from '../src/target/demo.ts'
import { publicDemo } from '../src/target/own-demo.ts'
import type { Target } from '../src/target/target.ts'
import { countKey, faultOf, keyOfRequest, type NonceRecord, noteSeed, noteToken } from './holders.ts'
import { type Mutant, requestHeader, type Tools, withRequestHeader } from './mutant.ts'
import {
  type BreakingProxy,
  type Interference,
  openProxy,
  type ProxiedRequest,
  type Response,
} from './proxy.ts'
import { resetSandbox } from './server.ts'

/** Runs the kit against a proxy that introduces bugs into the server's responses. */
export interface MutantHarness {
  /** Resets the demo organization, and then creates the resources that the checks for an operation share. */
  settle(cell: Cell): Promise<void>
  /**
   * Runs the selected checks through the proxy. `how` is the bug to introduce. If `by` is set, requests first go
   * through another proxy at that address.
   */
  check(selection: Selection, how?: Breakage, by?: string): Promise<Checked>
  /** Calls `use` with the proxy's address. `how` is the bug to introduce during this call. */
  around<T>(use: (baseUrl: string) => Promise<T>, how?: Breakage): Promise<T>
  tools: Tools
  close(): Promise<void>
}

export interface Breakage {
  readonly api?: Interference
  readonly control?: Interference
  /** Returns whether the mutant affects a request. */
  readonly concerns: (request: ProxiedRequest) => boolean
}

export interface Checked {
  readonly results: readonly Result[]
  /** The number of requests and responses that the mutant changed. */
  readonly changed: number
}

const sameResponse = (one: Response, other: Response | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** Returns a function that determines whether a mutant affects a request. */
export const concernsOf = ({ cell, reach }: Pick<Mutant, 'cell' | 'reach'>) => {
  const { operation, version } = cell
  const template = operation.path.replace(/\{\w+\}/g, '[^/?]*')
  const start = operation.absolute ? '' : version.prefix
  const path = new RegExp(`^${(start + template).replaceAll('.', '\\.')}(\\?|$)`)
  const generation = operation.absolute ? operation.path : `${version.prefix}/`
  const other = versions.find((one) => one.generation !== version.generation)?.prefix ?? ''
  const elsewhere = new RegExp(`^${(other + template).replaceAll('.', '\\.')}(\\?|$)`)
  return (request: ProxiedRequest): boolean => {
    if (reach === 'other generation') return elsewhere.test(request.path)
    if (reach === 'generation') return request.path.startsWith(generation)
    return path.test(request.path) && (reach === 'path' || request.method === operation.method)
  }
}

interface Shared {
  readonly things: Map<string, Promise<unknown>>
  readonly tokens: Map<string, Promise<Token>>
}

/** The secrets for creating tokens. All runs share these secrets, because tokens are reused across runs. */
const secrets = secretsOf(demoTarget({ baseUrl: 'http://127.0.0.1' }))

const sessionTo = (target: Target, shared: Shared): HttpSession => {
  const prerequisites = createPrerequisites(target)
  return createHttpSession({
    transport: createTransport({ baseUrl: target.baseUrl }),
    secrets,
    pace: createPace({ now: () => performance.now(), sleep }),
    unauthenticatedProbes: createUnauthenticatedProbes(unauthenticatedProbesOf(loadApi(), target)),
    tokenPath: tokenEndpoint.path,
    now: Date.now,
    wait: (seconds) => prerequisites.advanceClock(seconds + 1),
    tokens: shared.tokens,
  })
}

const contextOn = (target: Target, session: HttpSession, shared: Shared): RunContext =>
  createRunContext({
    api: loadApi(),
    target,
    session,
    prerequisites: createPrerequisites(target),
    journal: openJournal(),
    runTag: 'mutants',
    shared: shared.things,
    // The sandbox stops after the last mutant, so there is no need to restore its state.
    demo: publicDemo(),
  })

/** Records the nonces, nonce counts and tokens that pass through the proxy, and which client requested each token. */
const watch = (nonces: NonceRecord, request: ProxiedRequest, response: Response | undefined): void => {
  const authorization = requestHeader(request, 'Authorization') ?? ''
  if (response === undefined && request.path === '/seed') noteSeed(parseJson(request.body ?? ''))
  if (response === undefined && /^digest /i.test(authorization)) {
    const key = countKey(authorization)
    nonces.used.set(key, (nonces.used.get(key) ?? 0) + 1)
  }
  const nonce = response && digestChallengeOf(response.headers)?.parameters.nonce
  if (nonce) nonces.issued.add(nonce)
  const token = response && stringAt(parseJson(response.body), 'access_token')
  if (token) {
    const [clientId = ''] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':')
    noteToken(token, clientId)
  }
}

/** Makes the proxy introduce a mutant's bug, and counts the requests and responses that change because of it. */
const install = (
  proxy: BreakingProxy,
  nonces: NonceRecord,
  how: Interference | undefined,
  concerns: Breakage['concerns'],
  signed: Signed = async (passing) => passing,
) => {
  let changed = 0
  proxy.interfere(async (request, forward) => {
    watch(nonces, request, undefined)
    let last: Response | undefined
    let rewritten = false
    const watched = async (passing: ProxiedRequest): Promise<Response> => {
      last = await forward(await signed(passing, request))
      rewritten ||= JSON.stringify(passing) !== JSON.stringify(request)
      watch(nonces, passing, last)
      return last
    }
    if (how === undefined || !concerns(request)) return watched(request)
    const response = await how(request, watched)
    if (rewritten || !sameResponse(response, last)) changed += 1
    return response
  })
  return () => changed
}

const sign = async (session: HttpSession, request: ProxiedRequest, key: ApiKey): Promise<ProxiedRequest> => {
  const { parameters } = await session.challenge()
  const { realm = '', nonce = '', opaque, algorithm } = parameters
  const value = digestAuthorization({
    username: key.publicKey,
    password: key.privateKey,
    realm,
    nonce,
    opaque,
    algorithm,
    method: request.method,
    uri: request.path,
    count: 1,
    cnonce: 'mutant',
  })
  return withRequestHeader(request, 'Authorization', value)
}

/**
 * Returns the request to forward, with a new signature if the mutant's change requires one. `passing` is the changed
 * request.
 */
type Signed = (passing: ProxiedRequest, request: ProxiedRequest) => Promise<ProxiedRequest>

/**
 * Signs a request again if a mutant has changed its method or URI. A Digest signature is valid only for one method and
 * URI. Without a new signature, the server would reject the request, and the mutant's actual bug would have no effect.
 */
const signer =
  (session: () => HttpSession, nonces: NonceRecord): Signed =>
  async (passing, request) => {
    const same = passing.method === request.method && passing.path === request.path
    const key = keyOfRequest(request)
    const sameCredentials =
      requestHeader(passing, 'Authorization') === requestHeader(request, 'Authorization')
    if (same || !sameCredentials || key === undefined || faultOf(request, nonces) !== 'fine') return passing
    return sign(session(), passing, key)
  }

const toolsOf = (context: () => RunContext, session: () => HttpSession, nonces: NonceRecord): Tools => {
  const asOwner = (request: ProxiedRequest): Promise<ProxiedRequest> => {
    const key = context().target.roles.ORGANIZATION_OWNER?.apiKey
    if (key === undefined) throw new TypeError('the demo organization has an owner')
    return sign(session(), request, key)
  }
  return {
    asOwner,
    faultOf: (request) => faultOf(request, nonces),
    sent: (body) => onTarget(context(), body) ?? body,
    async good(request, cell) {
      const trial = createTrial({
        context: context(),
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

export const openHarness = async ({
  baseUrl,
  control,
}: {
  baseUrl: string
  control: string
}): Promise<MutantHarness> => {
  const tables: readonly Rules[] = await loadRules()
  const [api, controls] = [await openProxy(baseUrl), await openProxy(control)]
  const nonces: NonceRecord = { issued: new Set(), used: new Map() }
  const direct = demoTarget({ baseUrl, control })
  const target = demoTarget({ baseUrl: api.url, control: controls.url })
  let shared: Shared = { things: new Map(), tokens: new Map() }
  let session = sessionTo(direct, shared)
  let context = contextOn(direct, session, shared)
  return {
    tools: toolsOf(
      () => context,
      () => session,
      nonces,
    ),
    async settle(cell) {
      await resetSandbox(control)
      shared = { things: new Map(), tokens: new Map() }
      session = sessionTo(direct, shared)
      context = contextOn(direct, session, shared)
      await prepare(context, [cell])
      if (cell.operation.area === 'Access Tracking') await arrangeAccessLogs(context)
    },
    async check(selection, how = { concerns: () => false }, by = api.url) {
      const signed = signer(() => session, nonces)
      const changedApi = install(api, nonces, how.api, how.concerns, signed)
      const changedControl = install(controls, nonces, how.control, () => true)
      const reached = { ...target, baseUrl: by }
      const through = contextOn(reached, sessionTo(reached, shared), shared)
      const plan = makePlan(loadApi(), tables, selection)
      const { results } = await run({
        context: through,
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
        nonces,
        how.api,
        how.concerns,
        signer(() => session, nonces),
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
