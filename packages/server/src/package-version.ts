import { readFileSync } from 'node:fs'

/**
 * Returns this package's version. This code is one folder below `package.json`, both in the source and in the bundle
 * (`dist/main.js`).
 */
export function packageVersion(): string {
  const description: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  return description.version
}
