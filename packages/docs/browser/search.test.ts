import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findings } from './axe.ts'
import { chromiumPath, launch } from './chromium.ts'
import { type StaticServer, serveSite } from './static-server.ts'

let browser: Browser
let server: StaticServer
let page: Page

describe.skipIf(!chromiumPath)('searching in Chromium', () => {
  beforeAll(async () => {
    server = await serveSite()
    browser = await launch()
    page = await browser.newPage()
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })
  beforeEach(async () => {
    await page.unrouteAll()
    await page.goto(`${server.origin}/guides/`)
  })

  const field = () => page.locator('.search-form input[type=search]')

  test('where nothing is found, the list is sound and says so', async () => {
    await field().fill('xylophonequartet')
    await page.getByText('Nothing found').first().waitFor()
    expect(await findings(page)).toEqual([])
    expect(await field().getAttribute('aria-expanded')).toBe('false')
  })

  test('where the index cannot be loaded, a sentence says so, and the next attempt may find', async () => {
    await page.route('**/assets/search-*.js', (route) => route.abort())
    await field().fill('alert')
    await page.locator('.results').getByText('could not be loaded').waitFor()
    expect(await findings(page)).toEqual([])
    await page.unrouteAll()
    await field().fill('alerts')
    await page.waitForSelector('.results a')
  })

  test('what only another version has is offered', async () => {
    await field().fill('replicationSpecId')
    const other = page.locator('.results a', { hasText: '2024-05-30: ' }).first()
    await other.waitFor()
    expect(await other.innerText()).toContain('replicationSpecId')
  })

  test('Enter searches the version that one reads, which the page of results can change', async () => {
    await page.goto(`${server.origin}/v1.0/`)
    await field().fill('listAlerts')
    await field().press('Enter')
    await page.waitForSelector('.result-list a')
    const first = () => page.locator('.result-list a').first().getAttribute('href')
    expect(await first()).toContain('/v1.0/operations/listAlerts/')
    await page.getByLabel('Version').selectOption('2023-01-01')
    await expect.poll(first).toContain('/2023-01-01/operations/')
    expect(page.url()).toContain('version=2023-01-01')
  })

  test('the page of results counts what it does not list', async () => {
    await page.goto(`${server.origin}/search/?q=alert`)
    await page.waitForSelector('.result-list a')
    const [, count = ''] = /^(\d+) results/.exec(await page.getByRole('status').last().innerText()) ?? []
    expect(Number(count)).toBeGreaterThan(await page.locator('.result-list a').count())
  })
})
