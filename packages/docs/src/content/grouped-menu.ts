import { html, raw } from 'hono/html'
import type { Html } from './html.ts'
import { withDates } from './inline.ts'

export interface MenuItem {
  readonly label: string
  readonly href: string
}

/** Links below a title. The title can be empty. */
export type MenuGroup = readonly [title: string, items: readonly MenuItem[]]

export function groupedMenu(groups: readonly MenuGroup[]): string {
  return String(
    html`${groups.map(([title, items]) => html`${title ? html`<p class="menu-title">${title}</p>` : ''}<ul>${items.map(({ label, href }) => html`<li><a href="${href}">${raw(withDates(String(breakableName(label))))}</a></li>`)}</ul>`)}`,
  )
}

/** Allows line breaks between the words of long names. */
export const breakableName = (text: string): Html =>
  html`${text.split(/(?<=_)(?=[^_])|(?<=[a-z0-9])(?=[A-Z])/).map((part, at) => html`${at > 0 ? raw('<wbr>') : ''}${part}`)}`
