import { type Block, heading, type Page, prose, table } from '../content/block.ts'
import { code, codeLink, link } from '../content/inline.ts'
import { addresses, type SiteModel, type VersionModel } from '../model/site-model.ts'

const control = 'control'

/** The documents to take away. */
export function downloadsPage({ inputs, newest }: SiteModel): Page {
  const rows = (folder: string, title: (name: string) => string | undefined) => {
    const names = inputs.downloads.map(({ name }) => name).filter((name) => name.startsWith(folder))
    const stems = [...new Set(names.map((name) => name.replace(/\.(json|yaml)$/, '')))]
    return stems.flatMap((stem) => {
      const name = stem.slice(folder.length)
      const shown = title(name)
      const files = ['json', 'yaml'].map((type) => link(`${name}.${type}`, `/${stem}.${type}`))
      return shown === undefined ? [] : [[shown, ...files]]
    })
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
        rows('openapi/', (id) => (id === control ? undefined : link(id, addresses.version(id)))),
      ),
      heading(2, 'The sandbox', 'control'),
      prose('What steers a sandbox is no part of the API, and has a document of its own.'),
      table(
        ['Interface', 'JSON', 'YAML'],
        rows('openapi/', (id) => (id === control ? link('Sandbox control', addresses.control) : undefined)),
      ),
      heading(2, 'Generate a client in another language', 'generate'),
      prose(
        `The documents are for generators too: one that reads OpenAPI 3.1 makes a client from them, in Python, Go, Java or whatever language it writes. For TypeScript there is ${link('a client of this API', `${addresses.guide('getting-started')}#install-the-client`)}, and the page of each operation has the call in curl, TypeScript, Python and Go, the last two with nothing but the standard library. Tools that send requests, such as Postman, import the same documents.`,
      ),
      ...generatedClient(newest),
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

/** What generators leave out: few send the media types of the answers in `Accept`, and v2 serves nothing without. */
function generatedClient({ document, fact, prefix }: VersionModel): Block[] {
  const name = document.info.title.toLowerCase().replace(/\W+/g, '_')
  return [
    heading(3, 'Set the version', 'set-the-version'),
    prose(
      `Every request of v2 says in ${code('Accept')} which ${link('version', addresses.guide('versioning'))} it is written for, and is answered with ${codeLink('NOT_ACCEPTABLE', addresses.error('NOT_ACCEPTABLE'))} otherwise. The documents tell it by the media types of the answers; many generators do not send them, so set the header once for all requests, as here:`,
    ),
    {
      kind: 'code',
      language: 'python',
      label: 'A client that openapi-python-client has made',
      text: `import os

from ${name}_client import AuthenticatedClient
from ${name}_client.api.alerts import list_alerts

client = AuthenticatedClient(
    base_url=os.environ["SVC_BASE_URL"] + "${prefix}",
    token=os.environ["SVC_TOKEN"],
    headers={"Accept": "${fact.mediaType}"},
)
answer = list_alerts.sync_detailed(client=client, group_id=os.environ["SVC_GROUP_ID"])
print(answer.status_code)`,
    },
    prose(
      `The date is that of the document. In a request with a body the generated ${code('Content-Type')} fits it as it is.`,
    ),
  ]
}
