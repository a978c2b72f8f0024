import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { colorRules, findings } from './axe.ts'
import { chromiumPath, launch } from './chromium.ts'
import { type Look, looks, narrowest } from './looks.ts'
import { samplePages } from './sample-pages.ts'
import { type StaticServer, serveSite } from './static-server.ts'

const everywhere = ['index', 'operation', 'members', 'schema', 'changelog', 'error', 'search', 'try']

let browser: Browser
let server: StaticServer
/** All tests share this browser page because creating a context is slow. */
let page: Page
let faults: string[] = []

/** Opens a page, shows its provenance, lays out the whole page, and waits for its scripts. */
async function open(path: string): Promise<void> {
  await page.goto(server.origin + path, { waitUntil: 'load' })
  await page.evaluate(() => {
    const all = new CSSStyleSheet()
    all.replaceSync('* { content-visibility: visible !important }')
    for (const each of document.querySelectorAll('details:not(.versions)')) each.setAttribute('open', '')
    for (const each of document.querySelectorAll<HTMLInputElement>('#provenance')) each.checked = true
    document.adoptedStyleSheets.push(all)
  })
  if (path.startsWith('/search/')) await page.waitForSelector('.result-list a')
}

/** Returns a page's problems: requests to other hosts, errors, accessibility findings and excess width. */
async function faultsOf(path: string, shown: readonly Look[]): Promise<string[]> {
  const all: string[] = []
  let last: number | undefined
  for (const { width, colorScheme } of shown) {
    faults = []
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme })
    // Scripts measure the page when it loads, so the page must be opened again for a new width.
    const afresh = width !== last
    if (afresh) await open(path)
    faults.push(...(await findings(page, afresh ? undefined : colorRules)))
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (overflow > 0) faults.push(`${overflow} pixels too wide`)
    all.push(...faults.map((fault) => `${width}, ${colorScheme}: ${fault}`))
    last = width
  }
  return all
}

describe.skipIf(!chromiumPath)('pages in Chromium', () => {
  beforeAll(async () => {
    server = await serveSite()
    browser = await launch()
    page = await browser.newPage()
    page.on('request', (request) => {
      if (!request.url().startsWith(server.origin)) faults.push(`request to ${request.url()}`)
    })
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', (message) => {
      // The request form checks for a server, but static hosts don't have one.
      if (message.type() === 'error' && !message.location().url.endsWith('/credentials.json'))
        faults.push(message.text())
    })
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  const pages = chromiumPath ? Object.entries(samplePages()) : []
  for (const [place, [kind, path]] of pages.entries()) {
    // Tests every kind of page at the smallest width, and the main kinds in each look.
    const shown = looks.filter(
      (look, index) => everywhere.includes(kind) || place % looks.length === index || look === narrowest,
    )
    const names = shown.map(({ width, colorScheme }) => `${width} ${colorScheme}`)
    test(`the ${kind} page is sound, ${names.join(', ')}`, { timeout: 60_000 }, async () => {
      expect(await faultsOf(path, shown)).toEqual([])
    })
  }
})
