import { pointerPart, truncatedPointer } from '../domain/json-pointer.ts'

/** A value with tracked reads. */
export interface TrackedValue<T> {
  readonly value: T
  /**
   * Returns JSON Pointers to unread properties. For an object that is completely unread, only the object
   * itself is listed.
   */
  unread(): string[]
}

/** The maximum number of pointers per request, and the maximum number of characters in each pointer. */
const limit = 50
const longest = 1000

/** A key that returns the original object and marks it as read. */
const whole = Symbol('whole')

/** Tracks which parts of a JSON value are read. Copying an object counts as reading all its properties. */
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
 * Returns the original value and marks all its properties as read. Copying a tracked value property by
 * property would be many times slower.
 */
export function untracked<T>(value: T): T {
  const original: T | undefined = isObject(value) ? Reflect.get(Object(value), whole) : undefined
  return original ?? value
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The proxy handler for an object. Each object in a body has a handler, so handlers store as little as possible. */
class TrackedObject<T extends object> implements ProxyHandler<T> {
  readonly value: T
  readonly proxy: T
  /** The properties that were read, each with the handler of its nested object. */
  read: Map<string, TrackedObject<object> | undefined> | undefined
  /** True once the whole object has been read. */
  whole = false

  constructor(value: T) {
    this.value = value
    this.proxy = new Proxy(value, this)
  }

  get(target: T, name: string | symbol, receiver: unknown): unknown {
    if (name === whole) return this.all()
    // `JSON.stringify` reads all properties. Returning the original object is several times faster than reading through
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

/**
 * Adds pointers to unread properties. The pointers are built only now, because usually all properties have been read.
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
