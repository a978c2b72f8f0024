import { loadDemo } from '@svc-admin/spec'
import { ControlInputError } from './fields.ts'

/** World contents by name. */
export interface Fixtures {
  names(): string[]
  /** @throws {ControlInputError} if no fixture has the name. */
  find(name: string): unknown
  /**
   * Defines or redefines a fixture.
   *
   * @throws {ControlInputError} for the name of a built-in fixture, and for contents that aren't valid for a
   * world.
   */
  define(name: string, content: unknown): Promise<void>
}

/** The contents of a world by default. */
export const defaultFixture = 'demo'

const builtIn: Readonly<Record<string, () => unknown>> = {
  [defaultFixture]: loadDemo,
  empty: () => ({}),
}

/** @param check throws for invalid contents. */
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
