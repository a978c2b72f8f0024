import { readFileSync } from 'node:fs'

/**
 * Returns the version of this package. `package.json` is one folder up, both from here and from the bundled
 * `dist/main.js`.
 */
export function packageVersion(): string {
  const description: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  return description.version
}
