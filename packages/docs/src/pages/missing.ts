import type { Page } from '../content/block.ts'
import { prose } from '../content/block.ts'
import { link } from '../content/inline.ts'
import { addresses, type SiteModel } from '../model/site-model.ts'

/** What is shown in place of a page that is not there: hosts of static sites take `404.html` for it. */
export function missingPage({ newest, versions }: SiteModel): Page {
  const references = versions.map(({ id }) => link(id, addresses.version(id)))
  return {
    path: '/',
    title: 'This page is not there',
    description: 'The address leads nowhere.',
    section: 'search',
    htmlOnly: true,
    crumbs: [],
    blocks: [
      prose(
        `The address may be mistyped, or of another version: the newest is ${newest.id}. Search finds operations by their paths, ids and members.`,
      ),
      prose(
        `Or begin with the ${link('guides', '/guides/')}, the reference of ${references.join(', ')}, or ${link('everything by name', '/search/#lists')}.`,
      ),
    ],
  }
}
