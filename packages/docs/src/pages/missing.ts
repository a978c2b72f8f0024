import type { Page } from '../content/block.ts'
import { prose } from '../content/block.ts'
import { link } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import type { SiteModel } from '../model/site-model.ts'

/** The page for unknown addresses. Static hosts serve it as `404.html`. */
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
      prose(
        `Check the address and the version; the newest version is ${newest.id}. You can also search for operations by path, ID or field.`,
      ),
      prose(
        `Or start with the ${link('guides', '/guides/')}, the reference of ${references.join(', ')}, or ${link('the list of all pages', '/search/#lists')}.`,
      ),
    ],
  }
}
