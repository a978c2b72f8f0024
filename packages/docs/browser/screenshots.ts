import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import type { PicturedLook } from './looks.ts'

export const pictured = [
  'index',
  'version',
  'operation',
  'schema',
  'comparison',
  'error',
  'guide',
  'search',
] as const

export const pictureFile = (kind: string, look: PicturedLook): string =>
  fileURLToPath(new URL(`screenshots/${kind}-${look.name}.png`, import.meta.url))

const fontsFile = fileURLToPath(new URL('screenshots/fonts.json', import.meta.url))

/**
 * Measures the width of the same text in the fonts that a page uses for text and code. These fonts depend on what the
 * machine has installed. Screenshots from machines with other fonts can't be compared.
 */
export async function fontsOf(browser: Browser, address: string): Promise<readonly number[]> {
  const page = await browser.newPage()
  await page.goto(address)
  const widths = await page.evaluate(() =>
    ['body', 'code'].map((selector) => {
      const element = document.querySelector(selector)
      const context = document.createElement('canvas').getContext('2d')
      if (!context || !element) throw new Error(`The page has no ${selector} element.`)
      context.font = `16px ${getComputedStyle(element).fontFamily}`
      return Math.round(context.measureText('The quick brown fox jumps over the lazy dog 0123456789').width)
    }),
  )
  await page.close()
  return widths
}

export const recordedFonts = (): readonly number[] =>
  existsSync(fontsFile) ? JSON.parse(readFileSync(fontsFile, 'utf8')) : []

export const fontsPath = fontsFile

/**
 * Opens a browser page with the given screen size and color scheme. Screenshots are scaled to half size, which makes
 * the files small and hides differences in font smoothing.
 */
export function pageFor(browser: Browser, { width, height, colorScheme }: PicturedLook): Promise<Page> {
  return browser.newPage({
    viewport: { width, height },
    colorScheme,
    deviceScaleFactor: 0.5,
    reducedMotion: 'reduce',
  })
}

/** Opens an address and takes a screenshot of the part that is visible without scrolling. */
export async function picture(page: Page, address: string): Promise<Buffer> {
  await page.goto(address, { waitUntil: 'load' })
  if (address.includes('/search/')) await page.waitForSelector('.result-list a')
  return page.screenshot({ animations: 'disabled', caret: 'hide' })
}

/**
 * Divides both screenshots into cells of 6 by 6 pixels, and returns the fraction of cells with a visibly different mean
 * color. A changed word affects one or two cells, but a missing style sheet, a moved column or a wrong color affects
 * most cells.
 */
export async function difference(page: Page, before: Buffer, after: Buffer): Promise<number> {
  const sources = [before, after].map((bytes) => `data:image/png;base64,${bytes.toString('base64')}`)
  return page.evaluate(async ([first = '', second = '']) => {
    const cell = 6
    const read = async (source: string) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      const context = canvas.getContext('2d', { willReadFrequently: true })
      context?.drawImage(image, 0, 0)
      return { image, data: context?.getImageData(0, 0, image.width, image.height).data ?? [] }
    }
    const [a, b] = [await read(first), await read(second)]
    if (a.image.width !== b.image.width || a.image.height !== b.image.height) return 1
    let cells = 0
    let different = 0
    for (let top = 0; top + cell <= a.image.height; top += cell)
      for (let left = 0; left + cell <= a.image.width; left += cell) {
        const sums = [0, 0, 0]
        for (let y = top; y < top + cell; y += 1)
          for (let x = left; x < left + cell; x += 1)
            for (const channel of [0, 1, 2]) {
              const at = (y * a.image.width + x) * 4 + channel
              sums[channel] = (sums[channel] ?? 0) + (a.data[at] ?? 0) - (b.data[at] ?? 0)
            }
        cells += 1
        if (sums.some((sum) => Math.abs(sum) / cell ** 2 > 24)) different += 1
      }
    return different / cells
  }, sources)
}
