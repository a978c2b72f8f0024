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
  const read = new Set<string>()
  return {
    value: watchedAt(value, '', read),
    unread: () => unreadOf(value, '', read).slice(0, limit),
  }
}

function watchedAt(value: unknown, pointer: string, read: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const members = new Map<string, unknown>()
  return new Proxy(value, {
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver)
      if (
        typeof name !== 'string' ||
        !Object.hasOwn(target, name) ||
        (Array.isArray(target) && name === 'length')
      )
        return member
      const at = childOf(pointer, name)
      read.add(at)
      if (!members.has(name)) members.set(name, watchedAt(member, at, read))
      return members.get(name)
    },
  })
}

function unreadOf(value: unknown, pointer: string, read: ReadonlySet<string>): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const at = childOf(pointer, name)
    return read.has(at) ? unreadOf(member, at, read) : [at]
  })
}

const childOf = (pointer: string, name: string): string =>
  `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 100)}`
