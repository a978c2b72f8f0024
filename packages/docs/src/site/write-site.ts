import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { policies } from '../console/policy.ts'
import type { Page } from '../content/block.ts'
import { pageMarkdown } from '../content/to-markdown.ts'
import type { SiteModel } from '../model/site-model.ts'
import { conformanceMenu } from '../pages/conformance.ts'
import { type Frame, pageHtml } from './layout.ts'
import { factsMenu, groupedMenu, markCurrent, referenceMenu } from './menu.ts'

/** Writes one file below the folder of the site. */
export type Write = (path: string, text: string) => void

export function writerTo(site: string): Write {
  const made = new Set<string>()
  return (path, text) => {
    const file = join(site, path)
    const folder = dirname(file)
    if (!made.has(folder)) mkdirSync(folder, { recursive: true })
    made.add(folder)
    writeFileSync(file, text)
  }
}

/** Writes every page as HTML and as Markdown. */
export function writePages(model: SiteModel, pages: readonly Page[], write: Write): void {
  const menus = menusOf(model, pages)
  for (const page of pages) {
    const menu = markCurrent(menus(page), page.path)
    const frame: Frame = { menu, newest: model.newest.id }
    write(`${page.path}index.html`, relativeTo(page.path, String(pageHtml(page, frame))))
    write(`${page.path}index.md`, markdownRelativeTo(page.path, pageMarkdown(page)))
    for (const [name, text] of Object.entries(page.data ?? {})) write(`${page.path}${name}`, text)
  }
}

function menusOf(model: SiteModel, pages: readonly Page[]): (page: Page) => string {
  const reference = new Map(model.versions.map((version) => [version.id, referenceMenu(version)]))
  const facts = factsMenu(model)
  const of = (section: Page['section'], title: string) =>
    groupedMenu([
      [
        title,
        pages
          .filter((page) => page.section === section)
          .map((page) => ({ label: page.title, href: page.path })),
      ],
    ])
  const [guides, changelog] = [of('guides', 'Guides'), of('changelog', 'Changelog')]
  return ({ section, version }) => {
    if (section === 'reference') return reference.get(version ?? model.newest.id) ?? ''
    if (section === 'facts') return facts
    if (section === 'guides') return guides
    if (section === 'changelog') return changelog
    return section === 'conformance' ? conformanceMenu(model) : ''
  }
}

const upFrom = (path: string): string => '../'.repeat(path.split('/').length - 2) || './'

/** Addresses from the root become relative, so that the site works below any address. */
export function relativeTo(path: string, html: string): string {
  const up = upFrom(path)
  return html.replace(/ (href|src|action|data-from)="\/(?!\/)/g, ` $1="${up}`)
}

/** The same for Markdown, where the address of a page is that of its Markdown. */
export function markdownRelativeTo(path: string, markdown: string): string {
  const up = upFrom(path)
  return markdown.replace(/\]\(\/([^)\s#?]*)([#?][^)\s]*)?\)/g, (_, target: string, rest = '') =>
    target === '' || target.endsWith('/') ? `](${up}${target}index.md${rest})` : `](${up}${target}${rest})`,
  )
}

/** Writes what is not a page: documents, the list for language models, the site map, the headers to send. */
export function writeExtras(
  model: SiteModel,
  pages: readonly Page[],
  site: string,
  write: Write,
  origin: string,
): void {
  for (const { name, file } of model.inputs.downloads) {
    mkdirSync(dirname(join(site, name)), { recursive: true })
    copyFileSync(file, join(site, name))
  }
  const listed = pages.filter(({ blocks }) => blocks.length > 0)
  write('llms.txt', llmsText(model, listed))
  write('sitemap.xml', siteMap(listed, origin))
  write('robots.txt', `User-agent: *\nAllow: /\nSitemap: ${origin}/sitemap.xml\n`)
  write('headers.json', `${JSON.stringify({ 'content-security-policy': policies }, null, 2)}\n`)
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
    `> ${String(newest.document.info.summary ?? '')} Every page is also there as Markdown. The newest version is ${newest.id}.`,
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
    ...versions.map(({ id }) => `- [OpenAPI ${id}](openapi/${id}.yaml): the whole document.`),
    ...pages.filter(({ path, version }) => version !== undefined && path === `/${version}/`).map(line),
    '',
  ].join('\n')
}

function siteMap(pages: readonly Page[], origin: string): string {
  const urls = pages.map(({ path }) => `<url><loc>${origin}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
}
