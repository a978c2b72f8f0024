import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, launch } from './chromium.ts'
import { picturedLooks } from './looks.ts'
import { samplePages } from './sample-pages.ts'
import { difference, fontsOf, pageFor, picture, pictured, pictureFile, recordedFonts } from './screenshots.ts'
import { type StaticServer, serveSite } from './static-server.ts'

let browser: Browser
let server: StaticServer
let blank: Page
let most = 0

describe.skipIf(!chromiumPath)('pages match the stored screenshots', () => {
  beforeAll(async () => {
    server = await serveSite()
    browser = await launch()
    blank = await browser.newPage()
    // With other fonts, lines break in different places and move the rest of the page.
    // In that case, the test ignores small differences.
    const same = JSON.stringify(await fontsOf(browser, server.origin)) === JSON.stringify(recordedFonts())
    most = same ? 0.06 : 0.35
    if (!same) console.warn('The fonts differ from the screenshots’ fonts, so the comparison is coarse.')
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  for (const look of picturedLooks)
    describe(`${look.name}, ${look.colorScheme}`, () => {
      let page: Page
      beforeAll(async () => {
        page = await pageFor(browser, look)
      })

      test.each(pictured)('%s', async (kind) => {
        const now = await picture(page, server.origin + samplePages()[kind])
        const share = await difference(blank, readFileSync(pictureFile(kind, look)), now)
        expect(share, 'if it is meant: npm run screenshots -w packages/docs').toBeLessThan(most)
      })
    })

  test('detects a missing style sheet, but not a changed word', async () => {
    const page = await pageFor(browser, picturedLooks[0])
    const before = await picture(page, server.origin)
    await page.evaluate(() => {
      const [paragraph] = document.querySelectorAll('article p')
      const text = paragraph && document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT).nextNode()
      // A longer word could break the line in a different place and move the rest of the page.
      if (text) text.nodeValue = (text.nodeValue ?? '').replace(/\w{4,}/, 'word')
    })
    expect(await difference(blank, before, await page.screenshot())).toBeLessThan(0.06)
    await page.evaluate(() => document.querySelector('link[rel=stylesheet]')?.remove())
    expect(await difference(blank, before, await page.screenshot())).toBeGreaterThan(0.1)
  })
})
