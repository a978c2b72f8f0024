import { html, raw } from 'hono/html'
import type { Page } from '../content/block.ts'
import { heading, prose } from '../content/block.ts'
import { link } from '../content/inline.ts'
import { addresses, type SiteModel } from '../model/site-model.ts'

/** The page of results, and where to look without a script. */
export function searchPage({ newest, versions }: SiteModel): Page {
  const choices = versions.map(
    ({ id }) => html`<option${id === newest.id ? raw(' selected') : ''}>${id}</option>`,
  )
  const form = html`<form action="/search/" class="page-search"><p><label for="search-page-input">Search</label><input type="search" id="search-page-input" name="q" autocomplete="off" spellcheck="false"></p><p><label for="search-page-version">Version, beside what all versions share</label><select id="search-page-version" name="version">${choices}</select></p></form><div id="search-page-results"><p>Every page is searched by its title, headings, text, tables and code; operations also by their paths, shapes by their members and values. A word that is nowhere is taken for a typing error, and the results say so.</p></div><noscript><p>Searching needs JavaScript. These lists name everything:</p></noscript>`
  return {
    path: '/search/',
    title: 'Search',
    description: 'Find an operation, a member, a value, an error code or a sentence of a guide.',
    section: 'search',
    crumbs: [],
    scripts: ['search-page.js'],
    blocks: [
      { kind: 'widget', html: String(form), markdown: '' },
      heading(2, 'Everything by name', 'lists'),
      prose(
        `${versions.map(({ id }) => link(`operations and schemas of ${id}`, addresses.version(id))).join(', ')}, ${link('error codes', '/errors/')}, ${link('limits', '/limits/')}, ${link('roles', '/roles/')}, ${link('lifecycles', '/lifecycles/')}, ${link('requirements', '/requirements/')}, ${link('guides', '/guides/')}.`,
      ),
    ],
  }
}
