/** A value that remembers what of it was looked at. */
export interface Watched {
  readonly value: unknown
  /** What nobody looked at, as JSON Pointers: a member that was not read is named without those in it. */
  unread(): string[]
}

/** How much is told of one request. */
const limit = 50

/** Watches what is read of a JSON value. Who copies an object has read all of its members. */
export function watch(value: unknown): Watched {
  if (!isObject(value)) return { value, unread: () => [] }
  const watched = watchObject(value)
  return {
    value: watched.shown,
    unread: () => {
      const found: string[] = []
      addUnread(watched, '', found)
      return found.slice(0, limit)
    },
  }
}

/** An object of which somebody has read something. */
interface WatchedObject {
  readonly value: object
  /** What is shown in its place. */
  readonly shown: object
  /** Names of the members that were read, each with what lies within it. */
  readonly read: Map<string, WatchedObject | undefined>
  /** True once all that it holds was read at once. */
  whole: boolean
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function watchObject(value: object): WatchedObject {
  const read = new Map<string, WatchedObject | undefined>()
  const shown = new Proxy(value, {
    get: (target, name, receiver) => {
      if (name === 'toJSON' && !Object.hasOwn(target, name)) return allOf
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof name !== 'string' || !Object.hasOwn(target, name)) return member
      if (!isObject(member)) {
        if (!(Array.isArray(target) && name === 'length')) read.set(name, undefined)
        return member
      }
      const within = read.get(name) ?? watchObject(member)
      read.set(name, within)
      return within.shown
    },
  })
  const watched: WatchedObject = { value, shown, read, whole: false }
  /** `JSON.stringify` reads all of it: at once, since member by member it would take several times as long. */
  const allOf = () => {
    watched.whole = true
    return value
  }
  return watched
}

/** Pointers are put together only for what was not read: most of the time, nothing. */
function addUnread({ value, read, whole }: WatchedObject, pointer: string, found: string[]): void {
  if (whole) return
  for (const name of Object.keys(value)) {
    const within = read.get(name)
    if (within) addUnread(within, childOf(pointer, name), found)
    else if (!read.has(name)) found.push(childOf(pointer, name))
  }
}

const childOf = (pointer: string, name: string): string =>
  `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 100)}`
