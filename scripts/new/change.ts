import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A file of the repository as it shall be. */
export interface FileChange {
  /** From the root of the repository. */
  readonly path: string
  readonly text: string
  /** Whether nothing may be there yet. */
  readonly isNew: boolean
  /** What a person still has to do there. */
  readonly next?: string
}

/** What was asked for cannot be laid out; the message says what, where and what was expected. */
export class Refusal extends Error {}

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

  /** @throws {Refusal} if a file that shall be new is there already. */
  requireFree(changes: readonly FileChange[]): void {
    const taken = changes.filter(({ path, isNew }) => isNew && this.has(path)).map(({ path }) => path)
    if (taken.length > 0)
      throw new Refusal(`${taken.join(', ')}: there already, where a new file was to be written`)
  }

  /**
   * Writes all changes, or none when a file that shall be new is there already.
   *
   * @throws {Refusal} if one is.
   */
  write(changes: readonly FileChange[]): void {
    this.requireFree(changes)
    for (const { path, text } of changes) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true })
      writeFileSync(join(this.root, path), text)
    }
  }
}

/** `listAlerts` as file names have it: `list-alerts`. */
export const kebab = (name: string): string =>
  name.replace(/([a-z0-9])([A-Z])/g, (_, before, after) => `${before}-${after.toLowerCase()}`).toLowerCase()

export const yamlText = (text: string): string => JSON.stringify(text)

/** A doc comment; what would end it early is written so that it does not. */
export const comment = (text: string): string => `/** ${text.replaceAll('*/', '*\\/')} */`
