import type { OperationId } from '@svc-admin/types'
import {
  isArray,
  type Json,
  type JsonObject,
  listAt,
  numberAt,
  parseJson,
  stringAt,
} from '../document/json.ts'
import { createTransport, NoResponse, type Transport } from '../http/transport.ts'
import { defaults } from '../model/defaults.ts'
import { NotArranged, Untestable } from '../model/signals.ts'
import type { Hook, Hooks, Target } from '../target/target.ts'
import { runCommand } from './hook-command.ts'

/** The state of a clock that can be read and reset. */
export interface ClockReading {
  /** The clock's time in milliseconds since the UNIX epoch. */
  readonly now: number
  /** The speed of the clock, where 1 is the speed of real time. */
  readonly rate: number
}

/** A condition that alert configurations can watch for. The condition lasts until it is ended. */
export interface EventCondition {
  readonly groupId: string
  readonly eventTypeName: string
  readonly clusterName?: string
}

/**
 * Actions that checks need but that the target's API doesn't offer. If the target doesn't support an action, its method
 * throws `Untestable`.
 */
export interface Prerequisites {
  readonly canRaiseEvents: boolean
  readonly canMoveClock: boolean
  readonly canAddAccessLogs: boolean
  readonly canSeed: boolean
  /** Raises or ends a condition. Returns the IDs of the alerts that change. */
  event(event: EventCondition & { readonly active: boolean }): Promise<string[]>
  addAccessLogs(logs: { groupId: string; clusterName: string; entries: readonly JsonObject[] }): Promise<void>
  /** Creates resources from rows in the format of the demo organization. */
  seed(content: JsonObject): Promise<void>
  /** Removes seeded tenants, clusters and credentials with everything in them. */
  unseed(content: JsonObject): Promise<void>
  /** Performs an action that only the platform can perform. For example, `search-indexes/fail` makes a job fail. */
  arrange(action: string, details: JsonObject): Promise<Json>
  /**
   * Makes the operation return 503 for the next request. The returned function removes the fault, even if no request was
   * sent.
   */
  failNext(operation: OperationId): Promise<() => Promise<void>>
  advanceClock(seconds: number): Promise<void>
  /** Returns the target's time in milliseconds since the UNIX epoch. */
  now(): Promise<number>
  /** Returns the state of the target's clock, or `undefined` if it can't be reset. */
  readClock(): Promise<ClockReading | undefined>
  /**
   * Sets the clock. Returns false if the clock can only move forward.
   *
   * @param unseen The number of seconds by which an earlier run has moved the clock. The number is needed if the target
   *   doesn't report its time.
   */
  setClock(reading: ClockReading, unseen?: number): Promise<boolean>
  /**
   * Returns the notifications that a project has sent since the given time. A hook may also return other notifications.
   */
  outbox(groupId: string, since: number): Promise<readonly Json[]>
}

type Fetch = (
  url: string,
  init: { method: string; body?: string; headers?: Record<string, string> },
) => Promise<{ readonly ok: boolean; readonly status: number; text(): Promise<string> }>

const transports = new Map<string, Transport>()

/**
 * Sends a request without using `fetch`. A run sends thousands of control requests, which take twice as long with
 * `fetch`.
 */
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
    // The error comes from the hook or the control interface. The target itself may still respond.
    throw error instanceof NoResponse
      ? new NotArranged(`${method} ${url}: no response (${error.why})`, { cause: error })
      : error
  })
  const text = await response.text()
  if (!response.ok)
    throw new NotArranged(`${method} ${url} returned ${response.status}: ${text.slice(0, 200)}`, {
      status: response.status,
    })
  return parseJson(text) ?? null
}

const urlAt = (control: string, path: string): string => control.replace(/\/$/, '') + path

/** Sends a request to the control interface of a sandbox. @throws NotArranged if the request fails. */
export const requestControl = (control: string, method: string, path: string, body?: Json): Promise<Json> =>
  requestJson(plainFetch, method, urlAt(control, path), body)

/** Runs a hook. After an interruption, the kit no longer waits for the hook. */
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

/**
 * Returns whether another attempt may succeed, because an established connection was lost or the server was busy. A busy
 * sandbox on PostgreSQL returns 503 if a request waits too long for a lock.
 */
const isTemporary = (error: unknown): boolean => {
  if (!(error instanceof NotArranged)) return false
  const { cause, status } = error
  if (cause instanceof NoResponse) return !cause.isUnreachable && cause.code !== 'TIMEOUT'
  return status === 503
}

/** Runs `work` again after a temporary failure. The function must be idempotent. */
const repeatedly = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let asks = 1; ; asks += 1) {
    try {
      return await work()
    } catch (error) {
      if (asks === maxAsks || !isTemporary(error)) throw error
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

const sentSince = (groupId: string, since: number) => ({ groupId, since: new Date(since).toISOString() })

const notices = (answer: Json): readonly Json[] =>
  isArray(answer) ? answer : listAt(answer, 'notifications')

/** A conflict means that the resource's state no longer allows the action. For example, a job may already have ended. */
const arranged = (action: string, answer: Promise<Json>): Promise<Json> =>
  answer.catch((error: unknown) => {
    if (!(error instanceof NotArranged) || error.status !== 409) throw error
    throw new Untestable(`a resource in a state that allows ${action} (${error.message})`)
  })

/** Returns the prerequisites of a sandbox with a control interface. */
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
      // Seeding a resource again replaces it.
      await repeatedly(() => requestJson(fetcher, 'POST', url('/seed'), content))
    },
    unseed: async (content) => {
      await repeatedly(() => requestJson(fetcher, 'POST', url('/unseed'), content))
    },
    arrange: (action, details) => arranged(action, requestJson(fetcher, 'POST', url(`/${action}`), details)),
    failNext: async (operationId) => {
      const fault = { operationId, kind: 'status', status: 503, times: 1 }
      const id = stringAt(await requestJson(fetcher, 'POST', url('/faults'), fault), 'id') ?? ''
      return async () => {
        await requestJson(fetcher, 'DELETE', url(`/faults/${id}`))
      }
    },
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
    outbox: async (groupId, since) => {
      const query = new URLSearchParams(sentSince(groupId, since))
      return notices(await requestJson(fetcher, 'GET', url(`/outbox?${query}`)))
    },
  }
}

/**
 * The maximum deviation of the `Date` header in milliseconds. The header contains only whole seconds, and the response
 * arrives slightly later than the time in the header.
 */
const dateTolerance = 2000

const byHooks = (hooks: Hooks, surroundings: Surroundings): Prerequisites => {
  const { now: wallNow, dated } = surroundings
  const call = (hook: Hook | undefined, what: string, input: Json): Promise<Json> =>
    hook === undefined ? missing(what) : runHook(surroundings, hook, input)
  let ahead = 0
  let targetTime: number | undefined
  // Advances the clock. If the hook returns the time, this function can also set the clock back.
  const move = async (seconds: number): Promise<void> => {
    const advance = () => call(hooks.advanceClock, 'advance the clock of the target', { seconds })
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
    // Seeding also requires `unseed`, because the run must remove what it has seeded.
    canSeed: hooks.seed !== undefined && hooks.unseed !== undefined,
    event: async (event) => {
      const tell = () => call(hooks.raiseEvent, 'raise an event', { ...event })
      // Ending a condition twice does no harm, so only this request is retried if the connection is lost.
      return identifiers(await (event.active ? tell() : repeatedly(tell)))
    },
    addAccessLogs: async (logs) => {
      await call(hooks.addAccessLogs, 'add entries to the access history', logs)
    },
    seed: async (content) => {
      await call(hooks.unseed && hooks.seed, 'create resources', content)
    },
    unseed: async (content) => {
      await repeatedly(() => call(hooks.unseed, 'remove resources', content))
    },
    arrange: async (action, details) =>
      arranged(action, call(hooks.arrange, `arrange ${action} on the target`, { action, details })),
    failNext: async (operation) => missing(`make ${operation} unavailable`),
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
      if (targetTime === undefined && ahead === 0) ahead = unseen * 1000
      const seconds = Math.round((now - wallNow() - ahead) / 1000)
      if (seconds === 0) return true
      // A clock that can only move forward isn't reset, and the next run reads its time.
      return move(seconds).then(
        () => true,
        () => false,
      )
    },
    outbox: async (groupId, since) => {
      const read = () => call(hooks.outbox, 'read the sent notifications', sentSince(groupId, since))
      return notices(await repeatedly(read))
    },
  }
}

interface Surroundings {
  readonly fetcher: Fetch
  readonly now: () => number
  /** Returns the time in the latest `Date` header from the target, if it has sent one. */
  readonly dated: () => Promise<number | undefined>
  /** The maximum number of milliseconds that a hook command may run. */
  readonly timeoutMs: number
  /** Runs work, and stops waiting for the result shortly after an interruption. */
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

export const createPrerequisites = (target: Target, given: Partial<Surroundings> = {}): Prerequisites => {
  const surroundings = surroundingsOf(given, target)
  return target.control === undefined
    ? byHooks(target.hooks ?? {}, surroundings)
    : byControl(target.control, surroundings.fetcher)
}
