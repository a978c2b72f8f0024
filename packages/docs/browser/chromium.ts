import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** The path of Chromium, or `undefined` if it isn't installed. */
export const chromiumPath: string | undefined = [process.env.CHROMIUM_PATH, '/usr/bin/chromium'].find(
  (path) => path !== undefined && existsSync(path),
)

if (!chromiumPath)
  console.warn(
    'Skipping browser tests: Chromium not found. Run `npm test` to install it, or set CHROMIUM_PATH.',
  )

/** Starts Chromium and turns off its background requests. */
export function launch(): Promise<Browser> {
  if (!chromiumPath) throw new Error('Chromium was not found. Set CHROMIUM_PATH.')
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
