import { readFileSync } from 'node:fs'

/**
 * Returns this package's version. In both the source and the bundle (`dist/main.js`), this code is one folder below
 * `package.json`.
 */
export function packageVersion(): string {
  const description: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  return description.version
}
