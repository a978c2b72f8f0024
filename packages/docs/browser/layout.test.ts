import { describe, expect, test } from 'vitest'
import { chromiumPath } from './chromium.ts'
import { samplePages } from './sample-pages.ts'
import { siteInChromium } from './site-in-chromium.ts'

async function open(path: string, width: number): Promise<void> {
  await site.page.setViewportSize({ width, height: 844 })
  await site.page.goto(site.origin + path)
}

/** Words in code that are broken at a place without a break opportunity. */
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
    await open(samplePages().comparison ?? '', 1366)
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
    await open(samplePages().operation ?? '', 390)
    const contents = site.page.getByRole('navigation', { name: 'On this page' })
    expect(await contents.getByRole('link').count()).toBe(0)
    await contents.getByText('On this page').click()
    await contents.getByRole('link', { name: 'Errors' }).click()
    expect(new URL(site.page.url()).hash).toBe('#errors')
    await open(samplePages().operation ?? '', 1366)
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
    'the header has two rows at %i pixels, also during search, and covers no link target',
    async (width) => {
      await open(`${samplePages().schema}`, width)
      const header = site.page.locator('.site-header')
      const height = async () => (await header.boundingBox())?.height ?? 0
      const before = await height()
      expect(before).toBeLessThan(100)
      await site.page.locator('.search-form input').focus()
      expect(await height()).toBe(before)
      const padding = await site.page.evaluate(() =>
        Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop),
      )
      expect(padding).toBeGreaterThan(before)
      await site.page.locator('.search-form input').fill('alert')
      await site.page.waitForSelector('.results a')
      const results = await site.page.locator('.results').boundingBox()
      expect(results).toMatchObject({ x: 16, width: width - 32 })
      expect(results?.y).toBeGreaterThanOrEqual(before)
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

  test('a shadow at the edge of the screen shows that there are more sections on phones', async () => {
    await open('/guides/', 390)
    const row = await site.page.locator('.primary').evaluate((parts) => ({
      right: parts.getBoundingClientRect().right,
      longer: parts.scrollWidth > parts.clientWidth,
      attachment: getComputedStyle(parts).backgroundAttachment,
    }))
    expect(row).toEqual({ right: 390, longer: true, attachment: 'local, local, scroll, scroll' })
  })

  test('facts, the path and code are as wide as headings', async () => {
    await open('/v1.0/operations/getSnapshot/', 1366)
    const ends = await site.page.$$eval('article > :is(h2, .facts, .endpoint, .callout, .samples)', (all) =>
      all.map((each) => Math.round(each.getBoundingClientRect().right)),
    )
    expect(ends.length).toBeGreaterThan(3)
    expect(new Set(ends).size).toBe(1)
  })

  test('the Try it button is next to the path of any length', async () => {
    await open('/v1.0/operations/createFtsIndex/', 1366)
    const box = (part: string) => site.page.locator(`.endpoint ${part}`).boundingBox()
    const [path, button] = [await box('.path'), await box('.try-link')]
    expect(button?.x).toBeGreaterThan((path?.x ?? 0) + (path?.width ?? 0))
    expect(button?.y).toBeLessThan((path?.y ?? 0) + (path?.height ?? 0))
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
    expect(shown).toEqual(['curl', 'curl', 'TypeScript', 'Python', 'Go'].map((name) => `${name} whole`))
    for (const gone of ['.samples > label', '.versions', '.on-this-page', '.try-link', '.copy'])
      expect(await site.page.locator(gone).first().isVisible(), gone).toBe(false)
    await site.page.emulateMedia({ media: null })
  })

  test('printed pages use the light colors in every theme', async () => {
    const colors = () =>
      site.page.$$eval('body, h1, article p, .code pre, .field-name, .type', (all) =>
        all.map((each) => `${getComputedStyle(each).color} on ${getComputedStyle(each).backgroundColor}`),
      )
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
