import type { Page } from '../content/block.ts'
import { groupedMenu } from '../content/grouped-menu.ts'
import { pageMarkdown, withPlaces } from '../content/to-markdown.ts'
import type { SiteModel } from '../model/site-model.ts'
import { conformanceMenu } from '../pages/conformance.ts'
import { missingPage } from '../pages/missing.ts'
import { type Frame, pageHtml } from './layout.ts'
import { factsMenu, guidesMenu, markCurrent, operationMenu, schemaMenu } from './menu.ts'
import { policies } from './policy.ts'
import type { SiteFiles } from './sync-folder.ts'

/** The public address of the site, without a trailing slash, if it is known. */
export type Origin = string | undefined

/** Adds every page as HTML and as Markdown. */
export function addPages(model: SiteModel, pages: readonly Page[], files: SiteFiles, origin: Origin): void {
  const menus = menusOf(model, pages)
  const relativeMenus = new Map<string, string>()
  for (const page of pages) {
    const up = upFrom(page.path)
    const whole = menus(page)
    // Menus are long, and identical for all pages of a version at one depth.
    const key = `${page.section} ${page.menu} ${page.version} ${up}`
    const relative = relativeMenus.get(key) ?? relativeTo(page.path, whole)
    relativeMenus.set(key, relative)
    const menu = markCurrent(relative, up, [page.path, ...page.crumbs.map(([, href]) => href).reverse()])
    const frame: Frame = { menu, newest: model.newest.id, origin }
    files.set(`${page.path.slice(1)}index.html`, pageText(page, frame))
    for (const [name, text] of Object.entries(page.data ?? {}))
      files.set(`${page.path.slice(1)}${name}`, text)
  }
  for (const [path, text] of markdownOf(pages)) files.set(`${path.slice(1)}index.md`, text)
}

/** Every page as Markdown, with the ids that other pages link to. */
function markdownOf(pages: readonly Page[]): Map<string, string> {
  const texts = pages.map((page) => [page.path, pageMarkdown(page)] as const)
  const linked = new Set(
    texts.flatMap(([own, text]) =>
      [...text.matchAll(/\]\((\/[^)\s#?]*)?(?:\?[^)\s#]*)?#([^)\s]+)/g)].map(
        ([, path = own, id = '']) => `${path}#${decodeURIComponent(id)}`,
      ),
    ),
  )
  return new Map(
    texts.map(([path, text]) => {
      const placed = withPlaces(text, (id) => linked.has(`${path}#${id}`))
      return [path, markdownRelativeTo(path, placed)]
    }),
  )
}

function menusOf(model: SiteModel, pages: readonly Page[]): (page: Page) => string {
  const operations = new Map(model.versions.map((version) => [version.id, operationMenu(version)]))
  const schemas = new Map(model.versions.map((version) => [version.id, schemaMenu(version)]))
  const facts = factsMenu(model)
  const of = (section: Page['section'], title: string) =>
    groupedMenu([
      [
        title,
        pages
          .filter((page) => page.section === section)
          .map((page) => ({ label: page.crumbs.length > 0 ? page.title : 'Overview', href: page.path })),
      ],
    ])
  const guides = guidesMenu(pages)
  const changelog = of('changelog', 'Changelog')
  return ({ section, version, menu }) => {
    if (section === 'reference')
      return (menu === 'schemas' ? schemas : operations).get(version ?? model.newest.id) ?? ''
    if (section === 'facts') return facts
    if (section === 'guides') return guides
    if (section === 'changelog') return changelog
    return section === 'conformance' ? conformanceMenu(model) : ''
  }
}

const upFrom = (path: string): string => '../'.repeat(path.split('/').length - 2) || './'

/** Makes addresses relative, so that the site works under any path. */
export function relativeTo(path: string, html: string): string {
  return addressedFrom(upFrom(path), html)
}

const addressedFrom = (root: string, html: string): string =>
  html.replace(/ (href|src|action|data-from)="\/(?!\/)/g, ` $1="${root}`)

/** The menu is half of a page, and its addresses are already relative. */
function pageText(page: Page, { menu, ...frame }: Frame): string {
  const place = '<!--menu-->'
  const text = relativeTo(page.path, String(pageHtml(page, { ...frame, menu: menu && place })))
  return text.replace(place, () => menu)
}

/** The same for Markdown, with links to the Markdown files. */
export function markdownRelativeTo(path: string, markdown: string): string {
  const up = upFrom(path)
  return markdown.replace(/\]\(\/([^)\s#?]*)([#?][^)\s]*)?\)/g, (_, target: string, rest = '') =>
    target === '' || target.endsWith('/') ? `](${up}${target}index.md${rest})` : `](${up}${target}${rest})`,
  )
}

/** Adds the 404 page. It is served at any address, so its links start at the root of the host. */
export function addMissingPage(model: SiteModel, files: SiteFiles, origin: Origin): void {
  const root = origin === undefined ? '/' : new URL(origin).pathname.replace(/\/?$/, '/')
  const text = String(pageHtml(missingPage(model), { menu: '', newest: model.newest.id }))
  files.set('404.html', addressedFrom(root, text))
}

/** Adds files other than pages: documents, `llms.txt`, the site map, the headers. */
export function addExtras(model: SiteModel, pages: readonly Page[], files: SiteFiles, origin: Origin): void {
  for (const { name, text } of model.inputs.downloads) files.set(name, text)
  const listed = pages.filter(({ blocks }) => blocks.length > 0)
  files.set('llms.txt', llmsText(model, listed))
  // A site map requires absolute addresses, and a guessed one would point to another host.
  if (origin !== undefined) files.set('sitemap.xml', siteMap(listed, origin))
  const map = origin === undefined ? '' : `Sitemap: ${origin}/sitemap.xml\n`
  files.set('robots.txt', `User-agent: *\nAllow: /\n${map}`)
  files.set('headers.json', `${JSON.stringify({ 'content-security-policy': policies }, null, 2)}\n`)
}

function llmsText({ newest, versions }: SiteModel, pages: readonly Page[]): string {
  const line = ({ title, path, description }: Page) =>
    `- [${title}](${path.slice(1)}index.md): ${description}`
  const group = (title: string, of: (page: Page) => boolean) => [
    `## ${title}`,
    '',
    ...pages.filter(of).map(line),
    '',
  ]
  return [
    `# ${newest.document.info.title.replace(` ${newest.id}`, '')}`,
    '',
    `> ${String(newest.document.info.summary ?? '')} Every page is also available as Markdown. The newest version is ${newest.id}.`,
    '',
    ...group('Guides', ({ section }) => section === 'guides'),
    ...group(
      `Reference ${newest.id}`,
      ({ section, version }) => section === 'reference' && version === newest.id,
    ),
    ...group('Rules', ({ section }) => section === 'facts'),
    ...group('Changelog', ({ section }) => section === 'changelog'),
    '## Optional',
    '',
    ...versions.map(({ id }) => `- [OpenAPI ${id}](openapi/${id}.yaml): the complete document.`),
    ...pages.filter(({ path, version }) => version !== undefined && path === `/${version}/`).map(line),
    '',
  ].join('\n')
}

function siteMap(pages: readonly Page[], origin: string): string {
  const urls = pages.map(({ path }) => `<url><loc>${origin}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
}
