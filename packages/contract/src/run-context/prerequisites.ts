import {
  isArray,
  type Json,
  type JsonObject,
  listAt,
  numberAt,
  parseJson,
  stringAt,
} from '../document/json.ts'
import { defaults } from '../engine/defaults.ts'
import { NotArranged, Untestable } from '../engine/signals.ts'
import { createTransport, NoResponse, type Transport } from '../http/transport.ts'
import type { Hook, Hooks, Target } from '../target/target.ts'
import { runCommand } from './hook-command.ts'

/** A clock that can be read and put back. */
export interface ClockReading {
  /** Milliseconds since the UNIX epoch. */
  readonly now: number
  /** How fast it runs: 1 as the wall's. */
  readonly rate: number
}

/** What alert configurations watch for; on a target it holds until it is ended. */
export interface EventCondition {
  readonly groupId: string
  readonly eventTypeName: string
  readonly clusterName?: string
}

/** What can be arranged on a target besides calling its API. Each method throws `Untestable` where it cannot be. */
export interface Prerequisites {
  readonly canRaiseEvents: boolean
  readonly canMoveClock: boolean
  readonly canAddAccessLogs: boolean
  readonly canSeed: boolean
  /** Raises or ends a condition; returns the identifiers of the alerts it touched. */
  event(event: EventCondition & { readonly active: boolean }): Promise<string[]>
  addAccessLogs(logs: { groupId: string; clusterName: string; entries: readonly JsonObject[] }): Promise<void>
  /** Puts things in the shape of the demo organisation in place. */
  seed(content: JsonObject): Promise<void>
  /** Takes away tenants, clusters and credentials that were put in place, with everything of theirs. */
  unseed(content: JsonObject): Promise<void>
  /** Does what only the platform itself does, such as letting a job fail: `search-indexes/fail`. */
  arrange(action: string, details: JsonObject): Promise<Json>
  advanceClock(seconds: number): Promise<void>
  /** The target's time, in milliseconds since the UNIX epoch. */
  now(): Promise<number>
  /** The target's clock, or `undefined` where it cannot be put back. */
  readClock(): Promise<ClockReading | undefined>
  /**
   * Puts the clock there; returns whether it stands there now: one that goes forward alone stays where it is.
   *
   * @param unseen seconds by which somebody else has moved it, should the target not tell where it stands.
   */
  setClock(reading: ClockReading, unseen?: number): Promise<boolean>
  /** Notifications handed out so far. */
  outbox(): Promise<readonly Json[]>
}

/** As much of `fetch` as is needed here. */
type Fetch = (
  url: string,
  init: { method: string; body?: string; headers?: Record<string, string> },
) => Promise<{ readonly ok: boolean; readonly status: number; text(): Promise<string> }>

const transports = new Map<string, Transport>()

/** A run asks the sandbox for things thousands of times, and `fetch` costs as much as what it asks for. */
const plainFetch: Fetch = async (url, { method, body, headers = {} }) => {
  const { origin, pathname, search } = new URL(url)
  const transport = transports.get(origin) ?? createTransport({ baseUrl: origin })
  transports.set(origin, transport)
  const request = { method, path: pathname + search, headers: Object.entries(headers), body }
  const { response } = await transport.send(request)
  const { status } = response
  return { ok: status >= 200 && status < 300, status, text: async () => response.body }
}

const requestJson = async (fetcher: Fetch, method: string, url: string, body?: Json): Promise<Json> => {
  const sent =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  const response = await fetcher(url, { method, ...sent }).catch((error) => {
    // Whoever arranges things is not the target, and a target that answers is not gone with it.
    throw error instanceof NoResponse
      ? new NotArranged(`${method} ${url}: no response (${error.why})`, { cause: error })
      : error
  })
  const text = await response.text()
  if (!response.ok)
    throw new NotArranged(`${method} ${url} answered ${response.status}: ${text.slice(0, 200)}`)
  return parseJson(text) ?? null
}

const urlAt = (control: string, path: string): string => control.replace(/\/$/, '') + path

/** Asks the control interface of a sandbox. @throws NotArranged when it does not do it. */
export const requestControl = (control: string, method: string, path: string, body?: Json): Promise<Json> =>
  requestJson(plainFetch, method, urlAt(control, path), body)

/** An interrupted run gives up the hook that it waits for. */
const runHook = (
  { fetcher, timeoutMs, limited }: Pick<Surroundings, 'fetcher' | 'timeoutMs' | 'limited'>,
  hook: Hook,
  input: Json,
): Promise<Json> =>
  limited((signal) =>
    'url' in hook
      ? requestJson(fetcher, 'POST', hook.url, input)
      : runCommand(hook.command, input, { timeoutMs, signal }),
  )

const maxAsks = 3

/** Whether somebody was there, who hung up: a lost connection says nothing of the next one. */
const isLost = (error: unknown): boolean =>
  error instanceof NotArranged &&
  error.cause instanceof NoResponse &&
  !error.cause.isUnreachable &&
  error.cause.code !== 'TIMEOUT'

/** Asks again for what does no more when it is done twice. */
const repeatedly = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let asks = 1; ; asks += 1) {
    try {
      return await work()
    } catch (error) {
      if (asks === maxAsks || !isLost(error)) throw error
    }
  }
}

const identifiers = (answer: Json): string[] =>
  listAt(answer, 'alerts').flatMap((alert) =>
    typeof alert === 'string' ? [alert] : [stringAt(alert, 'id') ?? []].flat(),
  )

const missing = (what: string): never => {
  throw new Untestable(`a way to ${what} (a hook, or the control interface of the sandbox)`)
}

const timeOf = (answer: Json): number => {
  const now = stringAt(answer, 'now')
  return now === undefined ? Number.NaN : Date.parse(now)
}

const notices = (answer: Json): readonly Json[] =>
  isArray(answer) ? answer : listAt(answer, 'notifications')

/** The prerequisites that the sandbox's control interface arranges. */
const byControl = (control: string, fetcher: Fetch): Prerequisites => {
  const url = (path: string): string => urlAt(control, path)
  return {
    canRaiseEvents: true,
    canMoveClock: true,
    canAddAccessLogs: true,
    canSeed: true,
    event: async (event) => identifiers(await requestJson(fetcher, 'POST', url('/events'), { ...event })),
    addAccessLogs: async (logs) => {
      await requestJson(fetcher, 'POST', url('/access-logs'), logs)
    },
    seed: async (content) => {
      await requestJson(fetcher, 'POST', url('/seed'), content)
    },
    unseed: async (content) => {
      await requestJson(fetcher, 'POST', url('/unseed'), content)
    },
    arrange: (action, details) => requestJson(fetcher, 'POST', url(`/${action}`), details),
    advanceClock: async (seconds) => {
      await requestJson(fetcher, 'PUT', url('/clock'), { advanceSeconds: seconds })
    },
    now: async () => timeOf(await requestJson(fetcher, 'GET', url('/clock'))),
    readClock: async () => {
      const answer = await requestJson(fetcher, 'GET', url('/clock'))
      return { now: timeOf(answer), rate: numberAt(answer, 'rate') ?? 1 }
    },
    setClock: async ({ now, rate }) => {
      await requestJson(fetcher, 'PUT', url('/clock'), { now: new Date(now).toISOString(), rate })
      return true
    },
    outbox: async () => notices(await requestJson(fetcher, 'GET', url('/outbox'))),
  }
}

/** A `Date` header has whole seconds, and was written when the answer set out. */
const dateTolerance = 2000

const byHooks = (hooks: Hooks, surroundings: Surroundings): Prerequisites => {
  const { now: wallNow, dated } = surroundings
  const call = (hook: Hook | undefined, what: string, input: Json): Promise<Json> =>
    hook === undefined ? missing(what) : runHook(surroundings, hook, input)
  let ahead = 0
  let targetTime: number | undefined
  /** Lets time pass; a hook that answers with the moment is believed, and can be asked to put the clock back. */
  const move = async (seconds: number): Promise<void> => {
    const advance = () => call(hooks.advanceClock, 'let time pass on the target', { seconds })
    const now = timeOf(await (seconds === 0 ? repeatedly(advance) : advance()))
    targetTime = Number.isNaN(now) ? undefined : now
    ahead = targetTime === undefined ? ahead + seconds * 1000 : targetTime - wallNow()
  }
  const findTime = async (): Promise<void> => {
    if (hooks.advanceClock !== undefined) await move(0)
    if (targetTime !== undefined) return
    const apart = ((await dated()) ?? wallNow()) - wallNow()
    ahead = Math.abs(apart) > dateTolerance ? apart : 0
  }
  let firstReading: Promise<void> | undefined
  const askOnce = (): Promise<void> => {
    firstReading ??= findTime().catch((error: unknown) => {
      firstReading = undefined
      throw error
    })
    return firstReading
  }
  return {
    canRaiseEvents: hooks.raiseEvent !== undefined,
    canMoveClock: hooks.advanceClock !== undefined,
    canAddAccessLogs: hooks.addAccessLogs !== undefined,
    // What nobody can take away again is not put in place.
    canSeed: hooks.seed !== undefined && hooks.unseed !== undefined,
    event: async (event) => {
      const tell = () => call(hooks.raiseEvent, 'raise an event', { ...event })
      // A condition ends once.
      return identifiers(await (event.active ? tell() : repeatedly(tell)))
    },
    addAccessLogs: async (logs) => {
      await call(hooks.addAccessLogs, 'add entries to the access history', logs)
    },
    seed: async (content) => {
      await call(hooks.unseed && hooks.seed, 'put things in place', content)
    },
    unseed: async (content) => {
      await repeatedly(() => call(hooks.unseed, 'take things away', content))
    },
    arrange: async (action, details) =>
      call(hooks.arrange, `arrange ${action} on the target`, { action, details }),
    advanceClock: async (seconds) => {
      await askOnce()
      await move(seconds)
    },
    now: async () => {
      await askOnce()
      return wallNow() + ahead
    },
    readClock: async () => {
      if (hooks.advanceClock === undefined) return undefined
      await askOnce()
      return { now: wallNow() + ahead, rate: 1 }
    },
    setClock: async ({ now }, unseen = 0) => {
      await askOnce()
      const isTold = targetTime !== undefined || ahead !== 0
      if (!isTold) ahead = unseen * 1000
      const seconds = Math.round((now - wallNow() - ahead) / 1000)
      if (seconds === 0) return true
      // A clock that goes forward alone stays where it is: the next run reads where that is.
      return move(seconds).then(
        () => true,
        () => false,
      )
    },
    outbox: async () =>
      notices(await repeatedly(() => call(hooks.outbox, 'read the notifications that were sent', {}))),
  }
}

interface Surroundings {
  readonly fetcher: Fetch
  readonly now: () => number
  /** The moment that the target's answers are dated with, if they are. */
  readonly dated: () => Promise<number | undefined>
  /** How long a command of a hook may take, in milliseconds. */
  readonly timeoutMs: number
  /** Does work that is given up when the run is. */
  readonly limited: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>
}

const surroundingsOf = (given: Partial<Surroundings>, { timeoutMs }: Target): Surroundings => ({
  fetcher: plainFetch,
  now: Date.now,
  dated: async () => undefined,
  timeoutMs: timeoutMs ?? defaults.timeoutSeconds * 1000,
  limited: (work) => work(new AbortController().signal),
  ...given,
})

/** The prerequisites that a target can arrange. */
export const createPrerequisites = (target: Target, given: Partial<Surroundings> = {}): Prerequisites => {
  const surroundings = surroundingsOf(given, target)
  return target.control === undefined
    ? byHooks(target.hooks ?? {}, surroundings)
    : byControl(target.control, surroundings.fetcher)
}
