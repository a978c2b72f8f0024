import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findings } from './axe.ts'
import { chromiumPath, launch } from './chromium.ts'
import { looks } from './looks.ts'
import { samplePages } from './sample-pages.ts'
import { type StaticServer, serveSite } from './static-server.ts'

const everywhere = ['index', 'operation', 'schema', 'changelog', 'error', 'search', 'console']

let browser: Browser
let server: StaticServer

/** Until the console has drawn, and has prepared its search, which is the last thing that it does by itself. */
async function drawn(page: Page): Promise<void> {
  await page.waitForSelector('#redoc[aria-busy=false] h1')
  await page.waitForFunction(() => {
    const trigger = document.querySelector('[data-testid=search-trigger]')
    return trigger && !trigger.textContent?.includes('Loading')
  })
}

/** Everything that may be wrong with a page: requests elsewhere, errors, findings, width. */
async function faultsOf(context: BrowserContext, path: string): Promise<string[]> {
  const page = await context.newPage()
  const faults: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(server.origin)) faults.push(`request to ${request.url()}`)
  })
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (message) => {
    // The page that tries requests asks whether there is a server; on a static host there is none.
    if (message.type() === 'error' && !message.location().url.endsWith('/credentials.json'))
      faults.push(message.text())
  })
  await page.goto(server.origin + path, { waitUntil: 'load' })
  if (path.startsWith('/console/')) await drawn(page)
  if (path.startsWith('/search/')) await page.waitForSelector('.result-list a')
  faults.push(...(await findings(page)))
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  if (overflow > 0) faults.push(`${overflow} pixels too wide`)
  await page.close()
  return faults
}

describe.skipIf(!chromiumPath)('pages in Chromium', () => {
  beforeAll(async () => {
    server = await serveSite()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  const pages = chromiumPath ? Object.entries(samplePages()) : []
  for (const [index, look] of looks.entries()) {
    // Every kind of page once, and the main ones in each look.
    const shown = pages.filter(([kind], place) => everywhere.includes(kind) || place % looks.length === index)
    test.for(shown)(
      `the %s page is sound, ${look.colorScheme}, ${look.width} pixels wide`,
      { timeout: 60_000 },
      async ([, path]) => {
        const viewport = { width: look.width, height: 844 }
        const context = await browser.newContext({ viewport, colorScheme: look.colorScheme })
        const faults = await faultsOf(context, path)
        await context.close()
        expect(faults).toEqual([])
      },
    )
  }
})
