import { loadDemo } from '@svc-admin/spec'
import { ControlInputError } from './fields.ts'

/** Contents of a world by name. */
export interface Fixtures {
  names(): string[]
  /** @throws {ControlInputError} if there is none of the name. */
  find(name: string): unknown
  /**
   * Names contents, or gives a name other contents.
   *
   * @throws {ControlInputError} for a name that is built in, and for contents that no world could begin with.
   */
  define(name: string, content: unknown): Promise<void>
}

/** What a world holds unless somebody says otherwise. */
export const defaultFixture = 'demo'

const builtIn: Readonly<Record<string, () => unknown>> = {
  [defaultFixture]: loadDemo,
  empty: () => ({}),
}

/** @param check throws for contents that do not fit. */
export function createFixtures(check: (content: unknown) => Promise<void>): Fixtures {
  const defined = new Map<string, unknown>()
  return {
    names: () => [...Object.keys(builtIn), ...defined.keys()],
    find: (name) => {
      const found = Object.hasOwn(builtIn, name) ? builtIn[name]?.() : defined.get(name)
      if (found === undefined) throw new ControlInputError(`No fixture named '${name.slice(0, 100)}' exists`)
      return found
    },
    define: async (name, content) => {
      if (Object.hasOwn(builtIn, name))
        throw new ControlInputError(`The fixture '${name}' is built in and cannot be changed`)
      await check(content)
      defined.set(name, content)
    },
  }
}
