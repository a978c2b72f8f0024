import type { Strength } from '@svc-admin/spec'
import { html, raw } from 'hono/html'
import { slugOf } from './inline.ts'

/** The label for each strength on the pages. */
export const labels: Readonly<Record<Strength, string>> = {
  stated: 'from the source',
  decided: 'our decision',
  open: 'unspecified',
}

/** Returns the URL of a source: a section of an RFC or of the decisions page. */
export function sourceAddress(source: string): string | undefined {
  const rfc = /^RFC (\d+)(?: §([\d.]+))?/.exec(source)
  if (rfc) {
    const section = rfc[2] ? `#section-${rfc[2].replace(/\.$/, '')}` : ''
    return `https://www.rfc-editor.org/rfc/rfc${rfc[1]}${section}`
  }
  const decision = /^decided: (.*)$/.exec(source)?.[1]
  return decision ? `/decisions/#${slugOf(decision)}` : undefined
}

/** Returns a fact's source as Markdown: a section of the specification source, a decision, or a section of an RFC. */
export function sourceText(source: string): string {
  const address = sourceAddress(source)
  if (address) return `[${source.replace('decided: ', '')}](${address})`
  return /^[\d.]+$/.test(source) ? `§ ${source}` : source
}

export const sourcesText = (sources: readonly string[]): string => sources.map(sourceText).join(', ')

/** Renders the strength and source after a name. */
export function strengthHtml(
  strength: Strength | undefined,
  source: string | undefined,
): ReturnType<typeof html> | '' {
  if (!strength) return ''
  const decision = /^decided: (.*)$/.exec(source ?? '')
  const where = decision?.[1]
    ? html`: <a href="/decisions/#${slugOf(decision[1])}">${decision[1]}</a>`
    : source
      ? html` ${/^[\d.]+$/.test(source) ? raw('§&nbsp;') : ''}${source}`
      : ''
  return html`<span class="provenance">${labels[strength]}${where}</span>`
}

/** Returns the strength and sources for a table cell. */
export const strengthText = (strength: Strength, source: string | readonly string[]): string =>
  `${labels[strength]}, ${sourcesText(typeof source === 'string' ? [source] : source)}`
