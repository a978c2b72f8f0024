import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, launch } from './chromium.ts'

const site = new URL('../dist/site/', import.meta.url)

let browser: Browser
let page: Page
let errors: string[] = []

/** Opens a page as a file, without a server. */
async function open(path: string): Promise<void> {
  errors = []
  await page.goto(new URL(`.${path}index.html`, site).href)
}

describe.skipIf(!chromiumPath)('the site as files', () => {
  beforeAll(async () => {
    browser = await launch()
    page = await browser.newPage()
    page.on('pageerror', ({ message }) => errors.push(message))
  })
  afterAll(() => browser?.close())

  test('links lead to pages instead of folders', async () => {
    await open('/')
    await page.getByRole('link', { name: 'Guides' }).first().click()
    await page.waitForURL(`**${fileURLToPath(new URL('guides/index.html', site))}`)
    expect(await page.locator('h1').innerText()).toBe('Guides')
  })

  test('a shortened address redirects', async () => {
    await open('/v1.0/operations/')
    await page.waitForURL(`**${fileURLToPath(new URL('v1.0/index.html', site))}`)
    expect(await page.locator('h1').innerText()).toContain('v1.0')
  })

  test('search works in the header and on its page', async () => {
    await open('/guides/')
    await page.locator('.search-form input').fill('acknowledgeAlert')
    await page.locator('.results a').first().click()
    await page.waitForURL('**/operations/acknowledgeAlert/index.html')
    await page.locator('.search-form input').fill('acknowledgeAlert')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.result-list a')
    expect(errors).toEqual([])
  })

  test('the report page reads a report', async () => {
    await open('/conformance/report/')
    const report = {
      format: 'svc-admin-contract-report/3',
      summary: { FAIL: 1 },
      results: [{ requirement: 'a.broken', verdict: 'FAIL' }],
      requirements: { 'a.broken': { text: 'The text of the requirement.' } },
    }
    const buffer = Buffer.from(JSON.stringify(report))
    await page.setInputFiles('#report-file', { name: 'report.json', mimeType: 'application/json', buffer })
    await page.getByText('The text of the requirement.').waitFor()
    expect(errors).toEqual([])
  })

  test('pages that need a server explain how to start one', async () => {
    await open('/try/')
    await page.getByText('was opened as a file').waitFor()
    expect(await page.locator('#try').innerText()).toContain('npm start')
    expect(errors).toEqual([])
  })
})
