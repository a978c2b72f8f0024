import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** The WCAG success criteria up to level AA, and a rule about content outside landmarks. */
const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The rules that depend on colors. When only the color scheme changes, the tests run only these rules again. */
export const colorRules = ['color-contrast', 'link-in-text-block']

/** Returns axe's findings on a page, one per line. */
export async function findings(page: Page, rules: readonly string[] = everyRule): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  return page.evaluate(async (runOnly) => {
    // Without `resultTypes`, axe also describes nodes that pass, which takes a third of the time.
    const options = { runOnly, rules: { region: { enabled: true } }, resultTypes: ['violations'] }
    const { violations } = await Reflect.get(window, 'axe').run(options)
    return violations.flatMap(
      ({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    )
  }, rules)
}
