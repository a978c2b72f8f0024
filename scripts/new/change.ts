import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A new or changed file of the repository. */
export interface FileChange {
  /** Relative to the root of the repository. */
  readonly path: string
  readonly text: string
  /** Whether the file must not exist yet. */
  readonly isNew: boolean
  /** What you have to do there next. */
  readonly next?: string
}

/** The request is invalid. The message explains what is wrong, where, and what was expected. */
export class InputError extends Error {}

/** Reads one checkout. */
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

  /** @throws {InputError} if a new file already exists. */
  requireFree(changes: readonly FileChange[]): void {
    const existing = changes.filter(({ path, isNew }) => isNew && this.has(path)).map(({ path }) => path)
    if (existing.length > 0) throw new InputError(`${existing.join(', ')} already exists`)
  }

  /**
   * Writes all changes, or none if a new file already exists.
   *
   * @throws {InputError} if a new file already exists
   */
  write(changes: readonly FileChange[]): void {
    this.requireFree(changes)
    for (const { path, text } of changes) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true })
      writeFileSync(join(this.root, path), text)
    }
  }
}

/** Converts `listAlerts` to `list-alerts`, the format of file names. */
export const kebab = (name: string): string =>
  name.replace(/([a-z0-9])([A-Z])/g, (_, before, after) => `${before}-${after.toLowerCase()}`).toLowerCase()

export const yamlText = (text: string): string => JSON.stringify(text)

/** A doc comment. Escapes comment ends in the text. */
export const comment = (text: string): string => `/** ${text.replaceAll('*/', '*\\/')} */`
