import { html, raw } from 'hono/html'
import type { Block, Page, Section } from '../content/block.ts'
import { breakableName } from '../content/grouped-menu.ts'
import type { Html } from '../content/html.ts'
import { withDates } from '../content/inline.ts'
import { blocksHtml } from '../content/to-html.ts'
import { addresses } from '../model/addresses.ts'
import { markdownFile } from './markdown-file.ts'
import { pagePolicy, tryPolicy } from './policy.ts'

export interface Frame {
  /** The menu next to the page, as HTML. */
  readonly menu: string
  readonly newest: string
  /** The public address of the site, if it is known. */
  readonly origin: string | undefined
}

/** The sections of the site for readers who call the API. */
const sections: readonly (readonly [Section, string, string])[] = [
  ['guides', '/guides/', 'Guides'],
  ['reference', '', 'Reference'],
  ['errors', '/errors/', 'Errors'],
  ['limits', '/limits/', 'Limits'],
  ['changelog', '/changelog/', 'Changelog'],
  ['try', '/try/', 'Try it'],
]

// Browsers ignore `frame-ancestors` in a `meta` element, so only the header contains it.
const metaPolicy = ({ section }: Page): string =>
  (section === 'try' ? tryPolicy : pagePolicy).replace(/; frame-ancestors [^;]*/, '')

/**
 * Renders a complete HTML page. Addresses in the page start at the site's root, and `relativeTo` makes them relative.
 */
export function pageHtml(page: Page, frame: Frame): Html {
  const hasAddress = frame.origin !== undefined && !page.htmlOnly
  const article = articleHtml(page)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${metaPolicy(page)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titleOf(page)}</title>
<meta name="description" content="${page.description}">
${hasAddress ? html`<link rel="canonical" href="${frame.origin}${page.path}">\n` : ''}<meta name="color-scheme" content="light dark">
<link rel="icon" href="/assets/icon.svg">
<link rel="stylesheet" href="/assets/site.css">
${page.htmlOnly ? '' : html`<link rel="alternate" type="text/markdown" href="${markdownFile(page.path)}">\n`}${page.section === 'changelog' ? html`<link rel="alternate" type="application/atom+xml" title="Changelog" href="${addresses.feed}">\n` : ''}<script src="/assets/theme.js"></script>
<script src="/assets/site.js" defer></script>
${(page.scripts ?? []).map((name) => html`<script src="/assets/${name}" defer></script>\n`)}</head>
<body data-version="${page.version ?? frame.newest}">
<a class="skip" href="#main">Skip to content</a>
${headerHtml(page, frame)}
<div class="frame${page.section === 'home' ? ' home' : ''}">
${frame.menu ? menuHtml(frame.menu) : ''}
<main id="main" tabindex="-1">
${article}
${footerHtml(page, String(article))}
</main>
${hasRail(page) ? '' : contentsHtml(page.blocks)}
</div>
</body>
</html>
`
}

const siteName = 'Administration API'

function titleOf({ title, version, section }: Page): string {
  if (section === 'home') return title
  const isNamed = version === undefined || title.includes(version)
  return [title, ...(isNamed ? [] : [version]), siteName].join(' · ')
}

function headerHtml(page: Page, { newest }: Frame): Html {
  const current = (section: Section) => (page.section === section ? raw(' aria-current="true"') : '')
  const link = ([section, href, label]: readonly [Section, string, string]) =>
    html`<a href="${href || `/${page.version ?? newest}/`}"${current(section)}>${label}</a>`
  return html`<header class="site-header">
<a class="brand" href="/" aria-label="${siteName}"><span>${siteName}</span></a>
<nav class="primary" aria-label="Site">${sections.map(link)}<a class="door" href="${addresses.implementers}"${current('implementers')}>Implementers</a></nav>
<search><form action="/search/" class="search-form"><input type="search" name="q" aria-label="Search" placeholder="Search" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd></form></search>
</header>`
}

function menuHtml(menu: string): Html {
  return html`<nav class="menu-switch" aria-label="Menu"><input type="checkbox" id="menu-toggle" aria-label="Section menu"><label for="menu-toggle" class="menu-label" aria-hidden="true">Menu</label></nav>
<nav class="menu" aria-label="Section">${raw(menu)}</nav>`
}

const hasRail = ({ blocks }: Page): boolean => blocks.some(({ kind }) => kind === 'rail')

/**
 * Renders the content of a page. If the page has examples, the content has three parts so that CSS can show the
 * examples next to the text or after the introduction.
 */
function articleHtml(page: Page): Html {
  const { blocks, kicker, title } = page
  const heading = html`${crumbsHtml(page)}
${kicker ? html`<p class="kicker">${kicker}</p>` : ''}
<h1>${raw(withDates(String(html`${title}`)))}</h1>`
  const at = blocks.findIndex(({ kind }) => kind === 'rail')
  if (at < 0) {
    const lead = blocks[0]?.kind === 'prose' ? 1 : 0
    return html`<article>
${heading}
${blocksHtml(blocks.slice(0, lead))}
${foldedContentsHtml(page)}
${blocksHtml(blocks.slice(lead))}
</article>`
  }
  return html`<article class="with-rail">
<div class="head">
${heading}
${blocksHtml(blocks.slice(0, at))}
</div>
${blocksHtml(blocks.slice(at, at + 1))}
<div class="rest">
${blocksHtml(blocks.slice(at + 1))}
</div>
</article>`
}

/** Returns whether the page has a "copy as Markdown" link above its title. */
const hasCopyLink = ({ section, htmlOnly }: Page): boolean =>
  !['home', 'search', 'try'].includes(section) && !htmlOnly

function crumbsHtml(page: Page): Html | '' {
  const { crumbs, switch: choices, version, path } = page
  if (!hasCopyLink(page)) return ''
  const trail = crumbs.map(([label, href]) => html`<li><a href="${href}">${label}</a></li>`)
  return html`<div class="crumb-row">${crumbs.length > 0 ? html`<nav aria-label="Breadcrumb"><ol class="crumbs">${trail}</ol></nav>` : ''}<a class="copy-page" href="${markdownFile(path)}">Copy as Markdown</a>${choices ? switchHtml(choices, version) : ''}</div>`
}

function switchHtml(choices: NonNullable<Page['switch']>, current: string | undefined): Html {
  const data = ({ prefix, mediaType }: NonNullable<(typeof choices)[number]['sends']>) =>
    html` data-prefix="${prefix}" data-media-type="${mediaType}"`
  const item = ({ version, href, exists, sends }: (typeof choices)[number]) =>
    html`<li><a href="${href}"${sends ? data(sends) : ''}${version === current ? raw(' aria-current="true"') : ''}>${version}${exists ? (href.startsWith('?') ? html` <small>${sends ? 'similar' : 'unchanged'}</small>` : '') : html` <small>not available</small>`}</a></li>`
  return html`<details class="versions"><summary>Version <b>${current ?? ''}</b></summary><ul>${choices.toReversed().map(item)}</ul></details>`
}

type Heading = Extract<Block, { kind: 'heading' }>

function contentsHtml(blocks: readonly Block[]): Html | '' {
  const found = headingsOf(blocks, 3)
  if (found.length < 2) return ''
  return html`<nav class="contents" aria-labelledby="contents-title"><p id="contents-title">On this page</p>${headingListHtml(found)}</nav>`
}

/**
 * Renders the table of contents for narrow screens, where it is above the text and collapsed. The table of contents
 * includes only the main headings.
 */
function foldedContentsHtml({ blocks, section }: Page): Html | '' {
  const found = headingsOf(blocks, 2)
  if (found.length < 2 || section === 'home') return ''
  return html`<nav class="on-this-page" aria-label="On this page"><details><summary>On this page</summary>${headingListHtml(found)}</details></nav>`
}

const headingsOf = (blocks: readonly Block[], deepest: number): Heading[] =>
  blocks.flatMap((block) => (block.kind === 'heading' && block.level <= deepest ? [block] : []))

const headingListHtml = (found: readonly Heading[]): Html =>
  html`<ul>${found.map(({ id, text, level }) => html`<li class="level-${level}"><a href="#${id}">${breakableName(text.replace(/[`*]/g, ''))}</a></li>`)}</ul>`

function footerHtml(page: Page, article: string): Html {
  const { path, htmlOnly } = page
  const hasProvenance = /class="provenance|title="Why"/.test(article)
  return html`<footer>${hasProvenance ? html`<label class="provenance-switch"><input type="checkbox" id="provenance"> Show provenance</label>` : ''}${htmlOnly || hasCopyLink(page) ? '' : html`<a href="${markdownFile(path)}">This page as Markdown</a>`}<a href="/downloads/">OpenAPI documents</a><a href="/llms.txt">llms.txt</a></footer>`
}
