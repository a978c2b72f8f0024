import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe finds on a page, a line for each. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async (wanted) => {
    const { violations } = await Reflect.get(window, 'axe').run(document, { runOnly: wanted })
    return violations.flatMap(
      ({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    )
  }, tags)
}
