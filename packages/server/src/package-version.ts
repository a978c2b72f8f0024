import { readFileSync } from 'node:fs'

/** The version of this package. Its file is one folder above this one, also where this is part of `dist/main.js`. */
export function packageVersion(): string {
  const description: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  return description.version
}
