import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A file to add to the repository, or to change. */
export interface FileChange {
  /** The path, relative to the root of the repository. */
  readonly path: string
  readonly text: string
  /** Whether this is a new file, which must not exist yet. */
  readonly isNew: boolean
  /** What the author needs to do next in this file. */
  readonly next?: string
}

/** Thrown if the input is invalid. The message explains what is wrong, where, and what was expected. */
export class InputError extends Error {}

/** Reads and writes files in a checkout. */
export class Checkout {
  readonly root: string
  constructor(root: string) {
    this.root = root
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path))
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8')
  }

  /**
   * Checks that none of the new files exist yet.
   *
   * @throws {InputError} if one of them exists.
   */
  requireFree(changes: readonly FileChange[]): void {
    const existing = changes.filter(({ path, isNew }) => isNew && this.has(path)).map(({ path }) => path)
    if (existing.length > 0) throw new InputError(`${existing.join(', ')} already exists`)
  }

  /**
   * Writes all changes. If one of the new files already exists, nothing is written.
   *
   * @throws {InputError} if a new file already exists.
   */
  write(changes: readonly FileChange[]): void {
    this.requireFree(changes)
    for (const { path, text } of changes) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true })
      writeFileSync(join(this.root, path), text)
    }
  }
}

/** Converts a name such as `listAlerts` to file name format, such as `list-alerts`. */
export const kebab = (name: string): string =>
  name.replace(/([a-z0-9])([A-Z])/g, (_, before, after) => `${before}-${after.toLowerCase()}`).toLowerCase()

export const yamlText = (text: string): string => JSON.stringify(text)
