import { type Page, prose, table } from '../content/block.ts'
import { link } from '../content/inline.ts'
import type { SiteModel } from '../model/site-model.ts'

/** The documents to take away. */
export function downloadsPage({ inputs }: SiteModel): Page {
  const rows = (folder: string) =>
    inputs.downloads
      .filter(({ name }) => name.startsWith(folder))
      .map(({ name }) => [link(name.slice(folder.length), `/${name}`)])
  const workflows = rows('arazzo/')
  return {
    path: '/downloads/',
    title: 'Downloads',
    description: 'The OpenAPI documents of every version, and the workflows.',
    section: 'reference',
    crumbs: [],
    blocks: [
      prose(
        'Each document is complete: every reference in it is local. The console shows the same documents.',
      ),
      table(['OpenAPI 3.1'], rows('openapi/')),
      ...(workflows.length > 0
        ? [
            prose('The [workflows](/workflows/) are Arazzo documents: lifecycles as sequences of calls.'),
            table(['Arazzo'], workflows),
          ]
        : []),
      prose(
        'For language models: [llms.txt](/llms.txt) lists every page, and every page is there as Markdown too.',
      ),
    ],
  }
}
