import { html, raw } from 'hono/html'
import type { Page } from '../content/block.ts'
import { groupedMenu, type MenuGroup } from '../content/grouped-menu.ts'
import type { Html } from '../content/html.ts'
import { slugOf } from '../content/inline.ts'
import { shortMethodHtml } from '../content/to-html.ts'
import { addresses, areaSlug } from '../model/addresses.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'
import { groupedGuides } from '../pages/guides.ts'

/** Creates the menu that lists the guides and then the workflows. */
export function guidesMenu(pages: readonly Page[]): string {
  const items = (below: string, overview: string) =>
    pages
      .filter(({ path }) => path.startsWith(below))
      .map(({ path, title }) => ({ label: path === below ? overview : title, href: path }))
  const guides = pages.filter(({ path }) => path.startsWith('/guides/'))
  return groupedMenu([
    ['', [{ label: 'All guides', href: '/guides/' }]],
    ...groupedGuides(guides).map(
      ([title, own]): MenuGroup => [title, own.map((page) => ({ label: page.title, href: page.path }))],
    ),
    ['Workflows', items('/workflows/', 'All workflows')],
  ])
}

/** Creates the menu that lists all pairs of versions, grouped by the older version. */
export function changelogMenu({ versions }: SiteModel, pages: readonly Page[]): string {
  const own = pages.filter(({ section }) => section === 'changelog')
  const isComparison = ({ title }: Page) => title.includes(' to ')
  return groupedMenu([
    [
      'Changelog',
      own
        .filter((page) => !isComparison(page))
        .map(({ title, path }) => ({ label: path === '/changelog/' ? 'Overview' : title, href: path })),
    ],
    ...versions.flatMap(({ id }): MenuGroup[] => {
      const found = own.filter((page) => isComparison(page) && page.title.startsWith(`${id} to `))
      const items = found.map(({ title, path }) => ({ label: title.slice(id.length + 1), href: path }))
      return items.length > 0 ? [[`From ${id}`, items]] : []
    }),
  ])
}

/**
 * Creates the menu for the API reference. The menu lists the operations in one area, and links to the other areas. A
 * menu with all operations would be longer than most pages.
 */
export function referenceMenu(version: VersionModel, area?: string): string {
  const { id, areas } = version
  const operation = ({ id: name, method, operation: source }: VersionModel['operations'][number]): Html =>
    html`<li><a href="${addresses.operation(id, name)}">${shortMethodHtml(method)}${source.deprecated ? html`<span><s>${source.summary ?? name}</s> <small>deprecated</small></span>` : (source.summary ?? name)}</a></li>`
  const own = area === undefined ? [] : (areas.get(area) ?? [])
  const others = [...areas.keys()].filter((name) => name !== area)
  return String(html`${raw(groupedMenu([['', [{ label: `Overview of ${id}`, href: addresses.version(id) }]]]))}
${own.length > 0 ? html`<p class="menu-title">${area}</p><ul>${own.map(operation)}</ul>` : ''}
${raw(
  groupedMenu([
    [
      own.length > 0 ? 'Other areas' : 'Areas',
      others.map((name) => ({ label: name, href: `${addresses.version(id)}#${slugOf(name)}` })),
    ],
    [
      'Types',
      [
        { label: 'Objects', href: `${addresses.version(id)}#schemas` },
        { label: 'Strings, numbers, arrays', href: addresses.types(id) },
      ],
    ],
    [
      'Rules',
      [
        { label: 'Roles', href: '/roles/' },
        { label: 'Downloads', href: '/downloads/' },
      ],
    ],
  ]),
)}`)
}

/** Marks the current page in the menu. If the menu doesn't contain the page, marks the nearest page above it. */
export function markCurrent(menu: string, paths: readonly string[]): string {
  const path = paths.find((each) => menu.includes(`<a href="${each}"`))
  if (path === undefined) return menu
  const start = `<a href="${path}"`
  return menu.replace(start, `${start} aria-current="${path === paths[0] ? 'page' : 'true'}"`)
}

/**
 * Creates the menu for error codes, limits and roles. Only the current section is expanded to show all of its pages.
 */
export function rulesMenu({ inputs }: SiteModel, section: Page['section']): string {
  const { errorCodes, tokenErrors, roles } = inputs.facts
  const own: Partial<Record<Page['section'], MenuGroup>> = {
    errors: [
      'Error codes',
      Object.keys({ ...errorCodes, ...tokenErrors }).map((id) => ({ label: id, href: addresses.error(id) })),
    ],
    roles: [
      'Roles',
      Object.entries(roles).map(([id, { name }]) => ({ label: name, href: addresses.role(id) })),
    ],
  }
  const group = own[section]
  return groupedMenu([
    [
      'Rules',
      [
        { label: 'All error codes', href: '/errors/' },
        { label: 'All limits', href: '/limits/' },
        { label: 'All headers', href: addresses.headers },
        { label: 'All roles', href: '/roles/' },
      ],
    ],
    ...(group ? [group] : []),
  ])
}

/**
 * Creates the menu for readers who build or test a server.
 *
 * @param part The path's first segment. Only the menu group for this segment lists all of its pages.
 */
export function implementersMenu({ inputs }: SiteModel, part: string): string {
  const areas = [...new Set(inputs.requirements.map(({ area }) => area))]
  return groupedMenu([
    [
      'Implementers',
      [
        { label: 'Overview', href: addresses.implementers },
        { label: 'Decisions', href: '/decisions/' },
        { label: 'Sandbox control', href: addresses.control },
        { label: 'Lint rules', href: addresses.lintRules },
      ],
    ],
    [
      'Conformance',
      [
        { label: 'The reference server', href: '/conformance/' },
        { label: 'Your report', href: '/conformance/report/' },
      ],
    ],
    [
      'Lifecycles',
      [
        { label: 'All lifecycles', href: '/lifecycles/' },
        ...Object.entries(part === 'lifecycles' ? inputs.facts.states : {}).map(([id, { title }]) => ({
          label: title,
          href: addresses.lifecycle(id),
        })),
      ],
    ],
    [
      'Requirements',
      [
        { label: 'All requirements', href: '/requirements/' },
        ...(part === 'requirements' ? areas : []).map((area) => ({
          label: area,
          href: addresses.requirements(areaSlug(area)),
        })),
      ],
    ],
  ])
}
