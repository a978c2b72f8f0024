import { beforeEach, describe, expect, test } from 'vitest'
import { findings } from './axe.ts'
import { chromiumPath } from './chromium.ts'
import { siteInChromium } from './site-in-chromium.ts'

const site = siteInChromium()

describe.skipIf(!chromiumPath)('searching in Chromium', () => {
  beforeEach(async () => {
    await site.page.unrouteAll()
    await site.page.setViewportSize({ width: 1366, height: 844 })
    await site.page.goto(`${site.origin}/guides/`)
  })

  const field = () => site.page.locator('.search-form input[type=search]')

  test('shows an accessible message if nothing is found', async () => {
    await field().fill('xylophonequartet')
    await site.page.getByText('Nothing found').first().waitFor()
    expect(await findings(site.page)).toEqual([])
    expect(await field().getAttribute('aria-expanded')).toBe('false')
  })

  test.each([1366, 390])('explains results for typos and for some of the words, %d wide', async (width) => {
    await site.page.setViewportSize({ width, height: 844 })
    await field().fill('acknowlege alert')
    await site.page.locator('.results').getByText('No results for “acknowlege”').waitFor()
    expect(await site.page.locator('.results a').first().getAttribute('href')).toContain('acknowledgeAlert')
    expect(await findings(site.page)).toEqual([])
    await field().fill('kubernetes xylophone')
    await field().press('Enter')
    await site.page.getByRole('status').getByText('No results for “xylophone”').waitFor()
    expect(await site.page.locator('.result-list a').first().getAttribute('href')).toContain('kubernetes')
    expect(await findings(site.page)).toEqual([])
  })

  test('leads from a question to the right section', async () => {
    await field().fill('create a cluster')
    await site.page.waitForSelector('.results a')
    await field().press('ArrowDown')
    await field().press('Enter')
    await site.page.waitForURL('**/guides/getting-started/#create-or-list-clusters-and-projects')
  })

  test('loads the index on the first search', async () => {
    const loaded = () =>
      site.page.evaluate(
        () => [...document.scripts].filter(({ src }) => /search-(shared|\d)/.test(src)).length,
      )
    expect(await loaded()).toBe(0)
    await field().fill('roles')
    await site.page.waitForSelector('.results a')
    expect(await loaded()).toBe(2)
  })

  test('shows an error if the index cannot be loaded, and tries again', async () => {
    await site.page.route('**/assets/search-*.js', (route) => route.abort())
    await field().fill('alert')
    await site.page.locator('.results').getByText('could not be loaded').waitFor()
    expect(await findings(site.page)).toEqual([])
    await site.page.unrouteAll()
    await field().fill('alerts')
    await site.page.waitForSelector('.results a')
  })

  test('offers results of another version', async () => {
    await field().fill('replicationSpecId')
    const other = site.page.locator('.results a', { hasText: '2024-05-30: ' }).first()
    await other.waitFor()
    expect(await other.innerText()).toContain('replicationSpecId')
  })

  test('searches the current version on Enter, and can switch on the results page', async () => {
    await site.page.goto(`${site.origin}/v1.0/`)
    await field().fill('listAlerts')
    await field().press('Enter')
    await site.page.waitForSelector('.result-list a')
    const first = () => site.page.locator('.result-list a').first().getAttribute('href')
    expect(await first()).toMatch(/\/operations\/listAlerts\/\?version=v1\.0$/)
    await site.page.getByLabel('Version').selectOption('2023-01-01')
    await expect.poll(first).toMatch(/\/operations\/listAlerts\/\?version=2023-01-01$/)
    expect(site.page.url()).toContain('version=2023-01-01')
  })

  test('counts hidden results and shows them on demand', async () => {
    await site.page.goto(`${site.origin}/search/?q=alert`)
    await site.page.waitForSelector('.result-list a')
    const links = site.page.locator('.result-list a')
    const status = site.page.getByRole('status').last()
    const [, count = ''] = /^(\d+) results/.exec(await status.innerText()) ?? []
    const first = await links.count()
    expect(Number(count)).toBeGreaterThan(first)
    await site.page.getByRole('button', { name: `Show the other ${Number(count) - first}` }).click()
    expect(await links.count()).toBe(Number(count))
    expect(await status.innerText()).toBe(`${count} results, showing all.`)
    expect(await links.nth(first).evaluate((link) => link === document.activeElement)).toBe(true)
  })

  test('shows the number of further results below the field and links to them', async () => {
    await field().fill('retention')
    const all = site.page.getByRole('button', { name: /^All \d+ results$/ })
    await all.waitFor()
    const [, count = ''] = /(\d+)/.exec(await all.innerText()) ?? []
    expect(await site.page.locator('.search-form [role=status]').innerText()).toBe(
      `Showing 12 of ${count} results. Press Enter to list all.`,
    )
    expect(await findings(site.page)).toEqual([])
    await all.click()
    await site.page.waitForSelector('.result-list a')
    expect(new URL(site.page.url()).searchParams.get('q')).toBe('retention')
    expect(await site.page.getByRole('status').last().innerText()).toMatch(new RegExp(`^${count} results`))
  })

  test('breaks names between words on phones, but not paths', async () => {
    await site.page.setViewportSize({ width: 320, height: 844 })
    await field().fill('ExtraRetentionSetting')
    await site.page.waitForSelector('.results a')
    const title = site.page.locator('.result-title').first()
    const lines = await title.evaluate(({ childNodes }) =>
      [...childNodes].flatMap((node) => {
        const range = document.createRange()
        range.selectNodeContents(node)
        return node.nodeType === Node.TEXT_NODE ? [range.getClientRects().length] : []
      }),
    )
    expect(lines).toEqual([1, 1, 1])
    await field().fill('getShardedClusterSnapshot')
    await site.page.locator('.result-detail', { hasText: 'shardedCluster' }).first().waitFor()
    const cut = await site.page.$$eval('.result-detail', (all) =>
      all.flatMap(({ textContent, scrollHeight, clientHeight }) =>
        textContent?.startsWith('GET') && scrollHeight > clientHeight ? [textContent] : [],
      ),
    )
    expect(cut).toEqual([])
  })
})
