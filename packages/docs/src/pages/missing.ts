import type { Page } from '../content/block.ts'
import { prose } from '../content/block.ts'
import { link } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import type { SiteModel } from '../model/site-model.ts'

/** Creates the page for unknown addresses, which static hosts serve as `404.html`. */
export function missingPage({ newest, versions }: SiteModel): Page {
  const references = versions.map(({ id }) => link(id, addresses.version(id)))
  return {
    path: '/',
    title: 'Page not found',
    description: 'This address doesn’t exist.',
    section: 'search',
    htmlOnly: true,
    scripts: ['missing.js'],
    crumbs: [],
    blocks: [
      prose(`Check the address and the version. The newest version is ${newest.id}.`, 'lead'),
      {
        kind: 'widget',
        html: '<form action="/search/" class="page-search"><p><label for="search-page-input" class="visually-hidden">Search</label><input type="search" id="search-page-input" name="q" placeholder="Search by path, operation or field" autocomplete="off" spellcheck="false"></p></form>',
        markdown: '',
      },
      prose(
        `You can also start with the ${link('guides', '/guides/')}, the reference of ${references.join(', ')}, or ${link('the list of all pages', '/search/#lists')}.`,
      ),
    ],
  }
}
