import { loadDemo } from '@svc-admin/spec'
import { ControlInputError } from './fields.ts'

/** Contents of a world by name. */
export interface Fixtures {
  names(): string[]
  /** @throws {ControlInputError} if there is none of the name. */
  find(name: string): unknown
  /** Names contents, or gives a name other contents. @throws {ControlInputError} for a name that is built in. */
  define(name: string, content: unknown): void
}

/** What a world holds unless somebody says otherwise. */
export const defaultFixture = 'demo'

const builtIn: Readonly<Record<string, () => unknown>> = {
  [defaultFixture]: loadDemo,
  empty: () => ({}),
}

export function createFixtures(): Fixtures {
  const defined = new Map<string, unknown>()
  return {
    names: () => [...Object.keys(builtIn), ...defined.keys()],
    find: (name) => {
      const found = Object.hasOwn(builtIn, name) ? builtIn[name]?.() : defined.get(name)
      if (found === undefined) throw new ControlInputError(`There is no fixture '${name.slice(0, 100)}'`)
      return found
    },
    define: (name, content) => {
      if (Object.hasOwn(builtIn, name)) throw new ControlInputError(`The fixture '${name}' is built in`)
      defined.set(name, content)
    },
  }
}
