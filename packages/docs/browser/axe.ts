import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** The success criteria of WCAG to level AA; beside them what lies outside of every landmark is found. */
const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The rules that depend on colors. Only these run again if only the color scheme changes. */
export const colorRules = ['color-contrast', 'link-in-text-block']

/** What axe finds on a page, a line for each. */
export async function findings(page: Page, rules: readonly string[] = everyRule): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  return page.evaluate(async (runOnly) => {
    // Without `resultTypes` it describes each node that passes, which takes a third of the time.
    // The parts of the console are laid out by its renderer.
    const region = { enabled: !location.pathname.startsWith('/console/') }
    const options = { runOnly, rules: { region }, resultTypes: ['violations'] }
    const { violations } = await Reflect.get(window, 'axe').run(options)
    return violations.flatMap(
      ({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    )
  }, rules)
}
