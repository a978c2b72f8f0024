import { pointerPart, truncatedPointer } from '../domain/json-pointer.ts'

/** A value that remembers what of it was looked at. */
export interface Watched {
  readonly value: unknown
  /** What nobody looked at, as JSON Pointers: a member that was not read is named without those in it. */
  unread(): string[]
}

/** How much is told of one request, and how many characters of each. */
const limit = 50
const longest = 1000

/** Asked for by who takes a watched object as it is. */
const whole = Symbol('whole')

/** Watches what is read of a JSON value. Who copies an object has read all of its members. */
export function watch(value: unknown): Watched {
  if (!isObject(value)) return { value, unread: () => [] }
  const watched = new WatchedObject(value)
  return {
    value: watched.shown,
    unread: () => {
      const found: string[] = []
      addUnread(watched, '', found)
      return found.slice(0, limit)
    },
  }
}

/**
 * The value itself, all of which counts as read: for who keeps it as it is. To copy what is watched member by member
 * takes many times as long.
 */
export function wholeOf<T>(value: T): T {
  const kept: T | undefined = isObject(value) ? Reflect.get(Object(value), whole) : undefined
  return kept ?? value
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** An object of which somebody may read something. There is one for each of a body: it holds what is needed at last. */
class WatchedObject implements ProxyHandler<object> {
  readonly value: object
  /** What is shown in its place. */
  readonly shown: object
  /** Names of the members that were read, each with what lies within it. */
  read: Map<string, WatchedObject | undefined> | undefined
  /** True once all that it holds was read at once. */
  whole = false

  constructor(value: object) {
    this.value = value
    this.shown = new Proxy(value, this)
  }

  get(target: object, name: string | symbol, receiver: unknown): unknown {
    if (name === whole) return this.all()
    // `JSON.stringify` reads all of it: at once, since member by member it would take several times as long.
    if (name === 'toJSON' && !Object.hasOwn(target, name)) return () => this.all()
    const field: unknown = Reflect.get(target, name, receiver)
    if (typeof name !== 'string' || !Object.hasOwn(target, name)) return field
    if (!isObject(field)) {
      if (!(Array.isArray(target) && name === 'length')) this.fields().set(name, undefined)
      return field
    }
    const within = this.fields().get(name) ?? new WatchedObject(field)
    this.fields().set(name, within)
    return within.shown
  }

  private all(): object {
    this.whole = true
    return this.value
  }

  private fields(): Map<string, WatchedObject | undefined> {
    this.read ??= new Map()
    return this.read
  }
}

/** Pointers are put together only for what was not read: most of the time, nothing. */
function addUnread({ value, read, whole }: WatchedObject, pointer: string, found: string[]): void {
  if (whole) return
  for (const name of Object.keys(value)) {
    const child = pointer + pointerPart(name)
    const within = read?.get(name)
    if (within) addUnread(within, child, found)
    else if (!read?.has(name)) found.push(truncatedPointer(child, longest))
  }
}
