import { pointerPart, truncatedPointer } from '../domain/json-pointer.ts'

/** A value that records which of its parts are read. */
export interface TrackedValue<T> {
  readonly value: T
  /**
   * Returns JSON Pointers to the unread properties. If no part of an object was read, the list contains only a pointer
   * to the object itself.
   */
  unread(): string[]
}

/** The maximum number of pointers per request and the maximum length of each pointer. */
const limit = 50
const longest = 1000

/** The key for getting the original object. The object then counts as completely read. */
const whole = Symbol('whole')

/** Tracks which parts of a JSON value are read. If an object is copied, all of its properties count as read. */
export function trackReads<T>(value: T): TrackedValue<T> {
  if (!isObject(value)) return { value, unread: () => [] }
  const tracked = new TrackedObject(value)
  return {
    value: tracked.proxy,
    unread: () => {
      const found: string[] = []
      addUnread(tracked, '', found)
      return found.slice(0, limit)
    },
  }
}

/**
 * Returns the original value and marks all of its properties as read. This function is many times faster than copying a
 * tracked value one property at a time.
 */
export function untracked<T>(value: T): T {
  const original: T | undefined = isObject(value) ? Reflect.get(Object(value), whole) : undefined
  return original ?? value
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The proxy handler for an object. Every object in a body has its own handler, so handlers must be small. */
class TrackedObject<T extends object> implements ProxyHandler<T> {
  readonly value: T
  readonly proxy: T
  /** The properties that were read so far. If a property contains an object, the object's handler is also stored. */
  read: Map<string, TrackedObject<object> | undefined> | undefined
  /** Whether the whole object was read. */
  whole = false

  constructor(value: T) {
    this.value = value
    this.proxy = new Proxy(value, this)
  }

  get(target: T, name: string | symbol, receiver: unknown): unknown {
    if (name === whole) return this.all()
    // `JSON.stringify` reads all properties.
    // Returning the original object is several times faster than reading all properties through the proxy.
    if (name === 'toJSON' && !Object.hasOwn(target, name)) return () => this.all()
    const field: unknown = Reflect.get(target, name, receiver)
    if (typeof name !== 'string' || !Object.hasOwn(target, name)) return field
    if (!isObject(field)) {
      if (!(Array.isArray(target) && name === 'length')) this.fields().set(name, undefined)
      return field
    }
    const within = this.fields().get(name) ?? new TrackedObject(field)
    this.fields().set(name, within)
    return within.proxy
  }

  private all(): object {
    this.whole = true
    return this.value
  }

  private fields(): Map<string, TrackedObject<object> | undefined> {
    this.read ??= new Map()
    return this.read
  }
}

/**
 * Adds pointers to the unread properties. Pointers are built only here, because in most requests all properties are
 * read.
 */
function addUnread({ value, read, whole }: TrackedObject<object>, pointer: string, found: string[]): void {
  if (whole) return
  for (const name of Object.keys(value)) {
    const child = pointer + pointerPart(name)
    const within = read?.get(name)
    if (within) addUnread(within, child, found)
    else if (!read?.has(name)) found.push(truncatedPointer(child, longest))
  }
}
