// `npm run bench -w packages/docs`: our pages and the renderers of others on the same document, in one run, then how
// long sites take to build. Build the site first.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { launch } from '../browser/chromium.ts'
import { siteFiles } from '../src/build-site.ts'
import { readInputs } from '../src/inputs.ts'
import { siteModel } from '../src/model/site-model.ts'
import { firstSentence } from '../src/pages/operation.ts'
import { largeInputs } from './large-document.ts'
import { contenders, fetchPeers, peerPages, type Subject } from './peers.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const site = fileURLToPath(new URL('../dist/site/', import.meta.url))
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/** Every answer compressed once and kept, so that the server is no part of what is measured. */
async function serve(peers: string, pages: Readonly<Record<string, string>>) {
  const kept = new Map<string, Buffer | undefined>()
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
    if (!kept.has(path)) kept.set(path, load(path))
    const body = kept.get(path)
    if (!body) return response.writeHead(404).end()
    const type = types[extname(path)] ?? 'text/html; charset=utf-8'
    return response
      .writeHead(200, { 'content-type': type, 'content-encoding': 'gzip', 'content-length': body.length })
      .end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

interface Opened {
  readonly milliseconds: number
  readonly kilobytes: number
}

/** Opens a page in a profile that knows nothing: when what is wanted is seen and the last long task is over. */
async function open(
  browser: Browser,
  address: string,
  wanted: { selector?: string; text?: string },
): Promise<Opened> {
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

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function measure(
  browser: Browser,
  address: string,
  wanted: Parameters<typeof open>[2],
): Promise<Opened | undefined> {
  const found: Opened[] = []
  try {
    for (let round = 0; round < rounds; round += 1) found.push(await open(browser, address, wanted))
  } catch {
    return undefined
  }
  return {
    milliseconds: median(found.map((each) => each.milliseconds)),
    kilobytes: median(found.map((each) => each.kilobytes)),
  }
}

async function pages(subject: Subject): Promise<void> {
  const { origin, server } = await serve(await fetchPeers(), peerPages(subject))
  const browser = await launch()
  const rows = []
  let ours: { first: number; deep: number } | undefined
  for (const { name, first, deep, ready, shown } of contenders(subject)) {
    const opened = await measure(browser, origin + first, { selector: ready })
    const direct = await measure(browser, origin + deep, { text: shown })
    ours ??= { first: opened?.milliseconds ?? 0, deep: direct?.milliseconds ?? 0 }
    const ratio = (value: number | undefined, base: number) =>
      value && base ? (value / base).toFixed(1) : ''
    rows.push({
      renderer: name,
      'kB, gzip': opened?.kilobytes.toFixed(0) ?? '',
      'usable ms': opened?.milliseconds.toFixed(0) ?? 'never',
      'times ours': ratio(opened?.milliseconds, ours.first),
      'deep link ms': direct?.milliseconds.toFixed(0) ?? 'not shown',
      'times ours ': ratio(direct?.milliseconds, ours.deep),
    })
  }
  console.table(rows)
  await browser.close()
  server.close()
}

function builds(): void {
  const inputs = readInputs()
  const large = largeInputs(inputs, 500)
  const [document] = large.documents.values()
  const size = (JSON.stringify(document).length / 1e6).toFixed(1)
  const timed = (name: string, run: () => { pages: number; files: ReadonlyMap<string, unknown> }) => {
    const begun = [performance.now(), process.cpuUsage()] as const
    const { pages: count, files } = run()
    const { user, system } = process.cpuUsage(begun[1])
    return {
      site: name,
      pages: count,
      files: files.size,
      seconds: ((performance.now() - begun[0]) / 1000).toFixed(2),
      'processor seconds': ((user + system) / 1e6).toFixed(2),
    }
  }
  console.table([
    timed('our five documents', () => siteFiles(inputs, 'https://docs.example.com')),
    timed(`one document of ${size} MB, 500 operations`, () => siteFiles(large, 'https://docs.example.com')),
  ])
}

const { newest } = siteModel(readInputs())
const operation = newest.byId.get('getAlert')
if (!operation) throw new Error('There is no operation to look at.')
builds()
await pages({
  version: newest.id,
  operationId: operation.id,
  tag: operation.tag,
  // Lists of operations show summaries; only the operation itself shows what it does.
  words: firstSentence(operation.operation.description).slice(0, 30),
})
