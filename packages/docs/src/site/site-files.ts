import { brunoArchive } from '../collections/bruno.ts'
import { postmanCollection } from '../collections/postman.ts'
import type { Page } from '../content/block.ts'
import { pageMarkdown, withPlaces } from '../content/to-markdown.ts'
import { addresses } from '../model/addresses.ts'
import type { SiteModel } from '../model/site-model.ts'
import { missingPage } from '../pages/missing.ts'
import { type Aliases, redirectsText, resolveAlias } from './aliases.ts'
import { feedText } from './feed.ts'
import { pageHtml } from './layout.ts'
import { markdownFile } from './markdown-file.ts'
import { changelogMenu, guidesMenu, implementersMenu, markCurrent, referenceMenu, rulesMenu } from './menu.ts'
import { policies } from './policy.ts'
import { relativeAddress } from './relative.ts'
import type { SiteFiles } from './sync-folder.ts'

/** The public address of the site without a slash at the end, if the address is known. */
export type Origin = string | undefined

export interface Setting {
  readonly origin: Origin
  readonly aliases: Aliases
}

/** Adds an HTML file and a Markdown file for every page. */
export function addPages(
  model: SiteModel,
  pages: readonly Page[],
  files: SiteFiles,
  { origin, aliases }: Setting,
): void {
  const menus = menusOf(model, pages)
  for (const page of pages) {
    const menu = markCurrent(menus(page), [page.path, ...page.crumbs.map(([, href]) => href).reverse()])
    const text = String(pageHtml(page, { menu, newest: model.newest.id, origin }))
    files.set(`${page.path.slice(1)}index.html`, relativeTo(page.path, text, aliases))
    for (const [name, data] of Object.entries(page.data ?? {}))
      files.set(`${page.path.slice(1)}${name}`, data)
  }
  for (const [path, text] of markdownOf(pages, aliases)) files.set(markdownFile(path).slice(1), text)
}

/** Renders every page as Markdown. If another page links to an ID, the Markdown contains a link target with this ID. */
function markdownOf(pages: readonly Page[], aliases: Aliases): Map<string, string> {
  const texts = pages.map((page) => [page.path, withoutAliases(pageMarkdown(page), aliases)] as const)
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

const withoutAliases = (markdown: string, aliases: Aliases): string =>
  markdown.replace(/\]\((\/[^)\s]*)/g, (_, address: string) => `](${resolveAlias(aliases, address, false)}`)

function menusOf(model: SiteModel, pages: readonly Page[]): (page: Page) => string {
  const guides = guidesMenu(pages)
  const changelog = changelogMenu(model, pages)
  const known = new Map<string, string>()
  const once = (key: string, menu: () => string) => {
    const found = known.get(key) ?? menu()
    known.set(key, found)
    return found
  }
  return ({ section, version, area, path }) => {
    if (section === 'errors' || section === 'roles' || section === 'limits') return rulesMenu(model, section)
    if (section === 'guides') return guides
    if (section === 'changelog') return changelog
    const [, part = ''] = path.split('/')
    if (section === 'implementers') return once(part, () => implementersMenu(model, part))
    if (section !== 'reference') return ''
    const found = model.versions.find(({ id }) => id === version) ?? model.newest
    return once(`${version} ${area}`, () => referenceMenu(found, area))
  }
}

const noAliases: Aliases = new Map()

/** Makes the addresses in HTML relative, which allows the site to be hosted under any path. */
export function relativeTo(path: string, html: string, aliases: Aliases = noAliases): string {
  const known = new Map<string, string>()
  return withAddresses(html, (address) => {
    const found = known.get(address) ?? relativeAddress(path, resolveAlias(aliases, address, true))
    known.set(address, found)
    return found
  })
}

const withAddresses = (html: string, addressOf: (address: string) => string): string =>
  html.replace(
    / (href|src|action|data-from)="(\/(?!\/)[^"]*)"/g,
    (_, name: string, address: string) => ` ${name}="${addressOf(address)}"`,
  )

/** Makes the addresses in Markdown relative. Links to pages are replaced with links to their Markdown files. */
export function markdownRelativeTo(path: string, markdown: string): string {
  const own = markdownFile(path)
  const folder = own.slice(0, own.lastIndexOf('/') + 1)
  return markdown.replace(/\]\((\/[^)\s#?]*)([#?][^)\s]*)?\)/g, (_, target: string, rest = '') => {
    const file = target.endsWith('/') ? markdownFile(target) : target
    return file === own && rest ? `](${rest})` : `](${relativeAddress(folder, file)}${rest})`
  })
}

/** Adds the 404 page. A server may return this page for any address, so its links are relative to the host's root. */
export function addMissingPage(model: SiteModel, files: SiteFiles, origin: Origin): void {
  const root = origin === undefined ? '/' : new URL(origin).pathname.replace(/\/?$/, '/')
  const text = String(pageHtml(missingPage(model), { menu: '', newest: model.newest.id, origin: undefined }))
  files.set(
    '404.html',
    withAddresses(text, (address) => root + address.slice(1)),
  )
}

/** Adds all files that aren't pages, such as the documents, `llms.txt`, the sitemap and the headers. */
export function addExtras(
  model: SiteModel,
  pages: readonly Page[],
  files: SiteFiles,
  { origin, aliases }: Setting,
): void {
  for (const { name, text } of model.inputs.downloads) files.set(name, text)
  for (const version of model.versions) {
    files.set(addresses.postman(version.id).slice(1), `${JSON.stringify(postmanCollection(version))}\n`)
    files.set(addresses.bruno(version.id).slice(1), brunoArchive(version))
  }
  files.set('_redirects', redirectsText(aliases, Object.keys(model.inputs.facts.limits)))
  const listed = pages.filter(({ blocks }) => blocks.length > 0)
  files.set('llms.txt', llmsText(model, listed))
  files.set(addresses.feed.slice(1), feedText(model, origin))
  // A sitemap requires absolute addresses, so it is omitted if the site's public address is unknown.
  if (origin !== undefined) files.set('sitemap.xml', siteMap(listed, origin))
  const map = origin === undefined ? '' : `Sitemap: ${origin}/sitemap.xml\n`
  files.set('robots.txt', `User-agent: *\nAllow: /\n${map}`)
  files.set('headers.json', `${JSON.stringify({ 'content-security-policy': policies }, null, 2)}\n`)
}

function llmsText({ newest, versions }: SiteModel, pages: readonly Page[]): string {
  const line = ({ title, path, description }: Page) =>
    `- [${title}](${markdownFile(path).slice(1)}): ${description}`
  const group = (title: string, of: (page: Page) => boolean) => [
    `## ${title}`,
    '',
    ...pages.filter(of).map(line),
    '',
  ]
  return [
    `# ${newest.document.info.title}`,
    '',
    `> ${String(newest.document.info.summary ?? '')} Every page is also available as Markdown. The newest version is ${newest.id}.`,
    '',
    ...group('Guides', ({ section }) => section === 'guides'),
    ...group(
      `Reference ${newest.id}`,
      ({ section, version }) => section === 'reference' && version === newest.id,
    ),
    ...group('Rules', ({ section }) => section === 'errors' || section === 'limits' || section === 'roles'),
    ...group('Implementers', ({ section }) => section === 'implementers'),
    ...group('Changelog', ({ section }) => section === 'changelog'),
    '## Optional',
    '',
    ...versions.map(({ id }) => `- [OpenAPI ${id}](openapi/${id}.json): the complete document.`),
    ...pages.filter(({ path, version }) => version !== undefined && path === `/${version}/`).map(line),
    '',
  ].join('\n')
}

function siteMap(pages: readonly Page[], origin: string): string {
  const urls = pages.map(({ path }) => `<url><loc>${origin}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
}
