import { describe, expect, test } from 'vitest'
import { chromiumPath } from './chromium.ts'
import { samplePages } from './sample-pages.ts'
import { siteInChromium } from './site-in-chromium.ts'

async function open(path: string, width: number): Promise<void> {
  await site.page.setViewportSize({ width, height: 844 })
  await site.page.goto(site.origin + path)
}

/** Returns the words in code that the browser breaks although there is no line break opportunity. */
const brokenWords = (): Promise<string[]> =>
  site.page.$$eval('td code', (all) =>
    all.flatMap(({ firstChild }) => {
      const text = firstChild?.textContent ?? ''
      if (!firstChild || !/^[\w.]+$/.test(text)) return []
      const range = document.createRange()
      range.selectNodeContents(firstChild)
      return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1 ? [text] : []
    }),
  )

const site = siteInChromium()

describe.skipIf(!chromiumPath)('what is on a page has its room', () => {
  test('menu labels take one or two lines', async () => {
    await open('/guides/alerts/', 1366)
    const heights = await site.page.$$eval('nav.menu a', (links) =>
      links.map((link) => link.getBoundingClientRect().height),
    )
    expect(heights.length).toBeGreaterThan(5)
    expect(Math.max(...heights)).toBeLessThan(Math.min(...heights) * 2)
  })

  test.each(['errors', 'lifecycle', 'comparison'])(
    'names are not broken in the tables of the %s page',
    async (kind) => {
      await open(samplePages()[kind] ?? '', 1366)
      expect(await brokenWords()).toEqual([])
    },
  )

  test.each([390, 1366])('copy buttons do not cover code at %i pixels', async (width) => {
    const { operation = '' } = samplePages()
    for (const path of [operation, '/guides/backups/', '/guides/alerts/', '/guides/contract-testing/']) {
      await open(path, width)
      await site.page.waitForSelector('.copy')
      const over = await site.page.$$eval(
        'figure.code',
        (all) =>
          all.filter((figure) => {
            const button = figure.querySelector('.copy')?.getBoundingClientRect()
            const code = figure.querySelector('pre')?.getBoundingClientRect()
            return button && code && button.height > 0 && button.bottom > code.top
          }).length,
      )
      expect(over, path).toBe(0)
    }
  })

  test('the contents expand on phones and lead to their sections', async () => {
    await open('/guides/alerts/', 390)
    const contents = site.page.getByRole('navigation', { name: 'On this page' })
    expect(await contents.getByRole('link').count()).toBe(0)
    await contents.getByText('On this page').click()
    await contents.getByRole('link', { name: 'Follow an alert' }).click()
    expect(new URL(site.page.url()).hash).toBe('#follow-an-alert')
    await open('/guides/alerts/', 1366)
    expect(await contents.count()).toBe(1)
    expect(await site.page.locator('.on-this-page').isVisible()).toBe(false)
  })

  test('the search field expands on phones when it has the focus', async () => {
    await open('/guides/', 390)
    const field = site.page.locator('.search-form input')
    const width = () => field.evaluate((input) => input.clientWidth)
    const before = await width()
    await field.focus()
    expect(await width()).toBeGreaterThan(before + 100)
  })

  test.each([320, 360, 390])(
    'the header shows all sections at %i pixels, scrolls away, and keeps its height during search',
    async (width) => {
      await open(`${samplePages().schema}`, width)
      const header = site.page.locator('.site-header')
      const height = async () => (await header.boundingBox())?.height ?? 0
      const before = await height()
      expect(before).toBeLessThan(160)
      const ends = await site.page.$$eval('.primary a', (all) =>
        all.map((each) => each.getBoundingClientRect().right),
      )
      expect(ends).toHaveLength(7)
      expect(Math.max(...ends)).toBeLessThanOrEqual(width)
      await site.page.locator('.search-form input').focus()
      expect(await height()).toBe(before)
      await site.page.locator('.search-form input').fill('alert')
      await site.page.waitForSelector('.results a')
      expect(await site.page.locator('.results').boundingBox()).toMatchObject({ x: 16, width: width - 32 })
      await site.page.keyboard.press('Escape')
      await site.page.evaluate(() => scrollTo(0, 600))
      expect((await header.boundingBox())?.y).toBeLessThan(-100)
    },
  )

  test.each([
    ['is narrow', 320, false],
    ['is searched on', 390, true],
  ])('where a phone %s, the way home has its name for who does not see it', async (_, width, searches) => {
    await open('/guides/', width)
    if (searches) await site.page.locator('.search-form input').focus()
    const name = 'Administration API'
    const home = site.page.getByRole('banner').getByRole('link', { name, exact: true })
    await home.waitFor()
    expect(await home.getByText(name).isVisible()).toBe(false)
  })

  test('the header scrolls with the page if there is not enough room', async () => {
    for (const [width, height] of [
      [320, 256],
      [844, 390],
    ] as const) {
      await open(samplePages().operation ?? '', width)
      await site.page.setViewportSize({ width, height })
      await site.page.evaluate(() => scrollTo(0, 600))
      const bottom = await site.page
        .locator('.site-header')
        .evaluate((header) => header.getBoundingClientRect().bottom)
      expect(bottom).toBeLessThan(0)
    }
  })

  test.each([
    ['createAlertConfig', 3500],
    ['updateBackupSchedule', 5000],
  ])('%s is at most %i pixels high before anything is expanded', async (id, most) => {
    await open(`${samplePages().version}operations/${id}/`, 1440)
    await site.page.evaluate(() => {
      const all = new CSSStyleSheet()
      all.replaceSync('.fields, .scroll { content-visibility: visible !important }')
      document.adoptedStyleSheets.push(all)
    })
    expect(await site.page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(most)
  })

  test.each([390, 1200, 1440])(
    'the first example is visible without scrolling at %i pixels',
    async (width) => {
      for (const path of [samplePages().creation, samplePages().fields]) {
        await open(path ?? '', width)
        const box = await site.page.locator('.samples .panel:visible pre').first().boundingBox()
        expect(box?.y, path).toBeLessThan(844 - 60)
      }
    },
  )

  test('examples stay beside the text while it scrolls', async () => {
    await open(samplePages().fields ?? '', 1440)
    const top = async () => (await site.page.locator('.samples').first().boundingBox())?.y ?? 0
    const before = await top()
    await site.page.evaluate(() => scrollTo(0, 1200))
    expect(Math.abs((await top()) - before)).toBeLessThan(20)
    const text = await site.page.locator('.rest').boundingBox()
    const rail = await site.page.locator('.rail').boundingBox()
    expect(rail?.x).toBeGreaterThan((text?.x ?? 0) + (text?.width ?? 0))
  })

  test('provenance is hidden until the reader asks for it, and stays visible', async () => {
    await open(samplePages().creation ?? '', 1440)
    const marks = site.page.locator('.field .provenance').first()
    expect(await marks.isVisible()).toBe(false)
    await site.page.getByLabel('Show provenance').check()
    expect(await marks.isVisible()).toBe(true)
    await open(samplePages().fields ?? '', 1440)
    expect(await marks.isVisible()).toBe(true)
    await site.page.getByLabel('Show provenance').uncheck()
  })

  test('links open the collapsed details that contain their target', async () => {
    await open(`${samplePages().fields}#request.policies.policyItems`, 1440)
    expect(await site.page.locator('[id="request.policies.policyItems"]').isVisible()).toBe(true)
    await open(`${samplePages().creation}#response.matchers.value`, 1440)
    expect(await site.page.locator('[id="request.matchers.value"]').isVisible()).toBe(true)
  })

  test('a page that several versions share sends the version in its address', async () => {
    await open(`${samplePages().creation}?version=2023-01-01`, 1440)
    const sample = await site.page.locator('.samples .panel:visible').first().innerText()
    expect(sample).toContain('Accept: application/vnd.svc.2023-01-01+json')
    expect(await site.page.locator('details.versions summary').innerText()).toContain('2023-01-01')
    await open(`${samplePages().version}operations/getAlert/?version=v1.0`, 1440)
    const text = await site.page.locator('article').innerText()
    expect(text).toContain('/api/svc/v1.0/groups/64b7e1c20f3a5d6e7f809101/alerts/')
    expect(text).toContain("-H 'Accept: application/json'")
    expect(text).not.toMatch(/vnd\.svc|\/api\/svc\/v2/)
    await open(`${samplePages().version}operations/updateBackupSchedule/?version=2023-01-01`, 1440)
    await site.page.waitForURL('**/2024-05-30/operations/updateBackupSchedule/?version=2023-01-01')
  })

  test('printed pages show all samples with captions and without buttons', async () => {
    await open(samplePages().operation ?? '', 800)
    await site.page.emulateMedia({ media: 'print' })
    const shown = await site.page.$$eval('.samples .panel', (panels) =>
      panels.map((panel) => {
        const code = panel.querySelector('pre')
        const cut = code ? code.scrollHeight > code.clientHeight || code.scrollWidth > code.clientWidth : true
        return `${panel.querySelector('figcaption')?.innerText.split(',')[0]} ${cut ? 'cut' : 'whole'}`
      }),
    )
    expect(shown.slice(0, 5)).toEqual(
      ['curl', 'curl', 'TypeScript', 'Python', 'Go'].map((name) => `${name} whole`),
    )
    expect(shown.filter((each) => each.endsWith('cut'))).toEqual([])
    for (const gone of ['.samples > label', '.versions', '.try-link', '.copy'])
      expect(await site.page.locator(gone).first().isVisible(), gone).toBe(false)
    await site.page.emulateMedia({ media: null })
  })

  test('printed pages use the light colors in every theme', async () => {
    const colors = () =>
      site.page.$$eval('body, h1, article p, .code pre, .field > p:first-child > a, .type', (all) =>
        all.map((each) => `${getComputedStyle(each).color} on ${getComputedStyle(each).backgroundColor}`),
      )
    await site.page.emulateMedia({ media: 'print', colorScheme: 'light' })
    await open(samplePages().operation ?? '', 800)
    const light = await colors()
    expect(light[0]).toMatch(/ on rgb\(255, 255, 255\)$/)
    for (const [theme, colorScheme] of [
      ['dark', 'light'],
      ['light', 'dark'],
      ['', 'dark'],
    ] as const) {
      await site.page.emulateMedia({ media: 'print', colorScheme })
      await site.page.evaluate((chosen) => {
        document.documentElement.dataset.theme = chosen
      }, theme)
      expect(await colors(), `${theme} theme, ${colorScheme} system`).toEqual(light)
    }
    await site.page.emulateMedia({ media: null, colorScheme: null })
  })
})
