import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { chromiumPath, launch } from './chromium.ts'
import { type StaticServer, serveSite } from './static-server.ts'

/** The built site, opened in Chromium, for all tests in a file. */
export interface SiteInChromium {
  readonly browser: Browser
  readonly origin: string
  readonly page: Page
}

interface Opened {
  readonly server: StaticServer
  readonly browser: Browser
  readonly page: Page
}

/**
 * If Chromium is installed, opens the site before a file's tests and closes the site afterward.
 *
 * @param response Handles API requests, if there are any.
 */
export function siteInChromium(response?: Parameters<typeof serveSite>[0]): SiteInChromium {
  let opened: Opened | undefined
  if (chromiumPath) {
    beforeAll(async () => {
      const server = await serveSite(response)
      const browser = await launch()
      opened = { server, browser, page: await browser.newPage() }
    })
    afterAll(async () => {
      await opened?.browser.close()
      opened?.server.close()
    })
  }
  const now = (): Opened => {
    if (!opened) throw new Error('The site is not open yet. Use it only within a test')
    return opened
  }
  return {
    get browser() {
      return now().browser
    },
    get origin() {
      return now().server.origin
    },
    get page() {
      return now().page
    },
  }
}
