import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** The rules for all WCAG success criteria up to level AA. */
const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The rules that depend on colors. After switching to another color scheme, the tests check only these rules again. */
export const colorRules = ['color-contrast', 'link-in-text-block']

/** Returns the problems that axe finds on a page, one per line. */
export async function findings(page: Page, rules: readonly string[] = everyRule): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  return page.evaluate(async (runOnly) => {
    // Without `resultTypes`, axe also describes elements that pass, which takes a third of its time.
    const options = { runOnly, rules: { region: { enabled: true } }, resultTypes: ['violations'] }
    const { violations } = await Reflect.get(window, 'axe').run(options)
    return violations.flatMap(
      ({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    )
  }, rules)
}
