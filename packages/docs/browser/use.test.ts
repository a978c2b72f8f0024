import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findings } from './axe.ts'
import { chromiumPath, launch } from './chromium.ts'
import { samplePages } from './sample-pages.ts'
import { type StaticServer, serveSite } from './static-server.ts'

let browser: Browser
let server: StaticServer
/** The tests that don't store data share this page, because creating a context is slow. */
let shared: Page

async function open(path: string, width = 1366, page = shared): Promise<Page> {
  await page.setViewportSize({ width, height: 844 })
  await page.goto(server.origin + path)
  return page
}

/**
 * Returns `in sight` if an element is below the header, and either in the upper half of the screen or at the end of the
 * page.
 */
function placeOf(id: string): Promise<string> {
  return shared.evaluate((wanted) => {
    const { top = Number.NaN } = document.getElementById(wanted)?.getBoundingClientRect() ?? {}
    const atTheEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2
    const below = document.querySelector('.site-header')?.getBoundingClientRect().bottom ?? 0
    return top >= below - 1 && top < (atTheEnd ? innerHeight : innerHeight / 2) ? 'in sight' : `at ${top}`
  }, id)
}

/** Returns whether the browser has laid out the whole page. */
function isLaidOut(): Promise<boolean> {
  return shared.$$eval('article .fields, article > .scroll', (parts) =>
    parts.every((part) => part.style.contentVisibility === 'visible'),
  )
}

describe.skipIf(!chromiumPath)('readers in Chromium', () => {
  beforeAll(async () => {
    server = await serveSite()
    browser = await launch()
    shared = await browser.newPage()
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  test('samples, menu and version switch work without JavaScript', async () => {
    const page = await browser.newPage({ javaScriptEnabled: false })
    await open(samplePages().creation ?? '/', 390, page)
    await page.getByText('Python', { exact: true }).click()
    expect(await page.locator('.samples .panel:visible').first().innerText()).toContain(
      'import urllib.request',
    )
    expect(await page.locator('nav.menu').isVisible()).toBe(false)
    await page.locator('#menu-toggle').check()
    expect(await page.locator('nav.menu [aria-current=page]').isVisible()).toBe(true)
    await page.locator('details.versions summary').click()
    const operation = page.url().split('/').at(-2)
    await page.locator('details.versions a', { hasText: 'v1.0' }).click()
    expect(page.url()).toContain(`/operations/${operation}/?version=v1.0`)
    await page.close()
  }, 60_000)

  test('the keyboard finds an operation and opens it', async () => {
    const page = await open('/guides/')
    const wanted = (samplePages().operation ?? '').split('/').at(-2) ?? ''
    await page.keyboard.press('/')
    await page.keyboard.type(wanted)
    await page.waitForSelector('.results a')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/operations/${wanted}/`)
  }, 60_000)

  test('a click on a result opens it, and the list closes on blur', async () => {
    const page = await open('/guides/')
    await page.locator('.search-form input').fill('acknowledgeAlert')
    await page.waitForSelector('.results a')
    await page.keyboard.press('Tab')
    expect(await page.locator('.results').isVisible()).toBe(false)
    await page.locator('.search-form input').fill('acknowledgeAlert ')
    await page.locator('.results a').first().click()
    await page.waitForURL('**/operations/acknowledgeAlert/')
  }, 60_000)

  test('the first Tab stop skips to the content, and Tab reaches the menu', async () => {
    const page = await open(samplePages().operation ?? '/', 390)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('skip')
    const stops: (string | undefined)[] = []
    for (let count = 0; count < 12; count += 1) {
      await page.keyboard.press('Tab')
      stops.push(await page.evaluate(() => document.activeElement?.id))
    }
    expect(stops).toContain('menu-toggle')
    await page.locator('#menu-toggle').focus()
    await page.keyboard.press('Space')
    expect(await page.locator('nav.menu').isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await page.locator('nav.menu').isVisible()).toBe(false)
  }, 60_000)

  test.each([390, 1366])(
    'links lead to the right place before the page is laid out, at %i pixels',
    async (width) => {
      const { version = '', creation = '' } = samplePages()
      for (const path of [`${version}schemas/RestoreJob/`, creation]) {
        await open(path, width)
        const anchors = await shared.$$eval('.field[id], .rest h2[id]', (all) => all.map(({ id }) => id))
        expect(anchors.length).toBeGreaterThan(10)
        const some = [0.2, 0.5, 0.8, 1].map((share) => anchors[Math.ceil((anchors.length - 1) * share)] ?? '')
        for (const id of some) {
          await open('/', width)
          await open(`${path}#${id}`, width)
          await expect.poll(() => placeOf(id), { message: `${path}#${id}`, timeout: 20_000 }).toBe('in sight')
        }
        for (const id of some.reverse()) {
          await shared.evaluate((to) => document.getElementById(to)?.querySelector('a')?.click(), id)
          await expect
            .poll(() => placeOf(id), { message: `${path} to ${id}`, timeout: 20_000 })
            .toBe('in sight')
        }
      }
    },
  )

  test('the contents mark the current section', async () => {
    const operation = '/guides/alerts/'
    const patient = { timeout: 20_000 }
    const here = () =>
      shared.$$eval('.contents a.here', (links) => links.map((link) => link.getAttribute('href') ?? ''))
    await open('/')
    await open(operation)
    const hashes = await shared.$$eval('.contents a', (links) =>
      links.map((link) => link.getAttribute('href') ?? ''),
    )
    const [current = '', next = ''] = hashes.slice(2)
    await open('/')
    await open(operation + current)
    await expect.poll(here, patient).toEqual([current])
    await expect.poll(isLaidOut, patient).toBe(true)
    // At this position, the next heading is still in the middle of the screen.
    const between = await shared.evaluate(
      ([from = '', to = '']) => {
        const at = (id: string) => (document.querySelector(id)?.getBoundingClientRect().top ?? 0) + scrollY
        scrollTo(0, at(to) - innerHeight / 2)
        return at(to) - at(from)
      },
      [current, next],
    )
    expect(between).toBeGreaterThan(100)
    await expect.poll(here, patient).toEqual([current])
    await shared.evaluate(() => scrollTo(0, 0))
    await expect.poll(here, patient).not.toEqual([current])
  })

  test('the color scheme can be switched and is remembered', async () => {
    const page = await open('/', undefined, await browser.newPage())
    await page.getByRole('button', { name: 'Use dark colors' }).click()
    await page.goto(`${server.origin}/guides/`)
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark')
    await page.close()
  }, 60_000)

  test('a page can be copied as Markdown', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    const page = await open('/guides/paging/', undefined, await context.newPage())
    await page.getByRole('link', { name: 'Copy as Markdown' }).click()
    await page.getByRole('link', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^# Paging\n/)
    expect(page.url()).toContain('/guides/paging/')
    await context.close()
  }, 60_000)

  test('the samples of all pages show the values that the reader enters, until they are removed', async () => {
    const page = await open(samplePages().creation ?? '/', undefined, await browser.newPage())
    const samples = () => page.locator('.samples .panel').allInnerTexts()
    expect((await samples()).join()).toContain('SVC_PUBLIC_KEY')
    await page.getByRole('button', { name: 'Use your values' }).click()
    await page.getByLabel('Server').fill('https://db.example.com/')
    await page.getByLabel('Public key').fill('mykey')
    await page.getByLabel('Private key').fill('<b>"')
    await page.getByText('a character that isn’t allowed in a sample').waitFor()
    await page.getByLabel('Private key').fill('secret-1')
    const request = '--digest -u "mykey:secret-1" \\\n  "https://db.example.com/api/svc/v2/'
    expect((await samples())[0]).toContain(request)
    expect((await samples()).join()).toContain("publicKey: 'mykey'")
    expect(await findings(page)).toEqual([])
    await page.goto(`${server.origin}/guides/versioning/`)
    await page.getByText('"mykey:secret-1"').waitFor()
    await page.getByText('Your values in the samples').click()
    await page.getByRole('button', { name: 'Forget' }).click()
    await page.getByText('$SVC_PUBLIC_KEY:$SVC_PRIVATE_KEY').first().waitFor()
    await page.close()
  }, 60_000)

  test('the feed of the changelog is valid XML with an entry for each dated version', async () => {
    const page = await open('/changelog/')
    const found = await page.evaluate(async () => {
      const link = document.querySelector<HTMLLinkElement>('link[type="application/atom+xml"]')
      const text = await (await fetch(link?.href ?? '')).text()
      const feed = new DOMParser().parseFromString(text, 'application/xml')
      const targets = [...feed.querySelectorAll('entry > link')].map(
        (each) => each.getAttribute('href') ?? '',
      )
      const pages = await Promise.all(targets.map((href) => fetch(new URL(href, link?.href))))
      return {
        root: feed.documentElement.nodeName,
        titles: [...feed.querySelectorAll('entry > title')].map(({ textContent }) => textContent),
        content: feed.querySelector('entry > content')?.textContent,
        isFound: pages.map(({ ok }) => ok),
      }
    })
    expect(found.root).toBe('feed')
    expect(found.titles).toEqual(
      ['2025-03-12', '2024-08-05', '2024-05-30', '2023-01-01'].map((id) => `Version ${id}`),
    )
    expect(found.isFound).not.toContain(false)
    expect(found.content).toMatch(
      /^<p>Changes since 2024-08-05:<\/p><ul><li>The operation has been deprecated/,
    )
  })

  test('the list of versions closes on a click elsewhere', async () => {
    const page = await open(samplePages().operation ?? '/')
    const isOpen = () => page.locator('details.versions').getAttribute('open')
    await page.locator('details.versions summary').click()
    expect(await isOpen()).toBe('')
    await page.locator('h1').click()
    expect(await isOpen()).toBe(null)
  }, 60_000)
})
