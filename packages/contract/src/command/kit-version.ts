import { readFileSync } from 'node:fs'
import { parseJson, stringAt } from '../document/json.ts'

/** Returns the version in the kit's package.json. */
export const kitVersion = (): string => {
  const description = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return stringAt(parseJson(description), 'version') ?? 'unknown'
}
