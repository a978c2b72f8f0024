import { describe, expect, test } from 'vitest'
import { compactHtml } from '../src/site/compact.ts'
import { built } from '../src/testing/inputs.ts'
import { chromiumPath } from './chromium.ts'
import { siteInChromium } from './site-in-chromium.ts'

const site = siteInChromium()

describe.skipIf(!chromiumPath)('compact HTML in Chromium', () => {
  test('is the same document on every page', { timeout: 60_000 }, async () => {
    const pages = [...built.files].filter(([path]) => path.endsWith('.html'))
    expect(pages.length).toBeGreaterThan(300)
    await site.page.goto(`${site.origin}/404.html`)
    for (const [path, content] of pages) {
      const html = String(content)
      const [whole, compact] = await site.page.evaluate(
        (texts) =>
          texts.map((text) =>
            // White space between elements isn't displayed, so the comparison ignores it.
            new DOMParser()
              .parseFromString(text, 'text/html')
              .documentElement.outerHTML.replace(/\s+(?=<)|(?<=>)\s+/g, ''),
          ),
        [html, compactHtml(html)],
      )
      expect(compact === whole, path).toBe(true)
    }
  })
})
