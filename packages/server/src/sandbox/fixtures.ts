import { loadDemo } from '@svc-admin/spec'
import { ControlInputError } from './fields.ts'

/** Named sets of resources that worlds can start with. */
export interface Fixtures {
  names(): string[]
  /**
   * Returns the fixture with the given name.
   *
   * @throws {ControlInputError} if there is no fixture with this name.
   */
  find(name: string): unknown
  /**
   * Defines or redefines a fixture.
   *
   * @throws {ControlInputError} if a built-in fixture has this name, or if the contents are invalid.
   */
  define(name: string, content: unknown): Promise<void>
}

/** The default fixture for new worlds. */
export const defaultFixture = 'demo'

const builtIn: Readonly<Record<string, () => unknown>> = {
  [defaultFixture]: loadDemo,
  empty: () => ({}),
}

/**
 * Creates the fixtures.
 *
 * @param check Throws an error if the contents are invalid.
 */
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
