import { pointerPart, truncatedPointer } from '../domain/json-pointer.ts'

/** A value whose reads are tracked. */
export interface TrackedValue<T> {
  readonly value: T
  /** Returns the JSON Pointers of unread properties. If a whole object is unread, its properties aren't listed. */
  unread(): string[]
}

/** The maximum number of pointers for a request, and the maximum number of characters in each. */
const limit = 50
const longest = 1000

/** Reading this key returns the original object and marks the object as read. */
const whole = Symbol('whole')

/** Tracks which parts of a JSON value are read. Copying an object reads all of its properties. */
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
 * Returns the original value and marks all of it as read. Copying a tracked value property by property would be many
 * times slower.
 */
export function untracked<T>(value: T): T {
  const original: T | undefined = isObject(value) ? Reflect.get(Object(value), whole) : undefined
  return original ?? value
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * The proxy handler for an object. Every object in a body has a handler, so the handler stores as little as possible.
 */
class TrackedObject<T extends object> implements ProxyHandler<T> {
  readonly value: T
  /** The object's proxy. */
  readonly proxy: T
  /** The properties that were read, with their nested objects. */
  read: Map<string, TrackedObject<object> | undefined> | undefined
  /** True once the whole object has been read. */
  whole = false

  constructor(value: T) {
    this.value = value
    this.proxy = new Proxy(value, this)
  }

  get(target: T, name: string | symbol, receiver: unknown): unknown {
    if (name === whole) return this.all()
    // `JSON.stringify` reads everything. Returning the original object is several times faster than reading through
    // the proxy.
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

/** Builds the pointers afterwards and only for unread properties, because there are usually none. */
function addUnread({ value, read, whole }: TrackedObject<object>, pointer: string, found: string[]): void {
  if (whole) return
  for (const name of Object.keys(value)) {
    const child = pointer + pointerPart(name)
    const within = read?.get(name)
    if (within) addUnread(within, child, found)
    else if (!read?.has(name)) found.push(truncatedPointer(child, longest))
  }
}
