import { html, raw } from 'hono/html'
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
    html`${groups.map(([title, items]) => html`${title ? html`<p class="menu-title">${title}</p>` : ''}<ul>${items.map(({ label, href }) => html`<li><a href="${href}"><span>${raw(withDates(plainHtml(label)))}</span></a></li>`)}</ul>`)}`,
  )
}

const plainHtml = (text: string): string => String(html`${text}`)
