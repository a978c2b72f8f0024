import { readFileSync } from 'node:fs'

/**
 * Returns this package's version. `package.json` is one folder up, both from this file and from the bundled
 * `dist/main.js`.
 */
export function packageVersion(): string {
  const description: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  return description.version
}
