import type { Browser } from 'playwright-core'
import { median, spreadOf } from './open.ts'

const queries = ['acknowledgeAlert', 'retention', 'RATE_LIMITED', 'snapshto', 'search index']

/** The time from a keystroke to its results, in milliseconds, after the index has been loaded. */
export interface Keystrokes {
  readonly median: number
  readonly longest: number
  readonly spread: number
}

/** Types each query letter by letter. After each letter, waits for the new results. */
export async function measureKeystrokes(browser: Browser, address: string): Promise<Keystrokes> {
  const page = await browser.newPage({ viewport: { width: 1366, height: 900 } })
  await page.goto(address)
  await page.locator('.search-form input').fill('a')
  await page.waitForSelector('.results a')
  const times = await page.evaluate(async (words) => {
    const input = document.querySelector<HTMLInputElement>('.search-form input')
    const list = document.querySelector('.results')
    if (!input || !list) throw new Error('The page has no search.')
    const found: number[] = []
    for (const word of words)
      for (let length = 1; length <= word.length; length += 1) {
        const shown = new Promise<void>((resolve) => {
          const observer = new MutationObserver(() => {
            observer.disconnect()
            resolve()
          })
          observer.observe(list, { childList: true })
        })
        const begun = performance.now()
        input.value = word.slice(0, length)
        input.dispatchEvent(new Event('input'))
        await shown
        found.push(performance.now() - begun)
      }
    return found
  }, queries)
  await page.close()
  return { median: median(times), longest: Math.max(...times), spread: Math.min(1, spreadOf(times)) }
}
