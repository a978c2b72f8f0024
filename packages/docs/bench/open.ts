import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { contentTypeOf } from '../browser/content-types.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const site = fileURLToPath(new URL('../dist/site/', import.meta.url))

/** Caches compressed files so that the server doesn't slow down the measured pages. */
export async function serve(peers: string, pages: Readonly<Record<string, string>>) {
  const cache = new Map<string, Buffer | undefined>()
  const load = (path: string): Buffer | undefined => {
    if (pages[path]) return gzipSync(pages[path], { level: 9 })
    const [folder, rest] = path.startsWith('/peers/') ? [peers, path.slice('/peers'.length)] : [site, path]
    const file = join(folder, normalize(rest.endsWith('/') ? `${rest}index.html` : rest))
    return existsSync(file) && statSync(file).isFile()
      ? gzipSync(readFileSync(file), { level: 9 })
      : undefined
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '/').split('?')[0] ?? '/')
    if (!cache.has(path)) cache.set(path, load(path))
    const body = cache.get(path)
    if (!body) return response.writeHead(404).end()
    return response
      .writeHead(200, {
        'content-type': contentTypeOf(path),
        'content-encoding': 'gzip',
        'content-length': body.length,
      })
      .end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

export interface Opened {
  readonly milliseconds: number
  readonly kilobytes: number
  /** The variation between rounds, relative to the median. */
  readonly spread: number
}

/** Opens a page in a new profile, and measures the time until the goal is visible and the last long task has ended. */
async function open(
  browser: Browser,
  address: string,
  wanted: { selector?: string; text?: string },
): Promise<Omit<Opened, 'spread'>> {
  const context = await browser.newContext({ viewport: { width: 1366, height: 900 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  let bytes = 0
  await session.send('Network.enable')
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.addInitScript(() => {
    const ends: number[] = []
    Reflect.set(window, 'taskEnds', ends)
    new PerformanceObserver((list) => {
      for (const task of list.getEntries()) ends.push(task.startTime + task.duration)
    }).observe({ type: 'longtask', buffered: true })
  })
  await page.goto(address, { waitUntil: 'commit' })
  const seen = await page.waitForFunction(
    ({ selector, text }) => {
      if (selector)
        return document.querySelector(selector)?.getClientRects().length ? performance.now() : undefined
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!node.textContent?.replace(/\s+/g, ' ').includes(text ?? '')) continue
        const place = node.parentElement?.getBoundingClientRect()
        if (place && place.height > 0 && place.bottom > 0 && place.top < innerHeight) return performance.now()
      }
      return undefined
    },
    wanted,
    { polling: 'raf', timeout: 60_000 },
  )
  const at = Number(await seen.jsonValue())
  await page.waitForTimeout(1000)
  const ends: number[] = await page.evaluate(() => Reflect.get(window, 'taskEnds'))
  await context.close()
  return { milliseconds: Math.max(at, ...ends.filter((end) => end < at + 1000)), kilobytes: bytes / 1024 }
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

export const spreadOf = (values: readonly number[]): number =>
  (Math.max(...values) - Math.min(...values)) / (median(values) || 1)

/** An address and the element or text that must appear on its page. */
export interface Goal {
  readonly address: string
  readonly wanted: Parameters<typeof open>[2]
}

/**
 * Opens every page once per round so that a slowdown of the machine affects all pages equally.
 *
 * @returns The result for each goal, or `undefined` if the page never reached the goal.
 */
export async function measureAll(browser: Browser, goals: readonly Goal[]): Promise<(Opened | undefined)[]> {
  const found = goals.map((): Omit<Opened, 'spread'>[] | undefined => [])
  for (let round = 0; round < rounds; round += 1)
    for (const [index, { address, wanted }] of goals.entries()) {
      const once = () => open(browser, address, wanted)
      // On a busy machine, a working page can time out, so each page gets a second attempt.
      const opened =
        found[index] &&
        (await once()
          .catch(once)
          .catch(() => undefined))
      if (opened) found[index]?.push(opened)
      else found[index] = undefined
    }
  return found.map((each) => each && summaryOf(each))
}

function summaryOf(found: readonly Omit<Opened, 'spread'>[]): Opened {
  const times = found.map((each) => each.milliseconds)
  return {
    milliseconds: median(times),
    kilobytes: median(found.map((each) => each.kilobytes)),
    spread: spreadOf(times),
  }
}
