import { heading, type Page, prose, table } from '../content/block.ts'
import { link } from '../content/inline.ts'
import { addresses, type SiteModel } from '../model/site-model.ts'

/** The documents to take away. */
export function downloadsPage({ inputs }: SiteModel): Page {
  const rows = (folder: string, title: (name: string) => string) => {
    const names = inputs.downloads.filter(({ name }) => name.startsWith(folder)).map(({ name }) => name)
    const stems = [...new Set(names.map((name) => name.replace(/\.(json|yaml)$/, '')))]
    return stems.map((stem) => [
      title(stem.slice(folder.length)),
      ...['json', 'yaml'].map((type) => link(`${stem.slice(folder.length)}.${type}`, `/${stem}.${type}`)),
    ])
  }
  const workflows = rows('arazzo/', (name) =>
    link(inputs.workflows[name]?.info.title ?? name, addresses.workflow(name)),
  )
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
      heading(2, 'OpenAPI 3.1', 'openapi'),
      table(
        ['Version', 'JSON', 'YAML'],
        rows('openapi/', (id) => link(id, addresses.version(id))),
      ),
      heading(2, 'Generate a client in another language', 'generate'),
      prose(
        `The documents are for generators too: one that reads OpenAPI 3.1 makes a client from them, in Python, Go, Java or whatever language it writes. For TypeScript there is ${link('a client of this API', `${addresses.guide('getting-started')}#install-the-client`)}, and the page of each operation has the call in curl, TypeScript, Python and Go, the last two with nothing but the standard library. Tools that send requests, such as Postman, import the same documents.`,
      ),
      ...(workflows.length > 0
        ? [
            heading(2, 'Arazzo', 'arazzo'),
            prose('The [workflows](/workflows/) are Arazzo documents: lifecycles as sequences of calls.'),
            table(['Workflow', 'JSON', 'YAML'], workflows),
          ]
        : []),
      prose(
        'For language models: [llms.txt](/llms.txt) lists every page, and every page is there as Markdown too.',
      ),
    ],
  }
}
