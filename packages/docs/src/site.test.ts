import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { siteFiles } from './build-site.ts'
import { headingSlug } from './content/to-markdown.ts'
import { areaSlug } from './model/addresses.ts'
import { compactHtml } from './site/compact.ts'
import { addMissingPage } from './site/site-files.ts'
import type { SiteFiles } from './site/sync-folder.ts'
import { built, inputs, model, pagePaths, textOf } from './testing/inputs.ts'

const [requirement] = inputs.requirements
const result = { requirement: requirement?.id, operation: 'getAlert', version: 'v1.0', verdict: 'FAIL' }
const report = {
  format: 'svc-admin-contract-report/3',
  target: 'http://x',
  kit: '1',
  summary: { FAIL: 1 },
  results: [result],
}
/** A site with verdicts and without a public address. */
const unpublished = siteFiles({ ...inputs, report }, undefined).files

const anchorsOf = (html: string): Set<string> =>
  new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id))

test('has no broken links or anchors', () => {
  const anchors = new Map(pagePaths.map((path) => [path, anchorsOf(textOf(path))]))
  const broken: string[] = []
  for (const path of pagePaths)
    for (const [, href = ''] of textOf(path).matchAll(/ (?:href|src|action|data-from)="([^"]*)"/g)) {
      if (/^(https?:|data:)/.test(href)) continue
      const url = new URL(href.replaceAll('&amp;', '&'), `https://site.invalid/${path}`)
      const target = decodeURIComponent(url.pathname.slice(1)).replace(/(^|\/)$/, '$1index.html')
      const anchor = decodeURIComponent(url.hash.slice(1))
      if (!built.files.has(target)) broken.push(`${path}: ${href}`)
      else if (anchor && !anchors.get(target)?.has(anchor)) broken.push(`${path}: ${href}`)
    }
  expect([...new Set(broken)].slice(0, 20)).toEqual([])
})

/** Returns a Markdown page's anchors, which are its headings and explicit IDs. */
const placesIn = (markdown: string): Set<string> => {
  const text = markdown.replace(/```[\s\S]*?```/g, '')
  const headings = [...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, title = '']) => headingSlug(title))
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)])
}

test('has no broken links in Markdown pages', () => {
  const paths = [...built.files.keys()].filter((each) => each.endsWith('.md') || each === 'llms.txt')
  const places = new Map(paths.map((path) => [path, placesIn(textOf(path))]))
  const broken: string[] = []
  let placed = 0
  for (const path of paths)
    for (const [, href = ''] of textOf(path)
      .replace(/```[\s\S]*?```|(?<!\[)`[^`\n]*`(?!\])/g, '')
      .matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)) {
      if (/^https?:/.test(href)) continue
      const url = new URL(href, `https://site.invalid/${path}`)
      const target = decodeURIComponent(url.pathname.slice(1))
      const place = decodeURIComponent(url.hash.slice(1))
      if (place) placed += 1
      if (!built.files.has(target)) broken.push(`${path}: ${href}`)
      else if (place && places.get(target)?.has(place) === false) broken.push(`${path}: ${href}`)
    }
  expect([...new Set(broken)].slice(0, 20)).toEqual([])
  expect(placed).toBeGreaterThan(2000)
})

test('has unique ids on each page', () => {
  const repeated = pagePaths.flatMap((path) => {
    const ids = [...textOf(path).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    return ids.length === new Set(ids).size
      ? []
      : [`${path}: ${ids.find((id, index) => ids.indexOf(id) !== index)}`]
  })
  expect(repeated).toEqual([])
})

test('names every table column', () => {
  expect(pagePaths.filter((path) => /<th[^>]*>\s*<\/th>/.test(textOf(path)))).toEqual([])
})

test('has no inline scripts, styles or event handlers', () => {
  const found = pagePaths.filter((path) =>
    /<script(?![^>]* src=)|<style| style="| on[a-z]+="/.test(textOf(path)),
  )
  expect(found).toEqual([])
})

test('compresses every page to at most 30 kB', () => {
  // Smaller pages don't have to be compressed, because they are below the limit anyway.
  const large = pagePaths.filter((path) => Buffer.byteLength(textOf(path)) > 29_000)
  const heavy = large.filter((path) => gzipSync(textOf(path)).length > 30_000)
  expect(heavy).toEqual([])
})

test('has an address for every operation and schema of every version, which leads to a page', () => {
  const redirects = new Map(
    textOf('_redirects')
      .split('\n')
      .map((line): [string, string] => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? '']),
  )
  const addresses = model.versions.flatMap(({ id, document }) => [
    ...[...model.operationIds.keys()].map((name) => `/${id}/operations/${name}/`),
    ...Object.keys(document.components.schemas).map((name) => `/${id}/schemas/${name}/`),
  ])
  const lost = addresses.filter((address) => {
    const [path = '', anchor] = (redirects.get(address) ?? address).replace(/\?[^#]*/, '').split('#')
    const page = built.files.get(`${path.slice(1)}index.html`)
    return page === undefined || (anchor !== undefined && !String(page).includes(` id="${anchor}"`))
  })
  expect(lost).toEqual([])
  expect(redirects.get('/2023-01-01/operations/getAlert/')).toBe(
    `/${model.newest.id}/operations/getAlert/?version=2023-01-01`,
  )
  const [first = ''] = Object.keys(inputs.facts.limits)
  expect(redirects.get(`/limits/${first}/`)).toBe(`/limits/#${first}`)
})

test('writes a page that several versions share once', () => {
  for (const version of model.versions)
    for (const { id } of version.operations)
      expect(built.files.has(`${version.id}/operations/${id}/index.html`), `${version.id} ${id}`).toBe(
        model.spans.operation(version, id).at(-1) === version,
      )
})

test('has at most 1,200 files and 12 MB without reports', () => {
  expect(built.files.size).toBeLessThanOrEqual(1200)
  const sizeOf = ([path, content]: readonly [string, string | Uint8Array]) =>
    Buffer.byteLength(path.endsWith('.html') ? compactHtml(String(content)) : content)
  const total = [...built.files].reduce((sum, file) => sum + sizeOf(file), 0)
  expect(total).toBeLessThanOrEqual(12_000_000)
})

test('has a page for every error code, role and lifecycle, and an address for every requirement', () => {
  const { facts, requirements } = inputs
  const wanted = [
    ...Object.keys(facts.errorCodes).map((name) => `errors/${name}`),
    ...Object.keys(facts.tokenErrors).map((name) => `errors/${name}`),
    ...Object.keys(facts.roles).map((name) => `roles/${name}`),
    ...Object.keys(facts.states).map((name) => `lifecycles/${name}`),
  ]
  expect(
    wanted.filter((path) => !built.files.has(`${path}/index.html`) || !built.files.has(`${path}.md`)),
  ).toEqual([])
  const ledger = pagePaths
    .filter((path) => path.startsWith('requirements/'))
    .map(textOf)
    .join('')
  expect(requirements.filter(({ id }) => !ledger.includes(`<tr id="${id}">`))).toEqual([])
})

test('loads the assets of the 404 page from any address', () => {
  const addressesAt = (origin: string) => {
    const files: SiteFiles = new Map()
    addMissingPage(model, files, origin)
    return [...String(files.get('404.html')).matchAll(/ (?:href|src|action)="([^"#]+)/g)].map(
      ([, to = '']) => to,
    )
  }
  const below = addressesAt('https://docs.example.com/below')
  expect(below.length).toBeGreaterThan(10)
  expect(below.filter((to) => !to.startsWith('/below/'))).toEqual([])
  expect(addressesAt('https://docs.example.com')).toEqual(below.map((to) => to.replace('/below', '')))
})

test('offers the Markdown of every page except the 404 page once', () => {
  const countIn = (path: string) => textOf(path).match(/as Markdown<\/a>/g)?.length ?? 0
  const isRedirect = (path: string) => textOf(path).includes('http-equiv="refresh"')
  const pages = pagePaths.filter((path) => path !== '404.html' && !isRedirect(path))
  expect(pages.filter((path) => countIn(path) !== 1)).toEqual([])
  expect(countIn('404.html')).toBe(0)
})

test('has no title with the version twice', () => {
  const titles = pagePaths.map((path) => /<title>(.*)<\/title>/.exec(textOf(path))?.[1] ?? '')
  const repeated = titles.filter((title) =>
    model.versions.some(
      ({ id }) => title.split(' · ').some((part) => part === id) && title.split(id).length > 2,
    ),
  )
  expect(repeated).toEqual([])
})

test('builds the same files twice', () => {
  const again = siteFiles(inputs, 'https://docs.example.com').files
  expect([...again.keys()]).toEqual([...built.files.keys()])
  const different = [...again].filter(
    ([path, content]) => !Buffer.from(content).equals(Buffer.from(built.files.get(path) ?? '')),
  )
  expect(different.map(([path]) => path)).toEqual([])
})

test('lists the pages in the site map and in llms.txt', () => {
  expect(textOf('sitemap.xml')).toContain(`<loc>https://docs.example.com/${model.newest.id}/</loc>`)
  for (const { id } of model.newest.operations)
    expect(textOf('llms.txt')).toContain(`(${model.newest.id}/operations/${id}.md)`)
})

test('uses the public address in pages and the site map only if it is known', () => {
  const path = `${model.newest.id}/index.html`
  expect(textOf(path)).toContain(`<link rel="canonical" href="https://docs.example.com/${model.newest.id}/">`)
  expect(textOf('404.html')).not.toContain('canonical')
  expect(unpublished.has('sitemap.xml')).toBe(false)
  expect(unpublished.get('robots.txt')).toBe('User-agent: *\nAllow: /\n')
  expect(unpublished.get(path)).not.toContain('canonical')
})

test('shows verdicts by area and version and the cases of each requirement', () => {
  const area = `requirements/${areaSlug(requirement?.area ?? '')}/index.html`
  for (const path of ['conformance/index.html', area])
    expect(unpublished.get(path)).toContain('<span class="badge verdict-fail">FAIL 1</span>')
  expect(unpublished.get(area)).toContain('<code>getAlert</code> 1')
  expect(textOf('conformance/index.html')).not.toContain('verdict-fail')
})
