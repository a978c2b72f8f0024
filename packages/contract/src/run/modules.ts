import { readdirSync } from 'node:fs'
import type { Rules } from '../check/rule.ts'
import { isObject } from '../document/json.ts'

/** All files in these folders are loaded, so adding a rule or case requires only a new file. */
const folders = ['../rules/', '../cases/'] as const

const isModule = (name: string): boolean => /\.(ts|js)$/.test(name) && !/\.(test|d)\.ts$/.test(name)

const filesIn = (folder: URL): URL[] =>
  readdirSync(folder, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const url = new URL(entry.isDirectory() ? `${entry.name}/` : entry.name, folder)
      if (entry.isDirectory()) return filesIn(url)
      return isModule(entry.name) ? [url] : []
    })

const isRules = (value: unknown): value is Rules => isObject(value)

/**
 * Loads all rule and case files.
 *
 * @throws TypeError if a file's default export is not a table.
 */
export const loadRules = async (): Promise<Rules[]> => {
  const tables: Rules[] = []
  for (const url of folders.flatMap((folder) => filesIn(new URL(folder, import.meta.url)))) {
    const loaded: { default?: unknown } = await import(url.href)
    if (!isRules(loaded.default)) throw new TypeError(`${url.pathname} exports no rules`)
    tables.push(loaded.default)
  }
  return tables
}
