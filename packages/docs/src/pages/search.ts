import { html, raw } from 'hono/html'
import type { Page } from '../content/block.ts'
import { heading, prose } from '../content/block.ts'
import { link } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import type { SiteModel } from '../model/site-model.ts'

/** Creates the search page. Without JavaScript, the page lists all pages instead. */
export function searchPage({ newest, versions }: SiteModel): Page {
  const choices = versions.map(
    ({ id }) => html`<option${id === newest.id ? raw(' selected') : ''}>${id}</option>`,
  )
  const form = html`<form action="/search/" class="page-search"><p><label for="search-page-input" class="visually-hidden">Search</label><input type="search" id="search-page-input" name="q" autocomplete="off" spellcheck="false"></p><p><label for="search-page-version" class="visually-hidden">Version</label><select id="search-page-version" name="version">${choices}</select></p></form><div id="search-page-results"><p>Search titles, headings, text, tables and code of all pages, paths of operations, and fields and values of schemas. If a word isn’t found, the search tries to correct typos, and shows a message if it does.</p></div><noscript><p>Search requires JavaScript. Use these lists instead:</p></noscript>`
  return {
    path: '/search/',
    title: 'Search',
    description: 'Search operations, fields, values, error codes and guides.',
    section: 'search',
    crumbs: [],
    scripts: ['search-page.js'],
    blocks: [
      { kind: 'widget', html: String(form), markdown: '' },
      heading(2, 'Browse by name', 'lists'),
      prose(
        `${versions.map(({ id }) => link(`operations and schemas of ${id}`, addresses.version(id))).join(', ')}, ${link('error codes', '/errors/')}, ${link('limits', '/limits/')}, ${link('roles', '/roles/')}, ${link('lifecycles', '/lifecycles/')}, ${link('requirements', '/requirements/')}, ${link('guides', '/guides/')}.`,
      ),
    ],
  }
}
