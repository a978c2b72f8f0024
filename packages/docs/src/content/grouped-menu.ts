import { html, raw } from 'hono/html'
import type { Html } from './html.ts'
import { withDates } from './inline.ts'

/** A link of a menu. */
export interface MenuItem {
  readonly label: string
  readonly href: string
}

/** Links below a title, which can be empty. */
export type MenuGroup = readonly [title: string, items: readonly MenuItem[]]

/** Groups of links. Each label is one element; otherwise dates in it would become separate columns. */
export function groupedMenu(groups: readonly MenuGroup[]): string {
  return String(
    html`${groups.map(([title, items]) => html`${title ? html`<p class="menu-title">${title}</p>` : ''}<ul>${items.map(({ label, href }) => html`<li><a href="${href}"><span>${raw(withDates(String(breakableName(label))))}</span></a></li>`)}</ul>`)}`,
  )
}

/** Long names can break between their words. */
export const breakableName = (text: string): Html =>
  html`${text.split(/(?<=_)(?=[^_])|(?<=[a-z0-9])(?=[A-Z])/).map((part, at) => html`${at > 0 ? raw('<wbr>') : ''}${part}`)}`
