import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

export const root = fileURLToPath(new URL('..', import.meta.url))

export function readYaml<T>(path: string): T {
  return parse(readFileSync(join(root, path), 'utf8'))
}
