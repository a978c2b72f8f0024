import { readFileSync } from 'node:fs'

/**
 * Returns this package's version. Both this file and the bundled `dist/main.js` are one folder below
 * `package.json`.
 */
export function packageVersion(): string {
  const description: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  return description.version
}
