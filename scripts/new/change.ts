import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A file of the repository as it shall be. */
export interface FileChange {
  /** From the root of the repository. */
  readonly path: string
  readonly text: string
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

  /** Writes all changes, or none when a file that shall be new is there already. */
  write(changes: readonly FileChange[]): void {
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
