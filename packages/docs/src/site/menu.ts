import { html, raw } from 'hono/html'
import type { Page } from '../content/block.ts'
import { groupedMenu, type MenuItem } from '../content/grouped-menu.ts'
import { type Html, methodHtml } from '../content/to-html.ts'
import { addresses, areaSlug } from '../model/addresses.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'

/** The guides, and the workflows below them. */
export function guidesMenu(pages: readonly Page[]): string {
  const items = (below: string, overview: string) =>
    pages
      .filter(({ path }) => path.startsWith(below))
      .map(({ path, title }) => ({ label: path === below ? overview : title, href: path }))
  return groupedMenu([
    ['Guides', items('/guides/', 'Overview')],
    ['Workflows', items('/workflows/', 'All workflows')],
  ])
}

/** The operations of a version by area. Schemas have a separate menu, because both lists are long. */
export function operationMenu(version: VersionModel): string {
  const operation = (each: VersionModel['operations'][number]): Html =>
    html`<li><a href="${addresses.operation(version.id, each.id)}">${methodHtml(each.method)}<span>${each.operation.summary ?? each.id}</span></a></li>`
  const area = ([name, operations]: readonly [string, VersionModel['operations']]): Html =>
    html`<details data-area="${name}"><summary>${name}</summary><ul>${operations.map(operation)}</ul></details>`
  return String(html`${versionMenu(version)}
<p class="menu-title">Operations</p>${[...version.areas].map(area)}
<p class="menu-title">Types</p><ul><li><a href="${addresses.version(version.id)}#schemas">Schemas</a></li></ul>`)
}

/** The schemas of a version, and its areas. */
export function schemaMenu(version: VersionModel): string {
  const schemas = Object.keys(version.document.components.schemas).sort()
  return String(html`${versionMenu(version)}
<p class="menu-title">Schemas</p><ul>${schemas.map((name) => html`<li><a href="${addresses.schema(version.id, name)}">${name}</a></li>`)}</ul>`)
}

const versionMenu = ({ id }: VersionModel): Html =>
  html`<ul><li><a href="${addresses.version(id)}">Overview of ${id}</a></li><li><a href="/console/${id}/">Console</a></li></ul>`

/** Marks the page in its menu, or its nearest ancestor, and opens the group. */
export function markCurrent(menu: string, up: string, paths: readonly string[]): string {
  const path = paths.find((each) => menu.includes(`<a href="${up}${each.slice(1)}"`))
  if (path === undefined) return menu
  const start = `<a href="${up}${path.slice(1)}"`
  const marked = menu.replace(start, `${start} aria-current="${path === paths[0] ? 'page' : 'true'}"`)
  const at = marked.indexOf(' aria-current="')
  const group = marked.lastIndexOf('<details data-area', at)
  const closed = marked.lastIndexOf('</details>', at)
  return group < 0 || group < closed
    ? marked
    : `${marked.slice(0, group)}<details open${marked.slice(group + 8)}`
}

/** Pages that all versions share. */
export function factsMenu({ inputs }: SiteModel): string {
  const { facts } = inputs
  const areas = [...new Set(inputs.requirements.map(({ area }) => area))]
  const items = (ids: readonly string[], href: (id: string) => string, label = (id: string) => id) =>
    ids.map((id) => ({ label: label(id), href: href(id) }))
  const group = (area: string, title: string, entries: readonly MenuItem[]): Html =>
    html`<details data-area="${area}"><summary>${title}</summary><ul>${entries.map(({ label, href }) => html`<li><a href="${href}">${label}</a></li>`)}</ul></details>`
  const overview: MenuItem[] = [
    { label: 'Error codes', href: '/errors/' },
    { label: 'Limits', href: '/limits/' },
    { label: 'Roles', href: '/roles/' },
    { label: 'Lifecycles', href: '/lifecycles/' },
    { label: 'Sandbox control', href: addresses.control },
    { label: 'Requirements', href: '/requirements/' },
    { label: 'Decisions', href: '/decisions/' },
  ]
  return String(
    html`<ul>${overview.map(({ label, href }) => html`<li><a href="${href}">${label}</a></li>`)}</ul><p class="menu-title">All pages</p>${raw(
      [
        group('errors', 'Error codes', items(Object.keys(facts.errorCodes), addresses.error)),
        group('limits', 'Limits', items(Object.keys(facts.limits), addresses.limit)),
        group(
          'roles',
          'Roles',
          items(Object.keys(facts.roles), addresses.role, (id) => facts.roles[id]?.name ?? id),
        ),
        group(
          'lifecycles',
          'Lifecycles',
          items(Object.keys(facts.states), addresses.lifecycle, (id) => facts.states[id]?.title ?? id),
        ),
        group(
          'requirements',
          'Requirements',
          items(areas, (area) => addresses.requirements(areaSlug(area))),
        ),
      ].join(''),
    )}`,
  )
}
